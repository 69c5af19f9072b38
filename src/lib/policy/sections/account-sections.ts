/** The sections `blocks` and `mutes` of a policy: accounts that the account blocks or mutes. */
import * as z from 'zod/mini';
import {pathId} from './answers.js';
import type {Kind} from './policy-kind.js';
import {namesKind} from './names.js';
import {addBlock, addMute, listBlocks, listMutes, removeBlock, removeMute} from '../../api/blocks.js';
import {Failure} from '../../client/failure.js';
import {isAddress} from '../../client/request.js';
import {csvLine} from '../../files/csv.js';
import {handleIn} from '../../operations/account-name.js';
import {accountKey, handleOf, idOrHandle, isId, shownHandle} from '../../operations/handle.js';
import {compareText} from '../source/location.js';

const showHandle = (handle: string, host: string): string => idOrHandle(shownHandle(handle, host));

interface AccountsDefinition extends Pick<Kind, 'done' | 'follows' | 'key' | 'kind' | 'list'> {
  readonly send: Pick<Kind['send'], 'add' | 'remove'>;
  /** The first line of Mastodon's export, and what stands after each account. */
  readonly columns: {readonly header: readonly string[]; readonly more: readonly string[]};
}

const accountsKind = ({kind, send, columns: {header, more}, ...own}: AccountsDefinition): Kind =>
  namesKind({
    ...own,
    kind,
    noun: 'account',
    help: `accounts that the account ${kind}s`,
    item: `account ${kind}`,
    nameIn(text, host) {
      const handle = handleIn(text);
      if (handle !== undefined) return accountKey(handle, host);
      throw new Failure('usage', `"${text.trim()}" is not an account, as in ana@pix.example`);
    },
    shownAs: showHandle,
    shape: z.looseObject({id: pathId, acct: z.string()}),
    itemIn: ({id, acct}, host) => [handleOf(acct, host), String(id)],
    /** Replaces ids in the policy with handles from the server's list, and holds back the account itself. */
    narrow({want, never}, {items}, {host, own: self}) {
      const own = self && handleOf(self.acct, host);
      const handles = new Map([
        ...Array.from(items, ([handle, {raw}]) => [raw, handle] as const),
        ...(self && own ? [[self.id, own] as const] : []),
      ]);
      const renameAll = <One>(all: ReadonlyMap<string, One>) =>
        [...all.keys()].some(isId) ? new Map(Array.from(all, ([name, one]) => [handles.get(name) ?? name, one])) : all;
      return {
        want: renameAll(want),
        never: renameAll(never),
        hold: (name, {why}) => (name === own ? {says: 'it is the account itself', why} : undefined),
      };
    },
    send: {...send, input: ({name, raw}, {host}) => ({path: {id: raw ?? showHandle(name, host)}})},
    lists: {
      formats: ['mastodon-csv'],
      write(_, {items}) {
        const lines = [...items.keys()].sort(compareText).map((account) => [account, ...more]);
        return {text: [...(header.length > 0 ? [header] : []), ...lines].map((cells) => csvLine(cells)).join(''), leftOut: []};
      },
      read(list, host) {
        if (list.kind !== 'accounts' || list.format !== `mastodon-${own.key}-csv`) return undefined;
        return new Map(list.entries.map((account) => [handleOf(account, host), true]));
      },
    },
  });

export const blocks = accountsKind({
  kind: 'block',
  key: 'blocks',
  done: 'blocked',
  list: listBlocks,
  send: {add: addBlock, remove: removeBlock},
  follows: ({action}) =>
    action === 'add' ? {says: 'You and blocked accounts stop following each other permanently.', isEnd: true} : undefined,
  columns: {header: [], more: []},
});

export const mutes = accountsKind({
  kind: 'mute',
  key: 'mutes',
  done: 'muted',
  list: listMutes,
  send: {add: addMute, remove: removeMute},
  columns: {header: ['Account address', 'Hide notifications'], more: ['true']},
});

/** Whether a name means the same on every server: an id, or an account without its server, does not. */
export const isPortable = (kind: Kind, name: string): boolean =>
  (kind !== blocks && kind !== mutes) || (!isAddress(name.trim()) && handleIn(name)?.includes('@', 1) === true);
