/** Rules that name their items (`must`, `must_not`, `only`), and kinds of items that have nothing but a name. */
import * as z from 'zod/mini';
import {itemsOnServer} from './answers.js';
import {maybe, someText, until} from './section-fields.js';
import {type Desired, type Kind, shownName, type Want, type Why} from './policy-kind.js';
import {placed, type SectionReader} from './reader.js';
import {field, once} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import type {NameRules} from '../model/policy.js';
import {compareText} from '../source/location.js';

/** What rules that name items want. @param host the server of accounts that are named without one @throws Failure `usage` for a contradiction */
export function namesWanted({key, nameIn}: Kind, {must, mustNot, only}: NameRules, host: string): Desired {
  const why = (rule: string, where: string): Why => ({rule: `${key}.${rule}`, where});
  const want = new Map<string, Want>();
  for (const {value, filter = true, where, until: last} of must)
    want.set(nameIn(value, host), {value: filter, why: why('must', where), until: last});
  const never = new Map(mustNot.map(({value, where}) => [nameIn(value, host), why('must_not', where)]));
  // `bob` and `@bob@pix.example` are one account of pix.example, and two elsewhere.
  for (const [name, {where}] of never) {
    const asked = want.get(name)?.why.where;
    const says = `${asked}: the same item is in must_not of ${key} at ${where}`;
    if (asked !== undefined) throw new Failure('usage', says, {hint: 'remove one of the two entries'});
  }
  return {want, never, spared: new Map(), only: only === undefined ? undefined : why('only', only)};
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

interface NamesDefinition<Shape extends z.ZodMiniType> extends Omit<Kind, 'key' | 'owner' | 'read' | 'readRules' | 'schema' | 'send'> {
  /** The help for the section, which editors show. */
  readonly help: string;
  readonly shape: Shape;
  /** The name of an item, and what requests name it by. */
  itemIn(item: z.output<Shape>, host: string): readonly [name: string, raw: string];
  /** Operations whose path names the item. */
  readonly send: Pick<Kind['send'], 'add' | 'remove'>;
}

/** Makes a kind whose items belong to an account and have nothing but a name. */
export function namesKind<Shape extends z.ZodMiniType>({help, shape, itemIn, send, ...own}: NamesDefinition<Shape>): Kind {
  const {kind, noun, list, nameIn} = own;
  const [pathField = ''] = Object.keys(send.add.pathFields);
  const made: Kind = {
    ...own,
    key: `${kind}s`,
    owner: 'account',
    schema: once(() => field(schemaOf(noun), help)),
    readRules(reader: SectionReader<NamesData>) {
      const {must, must_not} = reader.data;
      const readName = (text: string) => {
        nameIn(text, '');
        return {value: text.trim()};
      };
      const names = reader.readNames(must, placed(must_not, 'must_not'), {
        readMust: (entry) => readName(typeof entry === 'string' ? entry : String(entry[noun])),
        readMustNot: readName,
        shown: (name) => shownName({kind: made, name: nameIn(name, '')}, ''),
      });
      return {...names, only: reader.only};
    },
    async read(client, _, seen) {
      const items = (await itemsOnServer(client, list, shape, seen)).map((item) => itemIn(item, client.host));
      return {items: new Map(items.sort(([one], [other]) => compareText(one, other)).map(([name, raw]) => [name, {value: true, raw}]))};
    },
    send: {...send, input: ({name, raw}, {host}) => ({path: {[pathField]: raw ?? shownName({kind: made, name}, host)}})},
  };
  return made;
}
