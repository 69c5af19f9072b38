/** Answers about another person, post, server, domain, filter or account: none is acted on. */
import {expect, onTestFinished, test} from 'vitest';
import {sandboxToken} from '../endpoints/table.js';
import {startSandbox} from '../sandbox/start.js';
import {SkippingClock} from '../loopback-server.js';
import {filter, post} from './demo-world.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {pass, serverThat} from './server.js';

type Members = Record<string, unknown>;

const inData =
  (change: Members) =>
  (answer: Members): Members => ({...answer, data: {...Object(answer['data']), ...change}});
const with_ =
  (change: Members) =>
  (answer: Members): Members => ({...answer, ...change});
const ofAccount = (answer: Members): Members => ({...answer, account: {...Object(answer['account']), id: '7'}});

const read = /^GET .*\/users\/get/;
const act = /^POST .*\/users\/action/;
const status = /^GET .*\/statuses\//;
const moderating = /^POST .*\/moderate\/post\//;
const block = /^GET .*\/admin\/domain_blocks\/\d+/;
const spam = post('CHEAP FOLLOWERS HERE');
const deletion = ['--yes', '--allow-deletions', '1'];

/** @param sent how many requests that change something are sent: that whose answer is another's, and none after it */
const table: readonly (readonly [line: readonly string[], asked: RegExp, lie: (answer: Members) => Members, sent: number])[] = [
  ...[{id: '7'}, {profile_id: '7'}, {username: 'alice'}].flatMap((change) => {
    const lie = inData(change);
    return [
      [['users', 'get', '@bob'], read, lie, 0],
      [['users', 'update', '@bob', '--unlisted', '--yes'], read, lie, 0],
      [['users', 'update', '@bob', '--unlisted', '--yes'], act, lie, 1],
      [['users', 'update', '@bob', '--refresh-stats', '--yes'], act, lie, 1],
      [['users', 'delete', '@bob', ...deletion], act, lie, 1],
    ] as const;
  }),
  [['users', 'update', '228', '--cw', '--yes'], read, inData({id: 7}), 0],
  [['posts', 'moderate', spam, '--cw', '--yes'], status, with_({id: '7'}), 0],
  [['posts', 'moderate', spam, '--cw', '--yes'], moderating, with_({id: '7'}), 1],
  [['posts', 'moderate', spam, '--cw', '--yes'], moderating, ofAccount, 1],
  [['posts', 'moderate', spam, '--visibility', 'private', '--yes'], moderating, with_({id: '7'}), 1],
  [['posts', 'moderate', spam, '--mark-spammer', ...deletion], moderating, ofAccount, 1],
  ...[{id: 7}, {domain: 'other.example'}].flatMap((change) => {
    const lie = inData(change);
    return [
      [['instances', 'get', 'spam.example.net'], /instances\/get/, lie, 0],
      [['instances', 'moderate', 'spam.example.net', '--unlisted', '--auto-cw', '--yes'], /instances\/moderate/, lie, 1],
      [['instances', 'refresh', 'spam.example.net'], /instances\/refresh/, lie, 1],
    ] as const;
  }),
  ...[{id: '7'}, {domain: 'other.example'}].flatMap((change) => {
    const lie = with_(change);
    return [
      [['admin', 'domain-blocks', 'get', 'BLOCKED'], block, lie, 0],
      [['admin', 'domain-blocks', 'update', 'BLOCKED', '--severity', 'silence', '--yes'], block, lie, 0],
      [['admin', 'domain-blocks', 'update', 'BLOCKED', '--severity', 'silence', '--yes'], /^PUT/, lie, 1],
    ] as const;
  }),
  [['filters', 'get', filter('Spoilers')], /^GET .*\/filters\/\d+/, with_({id: '7'}), 0],
  [['filters', 'update', filter('Spoilers'), '--title', 'x'], /^PUT/, with_({id: '7'}), 2],
  [['blocks', 'add', '@bob', '--yes'], /^POST .*\/block$/, with_({id: '7'}), 1],
  [['blocks', 'remove', '@bob', '--yes'], /^POST .*\/unblock$/, with_({id: '7'}), 1],
  [['mutes', 'add', '@bob'], /^POST .*\/mute$/, with_({id: '7'}), 1],
  [['dm', 'send', '@bob', 'Hi'], /^GET .*\/direct\/thread/, with_({id: '7'}), 0],
  [['dm', 'send', '@bob', 'Hi'], /^GET .*\/direct\/thread/, with_({id: undefined}), 0],
  [['dm', 'send', '@bob', 'Hi'], /^POST .*\/messages$/, with_({conversation_id: '7'}), 1],
];

test.each(table)('%j believes no answer to %s about something else: %s', async (line, asked, lie, sent) => {
  const sandbox = await startSandbox({limitsRate: false});
  onTestFinished(() => sandbox.close());
  const writes: string[] = [];
  let lies = 0;
  await using server = await serverThat(async (received) => {
    const request = `${received.method} ${received.target}`;
    const answered = await pass(received, sandbox.url);
    if (received.method !== 'GET' && !request.includes('lookup')) writes.push(request);
    if (!asked.test(request)) return answered;
    lies += 1;
    return {...answered, text: JSON.stringify(lie(JSON.parse(answered.text)))};
  }, sandbox.tokens.all);
  const env = {PIXELCTL_SERVER: server.url, PIXELCTL_TOKEN: sandboxToken(line)};
  const around = {env, folder: newFolder(), clock: new SkippingClock()};
  const words = await Promise.all(
    line.map(async (word) =>
      word === 'BLOCKED' ? JSON.parse((await run(['admin', 'domain-blocks', 'list', '--json'], around)).stdout)[0].domain : word,
    ),
  );
  const ended = await run([...words, '--json'], around);
  expect(ended, ended.stderr).toMatchObject({status: 8, stdout: ''});
  expect(lies).toBeGreaterThan(0);
  expect(writes).toHaveLength(sent);
  if (sent > 0 && line[1] !== 'delete' && line[0] !== 'users') expect(JSON.parse(ended.stderr).error.fate).toBe('unknown');
});
