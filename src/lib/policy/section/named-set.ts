/** Sets whose rules name their items: `must`, `must_not`, `only`. */
import * as z from 'zod/mini';
import {someText, until} from './fields.js';
import type {SeenItems} from './listed.js';
import type {SectionReader} from './reader.js';
import {reasonOfMust, reasonsNamed, rulesNamed, type Section, type Words} from './section.js';
import {compareSet} from './compare-set.js';
import {placeOf, type SetDefinition, setSection} from './set.js';
import {field} from '../../api/schema.js';
import {commandText} from '../../files/command-text.js';
import {lastsLonger} from '../model/time.js';
import type {Lasting, Located, NameRules, Policy} from '../model/policy.js';
import {type Fetched, fetched, type State, valueOf} from '../model/server-state.js';
import type {Client} from '../../client/client.js';

const maybe = z.optional;

type NamesData = z.infer<ReturnType<typeof schemaOf>>;

/** @param noun what an item is: `account` */
function schemaOf(noun: string) {
  const names = z.array(someText);
  const own = z.strictObject({account: field(someText, `the ${noun}`), until});
  return z.strictObject({
    must: maybe(field(z.array(z.union([someText, own], `expected an ${noun} or {account, until}`)), `${noun}s that must be on the list`)),
    must_not: maybe(field(names, `${noun}s that must not be on the list`)),
    only: maybe(field(z.boolean(), `whether every other ${noun} is removed from the list`, {default: false})),
  });
}

type Derived =
  | 'asks'
  | 'compare'
  | 'endedIn'
  | 'command'
  | 'explain'
  | 'fingerprintName'
  | 'known'
  | 'list'
  | 'named'
  | 'ofPolicy'
  | 'read'
  | 'rulesIn'
  | 'rulesOf'
  | 'schema'
  | 'shown'
  | 'text'
  | 'wantedIn'
  | 'withEntries'
  | 'words';

/** What sets such a section apart. */
export interface NamedSet<Entry>
  extends Omit<SetDefinition<Entry>, Derived>, Partial<Pick<SetDefinition<Entry>, 'known' | 'list' | 'shown' | 'text'>> {
  readonly words: Omit<Words, 'rules'>;
  /** In editors. */
  readonly help: string;
  /** `account` */
  readonly noun: string;
  /** The group of commands, which has `add`, `remove` and `list`. */
  readonly topic: string;
  /** How an item is named on the command line. */
  argument(name: string): string;
  /** A name in a policy. @throws Failure `usage` when it is none */
  nameIn(text: string): string;
  /** Why an item is not added, if it is not. */
  omitted?(entry: string, state: State): string | undefined;
  rules(policy: Policy): NameRules | undefined;
  withRules(rules: NameRules): Partial<Policy>;
  withPart(part: Fetched<ReadonlyMap<string, Entry>>): ReturnType<SetDefinition<Entry>['withEntries']>;
  /** By the form that names are compared in. */
  entries(client: Client, seen?: SeenItems): Promise<ReadonlyMap<string, Entry>>;
}

