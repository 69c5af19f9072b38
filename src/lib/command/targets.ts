/** The things that a command acts on, when it takes many. */
import {parseExact, sourceText} from '../json/exact.js';
import {Failure} from '../client/failure.js';
import {readStandardInput} from './standard-streams.js';

export interface Targets {
  readonly values: readonly string[];
  /** Exactly one was given as an argument: its answer is printed as it is, not as a result. */
  readonly isSingle: boolean;
}

/** Of an object the fields that hold the target, first come first. */
function fromObject(item: object, fields: readonly string[]): string | undefined {
  for (const field of [...fields, 'target', 'id']) {
    if (!Object.hasOwn(item, field)) continue;
    const value: unknown = Reflect.get(item, field);
    return typeof value === 'string' ? value : sourceText(value);
  }
  return undefined;
}

function fromJson(value: unknown, where: string, fields: readonly string[]): string {
  const isObject = typeof value === 'object' && value !== null && sourceText(value) === undefined;
  const target = typeof value === 'string' ? value : isObject ? fromObject(value, fields) : sourceText(value);
  if (target === undefined || target.trim() === '') {
    throw new Failure('usage', `${where} of standard input names no target: nothing was sent`, {
      hint: `lines of text, or JSON objects with ${[...fields, 'target', 'id'].map((field) => `\`${field}\``).join(', ')}`,
    });
  }
  return target.trim();
}

function parseLine(line: string, number: number, fields: readonly string[]): string {
  if (!/^[{"]/.test(line)) return line;
  try {
    return fromJson(parseExact(line), `Line ${number}`, fields);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('usage', `Line ${number} of standard input is not valid JSON: nothing was sent`);
  }
}

/**
 * Reads targets: plain lines (`#` begins a comment), JSON lines, mixed as they come, or one JSON array.
 * @param fields of an object, the fields that hold the target, before `target` and `id`
 * @throws Failure `usage` with the number of the first bad line
 */
export function parseTargets(text: string, fields: readonly string[]): string[] {
  const content = text.replace(/^\u{feff}/u, '').trim();
  if (content.startsWith('[')) {
    let items: unknown;
    try {
      items = parseExact(content);
    } catch {
      throw new Failure('usage', 'Standard input begins like a JSON array but is none: nothing was sent');
    }
    if (Array.isArray(items)) return items.map((item, index) => fromJson(item, `Item ${index + 1}`, fields));
  }
  return text.split(/\r?\n/).flatMap((raw, index) => {
    const line = (index === 0 ? raw.replace(/^\u{feff}/u, '') : raw).trim();
    return line === '' || line.startsWith('#') ? [] : [parseLine(line, index + 1, fields)];
  });
}

/** Targets from arguments, with `-` read from standard input; what comes twice goes once. */
export async function collectTargets(given: readonly string[], fields: readonly string[]): Promise<Targets> {
  const values: string[] = [];
  for (const value of given) {
    if (value === '-') values.push(...parseTargets(await readStandardInput(), fields));
    else values.push(value);
  }
  return {values: [...new Set(values)], isSingle: given.length === 1 && given[0] !== '-'};
}
