/** What people see when they press Tab, in the real shells. */
import {existsSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {pairwiseSampler, sampledBy} from '../contract/sample.js';
import {completionScripts} from '../../src/lib/cli/completion/script.js';
import {ask, realShells, whyNot} from './completion-asking.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {machineWith, profileOn} from './signing-in.js';

const files = ['notes.json', 'policy.yml', 'text.txt', 'with space.json', 'rules/'];

/** The words without what fish repeats of the word, and bash of its first one; without the slash and the quotes of file names. */
async function words(shell: (typeof realShells)[number], line: string, env = {}): Promise<string[]> {
  const offers = await ask(shell, line, {files, env});
  return [
    ...new Set(
      [...offers.keys()].map((word) =>
        word
          .replace(/^--[a-z-]+=(?!$)/, '')
          .replace(/\/$/, '')
          .replaceAll('\\', ''),
      ),
    ),
  ].toSorted();
}

const lines: readonly (readonly [line: string, expected: readonly string[]])[] = [
  ['bl', ['blocks']],
  ['blocks ', ['add', 'contains', 'list', 'remove']],
  ['-p x blocks l', ['list']],
  ['help fil', ['filters']],
  ['blocks list --resu', ['--resume-from']],
  ['blocks list -s https://x:80 --resu', ['--resume-from']],
  ['filters create --no-w', ['--no-whole-word']],
  ['blocks list --output ', ['csv', 'json', 'ndjson', 'table', 'tsv', 'yaml']],
  ['blocks list --output=', ['csv', 'json', 'ndjson', 'table', 'tsv', 'yaml']],
  ['report po', ['post']],
  ['report "po', ['post']],
  ['dm list --filter="pri', ['primary']],
  ['report -- po', ['post']],
  ['report post 5 --input no', ['notes.json']],
  ['report post 5 --input=no', ['notes.json']],
  ['report post 5 --input wi', ['with space.json']],
  ['audit ', ['notes.json', 'policy.yml', 'rules', 'text.txt', 'with space.json']],
  ['explain x --policy po', ['policy.yml']],
  ['blocks list nonsense nonsense', []],
];

interface Case {
  readonly shell: (typeof realShells)[number];
  readonly line: string;
  readonly expected: readonly string[];
}

/** Shells have rules of their own for quotes, `=`, `:`, `--` and spaces in names: all of them are asked about these. */
const isReadByShells = ({line, expected}: Case): boolean => /["=:]| -- /.test(line) || expected.join().includes(' ');

const sample = pairwiseSampler<Case>((one) => [one.line, ...(isReadByShells(one) ? [`${one.line} ${one.shell}`] : [])]);
const cases = sample(lines.flatMap(([line, expected]) => realShells.map((shell) => ({shell, line, expected}))));

describe.each(realShells)('%s', (shell) => {
  test.beforeEach(({skip}) => skip(whyNot(shell) !== undefined, whyNot(shell)));

  test.concurrent.each(cases.filter((one) => one.shell === shell))('`pixelctl $line` completes to $expected', async ({line, expected}) => {
    expect(await words(shell, `pixelctl ${line}`), sampledBy).toEqual(expected);
  });

  test.concurrent('profiles are completed by name', async () => {
    const {env} = await machineWith(
      [profileOn('https://pix.example', {name: 'ana@pix.example'}), {accessToken: 'SECRET-TOKEN'}],
      [profileOn('https://other.example', {name: 'bob'}), {accessToken: 'SECRET-TOKEN'}],
    );
    expect(await words(shell, 'pixelctl blocks list -p ', env)).toEqual(['ana@pix.example', 'bob']);
    expect(await words(shell, 'pixelctl blocks list --profile ana@', env)).toEqual(['ana@pix.example']);
  });

  test.concurrent('nothing is offered, and nothing is said, when the program fails', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'pixelctl'), '#!/bin/sh\necho broken >&2\nexit 1\n', {mode: 0o755});
    expect(await words(shell, 'pixelctl bl', {PATH: [folder, process.env['PATH']].join(delimiter)})).toEqual([]);
  });
});

test.for(['zsh', 'fish'] as const)('%s shows a description as it is, and runs nothing in it', async (shell, {skip}) => {
  skip(whyNot(shell) !== undefined, whyNot(shell));
  const about = String.raw`it's "so" [here]: $HOME \`touch pwned\` $(touch pwned) back\slash 100%d (a) {b} ~ * # !! x`;
  const [folder, home] = [newFolder(), newFolder()];
  writeFileSync(join(folder, 'answer'), `\n\nr\nreport\t${about}\n`);
  writeFileSync(join(folder, 'pixelctl'), `#!/bin/sh\ncat '${join(folder, 'answer')}'\n`, {mode: 0o755});
  const offers = await ask(shell, 'pixelctl r', {env: {PATH: [folder, process.env['PATH']].join(delimiter), HOME: home}});
  expect(offers.get('report')).toBe(about);
  expect(existsSync(join(home, 'pwned'))).toBe(false);
});

test.for(['zsh', 'fish'] as const)('%s shows what commands and flags are for', async (shell, {skip}) => {
  skip(whyNot(shell) !== undefined, whyNot(shell));
  expect((await ask(shell, 'pixelctl bl')).get('blocks')).toBe('Accounts that you block');
  expect((await ask(shell, 'pixelctl blocks list --resu')).get('--resume-from')).toContain('start at this cursor');
});

/** What the script for PowerShell asks the program, which no test runs in a PowerShell, because Debian has none. */
function askedByPowershell(words: readonly string[], current: string): string[] {
  const [, question = ''] = /pixelctl \| Select-Object -First 1\) (__complete .*?) 2>\$null\)/.exec(completionScripts.powershell) ?? [];
  const meaning: Readonly<Record<string, readonly string[]>> = {
    '$words.Count': [String(words.length)],
    '@words': words,
    $current: [current],
  };
  return question.split(' ').flatMap((word) => meaning[word] ?? [word]);
}

test.concurrent.each([
  [['dm', 'list', '--filter'], 'pri', ['primary', 'requests', 'hidden']],
  [['blocks'], '', ['add', 'contains', 'list', 'remove']],
  [['blocks', 'list', '--output'], '', ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml']],
  [['blocks', 'list'], '--output=j', ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml']],
  [['report', '--'], 'po', ['post', 'user', 'story', 'direct_message']],
  [['blocks', 'list', 'nonsense'], 'nonsense', []],
])('the script for PowerShell asks for what comes after %j at "%s"', async (words, current, expected) => {
  const asked = askedByPowershell(words, current);
  expect(asked.slice(0, 2)).toEqual(['__complete', String(words.length)]);
  // Before 7.3, PowerShell loses an empty argument.
  for (const args of current === '' ? [asked, asked.slice(0, -1)] : [asked]) {
    const {stdout, stderr, status} = await run(args);
    expect({stderr, status}).toEqual({stderr: '', status: 0});
    const [, , , ...lines] = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split('\t')[0] ?? '').filter((value) => value !== '')).toEqual(expected);
  }
});

test.concurrent('bash is told what it cannot tell from the line: the word without quotes', async () => {
  const answer = async (word: string) => (await run(['__complete', 'line', `pixelctl dm list --filter=${word}`])).stdout;
  const values = 'primary\t\nrequests\t\nhidden\t\n';
  expect(await answer('pri')).toBe(`--filter=\n\n--filter=pri\n${values}`);
  expect(await answer('"pri')).toBe(await answer('pri'));
});
