/** What a run that read a part of the messages, or an empty answer, leaves to later ones. */
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {changingSandbox, itemsOf, newArchive, worldOf} from './archives.js';
import {run} from './in-process.js';

const numbered = (length: number, first = 0) => Array.from({length}, (_, index) => `Message ${index + first}`);

test('a run that reads a part drops nothing that it did not look for, whatever an empty answer marked before', async () => {
  await using server = await changingSandbox({seed: worldOf(numbered(130).map((text) => ({from: 'ana', text})))});
  const {env} = server;
  const to = newArchive();
  const go = async (...flags: readonly string[]) => run(['dm', 'export', '--to', to, ...flags], {env});
  expect(await go()).toMatchObject({status: 0});
  const [{id}] = itemsOf(to, 'conversations.ndjson');
  const texts = () => itemsOf(to, id, 'messages.ndjson').map(({text}) => text);
  const empty = {data: [], meta: {has_more: false, newest_id: null, oldest_id: null}};
  server.change = ({target}) => (target.includes('/messages') ? {status: 200, text: JSON.stringify(empty)} : undefined);
  expect(await go()).toMatchObject({status: 0, stderr: expect.stringContaining('130 no longer on the server')});
  server.change = undefined;
  const [, , gone] = itemsOf(to, id, 'messages.ndjson').toReversed();
  await run(['dm', 'delete-message', id, gone.id, '--yes'], {env});
  const since = itemsOf(to, id, 'messages.ndjson')[100].created_at;
  const ended = await go('--since', since, '--drop-missing', '--yes', '--json');
  expect(JSON.parse(ended.stdout)).toMatchObject([{messages: 129, missing: 29, dropped: 1}]);
  expect(texts()).toEqual([...numbered(127), 'Message 128', 'Message 129']);
  expect(await go('--drop-missing', '--yes')).toMatchObject({status: 0});
  expect(texts()).toEqual([...numbered(127), 'Message 128', 'Message 129']);
  expect(readdirSync(join(to, 'dropped')).length).toBe(1);
});

test('an empty answer does not hide what was never read from later runs for new messages', async () => {
  await using server = await changingSandbox({seed: worldOf(numbered(130).map((text) => ({from: 'ana', text})))});
  const {env} = server;
  const [whole, to] = [newArchive(), newArchive()];
  const go = async (folder: string, ...flags: readonly string[]) => run(['dm', 'export', '--to', folder, ...flags], {env});
  await go(whole);
  const [{id}] = itemsOf(whole, 'conversations.ndjson');
  const texts = () => itemsOf(to, id, 'messages.ndjson').map(({text}) => text);
  expect(await go(to, '--since', itemsOf(whole, id, 'messages.ndjson')[100].created_at)).toMatchObject({status: 0});
  expect(texts()).toEqual(numbered(100, 30));
  const empty = {data: [], meta: {has_more: false, newest_id: null, oldest_id: null}};
  server.change = ({target}) => (target.includes('/messages') ? {status: 200, text: JSON.stringify(empty)} : undefined);
  expect(await go(to)).toMatchObject({status: 0, stderr: expect.stringContaining('not read whole')});
  server.change = undefined;
  expect(await go(to, '--new-only')).toMatchObject({status: 0});
  expect(texts()).toEqual(numbered(130));
});
