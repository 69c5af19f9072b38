/** The file of a command has its words: what it does is in a room of the command line. Help and messages are read at once. */
import {globSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseAst} from 'rolldown/parseAst';
import {expect, test} from 'vitest';
import {commands} from '../manifest.js';

const root = join(import.meta.dirname, '../..');

/** Files with texts that are not ours, or no sentences: what servers say, and the names of scripts. */
const isData = /^src\/lib\/(?:sandbox\/(?:authorizations|demo|demo-people)|print\/inert)\.ts$/;

const folder = join(import.meta.dirname, '../../src/commands');
const files = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({name, lines: readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')}));
const place = 'move what it does to src/lib/cli';

test.each(files)('$name has at most 100 lines', ({lines}) => {
  expect(lines.length, place).toBeLessThanOrEqual(100);
});

const isRun = (line: string): boolean => line.startsWith('  override async run(');

test.each(files.filter(({lines}) => lines.some(isRun)))('$name parses the command line and makes one call', ({lines}) => {
  const start = lines.findIndex(isRun);
  const body = lines.slice(start + 1, lines.indexOf('  }', start));
  const statements = body.filter((line) => /^ {4}[^\s)}\]]/.test(line));
  expect(statements.length, place).toBeLessThanOrEqual(2);
  expect(
    lines.filter((line) => /^(?:async )?function/.test(line)),
    place,
  ).toEqual([]);
});

const mostWords = 30;

/** What is read aloud: JSON shapes and paths of endpoints are looked at. */
const wordsOf = (sentence: string): string[] =>
  sentence
    .replaceAll(/[[{"][^\s].*[\]}"]/g, 'shape')
    .replaceAll(/(?:GET|POST|PUT|PATCH|DELETE)(?:,| and)? |\/[\w/.{}-]+/g, '')
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word));

/** The sentences that have to be read twice, because they are long. */
const longSentences = (text: string): string[] => text.split(/\n|(?<=[.?!])\s+/).filter((sentence) => wordsOf(sentence).length > mostWords);

test.each(commands)('no sentence in the help of $id has more than 30 words', ({summary = '', description = '', args, flags, ...others}) => {
  const more = 'details' in others && typeof others.details === 'string' ? others.details : '';
  const about = [...Object.values(args), ...Object.values(flags)].map((one) => one.description ?? '');
  expect([summary, description, more, ...about].flatMap(longSentences)).toEqual([]);
});

/** The texts in a tree of syntax; what is put into a template counts as one word. */
function* textsIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && node.type === 'TaggedTemplateExpression') return;
  if ('type' in node && node.type === 'Literal' && 'value' in node && typeof node.value === 'string') yield node.value;
  if ('type' in node && node.type === 'TemplateLiteral' && 'quasis' in node && Array.isArray(node.quasis))
    yield node.quasis.map(({value}: {readonly value: {readonly cooked: string}}) => value.cooked).join('x');
  for (const inner of Object.values(node)) yield* textsIn(inner);
}

const sources = globSync('src/**/*.ts', {cwd: root}).filter((file) => !isData.test(file));

test.each(sources)('no text of %s has a sentence of more than 30 words', (file) => {
  const tree = parseAst(readFileSync(join(root, file), 'utf8'), {lang: 'ts'});
  expect([...textsIn(tree)].flatMap(longSentences)).toEqual([]);
});

const riddles = /\b(?:of which|all the same|for good|whoever|what is what)\b/;

test.each(sources)('no text of %s is a riddle', (file) => {
  const tree = parseAst(readFileSync(join(root, file), 'utf8'), {lang: 'ts'});
  expect([...textsIn(tree)].filter((text) => riddles.test(text))).toEqual([]);
});

test('finds long sentences, and no others', () => {
  const long = `${'word '.repeat(31)}word.`;
  expect(longSentences(`Short. ${long} Short.`)).toEqual([long]);
  expect(longSentences(`${'word '.repeat(15)}word. ${'Word '.repeat(20)}`)).toEqual([]);
  expect(longSentences(`With --json: {"a", ${'"b", '.repeat(40)}"c"}.`)).toEqual([]);
  expect([...textsIn(parseAst('f(`a ${b} c`, "d")', {lang: 'ts'}))]).toEqual(['a x c', 'd']);
});
