/** The sections `blocks` and `mutes` of a policy: accounts that the account blocks or mutes. */
import * as z from 'zod/mini';
import {pathId} from './answers.js';
import type {Circumstances, Desired, Item, Kind} from './policy-kind.js';
import {endsFollows, namesKind} from './names.js';
import {addBlock, addMute, listBlocks, listMutes, removeBlock, removeMute} from '../../api/blocks.js';
import {Failure} from '../../client/failure.js';
import {isAddress} from '../../client/request.js';
import {csvLine} from '../../files/csv.js';
import {handleIn} from '../../operations/account-name.js';
import {accountKey, handleOf, idOrHandle, isId, shownHandle} from '../../operations/handle.js';
import type {AccountList} from '../lists/list.js';
import {compareText} from '../source/location.js';

const shape = z.looseObject({id: pathId, acct: z.string()});

/** Whether a text names an account, and not a domain or the title of a filter. */
export const mayBeAccount = (text: string): boolean => text.includes('@') && handleIn(text) !== undefined;

function typedIn(text: string): string {
  const handle = handleIn(text);
  if (handle !== undefined) return handle;
  throw new Failure('usage', `"${text.trim()}" is not an account, as in ana@pix.example`);
}

const showHandle = (handle: string, host: string): string => idOrHandle(shownHandle(handle, host));

/** Replaces ids of accounts in a policy with handles from the server's list, and holds back the account itself. */
function withHandles(desired: Desired, items: ReadonlyMap<string, Item>, {host, own}: Circumstances): Desired {
  const self = own && handleOf(own.acct, host);
  const handles = new Map(Array.from(items, ([handle, {raw}]) => [raw, handle]));
  const resolveName = (name: string) => (isId(name) ? ((own?.id === name ? self : handles.get(name)) ?? name) : name);
  const renameAll = <One>(all: ReadonlyMap<string, One>) =>
    [...all.keys()].some(isId) ? new Map(Array.from(all, ([name, one]) => [resolveName(name), one])) : all;
  return {
    ...desired,
    want: renameAll(desired.want),
    never: renameAll(desired.never),
    hold: (name, {why}) => (name === self ? {says: 'it is the account itself', why} : undefined),
  };
}

interface AccountsDefinition extends Pick<Kind, 'follows' | 'key' | 'kind' | 'list'> {
  readonly done: string;
  readonly send: Pick<Kind['send'], 'add' | 'remove'>;
  readonly title: string;
  isOfList(format: AccountList['format']): boolean;
  /** @param accounts sorted, each with its server */
  write(accounts: readonly string[]): string;
}

const accountsKind = ({kind, key, done, title, send, isOfList, write, ...own}: AccountsDefinition): Kind =>
  namesKind({
    ...own,
    kind,
    key,
    noun: 'account',
    help: `accounts that the account ${kind}s`,
    words: {item: `account ${kind}`, title, all: `the ${key}`, done},
    typedIn,
    nameIn: (text, host) => accountKey(typedIn(text), host),
    shownAs: showHandle,
    shape,
    itemIn: ({id, acct}, host) => [handleOf(acct, host), String(id)],
    narrow: (desired, {items}, circumstances) => withHandles(desired, items, circumstances),
    send: {...send, input: ({name, raw}, {host}) => ({path: {id: typeof raw === 'string' ? raw : showHandle(name, host)}})},
    lists: {
      formats: ['mastodon-csv'],
      write: (_, {items}) => ({text: write([...items.keys()].sort(compareText)), leftOut: []}),
      read(list, host) {
        if (list.kind !== 'accounts' || !isOfList(list.format)) return undefined;
        return new Map(list.entries.map((account) => [handleOf(account, host), true]));
      },
    },
  });

export const blocks = accountsKind({
  kind: 'block',
  key: 'blocks',
  done: 'blocked',
  title: 'Blocked accounts',
  list: listBlocks,
  send: {add: addBlock, remove: removeBlock},
  follows: endsFollows('You and blocked accounts stop following each other permanently.'),
  isOfList: (format) => format !== 'mastodon-mutes-csv',
  // Mastodon's export of blocks has one account on each line.
  write: (accounts) => accounts.map((account) => csvLine([account])).join(''),
});

export const mutes = accountsKind({
  kind: 'mute',
  key: 'mutes',
  done: 'muted',
  title: 'Muted accounts',
  list: listMutes,
  send: {add: addMute, remove: removeMute},
  isOfList: (format) => format === 'mastodon-mutes-csv',
  write: (accounts) => csvLine(['Account address', 'Hide notifications']) + accounts.map((account) => csvLine([account, 'true'])).join(''),
});

/** Whether a name means the same on every server: an id, or an account without its server, does not. */
export const isPortable = (kind: Kind, name: string): boolean =>
  (kind !== blocks && kind !== mutes) || (!isAddress(name.trim()) && handleIn(name)?.includes('@', 1) === true);
