/** Every command that the sources suggest in a hint, a note or a finding: it exists, and so do its flags. */
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {complaint} from '../command-lines.js';
import {commands} from '../manifest.js';

const source = join(import.meta.dirname, '../../src');

interface Suggested {
  /** The words after `pixelctl`. */
  readonly words: readonly string[];
  readonly where: string;
}

/** In backticks in a text, whole: `pixelctl auth switch NAME`. */
const written = /\\?`pixelctl ([a-z][^`$\\]*)\\?`/g;

/** With its name and, where they stand there, the flags: `commandText('dm list', {flags: {filter: 'requests'}})`. */
const made = /\bcommandText\('([^']+)'(?:,\s*\{[^{}]*flags:\s*\{([^{}]*)\})?/g;

const namesIn = (members = ''): string[] => [...members.matchAll(/(?:^|,)\s*'?([a-z][\w-]*)'?\s*(?=[:,]|$)/g)].map(([, name = '']) => name);

function suggestedIn(file: string): Suggested[] {
  const text = readFileSync(join(source, file), 'utf8');
  const lineAt = (index: number) => `${file}:${text.slice(0, index).split('\n').length}`;
  return [
    ...[...text.matchAll(written)].map(({1: line = '', index}) => ({
      words: line.split(/ [|<>&] |[^\S ]|\||$/, 1)[0]?.split(' ') ?? [],
      where: lineAt(index),
    })),
    ...[...text.matchAll(made)].map(({1: words = '', 2: flags, index}) => ({
      words: [...words.split(' '), ...namesIn(flags).map((name) => `--${name}`)],
      where: lineAt(index),
    })),
  ];
}

const files = readdirSync(source, {recursive: true, encoding: 'utf8'}).filter((file) => file.endsWith('.ts'));
const suggested = files.flatMap(suggestedIn);

test('suggestions are found in the sources', () => {
  expect(suggested.length).toBeGreaterThan(50);
  expect(suggested.filter(({words}) => words.some((word) => word.startsWith('--'))).length).toBeGreaterThan(15);
});

/** Alone it shows its commands. */
const isTopic = (words: readonly string[]): boolean => commands.some(({id}) => id.startsWith(`${words.join(':')}:`));

describe('the command that is suggested exists, with its flags:', () => {
  test.each(suggested)('$words in $where', ({words}) => {
    const named = words.filter((word) => word !== '--help');
    if (!isTopic(named) && words.join(' ') !== 'help flags') expect(complaint(words)).toBeUndefined();
  });
});
