/** Failures that the sandbox simulates. */
import {endpoints} from '../api/endpoints.js';

const kinds = ['status', 'delay', 'drop', 'truncate', 'html', 'rate-limit'] as const;
const conditions = ['at', 'chance', 'after', 'times'];

export interface Fault {
  readonly kind: (typeof kinds)[number];
  /** A status, the milliseconds of a delay, the seconds of `Retry-After`; 1 for a request that is carried out before the connection is dropped. */
  readonly value: number;
  /** Matches a method and a path, with a space between them. */
  readonly at: RegExp;
  /** From 0 to 1. */
  readonly chance: number;
  /** How many matching requests succeed before the first fault. */
  readonly after: number;
  readonly times: number;
}

const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  status: [400, 599],
  delay: [0, 3_600_000],
  'rate-limit': [0, 3600],
  chance: [0, 1],
  after: [0, Infinity],
  times: [1, Infinity],
};

/**
 * Reads a fault as docs/guides/sandbox.md describes it: one kind, then conditions, separated by commas. A value with a comma in it stands
 * in double quotes.
 * @throws Error that says what is wrong with the text
 */
export function parseFault(text: string): Fault {
  const [[name, value] = ['', ''], ...given] = (text.match(/(?:"[^"]*"|[^,"])+/g) ?? []).map(readPart);
  const kind = kinds.find((one) => one === name);
  if (kind === undefined) throw new Error(`unknown fault "${name}": use one of ${kinds.join(', ')}`);
  const unknown = given.find(([one]) => !conditions.includes(one));
  if (unknown !== undefined) throw new Error(`unknown condition "${unknown[0]}": use one of ${conditions.join(', ')}`);
  const said = new Map(given);
  const readCondition = (one: string, fallback: number) => (said.has(one) ? readNumber(one, said.get(one) ?? '') : fallback);
  return {
    kind,
    value: readValue(kind, value),
    at: said.has('at') ? readPlace(said.get('at') ?? '') : /^/,
    chance: readCondition('chance', 1),
    after: readCondition('after', 0),
    times: readCondition('times', Infinity),
  };
}

/** A name and its value, which is empty for a name alone. */
function readPart(piece: string): readonly [name: string, value: string] {
  const [name = '', value = ''] = piece.split(/=(.*)/s);
  return [name.trim(), value.trim().replace(/^"(.*)"$/, '$1')];
}

function readValue(kind: Fault['kind'], value: string): number {
  if (kind === 'rate-limit' && value === '') return 1;
  if (kind in ranges) return readNumber(kind, value);
  if (value === '' || (kind === 'drop' && ['before', 'after'].includes(value))) return Number(value === 'after');
  throw new Error(kind === 'drop' ? `"drop" takes before or after, not "${value}".` : `"${kind}" takes no value.`);
}

function readNumber(name: string, value: string): number {
  const [least, most] = ranges[name] ?? [0, Infinity];
  const parsed = value === '' ? NaN : Number(value);
  if (parsed >= least && parsed <= most) return parsed;
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new Error(`"${name}" takes a number ${range}, not "${value}".`);
}

function readPlace(value: string): RegExp {
  const named = endpoints.find(({name}) => name === value);
  const place = named ? `${named.method} ${named.path}` : value;
  const [, method = '.*', path] = /^(?:([A-Za-z]+) +)?(\/.*)$/.exec(place) ?? [];
  if (path === undefined) throw new Error(`"at" takes a path, a method and a path, or the name of an endpoint, not "${value}".`);
  const pattern = path
    .replace(/[.+?^$()[\]\\|]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll(/\{[^{}]*\}/g, '[^/]+');
  return new RegExp(`^${method.toUpperCase()} ${pattern}$`);
}

/** Each draw is the last one plus this number, modulo 1: draws then spread evenly, and are the same in every run. */
const goldenRatio = 0.618_033_988_749_895;

/** Decides which faults of a request happen: all delays, in milliseconds together, and the first of the others. */
export function faultPicker(faults: readonly Fault[]): (method: string, path: string) => {delay: number; other: Fault | undefined} {
  const counts = new Map<Fault, {seen: number; happened: number}>();
  const happens = (fault: Fault) => {
    const {seen, happened} = counts.get(fault) ?? {seen: 0, happened: 0};
    const isNow = seen >= fault.after && happened < fault.times && ((seen + 1) * goldenRatio) % 1 < fault.chance;
    counts.set(fault, {seen: seen + 1, happened: happened + Number(isNow)});
    return isNow;
  };
  return (method, path) => {
    const now = faults.filter((fault) => fault.at.test(`${method} ${path}`) && happens(fault));
    const delay = now.reduce((sum, {kind, value}) => sum + (kind === 'delay' ? value : 0), 0);
    return {delay, other: now.find(({kind}) => kind !== 'delay')};
  };
}
