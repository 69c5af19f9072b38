/** Sections of accounts: those that are blocked, and those that are muted. */
import * as z from 'zod/mini';
import type {SectionReader} from './reader.js';
import {count, someText} from './fields.js';
import type {Explanation, Limit, Reason, Rule, Section, Words} from './section.js';
import {compareSet, setSection} from './set.js';
import type {Endpoint} from '../../api/endpoint.js';
import {field} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import {everyItem} from '../../client/paging.js';
import {accountKey, handleIn, handleOf, idOrHandle, isHandle, isId, shownHandle} from '../../operations/handles.js';
import type {Operation} from '../../operations/operation.js';
import type {Change} from '../change.js';
import {grounds} from '../change.js';
import type {Difference} from '../difference.js';
import type {List} from '../lists/list.js';
import {compareText} from '../location.js';
import type {AccountRules, Located, Policy} from '../policy.js';
import {type AccountState, identifier, knownHandle, type Part, partOf, readPart, type State, trusted, valueOf} from '../state.js';
import type {Suggest} from '../../client/suggest.js';

const maybe = z.optional;
const accounts = z.array(someText);

const accountRules = z.strictObject({
  must: maybe(field(accounts, 'accounts that must be on the list')),
  must_not: maybe(field(accounts, 'accounts that must not be on the list')),
  only: maybe(field(z.boolean(), 'whether no other account may be on the list')),
  at_most: maybe(field(count, 'how many accounts may be on the list')),
});

type AccountsData = z.infer<typeof accountRules>;

/** An account without an id is looked up by its handle when the change is sent. */
export function changeSchema<Kind extends string>(kind: Kind) {
  return z.strictObject({
    action: z.enum(['add', 'remove']),
    kind: z.literal(kind),
    subject: z.string(),
    details: z.strictObject({id: maybe(z.string())}),
    ...grounds,
  });
}

export type AccountChange<Kind extends string> = z.infer<ReturnType<typeof changeSchema<Kind>>>;
type OwnChange = Extract<Change, AccountChange<string>>;
export type AccountEntries = ReadonlyMap<string, AccountState>;

const shape = z.array(z.looseObject({id: identifier, acct: z.string()}));

/** What sets a list of accounts apart. */
interface AccountsDefinition extends Pick<Section, 'key' | 'kind' | 'words'> {
  readonly help: string;
  /** `blocked` */
  readonly done: string;
  readonly list: Endpoint;
  readonly endpoints: Readonly<Record<'add' | 'remove', Operation>>;
  readonly limit: Limit;
  readonly lost?: string;
  readonly warning?: string;
  rulesOf(policy: Policy): AccountRules | undefined;
  withRules(rules: AccountRules): Partial<Policy>;
  part(state: State): Part<AccountEntries> | undefined;
  withPart(part: Part<AccountEntries>): Partial<State>;
  readonly changeSchema: z.ZodMiniType<Change>;
  change(fields: Omit<AccountChange<string>, 'kind'>): Change;
  /** Whether a list of another tool is one of these. */
  isOfList(list: List): boolean;
  /** @param accounts sorted, each with its server */
  mastodonCsv(accounts: readonly string[]): string;
}

function readAccount(text: string): {readonly value: string} {
  const handle = handleIn(text);
  if (handle !== undefined) return {value: handle};
  throw new Failure('usage', `"${text.trim()}" is not an account, as in ana@pix.example`);
}

/** In a policy digits alone are an id. */
const writtenAs = (acct: string): string => (isId(acct) ? `@${acct}` : acct);

/** The handle in a text that may also be a domain or a title. */
export function accountIn(text: string): string | undefined {
  return text.includes('@') ? handleIn(text) : undefined;
}

