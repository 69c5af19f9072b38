import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {stripVTControlCharacters} from 'node:util';
import {describe, expect, test} from 'vitest';
import {account, conversation, filter, message} from './demo-world.js';
import {run} from './in-process.js';
import {hasTerminal, newFolder, startAtTerminal} from './program.js';
import {recordedSandbox, type RecordedSandbox} from './server.js';
import {failing} from './told.js';

const withBob = conversation('bob').id;
const group = conversation('bob', 'clara', 'eiko').id;
const [spoilers, crypto] = [filter('Spoilers'), filter('Crypto')];
const mine = message('Ah.');
const conversations = '/api/v1.1/direct/conversations';

const cases: readonly (readonly [args: string, question: string, request: string])[] = [
  [`filters delete ${spoilers}`, `Delete the filter “Spoilers” (${spoilers}) on HOST?`, `DELETE /api/v2/filters/${spoilers}`],
  [`dm leave ${group}`, 'Leave the conversation with @bob, @clara, @eiko on HOST?', `POST ${conversations}/${group}/leave`],
  [
    `dm delete-message ${withBob} ${mine}`,
    'Delete the message for everyone in the conversation with @bob on HOST?',
    `DELETE ${conversations}/${withBob}/messages/${mine}`,
  ],
  [`thread delete-message ${mine}`, `Delete message ${mine} for everyone on HOST?`, 'DELETE /api/v1.1/direct/thread/message'],
  [
    `blocks add ${account('bob')}`,
    'Block @bob on HOST? You stop following each other, and unblocking does not restore that.',
    `POST /api/v1/accounts/${account('bob')}/block`,
  ],
  [
    `dm clear ${group}`,
    'Delete your message for everyone in the conversation with @bob, @clara, @eiko on HOST? This cannot be undone.',
    `DELETE ${conversations}/${group}/messages/${message('Photo walk on Saturday? 📸')}`,
  ],
  ['domain-blocks add bad.example', 'Block bad.example on HOST?', 'POST /api/v1/domain_blocks'],
  ['push disable', 'Turn off all push notifications on HOST', 'POST /api/v1.1/push/disable'],
];

const writesOf = ({exchanges}: RecordedSandbox): readonly string[] =>
  exchanges.flatMap(({received: {method, target}}) => (method === 'GET' ? [] : `${method} ${target}`));

async function answer(args: string, typing: string) {
  await using server = await recordedSandbox();
  const {status, stdout, stderr} = await run([...args.split(' '), '--json'], {env: server.env, typing});
  return {status, stdout, asked: stderr.replaceAll(new URL(server.url).host, 'HOST'), writes: writesOf(server)};
}

test.concurrent.each(cases)('%s asks on standard error, continues after y, and sends nothing after n', async (args, question, request) => {
  const yes = await answer(args, 'y\r');
  expect(yes).toMatchObject({status: 0, writes: [request], asked: expect.stringContaining(question)});
  expect(JSON.parse(yes.stdout)).toBeTypeOf('object');
  expect(await answer(args, 'n\r')).toMatchObject({
    status: 2,
    stdout: '',
    writes: [],
    asked: expect.stringContaining('Nothing was sent'),
  });
});

test.concurrent.each(cases)('%s fails without a terminal, and sends nothing', async (args) => {
  await using server = await recordedSandbox();
  const {failure} = await failing(args.split(' '), {env: server.env, stdin: 'y\n'});
  expect(failure).toMatchObject({code: 'usage', exit: 2, hint: 'pass --yes to confirm'});
  expect(server.exchanges).toEqual([]);
});

describe.runIf(hasTerminal)(`at a terminal${hasTerminal ? '' : ' (not tried: the tool script of util-linux is not here)'}`, () => {
  test.concurrent.each([
    ['y', 'y\r', 0],
    ['Enter alone', '\r', 2],
    ['Ctrl-C', '\u0003', 130],
    ['Ctrl-D', '\u0004', 130],
  ])('after %s the output is whole, and only y sends anything', async (_, typed, status) => {
    await using server = await recordedSandbox();
    const folder = newFolder();
    const running = startAtTerminal(`pixelctl filters delete ${spoilers} --json > out.json`, 200, {env: server.env, folder});
    await running.seen(/Spoilers/);
    expect(writesOf(server)).toEqual([]);
    running.child.stdin?.write(typed);
    const ended = await running.ended;
    expect({status: ended.status, writes: writesOf(server).length}).toEqual({status, writes: status === 0 ? 1 : 0});
    if (status !== 0) expect(ended.stdout).toContain('Nothing was sent');
    expect(readFileSync(join(folder, 'out.json'), 'utf8')).toMatch(status === 0 ? /^\{.*\}\n$/ : /^$/);
  });

  test.concurrent('questions and errors wrap at words at 24 columns', async () => {
    const columns = 24;
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
});

test('notes and warnings are broken between words, commands in them are not', async () => {
  await using server = await recordedSandbox();
  const folder = newFolder();
  writeFileSync(join(folder, 'p.yml'), 'version: 1\ndomain_blocks: {must: [bad.example]}\n');
  const toldBy = async (...words: string[]) => {
    const {stderr} = await run(words, {env: server.env, columns: 40, folder});
    return stripVTControlCharacters(stderr).split('\n');
  };
  const [plan, list] = [await toldBy('plan', 'p.yml'), await toldBy('dm', 'mutuals', '--fields', 'nope,other')];
  expect([...plan, ...list].filter((text) => text.length > 40 && !text.startsWith('pixelctl '))).toEqual([]);
  expect(plan).toContainEqual(expect.stringMatching(/^pixelctl apply p\.yml --expect=[0-9a-f]{64}$/));
  expect(list.join(' ')).toMatch(/Warning: unknown field nope, other; .* Showing 10 of 14\. /);
});
