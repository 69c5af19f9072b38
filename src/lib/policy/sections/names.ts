/** Rules that name their items (`must`, `must_not`, `only`), and kinds of items that have nothing but a name: account blocks and mutes. */
import * as z from 'zod/mini';
import {itemsOnServer, pathId} from './answers.js';
import {maybe, someText, until} from './section-fields.js';
import {type Desired, type Kind, type Section, shownName, type Want, type Why} from './policy-kind.js';
import {placed, type SectionReader} from './reader.js';
import {addBlock, addMute, listBlocks, listMutes, removeBlock, removeMute} from '../../api/blocks.js';
import type {Endpoint} from '../../api/endpoint.js';
import {field, once} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import {handleIn} from '../../operations/account-name.js';
import {accountKey, handleOf, isId} from '../../operations/handle.js';
import type {Operation} from '../../operations/operation.js';
import type {NameRules} from '../model/policy.js';
import {compareText} from '../source/location.js';

/** What rules that name items want. @param host the server of accounts that are named without one @throws Failure `usage` for a contradiction */
export function namesWanted({key, section: {nameIn}}: Kind, {must, mustNot, only}: NameRules, host: string): Desired {
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

interface NamesDefinition<Shape extends z.ZodMiniType>
  extends Pick<Kind, 'done' | 'item' | 'key' | 'narrow'>, Pick<Section, 'nameIn' | 'noun'> {
  /** The help for the section, which editors show. */
  readonly help: string;
  readonly list: Endpoint;
  readonly shape: Shape;
  /** The name of an item, and what requests name it by. */
  itemIn(item: z.output<Shape>, host: string): readonly [name: string, raw: string];
  /** The path of both operations names the item. */
  readonly add: Operation;
  readonly remove: Operation;
}

/** Makes a kind whose items belong to an account and have nothing but a name. */
export function namesKind<Shape extends z.ZodMiniType>(definition: NamesDefinition<Shape>): Kind {
  const {noun, nameIn, help, list, shape, itemIn, add, remove, ...own} = definition;
  const [pathField = ''] = Object.keys(add.pathFields);
  const section: Section = {
    noun,
    nameIn,
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
        shown: (name) => shownName({kind: {section}, name: nameIn(name, '')}, ''),
      });
      return {...names, only: reader.only};
    },
  };
  return {
    ...own,
    owner: 'account',
    section,
    calls: [list, add, remove],
    async read(client, _, seen) {
      const items = (await itemsOnServer(client, list, shape, seen)).map((item) => itemIn(item, client.host));
      return {items: new Map(items.sort(([one], [other]) => compareText(one, other)).map(([name, raw]) => [name, {value: true, raw}]))};
    },
    send: ({action, name, raw}, {host}) => ({
      operation: action === 'add' ? add : remove,
      input: {path: {[pathField]: raw ?? shownName({kind: {section}, name}, host)}},
    }),
  };
}

/** Accounts that the account blocks or mutes. */
const accountsKind = (own: Pick<NamesDefinition<z.ZodMiniType>, 'add' | 'done' | 'item' | 'key' | 'list' | 'remove'>): Kind =>
  namesKind({
    ...own,
    noun: 'account',
    help: `accounts that the account ${own.key}`,
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
  key: 'blocks',
  item: 'account block',
  done: 'blocked',
  list: listBlocks,
  add: addBlock,
  remove: removeBlock,
});

export const mutes = accountsKind({key: 'mutes', item: 'account mute', done: 'muted', list: listMutes, add: addMute, remove: removeMute});
