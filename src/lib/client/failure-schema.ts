/** The JSON of a failure: its type, and its fields in the reference. */
import * as z from 'zod/mini';
import {field, once} from '../api/schema.js';

const nullable = z.nullable;
const optional = z.optional;
const text = z.string;

const fields = () => ({
  code: field(text(), 'what went wrong, as in the table of exit statuses'),
  exit: field(z.int(), 'the exit status'),
  message: text(),
  status: field(nullable(z.int()), 'HTTP status of the answer; `null`: none came'),
  method: nullable(text()),
  path: nullable(text()),
  hint: field(nullable(text()), 'what to do; `null`: there is no advice'),
  reason: optional(field(z.literal('guard'), 'pixelctl itself stopped the run, and sent nothing')),
  fate: optional(field(z.literal('unknown'), 'it is unknown whether a write was carried out')),
  done: optional(field(z.readonly(z.array(text())), 'what was done before it, of what takes several requests')),
});

/** In a run over several accounts, the failure of each is in it. */
export const failureSchema = once(() => {
  const failure = z.strictObject(fields());
  const accounts = z.readonly(z.array(z.strictObject({account: text(), error: failure})));
  return z.extend(failure, {accounts: optional(field(accounts, 'which of several accounts failed'))});
});

export type FailureJson = Readonly<z.infer<ReturnType<typeof failureSchema>>>;

export const errorSchema = once(() =>
  z.strictObject({
    error: z.extend(failureSchema(), {body: optional(field(z.unknown(), 'the answer of the server, where it has more to say'))}),
  }),
);
