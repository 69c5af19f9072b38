/** The queue of reports of a server, worked on with the built program. */
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {SandboxOptions} from '../sandbox/start.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {recordedSandbox} from './server.js';

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

test('the whole queue is piped into its handling, which moves its pages up', async () => {
  await using one = await desk();
  const listed = await one.run(['reports', 'list', '--all', '-o', 'ndjson', '--quiet']);
  expect(listed.stdout.trimEnd().split('\n')).toHaveLength(4);
  const {stdout, status} = await one.run(['reports', 'handle', '-', '--action', 'ignore', '--yes', '-o', 'ndjson'], listed.stdout);
  expect(status).toBe(0);
  expect(stdout.match(/"ok":true/g)).toHaveLength(4);
  expect(await one.run(['reports', 'list'])).toMatchObject({stdout: '', stderr: 'No open reports.\n'});
});
