/** The sections `blocks` and `mutes` of a policy: accounts that the account blocks or mutes. */
import * as z from 'zod/mini';
import {pathId} from './answers.js';
import type {Kind} from './policy-kind.js';
import {namesKind} from './names.js';
import {addBlock, addMute, listBlocks, listMutes, removeBlock, removeMute} from '../../api/blocks.js';
import {Failure} from '../../client/failure.js';
import {handleIn} from '../../operations/account-name.js';
import {accountKey, handleOf, isId} from '../../operations/handle.js';

type AccountsDefinition = Pick<Kind, 'done' | 'follows' | 'kind' | 'list'> & {readonly send: Pick<Kind['send'], 'add' | 'remove'>};

const accountsKind = (own: AccountsDefinition): Kind =>
  namesKind({
    ...own,
    noun: 'account',
    help: `accounts that the account ${own.kind}s`,
    item: `account ${own.kind}`,
    nameIn(text, host) {
      const handle = handleIn(text);
      if (handle !== undefined) return accountKey(handle, host);
      throw new Failure('usage', `"${text.trim()}" is not an account, as in ana@pix.example`);
    },
    shape: z.looseObject({id: pathId, acct: z.string()}),
    itemIn: ({id, acct}, host) => [handleOf(acct, host), String(id)],
    /** Replaces ids in the policy with handles from the server's list, and holds back the account itself. */
    narrow({want, never}, {items}, {host, own: self}) {
      const itself = self && handleOf(self.acct, host);
      const handles = new Map(Array.from(items, ([handle, {raw}]) => [raw, handle]));
      if (self && itself !== undefined) handles.set(self.id, itself);
      const renameAll = <One>(all: ReadonlyMap<string, One>) =>
        [...all.keys()].some(isId) ? new Map(Array.from(all, ([name, one]) => [handles.get(name) ?? name, one])) : all;
      return {
        want: renameAll(want),
        never: renameAll(never),
        hold: (name, {why}) => (name === itself ? {says: 'it is the account itself', why} : undefined),
      };
    },
  });

export const blocks = accountsKind({
  kind: 'block',
  done: 'blocked',
  list: listBlocks,
  send: {add: addBlock, remove: removeBlock},
  follows: ({action}) =>
    action === 'add' ? {says: 'You and blocked accounts stop following each other permanently.', isEnd: true} : undefined,
});

export const mutes = accountsKind({kind: 'mute', done: 'muted', list: listMutes, send: {add: addMute, remove: removeMute}});
