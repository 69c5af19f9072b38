/** The man pages, and what groff and mandoc make of them. */
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {array, assert, constantFrom, oneof, property, sample, string} from 'fast-check';
import {describe, expect, test} from 'vitest';
import {manPages} from '../../scripts/man-pages.js';
import {readManifest} from '../../scripts/manifest.js';
import {filled, heading, section, verbatim} from '../../scripts/roff.js';

const manifest = await readManifest();
const pages: Readonly<Record<string, string>> = manPages(
  manifest,
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
);

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

/** Programs that read man pages, with the words that make them print text and every warning. */
const readers = [
  {reader: 'groff', lint: ['-k', '-man', '-Tutf8', '-ww', '-z'], show: ['-k', '-man', '-Tutf8', '-P-cbou', '-rLL=500n']},
  {reader: 'mandoc', lint: ['-T', 'lint'], show: ['-T', 'utf8', '-O', 'width=500']},
].map((each) => ({...each, isMissing: !has(each.reader)}));

/** The lines of a page, without the indent. */
function read(reader: string, show: readonly string[], page: string): string[] {
  const {stdout} = spawnSync(reader, show, {input: page, encoding: 'utf8', env: {...process.env, LC_ALL: 'C.UTF-8'}});
  return stdout.split('\n').map((line) => line.trim());
}

const awkward = constantFrom('.', "'", '\\', '-', '"', '`', '^', '~', '\\fB', '\\n', '.SH', '–', 'é', ' ', 'a', '…');
const line = array(oneof(awkward, string({maxLength: 3})), {minLength: 1, maxLength: 20}).map((parts) =>
  parts.join('').trim().replaceAll(/ +/g, ' '),
);

/** What the escapes of roff stand for. */
const unescaped = (roff: string): string =>
  roff
    .split('\n')
    .map((each) => each.replace(/^\\&/, ''))
    .join(' ')
    .replaceAll(/\\(?:\[u([\dA-F]+)\]|\((\w\w)|([e-]))/g, (_, code?: string, name?: string, sign?: string) => {
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      return name === undefined ? (sign ?? '').replace('e', '\\') : ({aq: "'", dq: '"', ga: '`', ha: '^', ti: '~'}[name] ?? '?');
    });

test('any text is escaped so that it is read back, and no line of it is a macro', () => {
  assert(
    property(line, (text) => {
      const plain = text.replaceAll('`', '');
      const made = filled(plain);
      expect(unescaped(made)).toBe(plain.trim().replaceAll(/ +/g, ' '));
      for (const each of `${made}\n${verbatim(text)}`.split('\n')) expect(each).toMatch(/^(\.EX|\.EE|[^.']|$)/);
    }),
  );
});

describe.each(readers)('$reader', ({reader, lint, show, isMissing}) => {
  test.beforeEach(({skip}) => skip(isMissing, `${reader} is not installed`));

  test.each(Object.entries(pages))('reads %s without a warning', (_, page) => {
    const {stdout, stderr} = spawnSync(reader, lint, {input: page, encoding: 'utf8'});
    expect(stdout + stderr).toBe('');
  });

  test('shows text as it was written', () => {
    const texts = sample(line, 200).filter((text) => text !== '');
    const page = [heading('A', '1', '2026-11-21', 'a', 'a'), section('TEXT', ...texts.map((text) => verbatim(text)))].join('\n');
    const shown = read(reader, show, `${page}\n`).filter((each) => each !== '');
    expect(shown.slice(2, -1)).toEqual(texts);
  });
});
