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
});
