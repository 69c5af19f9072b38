/** What stands in a state file. */
import * as z from 'zod/mini';
import {isOrigin} from '../../client/origin.js';
import type {OwnedItem} from '../model/items.js';
import {holding, sections} from '../sections/index.js';
import {keyOf, nameOfOwner} from './ownership.js';

const items = holding.map(({kind, changing, holding: {hasIds, values}}) =>
  z.strictObject({
    owner: z.string(),
    kind: z.literal(kind),
    subject: z.string(),
    id: hasIds ? z.string() : z.optional(z.string()),
    ...(values && changing && {was: z.optional(changing.was()), made: z.optional(changing.was())}),
  }),
);
const owned = z.array(z.union(items));

/** What an apply touched, as it was before; of what has an id, what did not exist has none until it is made. */
const touched = z.array(
  z.union(
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
            introduced: z.optional(z.literal(true)),
            unsent: z.optional(z.literal(true)),
          }),
    ),
  ),
);

const savedApply = z.strictObject({
  at: z.string(),
  isFinished: z.boolean(),
  /** The digest of the plan file that it carries out. */
  plan: z.optional(z.string()),
  /** What was owned before. */
  owned,
  items: touched,
});

const server = z.string().check(z.refine(isOrigin, 'expected the origin of a server'));
const record = z.strictObject({
  server,
  account: z.optional(z.string()),
  policy: z.string(),
  owned,
  applies: z.array(savedApply),
  introduced: z.optional(z.array(z.string())),
});
export const ownershipFile = z.strictObject({version: z.literal(2), records: z.array(record)});
/** As it is written. Version 1 was not as strict. */
export const writtenFile = z.strictObject({version: z.literal(2), records: z.array(record.check(refuseOddities))});
export const anyVersion = z.looseObject({version: z.literal([1, 2])});

/** What no apply writes: of another account, without a name, without a date, or twice. */
function refuseOddities({value, issues}: z.core.ParsePayload<z.infer<typeof record>>): void {
  const refuse = (message: string, ...path: PropertyKey[]) => issues.push({code: 'custom', message, path, input: value});
  const {account, owned: now, applies} = value;
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
      if (known.has(keyOf(item))) refuse(`${subject} is there twice`, ...path, index);
      known.add(keyOf(item));
    }
  };
  checkItems(now, 'owned');
  for (const [index, {at, owned: before, items: touchedItems}] of applies.entries()) {
    if (!timeForm.test(at) || Number.isNaN(Date.parse(at))) refuse('expected a date and time', 'applies', index, 'at');
    checkItems(before, 'applies', index, 'owned');
    checkItems(touchedItems, 'applies', index, 'items');
  }
}

/** What can be in the path of a request: servers choose their ids. */
const idForm = /^(?!\.{1,2}$)[^\s/?#\p{Cc}]+$/u;
const timeForm = /^\d{4}-\d\d-\d\dT/;
