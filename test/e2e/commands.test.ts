import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {isWrite} from '../../src/lib/api/endpoint.js';
import {demoFor, type Generation} from '../sandbox/start.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {sandboxToken, table} from '../endpoints/table.js';
import {commands} from '../manifest.js';
import type {Row, SandboxRun, Sent} from '../endpoints/row.js';
import {recordedSandbox, type Exchange, type RecordedSandbox} from './server.js';

test('the table contains every command with an endpoint', () => {
  const described = commands.filter(({description}) =>
    /^Calls (GET|POST|PUT|DELETE) \/\S+[^\s.,](\.\s| \(undocumented)/m.test(description ?? ''),
  );
  expect([...new Set(table.map(({command}) => command))].toSorted()).toEqual(described.map(({id}) => id.replaceAll(':', ' ')).toSorted());
});

/** The smallest thing that servers take for a photo. */
const harbour = Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.from('a harbour at dawn')]).subarray(0, 20);

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
  readonly exchanges: readonly Exchange[];
}

async function outcome(like: Generation, {args, stdin, before = []}: SandboxRun, ...flags: readonly string[]): Promise<Outcome> {
  const token = sandboxToken(args);
  await using server = await recordedSandbox({like, seed: demoFor(token)});
  for (const call of before) await prepare(server, call, token);
  const folder = newFolder();
  writeFileSync(join(folder, 'harbour.jpg'), harbour);
  const {stdout, stderr, status} = await run([...args, ...flags], {
    env: {...server.env, PIXELCTL_TOKEN: token},
    stdin: stdin ?? '',
    folder,
  });
  return {stdout, stderr, status, exchanges: [...server.exchanges]};
}

async function prepare({sandbox}: RecordedSandbox, {line, json}: Sent, token: string): Promise<void> {
  const [method = '', path = ''] = line.split(' ');
  const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-pixelfed-app': '1'};
  const {ok, status} = await fetch(sandbox.url + path, {method, headers, body: JSON.stringify(json)});
  if (!ok) throw new Error(`${line} was answered with ${status}`);
}

async function sent({received: {method, target, headers, body}}: Exchange): Promise<Sent> {
  const line = `${method} ${target}`;
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) return body.length === 0 ? {line} : {line, json: JSON.parse(body.toString())};
  const form = await new Response(new Uint8Array(body), {headers: {'content-type': type}}).formData();
  const fields = [...form].map(([name, value]) => [name, typeof value === 'string' ? value : `${value.name} ${value.type} ${value.size}`]);
  return {line, form: Object.fromEntries(fields)};
}

async function expectRequests(exchanges: readonly Exchange[], {args, sent: expected}: SandboxRun): Promise<void> {
  expect(await Promise.all(exchanges.map(sent))).toEqual(expected);
  for (const {received} of exchanges) {
    const {target, headers, body} = received;
    expect(headers).toMatchObject({accept: 'application/json', 'user-agent': expect.stringMatching(/^pixelctl\/\d/)});
    expect(headers['authorization']).toBe(
      ['/api/v2.1/config', '/api/v1/instance'].includes(target) ? undefined : `Bearer ${sandboxToken(args)}`,
    );
    expect(headers['x-pixelfed-app']).toBe(target.startsWith('/api/v1.1/push/') ? '1' : undefined);
    expect(headers['content-type'] ?? '').toMatch(body.length === 0 ? /^$/ : /^(application\/json$|multipart\/form-data; boundary=)/);
    for (const unwanted of ['cookie', 'origin', 'referer']) expect(headers).not.toHaveProperty(unwanted);
  }
}

/** Nothing that steers a terminal, and nothing that turns text round. */
const plainText = /^[^\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u;

const generations = ['2026', '0.12.6'] as const;

describe.each(generations)('like %s', (like) => {
  const runOf = ({on2026, on0126}: Row): SandboxRun | 'not offered' => (like === '2026' ? on2026 : on0126);
  const offered = table.flatMap((one) => {
    const row = runOf(one);
    return row === 'not offered' ? [] : [{command: one.command, row, isOfWrite: isWrite(one.endpoint)}];
  });
  const missing = table.filter((one) => runOf(one) === 'not offered').map(({command, on2026}) => ({command, row: on2026}));

  // What is printed of an answer does not depend on the server.
  const printed = like === '2026' ? offered : [];

  test.concurrent.each(offered)('$command as a table', async ({row, isOfWrite}) => {
    const {stdout, stderr, status, exchanges} = await outcome(like, row);
    expect({stderr, status}).toEqual({stderr: row.says ?? '', status: 0});
    if (isOfWrite) expect(stderr).toMatch(/^\S.*\.\n$/);
    if (isOfWrite || row.shows.length === 0) expect(stdout).toBe('');
    else for (const text of row.shows) expect(stdout).toContain(text);
    for (const line of stdout.split('\n')) expect(line).toMatch(plainText);
    const beside = row.sentForPeople ?? [];
    const isBeside = ({received: {method, target}}: Exchange) => beside.includes(`${method} ${target}`);
    expect(exchanges.filter(isBeside)).toHaveLength(beside.length);
    await expectRequests(
      exchanges.filter((exchange) => !isBeside(exchange)),
      row,
    );
  });

  test.concurrent.each(printed.filter(({isOfWrite}) => isOfWrite))('$command prints the answer to a write with -o table', async ({row}) => {
    const {stdout, stderr, status} = await outcome(like, row, '-o', 'table');
    // An empty list is said in words.
    expect({stderr: stderr.replace(/^Nothing\.\n$/, ''), status}).toEqual({stderr: '', status: 0});
    for (const text of row.shows) expect(stdout).toContain(text);
    for (const line of stdout.split('\n')) expect(line).toMatch(plainText);
  });

  test.concurrent.each(printed)('$command --json', async ({row}) => {
    const {stdout, stderr, status, exchanges} = await outcome(like, row, '--json');
    expect({stderr, status}).toEqual({stderr: '', status: 0});
    expect(stdout).toBe(`${exchanges.at(-1)?.answered.text}\n`);
    await expectRequests(exchanges, row);
  });

  describe.runIf(missing.length > 0)('without conversations and configuration', () => {
    test.concurrent.each(missing)('$command', async ({row}) => {
      const {stdout, stderr, status, exchanges} = await outcome(like, row);
      const [error, hint, ...more] = stderr.split('\n');
      expect({status, stdout}).toEqual({status: 4, stdout: ''});
      expect(error).toMatch(
        /^Error: 127\.0\.0\.1:\d+: not supported \(404\): The route \S+ could not be found(\.| \(uploaded already: --media-id=5\))$/,
      );
      expect(hint).toMatch(
        /^Hint: servers before 2026 have no (conversations: use the commands of `pixelctl help thread`|such configuration: see `pixelctl api GET)/,
      );
      expect(more).toEqual(['']);
      await expectRequests(exchanges, row);
    });
  });
});
