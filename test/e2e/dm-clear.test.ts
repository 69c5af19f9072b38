/** What `dm clear` reads, deletes and says. */
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {SeedState} from '../sandbox/seed.js';
import {run} from './in-process.js';
import {newFolder, start} from './program.js';
import {pass, recordedSandbox, serverThat, type RecordingServer, requestsTo} from './server.js';
import {failureIn} from './told.js';
import {startSandbox} from '../sandbox/start.js';
import {jsonLines} from '../json-documents.js';

const conversations = '/api/v1.1/direct/conversations';

/** A conversation in which both write in turn. */
const seedWith = (messages: number): SeedState => ({
  me: 'ana',
  accounts: [{acct: 'ana'}, {acct: 'bob'}],
  conversations: [
    {
      id: '77',
      accepted: true,
      between: ['ana', 'bob'],
      messages: Array.from({length: messages}, (_, index) => ({from: index % 2 === 0 ? 'ana' : 'bob', text: `The ${index}th`})),
    },
  ],
});

const deletionsOf = (server: RecordingServer) => requestsTo(server).filter((line) => line.startsWith('DELETE'));
const resultsIn = (stdout: string) => jsonLines(stdout);

/** The messages that are left, by who wrote them. */
async function left(env: Readonly<Record<string, string>>) {
  const {stdout} = await run(['dm', 'messages', '77', '--all', '-o', 'ndjson'], {env});
  const own = resultsIn(stdout).map(({is_author: isOwn}) => isOwn);
  return {own: own.filter(Boolean).length, others: own.filter((isOwn) => !isOwn).length};
}

test.concurrent('all pages are read first, 50 messages a request, and then all own messages are deleted once', async () => {
  await using server = await recordedSandbox({seed: seedWith(130)});
  const ended = await run(['dm', 'clear', '77', '--yes', '-o', 'ndjson'], {env: server.env});
  expect(ended).toMatchObject({status: 0, stderr: ''});
  const lines = requestsTo(server);
  const reads = lines.filter((line) => line.includes('/messages?'));
  expect(reads).toHaveLength(3);
  expect(reads.every((line) => line.includes('limit=50'))).toBe(true);
  expect(lines.findIndex((line) => line.startsWith('DELETE'))).toBeGreaterThan(lines.lastIndexOf(reads.at(-1) ?? ''));
  expect(new Set(deletionsOf(server)).size).toBe(65);
  expect(deletionsOf(server)).toHaveLength(65);
  expect(resultsIn(ended.stdout)).toHaveLength(65);
  expect(await left(server.env)).toEqual({own: 0, others: 65});
});

test.concurrent('nothing is deleted where the server gives the same page at every place and says that there is more', async () => {
  let first: string | undefined;
  const sandbox = await startSandbox({seed: seedWith(130)});
  await using server = await serverThat(async (received) => {
    if (!received.target.includes('/messages?')) return pass(received, sandbox.url);
    first ??= (await pass(received, sandbox.url)).text;
    return {status: 200, text: first};
  }, sandbox.tokens.all);
  const {status, stderr} = await run(['dm', 'clear', '77', '--yes', '--json'], {env: server.env});
  expect({status, message: failureIn(stderr).message}).toEqual({
    status: 8,
    message: `${new URL(server.url).host}: the response says that there is more, and names a page that was read already`,
  });
  expect(deletionsOf(server)).toEqual([]);
  const listed = await run(['dm', 'messages', '77', '--all', '-o', 'ndjson'], {env: server.env});
  expect({status: listed.status, count: resultsIn(listed.stdout).length}).toEqual({status: 8, count: 50});
  await sandbox.close();
});

test.concurrent('a conversation without own messages is left as it is', async () => {
  await using server = await recordedSandbox({seed: seedWith(1)});
  await run(['dm', 'clear', '@bob', '--yes'], {env: server.env});
  const {length} = server.exchanges;
  const again = await run(['dm', 'clear', '@bob', '--yes'], {env: server.env});
  expect(again).toMatchObject({status: 0, stdout: '', stderr: 'You have no messages there.\n'});
  expect(deletionsOf(server)).toHaveLength(1);
  expect(server.exchanges.length).toBeGreaterThan(length);
});

test.concurrent('--hide hides the conversation after the last deletion', async () => {
  await using server = await recordedSandbox({seed: seedWith(4)});
  const {status, stderr} = await run(['dm', 'clear', '77', '--hide', '--yes'], {env: server.env});
  expect({status, stderr}).toEqual({status: 0, stderr: `Hid the conversation with @bob on ${new URL(server.url).host}.\n`});
  expect(requestsTo(server).at(-1)).toBe(`POST ${conversations}/77/hide`);
});

test.concurrent('a message that cannot be deleted is a failure (11), and the conversation is not hidden', async () => {
  let refused = 0;
  await using server = await recordedSandbox({seed: seedWith(6)}, (moment, {method}) =>
    moment === 'before' && method === 'DELETE' && (refused += 1) === 2 ? {status: 422, text: '{"error": "No"}'} : undefined,
  );
  const ended = await run(['dm', 'clear', '77', '--hide', '--yes', '--json'], {env: server.env});
  expect(failureIn(ended.stderr)).toMatchObject({exit: 11, message: '1 of 3 failed'});
  expect(JSON.parse(ended.stdout).map(({ok}: {ok: boolean}) => ok)).toHaveLength(3);
  expect(requestsTo(server).some((line) => line.endsWith('/hide'))).toBe(false);
  expect(await left(server.env)).toEqual({own: 1, others: 3});
});