export function namedSet<Entry>(own: NamedSet<Entry>): Section {
  const {key, kind, done, noun, topic, part, compared, shown = (name) => name} = own;
  const {known = (subject, {host}) => compared(subject, host)} = own;
  const none: NameRules = {must: [], mustNot: []};
  const rulesIn = (policy: Policy): NameRules => own.rules(policy) ?? none;
  /** By the form that names are compared in; of several of one form, the one that counts longest. */
  const once = <One extends Lasting>(names: readonly One[], formOf: (name: string) => string): ReadonlyMap<string, One> => {
    const found = new Map<string, One>();
    for (const one of names) {
      const form = formOf(one.value);
      const earlier = found.get(form);
      if (earlier === undefined || lastsLonger(one, earlier)) found.set(form, one);
    }
    return found;
  };
  const onceIn = <One extends Lasting>(names: readonly One[], state: State) => once(names, (name) => known(name, state));
  const endedOf = (policy: Policy, state: State) => onceIn(rulesIn(policy).ended ?? [], state);
  const command: SetDefinition<Entry>['command'] = (action, entry, {host, account}) =>
    commandText(`${topic} ${action}`, {args: [own.argument(shown(entry, host))], flags: account});
  return setSection<Entry>({
    text: () => '',
    ...own,
    known,
    shown,
    command,
    words: {
      ...own.words,
      rules: {
        must: `These ${noun}s must be ${done}.`,
        must_not: `These ${noun}s must not be ${done}.`,
        only: `No other ${noun} may be ${done}.`,
      },
    },
    schema: () => field(schemaOf(noun), own.help),
    fingerprintName: key,
    withEntries: (entries) => own.withPart({value: entries}),
    read: async (client, seen) => own.withPart(await fetched(() => own.entries(client, seen))),
    rulesIn(reader: SectionReader<NamesData>) {
      const read = (text: string) => ({value: own.nameIn(text)});
      const {must, ended} = reader.must(
        (data) => data.must,
        (entry) => read(typeof entry === 'string' ? entry : entry.account),
      );
      const mustNot = reader.located(
        reader.listed((data) => data.must_not, 'must_not'),
        read,
      );
      reader.refuseContradictions(must, mustNot, key, {formOf: (name) => compared(name, ''), shown: own.argument});
      return own.withRules({must, ended, mustNot, only: reader.exclusive((data) => data.only)});
    },
    rulesOf(policy) {
      const {must, mustNot, only} = rulesIn(policy);
      const {each, one} = rulesNamed(own);
      return [...each('must', must), ...each('must_not', mustNot), ...one('only', only)];
    },
    asks: (policy) => own.rules(policy) !== undefined,
    named({policy}) {
      const {must, mustNot} = rulesIn(policy);
      return [...must, ...mustNot].map(({value: subject}) => ({subject}));
    },
    wantedIn: ({policy}, state) => rulesIn(policy).must.map(({value}) => known(value, state)),
    endedIn: ({policy}, state) => endedOf(policy, state),
    compare(wanted, state, circumstances) {
      const {policy} = wanted;
      const {must, mustNot, only} = rulesIn(policy);
      const there: ReadonlyMap<string, Entry> = valueOf(part(state)) ?? new Map();
      const asked = onceIn(must, state);
      const byName = (names: ReadonlyMap<string, Lasting>, name: string) =>
        new Map([...names].map(([entry, {location, until: last}]) => [entry, {rule: `${key}.${name}`, sources: [location], until: last}]));
      return compareSet(
        {key, kind, done, shown, command},
        placeOf(wanted, state, circumstances),
        {
          wanted: byName(asked, 'must'),
          mustNot: byName(onceIn(mustNot, state), 'must_not'),
          only,
          ended: endedOf(policy, state),
          now: circumstances.now,
          change: (action, entry, why) => own.change(action, entry, {host: state.host, stored: there.get(entry)}, why()),
          omitted(entry, {sources: [source]}) {
            const why = own.omitted?.(entry, state);
            return why === undefined ? undefined : {why, source};
          },
        },
        there,
      );
    },
    explain(text, {policy}, state) {
      const entry = known(own.nameIn(text), state);
      const rules = own.rules(policy);
      const isNamed = ({value}: Located<string>) => known(value, state) === entry;
      const [must, forbidden] = [onceIn(rules?.must ?? [], state).get(entry), rules?.mustNot.find(isNamed)];
      const ended = endedOf(policy, state).get(entry);
      const isThere = valueOf(part(state))?.has(entry);
      const omitted = must && isThere === false ? own.omitted?.(entry, state) : undefined;
      const reasons = [
        ...(must && omitted !== undefined ? [{rule: `${key}.must`, source: must.location, says: omitted}] : []),
        ...reasonOfMust(own, done, {must, ended}),
        ...reasonsNamed(own, [
          ['must_not', forbidden?.location, `must not be ${done}`],
          ['only', must || forbidden ? undefined : rules?.only, `no other ${noun} may be ${done}`],
        ]),
      ];
      const isUnwanted = forbidden !== undefined || rules?.only !== undefined;
      return [
        {
          kind,
          subject: shown(entry, state.host),
          isWanted: must ? omitted === undefined : isUnwanted ? false : undefined,
          reasons,
          isThere,
          actual: isThere === undefined ? 'not read' : isThere ? done : `not ${done}`,
        },
      ];
    },
    ofPolicy({policy}, host) {
      const rules = own.rules(policy);
      return rules && new Map(rules.must.map(({value}) => [compared(value, host), undefined]));
    },
  });
}
