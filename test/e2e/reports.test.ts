/** The queue of reports of a server, worked on with the built program. */
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {SandboxOptions} from '../sandbox/start.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {recordedSandbox, serverThat} from './server.js';

async function desk(options: SandboxOptions = {}) {
  const server = await recordedSandbox(options);
  const env = {...server.env, PIXELCTL_TOKEN: server.sandbox.tokens.admins['admin'] ?? ''};
  const folder = newFolder();
  return {
    folder,
    server,
    run: (args: readonly string[], stdin = '', columns?: number) => run(args, {env, folder, stdin, columns}),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('reports are followed from where the last run stopped, the oldest first', async () => {
  await using one = await desk();
  const file = join(one.folder, 'last');
  writeFileSync(file, '8\n');
  const follow = ['reports', 'list', '--follow', '--since-file', file, '--max', '2', '-o', 'ndjson', '--fields', 'id,object_id'];
  const {stdout, status} = await one.run(follow);
  const items = stdout.trimEnd().split('\n');
  expect({status, ids: items.map((line) => JSON.parse(line).id)}).toEqual({status: 0, ids: [9, 10]});
  for (const line of items) expect(line).toMatch(/"object_id":\d{19}\}$/);
  expect(readFileSync(file, 'utf8')).toBe('10\n');
  // A server that takes no bound gets none.
  expect(one.server.exchanges.map(({received: {target}}) => target)).not.toContainEqual(expect.stringContaining('_id='));
});

/** Open reports, of which some are handled with requests for later pages. */
async function followed(count: number, max: number, handled: (requests: number) => readonly number[]) {
  let open: readonly number[] = Array.from({length: count}, (_, index) => count - index);
  let requests = 0;
  await using server = await serverThat(({target}) => {
    requests += 1;
    const page = Number(new URL(target, 'http://server.invalid').searchParams.get('page') ?? 1);
    const gone = handled(requests);
    open = open.filter((id) => !gone.includes(id));
    return {text: JSON.stringify(open.slice((page - 1) * 6, page * 6).map((id) => ({id, type: 'spam'})))};
  });
  const folder = newFolder();
  writeFileSync(join(folder, 'last'), '3\n');
  const command = ['reports', 'list', '--follow', '--since-file', 'last', '-o', 'ndjson', '--jq', '.id', '--max', String(max)];
  const ended = await run(command, {env: server.env, folder});
  return {...ended, ids: (ended.stdout.match(/\d+/g) ?? []).map(Number)};
}

test('reports that move up because others are handled are not left out', async () => {
  const {ids, stderr} = await followed(39, 36, (requests) => (requests === 2 ? [39, 38, 37] : []));
  expect({ids, stderr}).toEqual({ids: Array.from({length: 36}, (_, index) => index + 4), stderr: ''});
});

test('where more than 200 reports are new, a warning says which may be missing', async () => {
  const {ids, stderr} = await followed(300, 200, () => []);
  expect(ids).toEqual(Array.from({length: 200}, (_, index) => index + 97));
  expect(stderr).toMatch(
    /^Warning: 20\d items or more are new: some of those after 3 and up to 300 may be missing; --all lists all of them\n$/,
  );
});

test('the whole queue is piped into its handling, which moves its pages up', async () => {
  await using one = await desk();
  const listed = await one.run(['reports', 'list', '--all', '-o', 'ndjson', '--quiet']);
  expect(listed.stdout.trimEnd().split('\n')).toHaveLength(4);
  const {stdout, status} = await one.run(['reports', 'handle', '-', '--action', 'ignore', '--yes', '-o', 'ndjson'], listed.stdout);
  expect(status).toBe(0);
  expect(stdout.match(/"ok":true/g)).toHaveLength(4);
  expect(await one.run(['reports', 'list'])).toMatchObject({stdout: '', stderr: 'No open reports.\n'});
});
