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
  drop: (value) => ({kind: 'drop', carriedOut: choice('drop', value ?? 'before', ['before', 'after']) === 'after'}),
  truncate: (value) => none('truncate', value, {kind: 'truncate'}),
  html: (value) => none('html', value, {kind: 'html'}),
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
  const [[kind, value], ...rest] = parts(text);
  const effect = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (effect === undefined) throw new Error(`unknown fault "${kind}": use one of ${Object.keys(kinds).join(', ')}`);
  const given = new Map(rest);
  for (const [name] of rest)
    if (!conditions.includes(name)) throw new Error(`unknown condition "${name}": use one of ${conditions.join(', ')}`);
  const condition = <Value>(name: string, fallback: Value, read: (value: string | null) => Value): Value =>
    given.has(name) ? read(given.get(name) ?? null) : fallback;
  return {
    effect: effect(value),
    at: condition('at', null, position),
    chance: condition('chance', 1, (chance) => number('chance', chance, 0, 1)),
    after: condition('after', 0, (after) => number('after', after, 0, Infinity)),
    times: condition('times', Infinity, (times) => number('times', times, 1, Infinity)),
  };
}

type Part = readonly [name: string, value: string | null];

function parts(text: string): readonly [Part, ...Part[]] {
  const pieces = text.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  const [first = ['', null] as const, ...rest] = pieces.map((piece): Part => {
    const [name = '', ...value] = piece.split('=');
    return [
      name.trim(),
      value.length === 0
        ? null
        : value
            .join('=')
            .trim()
            .replace(/^"(.*)"$/, '$1'),
    ];
  });
  return [first, ...rest];
}

function number(name: string, value: string | null, least: number, most: number): number {
  const parsed = value === null || value === '' ? NaN : Number(value);
  if (parsed >= least && parsed <= most) return parsed;
  throw new Error(
    `"${name}" takes a number ${most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`}, not "${value ?? ''}".`,
  );
}

function choice(name: string, value: string, allowed: readonly string[]): string {
  if (allowed.includes(value)) return value;
  throw new Error(`"${name}" takes ${allowed.join(' or ')}, not "${value}".`);
}

function none(name: string, value: string | null, effect: Effect): Effect {
  if (value === null) return effect;
  throw new Error(`"${name}" takes no value.`);
}

function position(value: string | null): NonNullable<Fault['at']> {
  const named = endpoints.find(({name}) => name === value);
  const [, method = null, path] = named ? ['', named.method, named.path] : (/^(?:([A-Za-z]+) +)?(\/.*)$/.exec(value ?? '') ?? []);
  if (path === undefined) throw new Error(`"at" takes a path, a method and a path, or the name of an endpoint, not "${value ?? ''}".`);
  const pattern = path
    .split(/(\{[^{}]*\}|\*)/)
    .map((piece) => (piece === '*' ? '.*' : piece.startsWith('{') ? '[^/]+' : piece.replace(/[.+?^$()[\]\\|{}]/g, String.raw`\$&`)));
  return {method: method?.toUpperCase() ?? null, path: new RegExp(`^${pattern.join('')}$`)};
}

/** Decides which faults happen. */
export class FaultPicker {
  readonly #seen = new Map<Fault, number>();
  readonly #counts = new Map<Fault, number>();
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
    const seen = this.#seen.get(fault) ?? 0;
    const happened = this.#counts.get(fault) ?? 0;
    this.#seen.set(fault, seen + 1);
    if (seen < fault.after || happened >= fault.times || this.#random() >= fault.chance) return false;
    this.#counts.set(fault, happened + 1);
    return true;
  }

  /** Mulberry32: small, even enough, and the same everywhere. */
  #random(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
