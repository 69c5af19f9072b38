/** The results of a run: their JSON with its reference, the fields that can be chosen, and the columns for people. */
import * as z from 'zod/mini';
import type {Endpoint} from '../api/endpoint.js';
import {resultMembers} from '../api/kind.js';
import {field, once} from '../api/schema.js';
import type {Column, ListView} from '../api/view.js';
import {failureSchema} from '../client/failure-schema.js';
import {valueAt} from '../print/values.js';

const optional = z.optional;

const common = () => ({
  target: field(z.nullable(z.string()), 'what was acted on; `null` for a request that names nothing, such as the creation of a filter'),
});

const noAnswer = () => field(z.nullable(z.int()), 'HTTP status of the answer; `null`: none came');

const done = once(() =>
  z.strictObject({
    ...common(),
    ok: z.literal(true),
    status: field(z.int(), 'HTTP status of the answer'),
    resumed: optional(field(z.literal(true), 'an earlier run with the same journal did it')),
    body: field(z.unknown(), 'the answer as the server sent it; `null` where it was too long for the journal'),
  }),
);

const failed = once(() =>
  z.strictObject({
    ...common(),
    ok: z.literal(false),
    status: noAnswer(),
    unknown: optional(field(z.literal(true), 'an earlier run may have done it, so it was not sent again')),
    error: field(failureSchema(), 'as on standard error'),
  }),
);

const heldBack = once(() =>
  z.strictObject({
    ...common(),
    ok: z.literal(false),
    status: noAnswer(),
    held_back: field(z.enum(['covered', 'own_server', 'server_limit', 'top_level']), 'why it was not made, which is no failure of the run'),
    error: optional(field(failureSchema(), 'what the server said, where it was asked')),
  }),
);

const one = once(() => z.union([done(), failed(), heldBack()]));

export type Result = Readonly<z.infer<ReturnType<typeof one>>>;

/** Commands with many targets print this, and so do `apply` and `undo`. */
export const resultsSchema = once(() => {
  const account = field(z.string(), 'with several accounts');
  return z.array(z.union([one(), z.strictObject({account, item: one()})]));
});

export function resultSchema({output}: Pick<Endpoint, 'output'>) {
  return z.looseObject({
    target: z.nullable(z.string()),
    ok: z.boolean(),
    status: z.nullable(z.number()),
    resumed: z.boolean(),
    body: output(),
    unknown: z.boolean(),
    held_back: z.string(),
    error: z.looseObject(failureSchema().shape),
  });
}

const columns: readonly Column[] = [
  {header: 'target', path: 'target', key: true},
  {header: 'result', path: '', kind: 'outcome', stays: true},
  {header: 'status', path: 'status', kind: 'number', priority: 2},
  {header: 'error', path: 'error.message', stays: true},
];

export const resultsView: ListView = {kind: 'list', columns, fields: resultMembers, empty: 'No targets.'};

/** Results whose targets are shown in other words. @param shown the words to show, by target */
export const resultsNaming = (shown: ReadonlyMap<unknown, string>): ListView => ({
  ...resultsView,
  columns: columns.map((column) =>
    column.path === 'target' ? {...column, text: (row: unknown) => shown.get(valueAt(row, column.path))} : column,
  ),
});
