/** Finds the regular expressions of sources, and texts on which one takes more than linear time. */
import {glob, readFile} from 'node:fs/promises';
import {createContext, Script} from 'node:vm';
import fc from 'fast-check';
import {parseAst} from 'rolldown/parseAst';

export interface Found {
  readonly file: string;
  /** As written: `/a+/g`, or the call that makes it. */
  readonly text: string;
  /** Undefined where it is made when the program runs. */
  readonly pattern: RegExp | undefined;
  /** Whether that is when the module is loaded, and not in a function. */
  readonly isEarly: boolean;
}

/** All regular expressions in the TypeScript files of a folder, and all places where one is made when the program runs. */
export async function patternsIn(folder: string): Promise<Found[]> {
  const found: Found[] = [];
  for await (const file of glob(`${folder}/**/*.ts`)) {
    const code = await readFile(file, 'utf8');
    const visit = (node: unknown, isEarly: boolean): void => {
      if (!isObject(node)) return;
      if (isLiteral(node)) {
        const {pattern, flags} = node.regex;
        found.push({file, text: `/${pattern}/${flags}`, pattern: new RegExp(pattern, flags), isEarly});
      } else if (isConstruction(node)) found.push({file, text: code.slice(node.start, node.end), pattern: undefined, isEarly});
      const isFunction = 'type' in node && String(node.type).includes('Function');
      for (const inner of Object.values(node)) visit(inner, isEarly && !isFunction);
    };
    visit(parseAst(code, {lang: 'ts'}), true);
  }
  return found;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isLiteral(node: object): node is {readonly regex: {readonly pattern: string; readonly flags: string}} {
  return 'regex' in node && isObject(node.regex);
}

function isConstruction(node: object): node is {readonly start: number; readonly end: number} {
  const isCall = 'type' in node && (node.type === 'NewExpression' || node.type === 'CallExpression') && 'callee' in node;
  return isCall && isObject(node.callee) && 'name' in node.callee && node.callee.name === 'RegExp';
}

/** Characters of classes that patterns tell apart. */
const usual = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  'a',
  'Z',
  '0',
  '-',
  '.',
  '/',
  ':',
  '"',
  '\\',
  '<',
  '*',
  '#',
  '@',
  '=',
  ',',
  '%',
  '\u{0}',
  'é',
  '😀',
];
const mismatches = ['\u{1}', '\n'];
/** Of these, in the middle of a text. */
const common = [' ', '\n', 'a', '0', '.', '/'];
const samples = 1;
const maxSampleLength = 8;

/** Texts that a pattern matches; none for a pattern that fast-check cannot read. */
function matched({source, flags}: RegExp): string[] {
  // Looking for letters of every script takes long, and one is like the other.
  const simple = source.replaceAll(/\\p\{(?:L|N|L[A-Za-z]|Nd)\}/g, 'a');
  if (/\\[pP]|\[\^/.test(simple)) return [];
  try {
    return fc.sample(fc.stringMatching(new RegExp(simple, flags.replaceAll(/[gy]/g, '')), {size: '-1'}), {seed: 9, numRuns: samples});
  } catch {
    return [];
  }
}

/** How a text is made for any length: a beginning that matches, a long repeat, and an end that does not. */
interface Attack {
  readonly prefix: string;
  readonly unit: string;
  readonly suffix: string;
}

function attackText({prefix, unit, suffix}: Attack, length: number): string {
  return prefix + unit.repeat(Math.ceil(length / unit.length)) + suffix;
}

function* attacksOn(pattern: RegExp): Generator<Attack> {
  const written = [...new Set(pattern.source.match(/[^\w\s\\]|\w/gu))];
  const found = matched(pattern);
  const seen = new Set<string>();
  const units = (at: string) => [at.slice(0, 1), at.slice(0, 2), at.slice(0, 3), ...common, ...written.slice(0, 5)];
  const starts = ['', ...found].flatMap((text) => {
    const whole = text.slice(0, maxSampleLength);
    return Array.from({length: whole.length + 1}, (_, at) => ({prefix: whole.slice(0, at), rest: whole.slice(at)}));
  });
  for (const {prefix, rest} of starts) {
    const singles = prefix === '' ? [...usual, ...written] : units(rest);
    const pairs = prefix === '' && rest === '' ? usual.flatMap((one) => [`${one} `, `${one}\n`, `${one}a`, `a${one}`]) : [];
    for (const unit of [...singles, ...pairs]) {
      for (const suffix of mismatches) {
        const key = JSON.stringify([prefix, unit, suffix]);
        if (unit === '' || seen.has(key)) continue;
        seen.add(key);
        yield {prefix, unit, suffix};
      }
    }
  }
}

function apply(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  // Every match of a global one is found.
  if (pattern.global) text.replaceAll(pattern, '');
  else pattern.exec(text);
}

/** Milliseconds of processor time, which waiting for other processes does not count in. */
function costOnce(pattern: RegExp, text: string): number {
  const before = process.cpuUsage();
  apply(pattern, text);
  const {user, system} = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least of three runs: other work of the machine only adds to them. */
const costOf = (pattern: RegExp, text: string): number => Math.min(...[1, 2, 3].map(() => costOnce(pattern, text)));

/** Characters: so few that only exponential patterns take any time, and so many that quadratic ones do. */
const [tiny, long] = [20, 1500];
/** Milliseconds that no linear pattern takes for a long text, by far. */
const suspicious = 0.25;
/** A text four times as long takes linear patterns four times as long, and quadratic ones sixteen times. */
const steepest = 9;
/** Milliseconds after which a longer text need not be tried. */
const hopeless = 1000;
/** Milliseconds for all texts together, which only a hanging pattern needs. */
const guard = 300_000;

/** Where a pattern takes more than linear time; undefined when that is nowhere among what is tried. */
export function attackOn(pattern: RegExp): Attack | undefined {
  // What repeats nothing takes the same time at every place of a text.
  if (!/[*+]|\{\d+,\}/.test(pattern.source)) return undefined;
  let tried: Attack | undefined;
  /** Asking for processor time takes longer than most patterns do: it is asked of those alone that took any time at all. */
  const isSlow = (text: string): boolean => {
    const before = performance.now();
    apply(pattern, text);
    return performance.now() - before > suspicious && costOf(pattern, text) > suspicious;
  };
  const isSteep = (attack: Attack): boolean => {
    if (isSlow(attackText(attack, tiny))) return true;
    const text = attackText(attack, long);
    if (!isSlow(text)) return false;
    const cost = costOf(pattern, text);
    return cost > hopeless || costOf(pattern, attackText(attack, 4 * long)) > steepest * cost;
  };
  const search = (): Attack | undefined => {
    for (tried of attacksOn(pattern)) if (isSteep(tried)) return tried;
    return undefined;
  };
  try {
    const found: Attack | undefined = new Script('search()').runInContext(createContext({search}), {timeout: guard});
    return found;
  } catch (error) {
    if (isObject(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return tried;
    throw error;
  }
}
