import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {stripVTControlCharacters} from 'node:util';
import {describe, expect, test} from 'vitest';
import {account, conversation, filter, message} from './demo-world.js';
import {hasTerminal, newFolder, startAtTerminal} from './program.js';
import {recordedSandbox} from './server.js';
import {failing} from './told.js';

const withBob = conversation('bob').id;
const group = conversation('bob', 'clara', 'eiko').id;
const [spoilers, crypto] = [filter('Spoilers'), filter('Crypto')];
const mine = message('Ah.');
const host = String.raw`127\.0\.0\.1:\d+`;

const cases: readonly (readonly [args: string, question: RegExp, request: string])[] = [
  [
    `filters delete ${spoilers}`,
    new RegExp(`Delete the filter “Spoilers” \\(${spoilers}\\) on ${host}\\?`),
    `DELETE /api/v2/filters/${spoilers}`,
  ],
  [
    `dm leave ${group}`,
    new RegExp(`Leave the conversation with @bob, @clara, @eiko on ${host}\\?`),
    `POST /api/v1.1/direct/conversations/${group}/leave`,
  ],
  [
    `dm delete-message ${withBob} ${mine}`,
    new RegExp(`Delete the message for everyone in the conversation with @bob on ${host}\\?`),
    `DELETE /api/v1.1/direct/conversations/${withBob}/messages/${mine}`,
  ],
  [
    `thread delete-message ${mine}`,
    new RegExp(`Delete message ${mine} for everyone on ${host}\\?`),
    'DELETE /api/v1.1/direct/thread/message',
  ],
  [`blocks add ${account('bob')}`, new RegExp(`Block @bob on ${host}\\?`), `POST /api/v1/accounts/${account('bob')}/block`],
  [
    `dm clear ${group}`,
    new RegExp(`Delete your message for everyone in the conversation with @bob, @clara, @eiko on ${host}\\? This cannot be undone\\.`),
    `DELETE /api/v1.1/direct/conversations/${group}/messages/${message('Photo walk on Saturday? 📸')}`,
  ],
  ['domain-blocks add bad.example', new RegExp(`Block bad\\.example on ${host}\\?`), 'POST /api/v1/domain_blocks'],
  ['push disable', new RegExp(`Turn off all push notifications on ${host}`), 'POST /api/v1.1/push/disable'],
];

describe.runIf(hasTerminal)(`at a terminal${hasTerminal ? '' : ' (not tried: the tool script of util-linux is not here)'}`, () => {
  /** Asks at a terminal, with standard output in a file, and types an answer. */
  async function answer(args: string, question: RegExp, typed: string) {
    await using server = await recordedSandbox();
    const folder = newFolder();
    const running = startAtTerminal(`pixelctl ${args} --json > out.json`, 200, {env: server.env, folder});
    await running.seen(question);
    const before = server.exchanges.filter(({received: {method}}) => method !== 'GET').length;
    running.child.stdin?.write(typed);
    const {status, stdout} = await running.ended;
    const writes = server.exchanges.map(({received: {method, target}}) => `${method} ${target}`).filter((line) => !line.startsWith('GET '));
    return {before, status, writes, said: stdout, printed: readFileSync(join(folder, 'out.json'), 'utf8')};
  }

  test.concurrent.each(cases)('%s asks on standard error, and continues after y', async (args, question, request) => {
    const {before, status, writes, printed} = await answer(args, question, 'y\r');
    expect({before, status, writes}).toEqual({before: 0, status: 0, writes: [request]});
    expect(JSON.parse(printed)).toBeTypeOf('object');
  });

  test.concurrent.each(cases)('%s sends nothing after n', async (args, question) => {
    expect(await answer(args, question, 'n\r')).toMatchObject({
      status: 2,
      writes: [],
      printed: '',
      said: expect.stringContaining('Nothing was sent'),
    });
  });

  test.concurrent.each([
    ['Enter alone', '\r', 2],
    ['Ctrl-C', '\u0003', 130],
    ['Ctrl-D', '\u0004', 130],
  ])('%s sends nothing', async (_, typed, status) => {
    const outcome = await answer(`filters delete ${spoilers}`, /Spoilers/, typed);
    expect(outcome).toMatchObject({status, writes: [], printed: '', said: expect.stringContaining('Nothing was sent')});
  });

  test.concurrent.each([24, 40, 60])('questions and errors wrap at words at %i columns', async (columns) => {
    await using server = await recordedSandbox();
    const running = startAtTerminal(
      `pixelctl filters delete ${spoilers} ${crypto}; pixelctl blocks list --limit many --server=http://127.0.0.1:1`,
      columns,
      {env: server.env},
    );
    await running.seen(/\(y\/N\)/);
    running.child.stdin?.write('n\r');
    const {stdout} = await running.ended;
    // The question is drawn again for every key.
    const lines = stripVTControlCharacters(stdout)
      .split(/\r?\n|(?=[?✔] Delete)/)
      .map((line) => line.trimEnd());
    const text = lines.join('\n');
    expect(lines.filter((line) => line.length > columns && !line.startsWith('`'))).toEqual([]);
    for (const word of ['“Spoilers”', '“Crypto”', 'Cancelled.', 'Nothing', 'whole', '`pixelctl blocks list --help`'])
      expect(text).toContain(word);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('Error: --limit takes a whole number Hint: see `pixelctl blocks list --help`');
  });

  test.concurrent('notes and warnings are broken between words, commands in them are not', async () => {
    await using server = await recordedSandbox();
    const line = 'pixelctl dm mutuals --fields nope,other';
    const {stdout} = await startAtTerminal(line, 40, {env: server.env}).ended;
    const lines = stripVTControlCharacters(stdout).split(/\r?\n/);
    expect(lines.filter((text) => text.length > 40 && !text.startsWith('pixelctl '))).toEqual([]);
    expect(lines).toContain(`pixelctl dm mutuals --fields=nope,other --all --server=${server.url}`);
    expect(lines.join(' ')).toMatch(/Warning: unknown field nope, other; .* Showing 10 of 14\. /);
  });

  test.concurrent('asks once for several targets', async () => {
    const {status, writes} = await answer(
      `filters delete ${spoilers} ${crypto}`,
      /Delete the filters “Spoilers” \(\d+\), “Crypto” \(\d+\) on/,
      'y\r',
    );
    expect({status, writes}).toEqual({status: 0, writes: [`DELETE /api/v2/filters/${spoilers}`, `DELETE /api/v2/filters/${crypto}`]});
  });
});

test.concurrent.each(cases)('%s fails without a terminal, and sends nothing', async (args) => {
  await using server = await recordedSandbox();
  const {failure} = await failing(args.split(' '), {env: server.env, stdin: 'y\n'});
  expect(failure).toMatchObject({code: 'usage', exit: 2, hint: 'pass --yes to confirm'});
  expect(server.exchanges).toEqual([]);
});
