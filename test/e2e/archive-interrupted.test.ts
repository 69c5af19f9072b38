import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import type {SeedState} from '../sandbox/seed.js';
import {changing, itemsOf, newArchive} from './archives.js';
import {someInTurn} from '../contract/sample.js';
import {canMount} from './child-process.js';
import {run} from './in-process.js';
import {isSingleFile, newFolder, program, start, startProgram} from './program.js';
import {serverThat} from './server.js';

const messages = (count: number) => Array.from({length: count}, (_, index) => ({from: 'ana', text: `Message ${index}`}));

const world: SeedState = {
  me: 'ana',
  accounts: [{acct: 'ana'}, {acct: 'bob'}, {acct: 'eve'}],
  mutuals: ['bob', 'eve'],
  conversations: [
    {between: ['ana', 'eve'], messages: messages(1)},
    {between: ['ana', 'bob'], messages: messages(120)},
  ],
};

/** The conversation that is read first, and the ids of its messages. */
async function longOne(env: Readonly<Record<string, string>>): Promise<{id: string; ids: string[]}> {
  const to = newArchive();
  const {stdout} = await run(['dm', 'export', '@bob', '--to', to, '-o', 'ndjson'], {env});
  const {id} = JSON.parse(stdout);
  return {id, ids: itemsOf(to, id, 'messages.ndjson').map(({id: own}) => own)};
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends an export after what it has read, and the next run does the rest', async (signal, status) => {
  const server = await changing({seed: world});
  const {env} = server;
  const {id, ids} = await longOne(env);
  const to = newArchive();
  const running = start(['dm', 'export', '--to', to, '--json'], {env});
  server.change = ({target}) => {
    if (target.includes(`max_id=${ids[70]}`)) running.child.kill(signal);
    return undefined;
  };
  const ended = await running.ended;
  expect(ended).toMatchObject({status});
  expect(JSON.parse(ended.stdout)[0].messages).toBeGreaterThanOrEqual(50);
  expect(JSON.parse(ended.stdout).length).toBe(1);
  expect(readFileSync(join(to, id, 'index.ndjson'), 'utf8')).not.toContain('missing');
  const says = () => [['index.html'], [id, 'page.html']].map((path) => readFileSync(join(to, ...path), 'utf8'));
  const [index, page] = says();
  expect(index).toContain('not read completely');
  expect(page).toContain('Not all of it was read: run the export again to do the rest.');
  expect(itemsOf(to, 'conversations.ndjson')).toMatchObject([{id, not_read: [{after: null}]}]);
  server.change = undefined;
  expect(await run(['dm', 'export', '--to', to], {env})).toMatchObject({status: 0});
  for (const text of says()) expect(text).not.toMatch(/not read completely|ot all of it was read/);
  expect(itemsOf(to, 'conversations.ndjson').map(({not_read: gaps}) => gaps)).toEqual([[], []]);
  expect(itemsOf(to, id, 'messages.ndjson').length).toBe(120);
});

test.skipIf(!canMount)('a full disk ends an export with 9, and what was whole stays; with room the next run does the rest', async () => {
  const server = await changing({
    seed: {
      ...world,
      conversations: [...(world.conversations ?? []), {between: ['bob', 'ana', 'eve'], messages: messages(1500)}],
    },
  });
  const disk = newFolder();
  const copy = newFolder();
  const words = program.map((word) => `'${word}'`).join(' ');
  const line = [
    'mount -t tmpfs -o mode=700,size=600k tmpfs "$0"',
    `${words} dm export @eve @bob --to "$0/a" >&2; echo first $?`,
    `${words} dm export --to "$0/a" >&2; echo full $?`,
    `mkdir "$1/full"; cp -r "$0/a/." "$1/full"`,
    'mount -o remount,size=50m "$0"',
    `${words} dm export --to "$0/a" >&2; echo again $?`,
    'mkdir "$1/whole"; cp -r "$0/a/." "$1/whole"',
  ].join('\n');
  const {stdout, stderr} = await startProgram('unshare', ['-rm', 'sh', '-c', line, disk, copy], {env: server.env}).ended;
  expect(stdout).toBe('first 0\nfull 9\nagain 0\n');
  expect(stderr).toMatch(/Error: Cannot write to .*: the disk is full\nHint: free some space/);
  // The last line of a conversation counts.
  const known = new Map(itemsOf(copy, 'full', 'conversations.ndjson').map((one) => [one.id, one.messages]));
  const kept = [...known].flatMap(([id, count]) => (count === 0 ? [] : [[count, itemsOf(copy, 'full', id, 'messages.ndjson').length]]));
  expect(kept.toSorted()).toEqual([
    [1, 1],
    [120, 120],
  ]);
  const counts = itemsOf(copy, 'whole', 'conversations.ndjson').map(({id}) => itemsOf(copy, 'whole', id, 'messages.ndjson').length);
  expect(counts.toSorted((one, other) => one - other)).toEqual([1, 120, 1500]);
});

/** A server with one conversation of so many messages, which it makes when they are asked for. */
async function endless(count: number, text: string) {
  const first = 1_000_000;
  const server = await serverThat(({target}) => {
    const {pathname, searchParams} = new URL(target, 'http://localhost');
    const answer = () => {
      if (pathname.endsWith('verify_credentials')) return {id: '9', acct: 'ana', username: 'ana'};
      if (pathname.endsWith('/conversations')) return {data: [], meta: {filter: 'primary', next_cursor: null, prev_cursor: null}};
      if (!pathname.endsWith('/messages')) return {id: '7', type: 'dm', name: null, participants: []};
      const below = Number(searchParams.get('max_id') ?? first + count);
      const ids = Array.from({length: Math.min(50, below - first)}, (_, index) => below - 1 - index);
      const data = ids.map((id) => ({
        id: String(id),
        sender_id: '9',
        is_author: true,
        type: 'text',
        text,
        media: [],
        meta: null,
        sensitive: false,
      }));
      return {data, meta: {has_more: (ids.at(-1) ?? first) > first, newest_id: String(ids[0]), oldest_id: String(ids.at(-1))}};
    };
    return {text: JSON.stringify(answer())};
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

describe.skipIf(isSingleFile)('with a small heap', () => {
  /** Long messages show whether these are held, and many what each takes: about a kilobyte. */
  const sizes = [
    {count: 1500, length: 12_000, heap: 24},
    {count: 100_000, length: 300, heap: 160},
  ];
  test.each(someInTurn(sizes, 1))(
    '$count messages of $length characters are exported, and exported again',
    async ({count, length, heap}) => {
      const {env} = await endless(count, 'x'.repeat(length));
      const to = newArchive();
      for (const fresh of [count, 0]) {
        const {ended} = start(['dm', 'export', '7', '--to', to, '-o', 'ndjson'], {
          env: {...env, NODE_OPTIONS: `--max-old-space-size=${heap}`},
        });
        expect(await ended).toMatchObject({status: 0, stderr: ''});
        expect(JSON.parse((await ended).stdout)).toMatchObject({messages: count, new: fresh});
      }
      expect(statSync(join(to, '7', 'messages.ndjson')).size).toBeGreaterThan(count * length);
    },
  );
});
