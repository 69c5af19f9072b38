/** What stands in a state file. */
import * as z from 'zod/mini';
import {isOrigin} from '../../client/origin.js';
import type {OwnedItem} from '../model/items.js';
import type {Section} from '../section/section.js';
import {holding, sections} from '../sections/index.js';
import {itemKey, nameOfOwner} from './ownership.js';

const maybe = z.optional;
const itemOf = ({kind, holding: held, made}: Section) => ({
  owner: z.string(),
  kind: z.literal(kind),
  subject: z.string(),
  id: held?.hasIds === true ? z.string() : maybe(z.string()),
  at: maybe(z.string()),
  ...(made && {made: maybe(made.schema())}),
});
const ownedItem = z.union(
  holding.map((section) =>
    z.strictObject({...itemOf(section), ...(section.holding.values && section.changing && {was: maybe(section.changing.was())})}),
  ),
);
const owned = z.array(ownedItem);
const watchedItem = z.union(sections.flatMap((section) => (section.made === undefined ? [] : z.strictObject(itemOf(section)))));

/** What an apply touched, as it was before; of what has an id, what did not exist has none until it is made. */
const touchedItem = z.union(
  sections.flatMap(({kind, changing}) =>
    changing === undefined
      ? []
      : z.strictObject({
          owner: z.string(),
          kind: z.literal(kind),
          subject: z.string(),
          id: z.optional(z.string()),
          was: z.nullable(changing.was()),
          updated: z.optional(z.literal(true)),
          unsent: z.optional(z.literal(true)),
        }),
  ),
);

const savedApply = z.strictObject({
  at: z.string(),
  isFinished: z.boolean(),
  /** The digest of the plan file that it carries out. */
  plan: z.optional(z.string()),
  /** What was owned before. */
  owned,
  items: z.array(touchedItem),
});

const server = z.string().check(z.refine(isOrigin, 'expected the origin of a server'));
const owner = {server, account: z.optional(z.string()), policy: z.string()};
const record = z.strictObject({
  ...owner,
  owned,
  applies: z.array(savedApply),
  watched: z.optional(z.array(watchedItem)),
});
const top = {version: z.literal(2), log: z.optional(z.string())};
export const ownershipFile = z.strictObject({...top, records: z.array(record.check(refuseOddities))});

/** Where a part of a log begins. */
export const logHeader = z.strictObject({pixelctl_state_log: z.literal(1), id: z.string(), records: z.array(z.strictObject(owner))});

const index = z.int().check(z.nonnegative());
const kind = z.literal(sections.map((one) => one.kind));
const item = z.strictObject({kind, subject: z.string(), id: z.optional(z.string())});
/** A step of an apply or an undo, in the record of this number. */
export const logLine = z.union([
  z.strictObject({record: index, touched: touchedItem}),
  z.strictObject({record: index, owned: ownedItem}),
  z.strictObject({record: index, watched: watchedItem}),
  z.strictObject({record: index, gone: item}),
  z.strictObject({record: index, untouched: item}),
  z.strictObject({record: index, kind, hadId: z.string(), id: z.string()}),
]);

/** What no apply writes: of another account, without a name, without a date, or twice. */
function refuseOddities({value, issues}: z.core.ParsePayload<z.infer<typeof record>>): void {
  const refuse = (message: string, ...path: PropertyKey[]) => issues.push({code: 'custom', message, path, input: value});
  const {account, owned: now, watched = [], applies} = value;
  if (account === '') return void refuse('expected an account', 'account');
  const expected = nameOfOwner(value);
  const checkItems = (list: readonly OwnedItem[], ...path: PropertyKey[]) => {
    const known = new Set<string>();
    for (const [index, item] of list.entries()) {
      const {owner, subject, id} = item;
      if (owner !== expected) refuse(`expected ${expected}`, ...path, index, 'owner');
      // A title may be empty where the id says which item it is.
      if (subject === '' && id === undefined) refuse('expected a text that is not empty', ...path, index, 'subject');
      if (id !== undefined && !idForm.test(id)) refuse('expected an id', ...path, index, 'id');
      if (known.has(itemKey(item))) refuse(`${subject} is there twice`, ...path, index);
      known.add(itemKey(item));
    }
  };
  checkItems(now, 'owned');
  checkItems(watched, 'watched');
  for (const [index, {at, owned: before, items: touchedItems}] of applies.entries()) {
    if (!timeForm.test(at) || Number.isNaN(Date.parse(at))) refuse('expected a date and time', 'applies', index, 'at');
    checkItems(before, 'applies', index, 'owned');
    checkItems(touchedItems, 'applies', index, 'items');
  }
}

/** What can be in the path of a request: servers choose their ids. */
const idForm = /^(?!\.{1,2}$)[^\s/?#\p{Cc}]+$/u;
const timeForm = /^\d{4}-\d\d-\d\dT/;