export function accountSection(own: AccountsDefinition): Section {
  const {key, kind, done, part, list, endpoints} = own;
  const command = (action: 'add' | 'remove', handle: string, {host, suggest}: {readonly host: string; readonly suggest: Suggest}) =>
    suggest([key, action], {args: [idOrHandle(shownHandle(handle, host))]});
  const tooMany = (policy: Policy, present: number, suggest: Suggest): Difference[] => {
    const atMost = own.rulesOf(policy)?.atMost;
    if (atMost === undefined || present <= atMost.value) return [];
    return [
      {
        rule: `${key}.at_most`,
        kind,
        subject: key,
        wanted: `at most ${atMost.value}`,
        actual: String(present),
        source: atMost.location,
        fix: suggest([key, 'list'], {flags: {all: true}}),
      },
    ];
  };
  return setSection<AccountState>({
    ...own,
    owner: 'account',
    schema: field(accountRules, own.help),
    fingerprintName: key,
    schemas: [own.changeSchema],
    compared: accountKey,
    known: (subject, state) => knownHandle(valueOf(part(state)), subject, state.host),
    shown: shownHandle,
    command,
    withEntries: (entries) => own.withPart({value: entries}),
    entryOf: ({id = '', subject: acct}) => ({id, acct}),
    idOf: (entry) => entry?.id,
    change(action, handle, {host, stored, saved}, why) {
      const id = stored?.id ?? saved?.id;
      return own.change({action, subject: shownHandle(handle, host), details: id === undefined ? {} : {id}, ...why});
    },
    rulesIn(reader: SectionReader<AccountsData>) {
      const must = reader.located(
        reader.listed((data) => data.must, 'must'),
        readAccount,
      );
      const mustNot = reader.located(
        reader.listed((data) => data.must_not, 'must_not'),
        readAccount,
      );
      const inOneForm = (all: readonly Located<string>[]) => all.map(({value, location}) => ({value: accountKey(value, ''), location}));
      reader.refuseContradictions(inOneForm(must), inOneForm(mustNot), key);
      const [only, atMost] = [reader.only((data) => data.only), reader.value((data) => data.at_most, 'at_most')];
      return own.withRules({must, mustNot, only, atMost});
    },
    rulesOf(policy) {
      const {must = [], mustNot = [], only, atMost} = own.rulesOf(policy) ?? {};
      const each = (name: string, accounts: readonly Located<string>[]) =>
        accounts.map(({value, location}): Rule => ({rule: `${key}.${name}`, kind, subject: value, source: location}));
      return [
        ...each('must', must),
        ...each('must_not', mustNot),
        ...(only ? [{rule: `${key}.only`, kind, source: only}] : []),
        ...(atMost ? [{rule: `${key}.at_most`, kind, source: atMost.location}] : []),
      ];
    },
    asks: (policy) => own.rulesOf(policy) !== undefined,
    named({policy}) {
      const {must = [], mustNot = []} = own.rulesOf(policy) ?? {};
      return [...must, ...mustNot].map(({value: subject}) => ({subject}));
    },
    wantedIn: ({policy}, there, host) => (own.rulesOf(policy)?.must ?? []).map(({value}) => knownHandle(there, value, host)),
    async read(client) {
      const {host} = client;
      const read = async () => {
        const items: unknown[] = (await everyItem(client, list)).map((text) => JSON.parse(text));
        const named = trusted(shape, items, host, list.path).map(({id, acct}): [string, AccountState] => [
          handleOf(acct, host),
          {id: String(id), acct: acct.replace(/^@/, '')},
        ]);
        return new Map(named.sort(([one], [other]) => compareText(one, other)));
      };
      return own.withPart(await partOf(read));
    },
    compare({policy}, state, {account, advice: {suggest}}) {
      const {must, mustNot, only} = own.rulesOf(policy) ?? {must: [], mustNot: [], only: undefined};
      const {host} = state;
      const there: AccountEntries = valueOf(part(state)) ?? new Map();
      const self = account === undefined ? undefined : handleOf(account, host);
      const byHandle = (accounts: readonly Located<string>[], name: string) =>
        new Map(accounts.map(({value, location}) => [knownHandle(there, value, host), {rule: `${key}.${name}`, sources: [location]}]));
      const {differences, skipped} = compareSet(
        {
          key,
          kind,
          done,
          nameOf: (handle) => shownHandle(handle, host),
          command: (action, handle) => command(action, handle, {host, suggest}),
        },
        {
          wanted: byHandle(must, 'must'),
          mustNot: byHandle(mustNot, 'must_not'),
          only,
          change: (action, handle, why) => {
            const id = there.get(handle)?.id;
            return own.change({action, subject: shownHandle(handle, host), details: id === undefined ? {} : {id}, ...why});
          },
          omitted: (handle) => (handle === self ? {why: 'it is the account itself'} : undefined),
        },
        there,
      );
      return {differences: [...differences, ...tooMany(policy, there.size, suggest)], skipped};
    },
    namesIn: (there) => [...there.values()].map(({acct}) => writtenAs(acct)),
    isWritable: isHandle,
    formats: ['mastodon-csv'],
    list(_, state) {
      const there = part(state);
      const names = there ? [...readPart(there).values()].map(({acct}) => acct) : [];
      return own.mastodonCsv(names.map((acct) => (acct.includes('@') ? acct : `${acct}@${state.host}`)).sort(compareText));
    },
    request({action, subject, details}: OwnChange) {
      return {endpoint: endpoints[action], input: {path: {id: details.id ?? idOrHandle(subject)}}};
    },
    text: () => '',
    misfit({action, subject, details: {id}}: OwnChange, found) {
      if (action === 'remove') return id === undefined || id === found?.id ? undefined : `its id is ${found?.id}, and in the plan ${id}`;
      if (!isHandle(subject)) return 'that is not an account';
      return id === undefined || id === subject ? undefined : `the id ${id} is not part of a plan: the account is looked up by its name`;
    },
    tooMany,
    canBe: (text) => accountIn(text) !== undefined,
    explain(text, {policy}, state): Explanation[] {
      const account = accountIn(text);
      if (account === undefined) return [];
      const there = valueOf(part(state));
      const handle = knownHandle(there, account, state.host);
      const rules = own.rulesOf(policy);
      const isNamed = ({value}: Located<string>) => knownHandle(there, value, state.host) === handle;
      const [must, forbidden] = [rules?.must.find(isNamed), rules?.mustNot.find(isNamed)];
      const isThere = there?.has(handle);
      const reasons: Reason[] = [
        ...(must ? [{rule: `${key}.must`, source: must.location, says: `must be ${done}`}] : []),
        ...(forbidden ? [{rule: `${key}.must_not`, source: forbidden.location, says: `must not be ${done}`}] : []),
        ...(rules?.only && !must && !forbidden ? [{rule: `${key}.only`, source: rules.only, says: `no other account may be ${done}`}] : []),
      ];
      const isUnwanted = forbidden !== undefined || rules?.only !== undefined;
      return [
        {
          kind,
          subject: shownHandle(handle, state.host),
          isWanted: must ? true : isUnwanted ? false : undefined,
          reasons,
          isThere,
          actual: isThere === undefined ? 'not read' : isThere ? done : `not ${done}`,
        },
      ];
    },
    ofPolicy({policy}, host) {
      const rules = own.rulesOf(policy);
      return rules && new Map(rules.must.map(({value}) => [accountKey(value, host), undefined]));
    },
    ofList(found, host) {
      if (found.kind !== 'accounts' || !own.isOfList(found)) return undefined;
      return new Map(found.entries.map(({account}) => [handleOf(account, host), undefined]));
    },
  });
}

/** The rules about accounts in sentences. */
export const accountWords = (done: string): Words['rules'] => ({
  at_most: `At most this many accounts may be ${done}.`,
  must: `These accounts must be ${done}.`,
  must_not: `These accounts must not be ${done}.`,
  only: `No other account may be ${done}.`,
});
