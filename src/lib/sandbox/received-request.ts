/** Reads the fields of a request as the servers' framework does. */
import {isObject} from '../api/schema.js';
import {abort} from './refusal.js';

/** The fields of a request by name. Values are as in PHP: nested lists and maps of strings, or JSON. */
export type ReceivedFields = Readonly<Record<string, unknown>>;

type Branch = Map<string, Branch | File | string>;

/** Members that are numbered from 0 make a list, and others a map. */
function plainOf(branch: Branch | File | string): unknown {
  if (!(branch instanceof Map)) return branch;
  const members = Array.from(branch, ([name, value]) => [name, plainOf(value)] as const);
  return members.every(([name], index) => name === String(index)) ? members.map(([, value]) => value) : Object.fromEntries(members);
}

/** Reads names such as `a[b][]` the PHP way: every `[]` opens a new element, even next to a sibling of the same name. */
export function nest(pairs: Iterable<readonly [string, File | string]>): ReceivedFields {
  const root: Branch = new Map();
  for (const [name, value] of pairs) {
    const [, first = '', rest = ''] = /^(.[^[]*)((?:\[[^[\]]*\])*)/s.exec(name) ?? [];
    let [branch, key] = [root, first];
    for (const [, inner = ''] of rest.matchAll(/\[([^[\]]*)\]/g)) {
      const known = branch.get(key);
      const next: Branch = known instanceof Map ? known : new Map();
      branch.set(key, next);
      // The key of a new element is 1 more than the highest one.
      const numbers = [...next.keys()].filter((one) => /^\d+$/.test(one)).map(Number);
      [branch, key] = [next, inner || String(Math.max(-1, ...numbers) + 1)];
    }
    branch.set(key, value);
  }
  return Object.fromEntries(Array.from(root, ([name, value]) => [name, plainOf(value)]));
}

/** Trims strings and turns empty ones into null, before rules check them. */
export function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.trim() || null;
  if (Array.isArray(value)) return value.map(clean);
  if (isFields(value)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, clean(member)]));
  return value;
}

/** Whether a value is a map of fields, and no list or file. */
export function isFields(value: unknown): value is ReceivedFields {
  return isObject(value) && !(value instanceof File);
}

export function textOf(value: unknown): string | null {
  return value === null || value === undefined || typeof value === 'object' ? null : String(value);
}

/** A list, or the values of a map; empty for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isFields(value) ? Object.values(value) : [];
}

export function integerOf(value: unknown, fallback: number): number {
  const text = textOf(value);
  return text === null || !/^-?\d+$/.test(text) ? fallback : Number(text);
}

/** A value that rules have found to be a boolean: true, false, 1, 0, "1" or "0". */
export function booleanOf(value: unknown): boolean {
  return value === true || value === 1 || value === '1';
}

/** The largest size of a request, in bytes. */
const maxBytes = 16 * 1024 * 1024;

/** Reads the whole body. @throws Refusal when it is too large */
export async function readBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = request.body ?? [];
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw abort(413, 'The POST data is too large.');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Reads query and body together. A field may be in either, and the body wins. What cannot be read counts as no input. */
export async function readFields(request: Request, body: Uint8Array<ArrayBuffer>): Promise<ReceivedFields> {
  const query = nest(new URL(request.url).searchParams);
  const cleaned = clean({...query, ...(await parse(request, body).catch(() => ({})))});
  return isFields(cleaned) ? cleaned : {};
}

async function parse(request: Request, body: Uint8Array<ArrayBuffer>): Promise<ReceivedFields> {
  const type = request.headers.get('content-type') ?? '';
  const text = (): string => new TextDecoder().decode(body);
  if (/[/+]json/.test(type)) return parseJson(text());
  if (type.startsWith('application/x-www-form-urlencoded')) return nest(new URLSearchParams(text()));
  // PHP parses multipart bodies of POST only.
  if (!type.startsWith('multipart/form-data') || request.method !== 'POST') return {};
  return nest(await new Response(body, {headers: {'content-type': type}}).formData());
}

/** Integers beyond 2^53 become their digits, so that ids sent as numbers stay what they were. */
function parseJson(text: string): ReceivedFields {
  const value: unknown = JSON.parse(text, (_name, member: unknown, {source}: {readonly source?: string}) =>
    typeof member === 'number' && Number.isInteger(member) && !Number.isSafeInteger(member) ? source : member,
  );
  return isFields(value) ? value : {};
}
