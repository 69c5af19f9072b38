/** Sections of accounts: those that are blocked, and those that are muted. */
import * as z from 'zod/mini';
import {itemsOnServer} from './listed.js';
import {namedSet, type NamedSet} from './named-set.js';
import type {Section} from './section.js';
import {Failure} from '../../client/failure.js';
import {isAddress} from '../../client/request.js';
import {accountKey, handleOf, idOrHandle, isHandle, shownHandle} from '../../operations/handle.js';
import {handleIn} from '../../operations/account-name.js';
import {type Change, changeSchema} from '../model/change.js';
import type {Changes} from '../model/section-types.js';
import type {List} from '../lists/list.js';
import {compareText} from '../source/location.js';
import {type AccountState, pathId, knownHandle, fetchedValue, trusted, valueOf} from '../model/server-state.js';

/** An account without an id is looked up by its handle when the change is sent. */
export function accountChange<Kind extends string>(kind: Kind) {
  return changeSchema(z.enum(['add', 'remove']), kind, z.strictObject({id: z.optional(z.string())}));
}

export type AccountChange<Kind extends string> = z.infer<ReturnType<typeof accountChange<Kind>>>;
/** Those of any section of accounts. */
type OwnChange = {[Kind in keyof Changes]: AccountChange<Kind> extends Changes[Kind] ? Changes[Kind] : never}[keyof Changes];
export type AccountEntries = ReadonlyMap<string, AccountState>;

const shape = z.array(z.looseObject({id: pathId, acct: z.string()}));

/** What sets a list of accounts apart. */
interface AccountsDefinition extends Pick<
  NamedSet<AccountState>,
  | 'done'
  | 'help'
  | 'key'
  | 'kind'
  | 'limit'
  | 'lost'
  | 'operations'
  | 'part'
  | 'reads'
  | 'rules'
  | 'schemas'
  | 'topic'
  | 'warning'
  | 'withPart'
  | 'withRules'
  | 'words'
> {
  changeOf(fields: Omit<AccountChange<string>, 'kind'>): Change;
  /** Whether a list of another tool is one of these. */
  isOfList(list: List): boolean;
  /** @param accounts sorted, each with its server */
  mastodonCsv(accounts: readonly string[]): string;
}

/** Whether a text that may also be a domain or a title is an account. */
export const mayBeAccount = (text: string): boolean => text.includes('@') && handleIn(text) !== undefined;

export function accountSection(own: AccountsDefinition): Section {
  const {part, reads} = own;
  return namedSet<AccountState>({
    ...own,
    owner: 'account',
    noun: 'account',
    argument: idOrHandle,
    shownAs: idOrHandle,
    isPortable: (name) => !isAddress(name.trim()) && handleIn(name)?.includes('@', 1) === true,
    compared: accountKey,
    known: (subject, state) => knownHandle(valueOf(part(state)), subject, state),
    shown: shownHandle,
    entryOf: ({id = '', subject: acct}) => ({id, acct}),
    idOf: (entry) => entry?.id,
    nameIn(text) {
      const handle = handleIn(text);
      if (handle !== undefined) return handle;
      throw new Failure('usage', `"${text.trim()}" is not an account, as in ana@pix.example`);
    },
    omitted: (handle, {host, own: self}) => (self && handle === handleOf(self.acct, host) ? 'it is the account itself' : undefined),
    async entries(client, seen) {
      const {host} = client;
      const named = trusted(shape, await itemsOnServer(client, reads, seen), host, reads.path).map(({id, acct}): [string, AccountState] => [
        handleOf(acct, host),
        {id: String(id), acct: acct.replace(/^@/, '')},
      ]);
      return new Map(named.sort(([one], [other]) => compareText(one, other)));
    },
    change(action, handle, {host, stored, id: saved}, why) {
      const id = stored?.id ?? saved;
      return own.changeOf({
        action,
        subject: shownHandle(handle, host),
        details: id === undefined ? {} : {id},
        ...why,
      });
    },
    input: ({subject, details}: OwnChange) => ({path: {id: details.id ?? idOrHandle(subject)}}),
    misfit({action, subject, details: {id}}: OwnChange, found) {
      if (action === 'remove') return id === undefined || id === found?.id ? undefined : `its id is ${found?.id}, and in the plan ${id}`;
      if (!isHandle(subject)) return 'that is not an account';
      return id === undefined || id === subject ? undefined : `the id ${id} is not part of a plan: the account is looked up by its name`;
    },
    isWritable: isHandle,
    formats: ['mastodon-csv'],
    list(_, state) {
      const there = part(state);
      const names = there ? [...fetchedValue(there).values()].map(({acct}) => acct) : [];
      const sorted = names.map((acct) => (acct.includes('@') ? acct : `${acct}@${state.host}`)).sort(compareText);
      return {text: own.mastodonCsv(sorted), leftOut: []};
    },
    canBe: mayBeAccount,
    ofList(list, host) {
      if (list.kind !== 'accounts' || !own.isOfList(list)) return undefined;
      return new Map(list.entries.map(({account}) => [handleOf(account, host), undefined]));
    },
  });
}
