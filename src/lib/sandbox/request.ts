/** What comes in with a request, read as the servers' framework reads it. */
import {fromJson} from './json.js';
import {abort} from './refusal.js';

/** What came in with a request, by name. Values are as PHP would have them: nested lists and maps of strings, or JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** A nested map under construction; its keys keep their order, and lists are maps with the keys 0, 1, 2. */
type Branch = Map<string, Branch | File | string>;

/** Reads names such as `a[b][]` the PHP way: every `[]` opens a new element, even next to a sibling of the same name. */
export function nest(pairs: Iterable<readonly [string, File | string]>): Fields {
  const root: Branch = new Map();
  for (const [name, value] of pairs) {
    const outer = /^[^[]+/.exec(name)?.[0] ?? name;
    const inner = [...name.slice(outer.length).matchAll(/\[([^\]]*)\]/g)].map(([, key = '']) => key);
    put(root, [outer, ...inner], value);
  }
  return Object.fromEntries([...root].map(([name, value]) => [name, settle(value)]));
}

function put(branch: Branch, [key = '', ...deeper]: readonly string[], value: File | string): void {
  const name = key === '' ? nextIndex(branch) : key;
  if (deeper.length === 0) {
    branch.set(name, value);
    return;
  }
  const existing = branch.get(name);
  const next: Branch = existing instanceof Map ? existing : new Map();
  branch.set(name, next);
  put(next, deeper, value);
}

function nextIndex(branch: Branch): string {
  return String(Math.max(-1, ...[...branch.keys()].filter((key) => /^\d+$/.test(key)).map(Number)) + 1);
}

function settle(value: Branch | File | string): unknown {
  if (!(value instanceof Map)) return value;
  const members = [...value].map(([key, member]) => [key, settle(member)] as const);
  return members.every(([key], index) => key === String(index)) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

/** Strings are trimmed, and empty ones are nothing, before any rule sees them. */
export function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.trim() || null;
  if (Array.isArray(value)) return value.map(clean);
  if (isFields(value)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, clean(member)]));
  return value;
}

/** Whether a value is a map of fields, and no list or file. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof File);
}

/** A value as text; null when there is none. */
export function textOf(value: unknown): string | null {
  return value === null || value === undefined || typeof value === 'object' ? null : String(value);
}

/** A value as a list; a single value is no list. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isFields(value) ? Object.values(value) : [];
}

/** A value as an integer, or the fallback when there is none. */
export function integerOf(value: unknown, fallback: number): number {
  const text = textOf(value);
  return text === null || !/^-?\d+$/.test(text) ? fallback : Number(text);
}

/** A value that rules have found to be a boolean: true, false, 1, 0, "1" or "0". */
export function booleanOf(value: unknown): boolean {
  return value === true || value === 1 || value === '1';
}

/** All of a request's body, or the refusal of one that is too large. */
export async function readBody(request: Request, mostBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = abort(413, 'The POST data is too large.');
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > mostBytes) throw tooLarge;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Query and body as one: a field may come either way, and the body wins. */
export async function readFields(request: Request, body: Uint8Array<ArrayBuffer>): Promise<Fields> {
  const query = nest(new URL(request.url).searchParams);
  const cleaned = clean({...query, ...(await parse(request, body))});
  return isFields(cleaned) ? cleaned : {};
}

async function parse(request: Request, body: Uint8Array<ArrayBuffer>): Promise<Fields> {
  const type = request.headers.get('content-type') ?? '';
  const text = (): string => new TextDecoder().decode(body);
  if (/[/+]json/.test(type)) return parseJson(text());
  if (type.startsWith('application/x-www-form-urlencoded')) return nest(new URLSearchParams(text()));
  // PHP parses multipart bodies of POST only.
  if (type.startsWith('multipart/form-data') && request.method === 'POST') return nest(await parseMultipart(type, body));
  return {};
}

/** These servers treat broken JSON as no input. */
function parseJson(text: string): Fields {
  try {
    const value = fromJson(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

async function parseMultipart(type: string, body: Uint8Array<ArrayBuffer>): Promise<Iterable<[string, File | string]>> {
  try {
    return await new Response(body, {headers: {'content-type': type}}).formData();
  } catch {
    return [];
  }
}
