/** Exports of threads, which servers before 2026 have in place of conversations. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {itemsOf, longWorld, newArchive, numbered, sandboxOf} from './archives.js';
import {run} from './in-process.js';

describe('a server before 2026', () => {
  const options = {like: '0.12.6', seed: longWorld} as const;

  test('what a thread shows is exported and marked as not read completely, which is no failure', async () => {
    const {env} = await sandboxOf(options);
    const to = newArchive();
    const first = await run(['dm', 'export', '@bob', '--to', to], {env});
    expect(first).toMatchObject({status: 0});
    expect(first.stderr).toContain('1 conversation not read completely.');
    const [thread] = itemsOf(to, 'conversations.ndjson');
    expect(thread).toMatchObject({type: 'thread', not_read: [{}], people: {[thread.id]: {acct: 'bob', name: 'Bob'}}});
    expect(thread.conversation).not.toHaveProperty('messages');
    const texts = () => itemsOf(to, thread.id, 'messages.ndjson').map(({text}) => text);
    expect(texts().slice(-8)).toEqual(numbered(8, 112));
    const before = texts();
    await run(['thread', 'send', '@bob', 'New'], {env});
    await run(['dm', 'export', thread.id, '--to', to], {env});
    expect(texts()).toEqual([...before, 'New']);
    expect(readFileSync(join(to, thread.id, 'index.ndjson'), 'utf8')).not.toContain('missing_since');
  });

  test('only new messages of a thread are added, and what is known of the others stays as it was', async () => {
    const {env} = await sandboxOf(options);
    const to = newArchive();
    const exported = async (...flags: readonly string[]) =>
      JSON.parse((await run(['dm', 'export', '@bob', '--to', to, '-o', 'ndjson', ...flags], {env})).stdout);
    const {id, messages} = await exported();
    const known = itemsOf(to, id, 'index.ndjson');
    await run(['thread', 'send', '@bob', 'New'], {env});
    expect(await exported('--new-only')).toMatchObject({messages: messages + 1, new: 1, missing: 0});
    expect(await exported('--new-only')).toMatchObject({messages: messages + 1, new: 0});
    expect(itemsOf(to, id, 'messages.ndjson').at(-1)).toMatchObject({text: 'New'});
    const lasting = (entries: readonly {last_seen: string}[]) => entries.map(({last_seen: _, ...entry}) => entry);
    expect(lasting(itemsOf(to, id, 'index.ndjson').slice(0, -1))).toEqual(lasting(known));
  });

  test('what a thread does not show is not taken for deleted', async () => {
    const {env} = await sandboxOf(options);
    const to = newArchive();
    await run(['dm', 'export', '@bob', '--to', to], {env});
    for (let count = 0; count < 12; count += 1) await run(['thread', 'send', '@bob', `New ${count}`], {env});
    const dry = await run(['dm', 'export', '@bob', '--to', to, '--dry-run', '-o', 'ndjson'], {env});
    expect(dry.status).toBe(10);
    const result = JSON.parse(dry.stdout);
    expect(result).toMatchObject({gone: 0});
    expect(result.not_read.length).toBeGreaterThan(0);
    expect(await run(['dm', 'export', '@bob', '--to', to, '-o', 'ndjson'], {env})).toMatchObject({status: 0});
    expect(await run(['dm', 'export', '--to', to, '--verify'], {env})).toMatchObject({status: 0});
  });
});
