/** Rules that name their items (`must`, `must_not`, `only`), and kinds of items that have nothing but a name. */
import * as z from 'zod/mini';
import {itemsOnServer} from './answers.js';
import {maybe, someText, until} from './section-fields.js';
import type {Desired, Kind, PolicyPart, Reason, Want, Why} from './policy-kind.js';
import {placed, type SectionReader} from './reader.js';
import {field, once} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import {filterText} from '../model/filter-value.js';
import type {NameRules} from '../model/policy.js';
import {lastsLonger, untilText} from '../model/time.js';
import {compareText} from '../source/location.js';

/** Why the undo of a block warns people. */
export const noFollows = 'follows ended in both directions, and are not restored';

/** Makes the `follows` of a kind whose additions end follows. */
export const endsFollows =
  (says: string): NonNullable<Kind['follows']> =>
  ({action}) =>
    action === 'add' ? {says, isEnd: true} : undefined;

interface NamedDefinition<Data> extends Pick<Kind, 'key' | 'nameIn'> {
  /** Words for sentences: `account`, and `be blocked`. */
  readonly noun: string;
  readonly verb: string;
  schema(): z.ZodMiniType;
  read(reader: SectionReader<Data>): NameRules;
  write: PolicyPart['write'];
}

/** Makes the policy part of a kind whose rules name items. */
export function namedPart<Data>({key, noun, verb, nameIn, ...own}: NamedDefinition<Data>): PolicyPart {
  const why = (rule: string, where: string): Why => ({rule: `${key}.${rule}`, where});
  /** Entries by the form in which names are compared; of entries with the same form, the one that counts longest. */
  const byName = (all: NameRules['must'], host: string) => {
    const found = new Map<string, NameRules['must'][number]>();
    for (const one of all) {
      const name = nameIn(one.value, host);
      const earlier = found.get(name);
      if (earlier === undefined || lastsLonger(one, earlier)) found.set(name, one);
    }
    return found;
  };
  return {
    ...own,
    desiredOf({must, mustNot, only}: NameRules, host): Desired {
      const want = new Map(
        Array.from(byName(must, host), ([name, {filter, where}]): [string, Want] => [
          name,
          {value: filter ?? true, why: why('must', where)},
        ]),
      );
      const never = new Map(mustNot.map(({value, where}) => [nameIn(value, host), why('must_not', where)]));
      // `bob` and `@bob@pix.example` are one account of pix.example, and two elsewhere.
      for (const [name, {where}] of never) {
        const wanted = want.get(name)?.why.where;
        if (wanted !== undefined)
          throw new Failure('usage', `${wanted}: the same ${noun} is in must_not of ${key} at ${where}`, {
            hint: 'remove one of the two entries',
          });
      }
      return {want, never, spared: new Map(), only: only === undefined ? undefined : why('only', only)};
    },
    reasons(name, {must, mustNot, only}: NameRules, host): Reason[] {
      const asked = byName(must, host).get(name);
      const forbidden = mustNot.find(({value}) => nameIn(value, host) === name);
      const says = (one: NameRules['must'][number]) =>
        one.filter === undefined
          ? `must ${verb}${untilText(one.until)}`
          : `${filterText(one.filter)}${one.until === undefined ? '' : `; wanted${untilText(one.until)}`}`;
      return [
        ...(asked ? [{...why('must', asked.where), says: says(asked)}] : []),
        ...(forbidden ? [{...why('must_not', forbidden.where), says: `must not ${verb}`}] : []),
        ...(only && !asked && !forbidden ? [{...why('only', only), says: `no other ${noun} may ${verb}`}] : []),
      ];
    },
  };
}

type NamesData = z.infer<ReturnType<typeof schemaOf>>;

/** @param noun what an item is: `account` */
function schemaOf(noun: string) {
  const names = z.array(someText);
  const own = z.strictObject({[noun]: field(someText, `the ${noun}`), until});
  return z.strictObject({
    must: maybe(z.array(z.union([someText, own], `expected an ${noun} or {${noun}, until}`)), `${noun}s that must be on the list`),
    must_not: maybe(names, `${noun}s that must not be on the list`),
    only: maybe(z.boolean(), `no other ${noun} may be on the list`, {default: false}),
  });
}

interface NamesDefinition<Shape extends z.ZodMiniType> extends Omit<Kind, 'owner' | 'policy' | 'read'> {
  /** `account` */
  readonly noun: string;
  /** The help for the section, which editors show. */
  readonly help: string;
  /** Reads a name from a policy. @throws Failure `usage` when the text is no such name */
  typedIn(text: string): string;
  /** The shape of an item in the server's list. */
  readonly shape: Shape;
  /** The name of an item, and what requests name it by. */
  itemIn(item: z.output<Shape>, host: string): readonly [name: string, raw: string];
}

/** Makes a kind whose items belong to an account and have nothing but a name. */
export function namesKind<Shape extends z.ZodMiniType>({noun, help, typedIn, shape, itemIn, ...own}: NamesDefinition<Shape>): Kind {
  const {key, list, words, nameIn} = own;
  return {
    ...own,
    owner: 'account',
    async read(client, _, seen) {
      const items = (await itemsOnServer(client, list, shape, seen)).map((item) => itemIn(item, client.host));
      return {items: new Map(items.sort(([one], [other]) => compareText(one, other)).map(([name, raw]) => [name, {value: true, raw}]))};
    },
    policy: namedPart({
      key,
      noun,
      verb: `be ${words.done}`,
      nameIn,
      schema: once(() => field(schemaOf(noun), help)),
      read(reader: SectionReader<NamesData>) {
        const {must, must_not} = reader.data;
        const readName = (text: string) => ({value: typedIn(text)});
        const names = reader.readNames(must, placed(must_not, 'must_not'), {
          readMust: (entry) => readName(typeof entry === 'string' ? entry : String(entry[noun])),
          readMustNot: readName,
          formOf: (name) => nameIn(name, ''),
          shown: (name) => own.shownAs?.(name, '') ?? name,
        });
        return {...names, only: reader.only};
      },
      write: ({items}) => ({value: {must: [...items.keys()]}, leftOut: []}),
    }),
  };
}
