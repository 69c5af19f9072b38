/** How an answer differs from the documented shape, by severity. */
import * as z from 'zod/mini';
import {KNOWN_MISMATCH, mayBeInData, membersOf} from '../api/schema.js';
import {at} from '../json/path.js';

export interface Mismatch {
  /**
   * `shape`: the response as a whole has another type; `type`: a field is present but has another type;
   * `missing`: a documented field is absent; `known`: real servers are known to do this.
   */
  readonly kind: 'known' | 'missing' | 'shape' | 'type';
  /** Path, as `data.0.id`; empty for the whole response. */
  readonly path: string;
  readonly message: string;
}

/** No more mismatches of one answer are looked for, so that memory is bounded. */
export const maxMismatches = 10_000;

/** Compares parsed JSON with a schema. Unknown fields never count. @returns the first mismatches of many */
export function mismatchesIn(schema: z.core.$ZodType, value: unknown): readonly Mismatch[] {
  const {data} = membersOf(value);
  if (schema instanceof z.ZodMiniArray) {
    if (Array.isArray(value)) return mismatchesOfRows(schema, value, []);
    if (mayBeInData(schema) && Array.isArray(data)) return mismatchesOfRows(schema, data, ['data']);
  }
  const list = schema instanceof z.ZodMiniObject ? schema.def.shape['data'] : undefined;
  if (!(list instanceof z.ZodMiniArray) || !Array.isArray(data)) return mismatchesOf(schema, value, []);
  return [...mismatchesOf(schema, {...membersOf(value), data: []}, []), ...mismatchesOfRows(list, data, ['data'])];
}

/** Rows are compared one by one, because zod copies what it reads, and would describe every mismatch of all of them at once. */
function mismatchesOfRows({def: {element}}: z.ZodMiniArray, rows: readonly unknown[], path: readonly string[]): Mismatch[] {
  const found: Mismatch[] = [];
  for (const [index, row] of rows.entries()) {
    if (found.length >= maxMismatches) break;
    found.push(...mismatchesOf(element, row, [...path, index]));
  }
  return found;
}

function mismatchesOf(schema: z.core.$ZodType, value: unknown, place: readonly PropertyKey[]): Mismatch[] {
  const {error} = z.safeParse(schema, value);
  return (error?.issues ?? []).slice(0, maxMismatches).map((issue) => {
    const path = [...place, ...issue.path];
    const isThere = at(value, issue.path).present;
    const kind = issue.message === KNOWN_MISMATCH ? 'known' : path.length === 0 ? 'shape' : isThere ? 'type' : 'missing';
    return {kind, path: path.join('.'), message: issueWords(issue, value)};
  });
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** An issue of a schema in words: `expected string, got number`. */
export function issueWords(issue: z.core.$ZodIssue, whole: unknown): string {
  const found = at(whole, issue.path);
  if (!found.present) return 'missing';
  const expected = issue.code === 'invalid_type' ? issue.expected : undefined;
  if (expected !== undefined) return `expected ${expected}, got ${kindOf(found.value)}`;
  return issue.message.startsWith('expected') ? `${issue.message}, got ${kindOf(found.value)}` : issue.message;
}
