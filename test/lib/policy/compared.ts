/** What a policy and a server without a network differ in. */
import {openClient} from '../../../src/lib/client/client.js';
import type {Failure} from '../../../src/lib/client/failure.js';
import {compareKind, type Comparison, comparisonOf} from '../../../src/lib/policy/rows/compare.js';
import {type Action, type Item, keyOf, type Row} from '../../../src/lib/policy/sections/policy-kind.js';
import type {Value} from '../../../src/lib/policy/model/value.js';
import {kindOf, kinds} from '../../../src/lib/policy/sections/index.js';
import type {Line} from '../../../src/lib/policy/model/policy-state.js';
import {StateFile} from '../../../src/lib/policy/state/file.js';
import type {Accounts, Shown, Target} from '../../../src/lib/policy/rows/target.js';
import {now, wantedBy} from './wanted.js';

const server = new URL('https://pix.example');

export const ana: Target = {
  client: openClient({server, token: async () => 'x'}),
  server,
  account: '@ana',
  own: {id: '1', acct: 'ana'},
  advice: {account: {}, policy: {}},
  now: () => now,
  state: undefined,
  warn: () => {},
  use: (file) => file,
  readFollowedAccounts: () => Promise.reject(new Error('There is no network')),
};

/** What is there: by section, names or values by name. */
export type Items = Readonly<Record<string, Readonly<Record<string, Value>> | readonly string[]>>;

export function itemsOf(all: Items[string] = []): Map<string, Item> {
  const values: [string, Value][] = Array.isArray(all) ? all.map((name: string) => [name, true]) : Object.entries(all);
  return new Map(values.map(([name, value], index) => [name, {value, ...(value !== true && {id: String(index + 1)})}]));
}

interface Around {
  readonly lists?: Readonly<Record<string, string>>;
  /** How many accounts it follows on each domain, or why nobody knows. */
  readonly followed?: Failure | Readonly<Record<string, number>>;
  /** Lines of the states, of the account and of its server. */
  readonly state?: readonly Line[];
  readonly target?: Target;
}

/** @param text a policy without its version */
export async function compared(
  text: string,
  items: Items = {},
  {lists, followed, state = [], target = ana}: Around = {},
): Promise<Comparison> {
  const given = wantedBy(`version: 1\n${text}`, lists);
  const stateOf = (of: string) => StateFile.inMemory(of, state);
  const states = {account: stateOf('ana@pix.example'), server: stateOf('@pix.example')};
  const read = followed instanceof Error ? () => Promise.reject(followed) : async () => new Map(Object.entries(followed ?? {}));
  const following: Target = {...target, readFollowedAccounts: read};
  const all = [];
  for (const one of kinds.filter(
    (kind) => given.policy.rules.has(kind.key) || state.some((line) => 'own' in line && line.own.key.startsWith(keyOf(kind, ''))),
  ))
    all.push(await compareKind(one, {items: itemsOf(items[one.key])}, {given, target: following, states}));
  return comparisonOf(target, given, {states, kinds: all});
}

/** An account that has some items. */
export const having = (items: Items): Target => ({...ana, read: async ({key}) => ({items: itemsOf(items[key])})});

/** The accounts of a run. @param failure why another one cannot be read */
export const accountsOf = (target: Target, failure?: Failure): Accounts => ({
  async gather(_, work) {
    const all = [{value: await work(target)}, ...(failure === undefined ? [] : [{target, failure}])];
    return {all, failure, noun: failure && ['account', 'accounts'], advice: {account: {}, policy: {}}};
  },
});

export const numbered = (count: number, name = 'd'): string[] => Array.from({length: count}, (_, index) => `${name}${index}.example`);

/** How rows are shown on `pix.example`. */
export const shown: Shown = {host: server.host, advice: {account: {}, policy: {}}, policy: 'p.yml'};

/** @param rule as in `domain_blocks.must` */
export function row(rule: string, name: string, action: Action = 'add', more: Partial<Row> = {}): Row {
  const [key = ''] = rule.split('.');
  const kind = kindOf(key);
  if (kind === undefined) throw new Error(`There is no section ${key}`);
  const value: Value = key === 'filters' ? {context: ['home'], keywords: [{keyword: 'ending', whole_word: true}]} : true;
  const [has, want] = action === 'add' ? [null, value] : action === 'remove' ? [value, null] : [value, value];
  return {kind, name, action, has, want, why: {rule, where: 'p.yml:3'}, isAsked: true, ...more};
}
