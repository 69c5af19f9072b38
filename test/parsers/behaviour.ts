/** Parsers of foreign text on inputs that are kept, and on odd ones that are made of these: each gives a result, or an error that helps. */
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {defaultAccount} from '../../src/lib/cli/account-in-use.js';
import {hintFor} from '../../src/lib/cli/errors.js';
import {asFailure, Failure} from '../../src/lib/client/failure.js';
import {NotText} from '../../src/lib/files/read-text.js';
import {isWhole, seed} from '../contract/sample.js';

const corpus = join(import.meta.dirname, '../fixtures/fuzz');

export interface Parser {
  /** @returns nothing that matters; throws what tells a user of a mistake, or an assertion of its own */
  readonly parse: (bytes: Buffer) => unknown;
  /** Errors that are meant for whoever calls. */
  readonly isOwn?: (error: unknown) => boolean;
  /** Its errors are parts of sentences that others complete. */
  readonly isPart?: boolean;
  /** What it looks for in a text. */
  readonly words?: readonly string[];
  /** Makes what a mutation broke whole again where the parser would look no further. */
  readonly finish?: (text: string) => string;
  /** The part of the runs that others get. */
  readonly share?: number;
}

export const keptInput = (parser: string, file: string): string => readFileSync(join(corpus, parser, file), 'utf8');

const odd = [
  '',
  '0',
  '-1',
  '1e999',
  '99999999999999999999',
  'null',
  '[]',
  '{}',
  '"',
  "'",
  '\\',
  '\\ud83d',
  '\0',
  '\ufeff',
  '\u202e',
  '\r\n',
];
const odder = ['__proto__', '../x', '<script>', '*', '#', ':', ',', '  ', 'x'.repeat(300), '[['.repeat(5000), 'é', '🙂'];

/** Parts of one of these inputs go, or are replaced: by odd texts, by words, and by parts of other inputs. */
function mutationsOf(inputs: readonly Buffer[], {words = [], finish}: Parser): fc.Arbitrary<Buffer> {
  const parts = inputs.map((bytes) => bytes.toString('latin1').split(/([\w.-]+)/));
  const place = fc.double({min: 0, max: 1, noNaN: true});
  const foreign = fc.tuple(fc.constantFrom(...parts), place, fc.integer({min: 1, max: 12})).map(([from, at, count]) => {
    const start = Math.floor(at * from.length);
    return from.slice(start, start + count).join('');
  });
  const text = fc.constantFrom(...odd, ...odder, ...words).map((one) => Buffer.from(one).toString('latin1'));
  const edit = fc.record({at: place, removed: fc.oneof(fc.nat(3), fc.nat(40)), added: fc.oneof(text, foreign)});
  return fc.tuple(fc.constantFrom(...parts), fc.array(edit, {minLength: 1, maxLength: 4})).map(([base, edits]) => {
    const changed = edits.reduce((left, {at, removed, added}) => {
      const start = Math.floor(at * (left.length + 1));
      return left.toSpliced(start, removed, added);
    }, base);
    const made = Buffer.from(changed.join(''), 'latin1');
    return finish === undefined ? made : Buffer.from(finish(made.toString()));
  });
}

/** What only a mistake of ours puts into a message. */
const slips = /\bundefined\b|\[object |\bNaN\b|Invalid Date|\bInfinity\b|Maximum call stack|Cannot read properties/;

function expectHelpful(failure: Failure, input: string, isPart = false): void {
  const {code, message, details} = failure;
  const hint = hintFor(failure, defaultAccount);
  const text = `${message}\n${hint ?? ''}`;
  expect(code, message).not.toBe('internal');
  const [slip] = slips.exec(text) ?? [];
  if (slip !== undefined && !input.includes(slip)) expect.fail(`${slip} in a message: ${message.slice(0, 300)}`);
  expect(message.trim()).not.toBe('');
  expect(message.length).toBeLessThan(15_000);
  // What a file escapes in this way may be quoted.
  expect(text.isWellFormed() || /\\ud[89a-f]/i.test(input), 'half of a character in a message').toBe(true);
  const saysWhatToDo = isPart || hint !== undefined || details.mistakes !== undefined || /: /.test(message);
  expect(saysWhatToDo || code === 'bad_answer' || code === 'unavailable', `what to do: ${message}`).toBe(true);
}

async function expectToBehave({parse, isOwn, isPart}: Parser, bytes: Buffer): Promise<void> {
  try {
    await parse(bytes);
  } catch (error) {
    const told = error instanceof NotText ? asFailure(error) : error;
    if (isOwn?.(told) === true) return;
    if (!(told instanceof Failure)) throw told;
    expectHelpful(told, bytes.toString(), isPart);
  }
}

/** A test for each parser, by the name of the folder with its inputs. `npm run test:matrix` tries many more mutations. */
export function describeParsers(parsers: Readonly<Record<string, Parser>>): void {
  test.each(Object.entries(parsers))(
    'the parser %s behaves on all inputs that are kept, and on mutations of them',
    async (name, parser) => {
      const folder = join(corpus, name);
      const inputs = readdirSync(folder).map((file) => readFileSync(join(folder, file)));
      const numRuns = Math.ceil((isWhole ? 3000 : 30) * (parser.share ?? 1));
      await fc.assert(
        fc.asyncProperty(mutationsOf(inputs, parser), (bytes) => expectToBehave(parser, bytes)),
        {seed: Number(seed), numRuns: numRuns + inputs.length, examples: inputs.map((bytes): [Buffer] => [bytes])},
      );
    },
  );
}
