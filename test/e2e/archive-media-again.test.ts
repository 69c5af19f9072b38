/** Exports of files that earlier runs could not fetch. */
import {describe, expect, onTestFinished, test} from 'vitest';
import {changingSandbox, newArchive, worldOf} from './archives.js';
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
    return {server, exported};
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
});
