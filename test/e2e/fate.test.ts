/** A write that acts twice when it is repeated, and an answer after which nobody knows whether it was carried out. */
import {describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {newFolder, type Ended} from './program.js';
import {serverThat, type Answered, type Received} from './server.js';
import {failing, type Failure} from './told.js';
import {jsonLines} from '../json-documents.js';

const html = '<!DOCTYPE html><html><body>Oops</body></html>';

const toLogin: Answered = {status: 302, text: html, headers: {location: '/login'}};

/** The server has carried the request out, and then says this: one answer of each kind. All that there are: `test/contract/failures.test.ts`. */
const doubtful: readonly (readonly [name: string, code: Failure['code'], answer: Answered])[] = [
  ['500', 'unavailable', {status: 500, text: '{"error":"Server Error"}'}],
  ['503 with the words of a refused token', 'unavailable', {status: 503, text: '{"error":"Unauthenticated."}'}],
  ['499', 'unavailable', {status: 499, text: ''}],
  ['a redirect', 'bad_answer', {status: 302, text: html, headers: {location: '/i/web'}}],
  ['200 with HTML', 'bad_answer', {text: html}],
  ['200 that cannot be decompressed', 'bad_answer', {text: 'nothing of the kind', headers: {'content-encoding': 'gzip'}}],
  ['200 that breaks off', 'bad_answer', {text: '{"id":"1"', lost: 'within'}],
  ['a lost connection', 'unavailable', {text: '', lost: 'before'}],
];

/** Advice that nobody may take who does not know what happened. */
const repeats = /\bagain\b|\bretry|\brepeat|--resend/i;

const filter = {
  id: '7',
  title: 'Spam',
  context: ['home'],
  expires_at: null,
  filter_action: 'warn',
  keywords: [{id: 1, keyword: 'spam', whole_word: true}],
  statuses: [],
};

/** A server that keeps what it is sent, and answers writes as it is told. */
async function storing(answer: () => Answered) {
  const stored: string[] = [];
  const server = await serverThat(({method, target, body}: Received): Answered => {
    if (target === '/api/v2.1/config') return {status: 404, text: '{"error":"The route api/v2.1/config could not be found."}'};
    if (method === 'GET') return {text: target.startsWith('/api/v2/filters') ? JSON.stringify(stored.map(() => filter)) : '[]'};
    stored.push(`${target} ${body.toString()}`);
    return answer();
  });
  return {server, stored, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()};
}

const results = ({stdout}: Ended) => jsonLines(stdout);

const acting = [
  {command: ['dm', 'send', '12', 'Hello'], look: 'pixelctl dm messages 12 --limit=1'},
  {command: ['thread', 'send', '12', 'Hello'], look: 'pixelctl thread get 12'},
  {command: ['filters', 'create', '--title', 'Spam', '--context', 'home', '--keyword', 'spam'], look: 'pixelctl filters list'},
  {command: ['report', 'post', '12', '--type', 'spam'], look: undefined},
] as const;

describe.each(acting)('$command.0 $command.1', ({command, look}) => {
  test.concurrent.each(doubtful)('the write has an unknown outcome after %s', async (_, code, answer) => {
    await using place = await storing(() => answer);
    const {failure} = await failing(command, {env: place.server.env});
    expect(failure).toMatchObject({code, fate: 'unknown'});
    expect(failure.hint).not.toMatch(repeats);
    if (look !== undefined) expect(failure.hint).toContain(`\`${look}\``);
    // Once for people and once for scripts.
    expect(place.stored).toHaveLength(2);
  });
});

test.concurrent('a repeatable write has an unknown outcome, and its hint says that repeating it does no harm', async () => {
  await using place = await storing(() => ({status: 500, text: ''}));
  const {failure} = await failing(['dm', 'mute', '12'], {env: place.server.env});
  expect(failure).toMatchObject({
    code: 'unavailable',
    fate: 'unknown',
    hint: expect.stringMatching(/dm get 12.*; repeating it does no harm$/),
  });
});

describe('many targets with a journal', () => {
  const targets = ['11', '12', '13'];
  const unmute = ['thread', 'unmute', ...targets, '--journal', 'journal', '--concurrency', '1', '-o', 'ndjson'];

  test.concurrent.each(doubtful)('a write that acts twice is not sent twice after %s', async (_, code, answer) => {
    let now: Answered = answer;
    await using place = await storing(() => now);
    const circumstances = {env: place.server.env, folder: newFolder()};
    const first = await run(unmute, circumstances);
    expect(first.status).toBe(11);
    expect(results(first)).toMatchObject(targets.map(() => ({ok: false, error: {code, fate: 'unknown'}})));
    for (const {error} of results(first)) expect(error.hint).not.toMatch(repeats);
    now = {text: '[200]'};
    const second = await run(unmute, circumstances);
    expect(second.status).toBe(11);
    expect(results(second)).toMatchObject(targets.map(() => ({ok: false, unknown: true, error: {fate: 'unknown'}})));
    expect(second.stderr).toContain('--resend-unknown');
    expect(place.stored).toHaveLength(3);
    const third = await run([...unmute, '--resend-unknown'], circumstances);
    expect(third.status).toBe(0);
    expect(place.stored).toHaveLength(6);
  });

  test.concurrent('a redirect to the login page ends the run, and only what was not sent is sent later', async () => {
    let now: Answered = toLogin;
    await using place = await storing(() => now);
    const circumstances = {env: place.server.env, folder: newFolder()};
    const first = await run(unmute, circumstances);
    expect(first.status).toBe(3);
    expect(first.stderr).toContain('2 more were not sent');
    expect(results(first)).toMatchObject([{ok: false, status: 302, error: {code: 'auth', fate: 'unknown'}}]);
    now = {text: '[200]'};
    const second = await run(unmute, circumstances);
    expect(second.status).toBe(11);
    expect(results(second)).toMatchObject([{ok: false, unknown: true, error: {fate: 'unknown'}}, {ok: true}, {ok: true}]);
    expect(place.stored).toHaveLength(3);
  });
});

describe('a write whose effect can be read', () => {
  const commands = [
    {
      command: ['domain-blocks', 'add', '3.example', '4.example', '--yes'],
      path: '/api/v1/domain_blocks',
      there: ['3.example'],
      sent: /4\.example/,
    },
    {command: ['blocks', 'add', '3', '4', '--yes'], path: '/api/v1/blocks', there: [{id: '3'}], sent: /accounts\/4\//},
    {command: ['mutes', 'add', '3', '4'], path: '/api/v1/mutes', there: [{id: '3'}], sent: /accounts\/4\//},
  ] as const;

  test.concurrent.each(commands)(
    'a write whose effect can be read is checked by a resumed run: $command.0 $command.1',
    async ({command, path, there, sent}) => {
      let now: Answered = {status: 504, text: ''};
      const writes: string[] = [];
      await using server = await serverThat(({method, target, body}) => {
        if (method === 'GET') return target.startsWith(path) ? {text: JSON.stringify(there)} : {status: 404, text: '{}'};
        writes.push(`${target} ${body.toString()}`);
        return now;
      });
      const circumstances = {env: server.env, folder: newFolder()};
      const args = [...command, '--journal', 'journal', '-o', 'ndjson', '--retries', '0'];
      expect((await run(args, circumstances)).status).toBe(11);
      now = {text: command[0] === 'domain-blocks' ? '[]' : '{"id":"4"}'};
      writes.length = 0;
      const second = await run(args, circumstances);
      expect(second.status).toBe(0);
      expect(results(second)).toMatchObject([{ok: true, resumed: true, body: there[0]}, {ok: true}]);
      expect(writes).toEqual([expect.stringMatching(sent)]);
    },
  );
});

test.concurrent('a write that does no harm is sent again by a resumed run that cannot read the list', async () => {
  let isResumed = false;
  await using server = await serverThat(({method}) => {
    if (method === 'GET') return {status: 500, text: ''};
    return isResumed ? {text: '{"id":"3"}'} : {status: 504, text: ''};
  });
  const circumstances = {env: server.env, folder: newFolder()};
  const mute = ['mutes', 'add', '3', '--journal', 'journal', '--retries', '0', '-o', 'ndjson'];
  expect(results(await run(mute, circumstances))).toMatchObject([{ok: false, error: {fate: 'unknown'}}]);
  isResumed = true;
  expect(results(await run(mute, circumstances))).toMatchObject([{ok: true}]);
  expect(server.exchanges.filter(({received}) => received.method === 'POST')).toHaveLength(2);
});

describe('a deletion', () => {
  const commands = [
    ['filters', 'delete', '3', '4', '--yes'],
    ['dm', 'leave', '3', '4', '--yes'],
    ['dm', 'delete-message', '1', '3', '4', '--yes'],
    ['thread', 'delete-message', '3', '4', '--yes'],
  ];

  test.concurrent.each(commands)('a deletion is resent by a resumed run, and not found means done: %s %s', async (...command) => {
    let isUp = false;
    const gone = ({target, body}: Received): string => {
      if (target.endsWith('/leave')) return '';
      const model = target.includes('/filters/') ? 'CustomFilter' : 'DmMessage';
      const id = target.includes('/thread/') ? JSON.parse(body.toString()).id : target.split('/').at(-1);
      return `No query results for model [App\\Models\\${model}] ${id}`;
    };
    await using server = await serverThat((received) => {
      if (received.method === 'GET') return {status: 404, text: '{}'};
      return isUp ? {status: 404, text: JSON.stringify({error: gone(received)})} : {status: 504, text: ''};
    });
    const circumstances = {env: server.env, folder: newFolder()};
    const args = [...command, '--journal', 'journal', '-o', 'ndjson'];
    const first = await run(args, circumstances);
    expect(results(first)).toMatchObject([{error: {fate: 'unknown'}}, {error: {fate: 'unknown'}}]);
    isUp = true;
    const second = await run(args, circumstances);
    expect(second.status).toBe(0);
    expect(results(second)).toEqual(['3', '4'].map((target) => ({target, ok: true, status: 404, resumed: true, body: null})));
  });

  test.concurrent('a deletion is not found when nothing was sent before', async () => {
    await using server = await serverThat(() => ({status: 404, text: '{"error":""}'}));
    const ended = await run(['filters', 'delete', '3', '4', '--yes', '--journal', 'journal', '-o', 'ndjson'], {
      env: server.env,
      folder: newFolder(),
    });
    expect(results(ended)).toMatchObject([
      {ok: false, error: {code: 'not_found'}},
      {ok: false, error: {code: 'not_found'}},
    ]);
  });
});
