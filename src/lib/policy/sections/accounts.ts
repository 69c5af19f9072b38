/** Sections of accounts: those that are blocked, and those that are muted. */
import * as z from 'zod/mini';
import {namesKind, namesSection} from './names.js';
import type {Section} from './section.js';
import {Failure} from '../../client/failure.js';
import {isAddress} from '../../client/request.js';
import {commandText} from '../../files/command-text.js';
import {handleIn} from '../../operations/account-name.js';
import {accountKey, handleOf, idOrHandle, isId, shownHandle} from '../../operations/handle.js';
import type {Desired, Item, Kind, Row, Words} from '../model/kind.js';
import type {List} from '../lists/list.js';
import {itemsOnServer, pathId, checkAnswerShape} from '../section/answers.js';
import {compareText} from '../source/location.js';

const shape = z.array(z.looseObject({id: pathId, acct: z.string()}));

/** Whether a text that may also be a domain or a title is an account. */
export const mayBeAccount = (text: string): boolean => text.includes('@') && handleIn(text) !== undefined;

/** What sets a list of accounts apart. */
interface AccountsDefinition extends Pick<Kind, 'kind' | 'lost' | 'operations' | 'reads' | 'warning'>, Pick<Section, 'key'> {
  readonly help: string;
  readonly words: Words;
  /** Whether a list of another tool is one of these. */
  isOfList(list: List): boolean;
  /** @param accounts sorted, each with its server */
  mastodonCsv(accounts: readonly string[]): string;
}

/** Accounts that a policy names by their ids are known by their handles once they are there; nobody is blocked by themselves. */
function withHandles(desired: Desired, items: ReadonlyMap<string, Item>, {host, own}: Parameters<NonNullable<Kind['narrow']>>[2]): Desired {
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

export function accountSection({key, kind: name, help, isOfList, mastodonCsv, ...own}: AccountsDefinition): Section {
  const kind: Kind = {
    ...own,
    ...namesKind,
    kind: name,
    owner: 'account',
    async read(client, _, seen) {
      const {host} = client;
      const accounts = checkAnswerShape(shape, await itemsOnServer(client, own.reads, seen), host, own.reads.path);
      const items = accounts.map(({id, acct}): [string, Item] => [handleOf(acct, host), {value: true, raw: String(id)}]);
      return {items: new Map(items.sort(([one], [other]) => compareText(one, other)))};
    },
    narrow: (desired, {items}, circumstances) => withHandles(desired, items, circumstances),
    text: () => own.words.done,
    input: ({name: handle, raw}: Row, {host}) => ({path: {id: typeof raw === 'string' ? raw : idOrHandle(shownHandle(handle, host))}}),
    command: ({action, name: handle}, account, host) =>
      commandText(`${key} ${action}`, {args: [idOrHandle(shownHandle(handle, host))], flags: account}),
    shown: (handle, host) => idOrHandle(shownHandle(handle, host)),
    subject: shownHandle,
  };
  return namesSection({
    key,
    kind,
    noun: 'account',
    help,
    typed(text) {
      const handle = handleIn(text);
      if (handle !== undefined) return handle;
      throw new Failure('usage', `"${text.trim()}" is not an account, as in ana@pix.example`);
    },
    nameIn(text, host) {
      const handle = handleIn(text);
      if (handle === undefined) throw new Failure('usage', `"${text.trim()}" is not an account, as in ana@pix.example`);
      return accountKey(handle, host);
    },
    canBe: mayBeAccount,
    isPortable: (name) => !isAddress(name.trim()) && handleIn(name)?.includes('@', 1) === true,
    formats: ['mastodon-csv'],
    list(_, {items}) {
      return {text: mastodonCsv([...items.keys()].sort(compareText)), leftOut: []};
    },
    ofList(list, host) {
      if (list.kind !== 'accounts' || !isOfList(list)) return undefined;
      return new Map(list.entries.map(({account}) => [handleOf(account, host), true]));
    },
  });
}
