/** The files of an export come after the messages of all conversations: a stranger's server can hold them up, and nothing else. */
import {readFileSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {Tally} from '../events.js';
import {listen} from '../loopback-server.js';
import {filesIn, itemsOf, linesOf, newArchive} from './archives.js';
import {run} from './in-process.js';
import {start} from './program.js';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

interface Shown {
  readonly id: string;
  readonly state?: 'active' | 'request';
  readonly media?: number;
}

/** A server that shows these conversations, each with one message. Files come as `answer` says. */
async function serverWith(conversations: readonly Shown[], answer: (path: string, response: ServerResponse) => void) {
  const state = new Map(conversations.map((one) => [one.id, one.state ?? 'active']));
  const asked: string[] = [];
  const files = new Tally();
  const {origin} = await listen(({url = ''}, response) => {
    const {pathname, searchParams} = new URL(url, origin);
    asked.push(pathname);
    const messageOf = ({id, media = 1}: Shown) => ({
      id: `${id}0000`,
      sender_id: '2',
      is_author: false,
      text: `To ${id}`,
      created_at: '2026-01-01T00:00:00.000Z',
      media: Array.from({length: media}, (_, index) => ({id: `${id}${index}`, url: `${origin}/files/${id}${index}`, description: null})),
    });
    const shown = (one: Shown) => ({
      id: one.id,
      type: 'dm',
      state: state.get(one.id),
      participants: [{id: '2', acct: 'bob', username: 'bob', display_name: 'Bob'}],
      last_message: messageOf(one),
    });
    const json = (value: object) => void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    if (pathname.startsWith('/files/')) {
      files.add();
      return answer(pathname, response);
    }
    if (pathname.endsWith('/verify_credentials')) return json({id: '9', acct: 'ana', username: 'ana'});
    const messages = conversations.find(({id}) => pathname.endsWith(`/${id}/messages`));
    const [newest_id, oldest_id] = [`${messages?.id}0000`, `${messages?.id}0000`];
    if (messages !== undefined) return json({data: [messageOf(messages)], meta: {has_more: false, newest_id, oldest_id}});
    const wanted = searchParams.get('filter') === 'requests' ? 'request' : 'active';
    const listed = searchParams.get('filter') === 'hidden' ? [] : conversations.filter(({id}) => state.get(id) === wanted);
    json({data: listed.map(shown), meta: {next_cursor: null}});
  });
  return {
    env: {PIXELCTL_SERVER: origin, PIXELCTL_TOKEN: 'token-of-a-test'},
    asked,
    fileAsked: (count: number) => files.reached(count),
    state,
  };
}

test('a run that is killed while a file is fetched leaves all messages, and the next run fetches what is not there', async () => {
  let isHeld = true;
  const {env, fileAsked, asked} = await serverWith(
    [
      {id: '5', media: 3},
      {id: '7', state: 'request'},
    ],
    (path, response) => {
      if (isHeld && path.endsWith('/51')) response.write(png);
      else response.end(png);
    },
  );
  const to = newArchive();
  const killed = start(['dm', 'export', '--to', to], {env});
  await fileAsked(3);
  const second = await run(['dm', 'export', '--to', to], {env});
  expect(second).toMatchObject({
    status: 9,
    stderr: expect.stringMatching(/is using .* \(since [-\d]+ [:\d]+ UTC\): nothing was sent/),
  });
  killed.child.kill('SIGKILL');
  await killed.ended;
  for (const id of ['5', '7']) expect(linesOf(to, id, 'messages.ndjson')).toHaveLength(1);
  expect(itemsOf(to, 'conversations.ndjson').map(({id, messages}) => [id, messages])).toEqual([
    ['7', 1],
    ['5', 1],
  ]);
  expect(readFileSync(join(to, 'index.html'), 'utf8')).toContain('2 conversations');
  isHeld = false;
  asked.length = 0;
  const {status, stdout} = await run(['dm', 'export', '--to', to, '--new-only', '-o', 'ndjson'], {env});
  expect(status).toBe(0);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).media),
  ).toEqual([3, 1]);
  expect(asked.filter((path) => path.startsWith('/files/'))).toContain('/files/51');
  expect(filesIn(join(to, '5', 'media'))).toEqual(['50.png', '51.png', '52.png']);
  expect((await run(['dm', 'export', '--to', to, '--verify'], {env})).status).toBe(0);
});
