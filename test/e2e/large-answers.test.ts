/** Answers that are small on the wire and large in memory. */
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {describe, expect, onTestFinished, test} from 'vitest';
import {someOf} from '../contract/sample.js';
import {reportFormats} from '../../src/lib/policy/reports/formats/index.js';
import {listen} from '../loopback-server.js';
import {newFolder, run, runShell} from './program.js';
import {machineWith, profileOn} from './signing-in.js';

const megabyte = 1024 * 1024;

async function serverOf(body: Buffer, encoding: string): Promise<Readonly<Record<string, string>>> {
  const headers = {'content-type': 'application/json', 'content-encoding': encoding, 'content-length': body.length};
  const {origin} = await listen((_, response) => response.writeHead(200, headers).end(body));
  return {PIXELCTL_SERVER: origin, PIXELCTL_TOKEN: 'token-of-a-test', NODE_OPTIONS: '--max-old-space-size=150'};
}

describe('with a heap of 150 MB', () => {
  const tooLarge: readonly (readonly [name: string, text: () => string])[] = [
    ['objects', () => `[${'{},'.repeat(2_700_000)}{}]`],
    ['numbers', () => `[${'0,'.repeat(7_000_000)}0]`],
    ['lists in lists', () => '['.repeat(7_000_000) + ']'.repeat(7_000_000)],
    ['one text', () => JSON.stringify('x'.repeat(64 * megabyte))],
  ];

  test.each(someOf(tooLarge, 1, 'too large'))('rejects an answer of very many %s', async (_, text) => {
    const env = await serverOf(gzipSync(text()), 'gzip');
    const {status, stderr} = await run(['blocks', 'list'], {env});
    expect({status, stderr}).toMatchObject({status: 8, stderr: expect.stringMatching(/^Error: .* is larger than /)});
  });

  test.each(someOf([['--json'], ['-o', 'ndjson'], ['-o', 'csv'], ['-o', 'table']], 1, 'most items'))(
    'prints the largest number of items of an answer: %s %s',
    async (...format) => {
      const env = await serverOf(gzipSync(`[${'{},'.repeat(120_000)}{}]`), 'gzip');
      expect(await run(['blocks', 'list', ...format], {env})).toMatchObject({status: 0});
    },
  );
});

test('audits 20,000 domains, with four reports, with a heap of 65 MB', async () => {
  const env = {...(await serverOf(Buffer.from('[]'), 'identity')), NODE_OPTIONS: '--max-old-space-size=65'};
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-audit-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const lines = Array.from({length: 20_000}, (_, index) => `spam-${index}.example,suspend,"spam, harassment"\n`);
  writeFileSync(join(folder, 'list.csv'), `#domain,#severity,#public_comment\n${lines.join('')}`);
  const policy = join(folder, 'policy.yml');
  writeFileSync(policy, 'version: 1\ndomain_blocks:\n  lists: [{file: list.csv}]\n');
  const reports = ['sarif', 'html', 'junit', 'json'].flatMap((format) => ['--report', `${format}=${join(folder, format)}`]);
  const {status, stdout} = await run(['audit', policy, '-o', 'ndjson', ...reports], {env});
  expect({status, lines: stdout.split('\n').length - 1}).toEqual({status: 10, lines: 20_000});
  expect(readFileSync(join(folder, 'json'), 'utf8').split('"subject"')).toHaveLength(20_001);
});

test.each([
  ['250,000 empty objects', 38, () => `[${'{},'.repeat(250_000)}{}]`, {status: 2, stderr: expect.stringContaining('has 250,001 mistakes')}],
  [
    '50,000 domains',
    40,
    () => Array.from({length: 50_000}, (_, index) => `h${index}.bad.ex\n`).join(''),
    {status: 0, stdout: expect.stringMatching(/h49999\.bad\.ex\n/)},
  ],
])('a list of %s is read with a heap of %i MB', async (_, most, text, ends) => {
  const folder = newFolder();
  writeFileSync(join(folder, 'list'), text());
  const env = {NODE_OPTIONS: `--max-old-space-size=${most}`};
  expect(await run(['export', '--as', 'plain', '--from', 'list'], {folder, env})).toMatchObject(ends);
});

describe('20 accounts that miss 4000 domains each, with a heap of 70 MB', () => {
  const [accounts, domains] = [20, 4000];
  // JSON is what is printed.
  const everyReport = Object.keys(reportFormats)
    .filter((format) => format !== 'json')
    .map((format) => `--report ${format}=report.${format}`)
    .join(' ');

  const commands: readonly (readonly [command: string, counting: string])[] = [
    ['plan --json', `tr '{' '\\n' | grep -c '"where"'`],
    [`audit --json ${everyReport}`, `tr '{' '\\n' | grep -c '"kind":"domain_block"'`],
    ['plan', "grep -c '^+ domain block'"],
  ];

  test.each(someOf(commands, 1, 'command'))(
    '20 accounts that miss 4000 domains each, with a heap of 70 MB are shown by %s',
    async (command, counting) => {
      const {PIXELCTL_SERVER: url = ''} = await serverOf(Buffer.from('[]'), 'identity');
      const names = Array.from({length: accounts}, (_, index) => `account${index}`);
      const {env} = await machineWith(
        ...names.map((name, index) => [profileOn(url, {name, account: {id: String(index + 1), acct: name}}), {accessToken: name}] as const),
      );
      const folder = newFolder();
      writeFileSync(join(folder, 'list.txt'), Array.from({length: domains}, (_, index) => `spam-${index}.example\n`).join(''));
      writeFileSync(join(folder, 'p.yml'), 'version: 1\ndomain_blocks: {lists: [{file: list.txt}]}\n');
      const [name, ...format] = command.split(' ');
      const {stdout, stderr} = await runShell(`pixelctl ${name} p.yml --all-profiles ${format.join(' ')} | ${counting}`, {
        env: {...env, NODE_OPTIONS: '--max-old-space-size=70'},
        folder,
      });
      expect({count: Number(stdout), stderr}).toEqual({
        count: accounts * domains,
        stderr: expect.stringMatching(/80,000 (?:to add|differences)/),
      });
    },
  );
});
