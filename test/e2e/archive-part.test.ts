/** What a run that read a part of the messages, or an empty answer, leaves to later ones. */
import {expect, test} from 'vitest';
import {changing, itemsOf, newArchive, numbered, worldOf} from './archives.js';
import {run} from './in-process.js';

const empty = {data: [], meta: {has_more: false, newest_id: null, oldest_id: null}};

test('an empty answer marks all messages, which is in doubt once, and a run that reads a part takes back what it sees', async () => {
  const server = await changing({seed: worldOf(numbered(230).map((text) => ({from: 'ana', text})))});
  const {env} = server;
  const to = newArchive();
  const go = async (...flags: readonly string[]) => run(['dm', 'export', '--to', to, ...flags], {env});
  expect(await go()).toMatchObject({status: 0});
  const [{id}] = itemsOf(to, 'conversations.ndjson');
  server.change = ({target}) => (target.includes('/messages') ? {status: 200, text: JSON.stringify(empty)} : undefined);
  expect(await go()).toMatchObject({status: 10, stderr: expect.stringContaining('230 no longer on the server')});
  expect(await go()).toMatchObject({status: 0});
  server.change = undefined;
  const since = itemsOf(to, id, 'messages.ndjson')[200].created_at;
  expect(JSON.parse((await go('--since', since, '--json')).stdout)).toMatchObject([{messages: 230, missing: 80, back: 150, new: 0}]);
  expect(JSON.parse((await go('--json')).stdout)).toMatchObject([{messages: 230, missing: 0, back: 80, gone: 0}]);
});

test('more than twenty messages that are suddenly gone are in doubt once', async () => {
  const server = await changing({seed: worldOf(numbered(130).map((text) => ({from: 'ana', text})))});
  const {env} = server;
  const to = newArchive();
  const go = async (...flags: readonly string[]) => run(['dm', 'export', '--to', to, ...flags], {env});
  await go();
  const [{id}] = itemsOf(to, 'conversations.ndjson');
  const ids = itemsOf(to, id, 'messages.ndjson').map(({id: own}) => own);
  for (const own of ids.slice(10, 30)) await run(['dm', 'delete-message', id, own, '--yes'], {env});
  expect(await go()).toMatchObject({status: 0, stderr: expect.stringContaining('20 no longer on the server')});
  for (const own of ids.slice(30, 51)) await run(['dm', 'delete-message', id, own, '--yes'], {env});
  expect(await go('--dry-run')).toMatchObject({status: 10});
  expect(await go()).toMatchObject({status: 10, stderr: expect.stringContaining('@bob: 21 messages')});
  expect(itemsOf(to, id, 'messages.ndjson').length).toBe(130);
  expect(await go()).toMatchObject({status: 0});
});
