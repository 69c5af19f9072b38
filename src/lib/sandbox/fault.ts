import {endpoints} from '../api/endpoints.js';

/** What goes wrong. */
export type Effect =
  | {readonly kind: 'status'; readonly status: number}
  | {readonly kind: 'delay'; readonly milliseconds: number}
  | {readonly kind: 'drop'; readonly carriedOut: boolean}
  | {readonly kind: 'truncate'}
  | {readonly kind: 'html'}
  | {readonly kind: 'rate-limit'; readonly seconds: number};

/** Something that goes wrong, where and how often. */
export interface Fault {
  readonly effect: Effect;
  /** Null: every request. */
  readonly at: {readonly method: string | null; readonly path: RegExp} | null;
  /** From 0 to 1. */
  readonly chance: number;
  /** Matching requests before the first fault. */
  readonly after: number;
  /** Faults until there are no more. */
  readonly times: number;
}

/** Each kind with what its value means. */
const kinds: Readonly<Record<string, (value: string | null) => Effect>> = {
  status: (value) => ({kind: 'status', status: number('status', value, 400, 599)}),
  delay: (value) => ({kind: 'delay', milliseconds: number('delay', value, 0, 3_600_000)}),
  drop(value) {
    if (value !== null && !['before', 'after'].includes(value)) throw new Error(`"drop" takes before or after, not "${value}".`);
    return {kind: 'drop', carriedOut: value === 'after'};
  },
  truncate: (value) => withoutValue('truncate', value),
  html: (value) => withoutValue('html', value),
  'rate-limit': (value) => ({kind: 'rate-limit', seconds: number('rate-limit', value ?? '1', 0, 3600)}),
};

const conditions: readonly string[] = ['at', 'chance', 'after', 'times'];

/**
 * Reads a fault: one kind, then conditions, separated by commas. A value with a comma in it stands in double quotes.
 *
 *     status=503                 this status (400 to 599), with its usual text; nothing is carried out
 *     delay=2000                 the answer comes this many milliseconds later
 *     drop, drop=before          the connection ends without an answer; nothing is carried out
 *     drop=after                 the same, but the request was carried out
 *     truncate                   the request is carried out, and the connection ends half way through the answer
 *     html                       200 with a web page; nothing is carried out
 *     rate-limit, rate-limit=3   429 with `Retry-After` in seconds (1 unless given); nothing is carried out
 *
 *     at="POST /api/v1.1/report" only there; without a method, for all methods; `{id}` stands for one segment, `*` for
 *                                anything; an endpoint's name such as "list blocks" works too
 *     chance=0.3                 30 % of the requests that match
 *     after=2                    not the first two that match
 *     times=1                    only once, then never again
 *
 * Example: `status=503,at="POST /api/v1.1/report",chance=0.3`. Delays add up; of other faults the first that happens counts.
 */
export function parseFault(text: string): Fault {
  const [first = '', ...rest] = text.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  const [kind, value] = part(first);
  const effect = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (effect === undefined) throw new Error(`unknown fault "${kind}": use one of ${Object.keys(kinds).join(', ')}`);
  const given = new Map(rest.map(part));
  for (const name of given.keys())
    if (!conditions.includes(name)) throw new Error(`unknown condition "${name}": use one of ${conditions.join(', ')}`);
  const condition = (name: string, fallback: number, least: number, most: number) =>
    given.has(name) ? number(name, given.get(name) ?? null, least, most) : fallback;
  return {
    effect: effect(value),
    at: given.has('at') ? position(given.get('at') ?? '') : null,
    chance: condition('chance', 1, 0, 1),
    after: condition('after', 0, 0, Infinity),
    times: condition('times', Infinity, 1, Infinity),
  };
}

/** A name and its value; null for a name alone. */
function part(piece: string): readonly [name: string, value: string | null] {
  const [, name = '', value = null] = /^([^=]*)(?:=(.*))?$/s.exec(piece) ?? [];
  return [name.trim(), value && value.trim().replace(/^"(.*)"$/, '$1')];
}

function number(name: string, value: string | null, least: number, most: number): number {
  const parsed = value === null || value === '' ? NaN : Number(value);
  if (parsed >= least && parsed <= most) return parsed;
  throw new Error(
    `"${name}" takes a number ${most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`}, not "${value ?? ''}".`,
  );
}

function withoutValue(kind: 'html' | 'truncate', value: string | null): Effect {
  if (value === null) return {kind};
  throw new Error(`"${kind}" takes no value.`);
}

function position(value: string): NonNullable<Fault['at']> {
  const named = endpoints.find(({name}) => name === value);
  const [, method = null, path] = named ? ['', named.method, named.path] : (/^(?:([A-Za-z]+) +)?(\/.*)$/.exec(value) ?? []);
  if (path === undefined) throw new Error(`"at" takes a path, a method and a path, or the name of an endpoint, not "${value}".`);
  const pattern = path
    .split(/(\{[^{}]*\}|\*)/)
    .map((piece) => (piece === '*' ? '.*' : piece.startsWith('{') ? '[^/]+' : piece.replace(/[.+?^$()[\]\\|{}]/g, String.raw`\$&`)));
  return {method: method?.toUpperCase() ?? null, path: new RegExp(`^${pattern.join('')}$`)};
}

/** Decides which faults happen. */
export class FaultPicker {
  readonly #counts = new Map<Fault, {seen: number; happened: number}>();
  #state = 1;

  constructor(private readonly faults: readonly Fault[]) {}

  /** The faults of one request: all delays, and at most one other. */
  pick(method: string, path: string): readonly Effect[] {
    const effects = this.faults.filter((fault) => this.#happens(fault, method, path)).map(({effect}) => effect);
    const other = effects.find(({kind}) => kind !== 'delay');
    return [...effects.filter(({kind}) => kind === 'delay'), ...(other ? [other] : [])];
  }

  #happens(fault: Fault, method: string, path: string): boolean {
    if (fault.at && ((fault.at.method !== null && fault.at.method !== method) || !fault.at.path.test(path))) return false;
    const {seen, happened} = this.#counts.get(fault) ?? {seen: 0, happened: 0};
    const isNow = seen >= fault.after && happened < fault.times && this.#random() < fault.chance;
    this.#counts.set(fault, {seen: seen + 1, happened: happened + Number(isNow)});
    return isNow;
  }

  /** Mulberry32: small, even enough, and the same everywhere. */
  #random(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
