/** Exports of files that earlier runs could not fetch, and of those whose messages are forgotten. */
import {basename, join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {changingSandbox, filesIn, itemsOf, newArchive, worldOf} from './archives.js';
import {run} from './in-process.js';

describe('messages with files', () => {
  const own = worldOf([
    {from: 'ana', media: ['image/png', 'image/jpeg', 'video/mp4']},
    {from: 'bob', media: ['image/jpeg']},
  ]);

  async function changed() {
    const server = await changingSandbox({seed: own});
    onTestFinished(() => server[Symbol.asyncDispose]());
    const to = newArchive();
    const exported = async (...flags: readonly string[]) =>
      JSON.parse((await run(['dm', 'export', '@bob', '--to', to, '-o', 'ndjson', ...flags], {env: server.env})).stdout);
    return {server, to, exported};
  }

  test('files that failed are tried again once by a run that reads only a part of the messages', async () => {
    const {server, exported} = await changed();
    server.change = ({target}) => (target.startsWith('/storage') ? {status: 404, text: ''} : undefined);
    expect(await exported()).toMatchObject({media: 0, failed_media: 4, absent_media: 4});
    server.change = undefined;
    const before = server.asked.length;
    expect(await exported('--since', '2099-01-01')).toMatchObject({media: 4, new_media: 4, failed_media: 0, absent_media: 0});
    expect(server.asked.slice(before).filter((line) => line.includes('/storage')).length).toBe(4);
  });

  test('the files of messages that are dropped are moved, unless other messages have them', async () => {
    const {server, to, exported} = await changed();
    let ids: string[] = [];
    server.change = ({target}, answered) => {
      if (target.includes('.mp4')) return {status: 404, text: ''};
      const [first = '', , , last = ''] = ids;
      // The other message has the first file, too.
      return target.includes('/messages') && last !== ''
        ? {...answered, text: answered.text.replace(`"media":[{"id":"${last}"`, `"media":[{"id":"${first}"`)}
        : undefined;
    };
    const {id} = await exported();
    const files = () => filesIn(join(to, id, 'media'));
    const [oldest, newest] = itemsOf(to, id, 'messages.ndjson');
    ids = [...oldest.media, ...newest.media].map((one: {id: string}) => one.id);
    expect(files().length).toBe(3);
    await exported();
    await run(['dm', 'delete-message', id, oldest.id, '--yes'], {env: server.env});
    expect(await exported('--drop-missing', '--yes', '--allow-drops', '1')).toMatchObject({dropped: 1, messages: 1, media: 2});
    expect(files()).toEqual([...itemsOf(to, id, 'index.ndjson')[0].media].map(({file}) => basename(file)).toSorted());
  });
});
