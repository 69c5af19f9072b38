/** How an answer departs from the documented shape, told apart by how much it matters. */
import * as z from 'zod/mini';
import {KNOWN_DEPARTURE} from '../api/departure.js';
import {at} from '../json/path.js';
import {issueWords} from './issue.js';

export interface Departure {
  /**
   * `shape`: the answer as a whole is something else; `type`: a field is present but of another type;
   * `missing`: a documented field is absent; `known`: real servers are known to do this.
   */
  readonly kind: 'known' | 'missing' | 'shape' | 'type';
  /** Where, as `data.0.id`; empty for the whole answer. */
  readonly path: string;
  readonly message: string;
}

/** Compares a parsed answer with a schema; an empty list says that it conforms. Unknown fields never count. */
export function departuresFrom(schema: z.ZodMiniType, value: unknown): Departure[] {
  const result = z.safeParse(schema, value);
  if (result.success) return [];
  return result.error.issues.map((issue) => {
    const path = issue.path.join('.');
    const message = issueWords(issue, value);
    if (issue.message === KNOWN_DEPARTURE) return {kind: 'known', path, message};
    if (issue.path.length === 0) return {kind: 'shape', path, message};
    return {kind: at(value, issue.path).present ? 'type' : 'missing', path, message};
  });
}