test.concurrent('a deletion whose answer was lost is done when it is sent again', async () => {
  let isFirst = true;
  await using server = await recordedSandbox({seed: seedWith(2)}, (moment, {method}) => {
    if (moment === 'before' || method !== 'DELETE' || !isFirst) return;
    isFirst = false;
    return {text: '', lost: 'before'};
  });
  const folder = newFolder();
  const words = ['dm', 'clear', '77', '--yes', '-o', 'ndjson', '--journal', join(folder, 'journal'), '--retries', '0'];
  const first = await run(words, {env: server.env});
  expect(failureIn(first.stderr)).toMatchObject({exit: 11});
  expect(resultsIn(first.stdout)).toMatchObject([{ok: false, error: {fate: 'unknown'}}]);
  const again = await run(words, {env: server.env});
  expect({status: again.status, results: resultsIn(again.stdout).map(({ok}) => ok)}).toEqual({status: 0, results: [true]});
});

test.concurrent('a killed run is resumed with its journal: nothing is deleted twice, and newer messages are deleted, too', async () => {
  const sandbox = await startSandbox({seed: seedWith(40)});
  const {promise: stuck, resolve: isStuck} = Promise.withResolvers<void>();
  let isHeld = true;
  let deletions = 0;
  await using server = await serverThat(async (received) => {
    if (received.method === 'DELETE' && (deletions += 1) === 8 && isHeld) {
      isStuck();
      await new Promise(() => {});
    }
    return pass(received, sandbox.url);
  }, sandbox.tokens.all);
  const folder = newFolder();
  const words = ['dm', 'clear', '77', '--yes', '-o', 'ndjson', '--journal', 'journal', '--concurrency', '1'];
  const running = start(words, {env: server.env, folder});
  await stuck;
  running.child.kill('SIGKILL');
  await running.ended;
  isHeld = false;
  expect(existsSync(join(folder, 'journal'))).toBe(true);
  await run(['dm', 'send', '77', 'One more', '--quiet'], {env: server.env});
  const ended = await run(words, {env: server.env, folder});
  expect(ended).toMatchObject({status: 0, stderr: ''});
  const results = resultsIn(ended.stdout);
  expect(results.map(({ok}) => ok)).toEqual(Array.from({length: 21}, () => true));
  expect(results.filter(({resumed}) => resumed === true)).toHaveLength(7);
  expect(new Set(results.map(({target}) => target)).size).toBe(21);
  // The one that was under way when the run was killed is sent again.
  expect(deletions).toBe(22);
  expect(await left(server.env)).toEqual({own: 0, others: 20});
  expect(readFileSync(join(folder, 'journal'), 'utf8')).not.toContain(sandbox.tokens.all);
  await sandbox.close();
});

test.concurrent('--fail-fast stops at the first failure, and a failed page deletes nothing', async () => {
  let isAway = true;
  await using server = await recordedSandbox({seed: seedWith(60)}, (moment, {method, target}) => {
    if (moment === 'after') return;
    if (isAway && target.includes('max_id')) return {status: 503, text: '{"error": "Away"}'};
    return method === 'DELETE' ? {status: 422, text: '{"error": "No"}'} : undefined;
  });
  const broken = await run(['dm', 'clear', '77', '--yes', '--json', '--retries', '0'], {env: server.env});
  expect({broken: broken.status, deletions: deletionsOf(server)}).toEqual({broken: 7, deletions: []});
  isAway = false;
  const ended = await run(['dm', 'clear', '77', '--yes', '--fail-fast', '--concurrency', '1', '--json'], {env: server.env});
  expect(failureIn(ended.stderr)).toMatchObject({exit: 11, message: '1 of 1 failed; 29 more were not sent'});
  expect(deletionsOf(server)).toHaveLength(1);
});

test.concurrent('on a server before 2026 nothing is deleted (4), and the hint names the commands of threads', async () => {
  await using server = await recordedSandbox({like: '0.12.6', seed: seedWith(3)});
  const {status, stderr} = await run(['dm', 'clear', '@bob', '--yes', '--json'], {env: server.env});
  expect({status, deletions: deletionsOf(server)}).toEqual({status: 4, deletions: []});
  expect(failureIn(stderr).hint).toBe('servers before 2026 have threads: `pixelctl thread get @bob`');
});

test("the question counts one's messages, and nothing is deleted after n", async () => {
  await using server = await recordedSandbox({seed: seedWith(5)});
  const {status, stderr} = await run(['dm', 'clear', '77'], {env: server.env, typing: ['n\r']});
  expect(stderr).toContain('Delete your 3 messages for everyone in the conversation with @bob');
  expect({status, deletions: deletionsOf(server)}).toEqual({status: 2, deletions: []});
});
