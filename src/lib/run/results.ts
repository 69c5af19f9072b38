/** The results of a run, as JSON and for people. */
import * as z from 'zod/mini';
import type {Endpoint} from '../api/endpoint.js';
import {resultMembers} from '../api/kinds/result.js';
import type {HeldBackFor} from '../client/failure.js';
import type {ListView} from '../api/view.js';
import {compact} from '../json/text.js';

export type Result =
  | {
      /** What was acted on; null for a request that names nothing, such as the creation of a filter. */
      readonly target: string | null;
      readonly ok: true;
      readonly status: number;
      /** An earlier run did it. */
      readonly resumed?: true;
      /** As the server sent it; null when it was too long for the journal. */
      readonly body: string | null;
    }
  | {
      readonly target: string | null;
      readonly ok: false;
      readonly status: number | null;
      /** An earlier run may have done it, so it was not sent again. */
      readonly unknown?: true;
      readonly error: {readonly message: string};
    }
  | {
      readonly target: string | null;
      readonly ok: false;
      readonly status: number | null;
      /** Why it was not made. */
      readonly held_back: HeldBackFor;
      /** What the server said, where it was asked. */
      readonly error?: {readonly message: string};
    };

/**
 * A result as one line of JSON, with the server's answer unmodified.
 * @param note replaces `ok` in tables
 */
export function resultText(result: Result, note?: string): string {
  if (!result.ok) return JSON.stringify(result);
  const {body, ...answered} = result;
  const rest = {...answered, ...(note !== undefined && {note})};
  return `${JSON.stringify(rest).slice(0, -1)},"body":${compact(body ?? '') || 'null'}}`;
}

/** Results of a command with many targets. */
export const resultsView: ListView = {
  kind: 'list',
  columns: [
    {header: 'target', path: 'target', key: true},
    {header: 'result', path: '', kind: 'outcome', stays: true},
    {header: 'status', path: 'status', kind: 'number', priority: 2},
    {header: 'error', path: 'error.message', stays: true},
  ],
  fields: resultMembers,
  empty: 'No targets.',
};

/** Results of a batch. */
export const operationsView: ListView = {
  kind: 'list',
  columns: [
    {header: 'line', path: 'line', kind: 'number', key: true},
    {header: 'id', path: 'id', none: '', key: true},
    {header: 'target', path: 'target', key: true},
    {header: 'result', path: '', kind: 'outcome', stays: true},
    {header: 'status', path: 'status', kind: 'number', priority: 4},
    {header: 'error', path: 'error.message', stays: true},
  ],
  fields: ['line', 'id', ...resultMembers],
  empty: 'No operations.',
};

export function resultSchema({output}: Pick<Endpoint, 'output'>) {
  return z.looseObject({
    target: z.nullable(z.string()),
    ok: z.boolean(),
    status: z.nullable(z.number()),
    resumed: z.boolean(),
    body: output(),
    unknown: z.boolean(),
    held_back: z.string(),
    error: z.looseObject({
      code: z.string(),
      exit: z.number(),
      message: z.string(),
      status: z.number(),
      method: z.string(),
      path: z.string(),
      hint: z.string(),
      fate: z.string(),
      done: z.array(z.string()),
    }),
  });
}

/** The schema of a result of a batch, whatever the line asked for. */
export function batchResultSchema() {
  return z.looseObject({line: z.number(), id: z.unknown(), ...resultSchema({output: () => z.unknown()}).shape});
}
