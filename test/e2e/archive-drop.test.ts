/** What an archive drops: only what the run itself has looked for. */
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {changingSandbox, itemsOf, newArchive, worldOf} from './archives.js';
import {run} from './in-process.js';

const numbered = (length: number, first = 0) => Array.from({length}, (_, index) => `Message ${index + first}`);

test('a run that reads a part drops nothing that it did not look for, whatever an empty answer marked before', async () => {
  await using server = await changingSandbox({seed: worldOf(numbered(30).map((text) => ({from: 'ana', text})))});
  const {env} = server;
  const to = newArchive();
  const go = async (...flags: readonly string[]) => run(['dm', 'export', '--to', to, ...flags], {env});
  expect(await go()).toMatchObject({status: 0});
  const [{id}] = itemsOf(to, 'conversations.ndjson');
  const texts = () => itemsOf(to, id, 'messages.ndjson').map(({text}) => text);
  const empty = {data: [], meta: {has_more: false, newest_id: null, oldest_id: null}};
  server.change = ({target}) => (target.includes('/messages') ? {status: 200, text: JSON.stringify(empty)} : undefined);
  expect(await go()).toMatchObject({status: 0, stderr: expect.stringContaining('30 no longer on the server')});
  server.change = undefined;
  const [, , gone] = itemsOf(to, id, 'messages.ndjson').toReversed();
  await run(['dm', 'delete-message', id, gone.id, '--yes'], {env});
  const ended = await go('--max-messages', '10', '--drop-missing', '--yes', '--json');
  expect(JSON.parse(ended.stdout)).toMatchObject([{messages: 29, missing: 19, dropped: 1}]);
  expect(texts()).toEqual([...numbered(27), 'Message 28', 'Message 29']);
  expect(await go('--drop-missing', '--yes')).toMatchObject({status: 0});
  expect(texts()).toEqual([...numbered(27), 'Message 28', 'Message 29']);
  expect(readdirSync(join(to, 'dropped')).length).toBe(1);
});
