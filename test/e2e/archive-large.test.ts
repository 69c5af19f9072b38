/** Large exports, and what is said while they run. */
import {expect, onTestFinished, test} from 'vitest';
import {large} from './large-world.js';
import type {SeedState} from '../sandbox/seed.js';
import {someInTurn} from '../contract/sample.js';
import {startSandbox} from '../sandbox/start.js';
import {newArchive} from './archives.js';
import {begin, run} from './in-process.js';
import {pass, serverThat} from './server.js';

const world: SeedState = {
  me: 'ana',
  accounts: [{acct: 'ana'}, {acct: 'bob'}, {acct: 'eve'}],
  mutuals: ['bob', 'eve'],
  conversations: [
    {between: ['ana', 'eve'], messages: [{from: 'eve', text: 'One', media: ['image/png']}]},
    {
      between: ['ana', 'bob'],
      messages: Array.from({length: 120}, (_, index) => ({
        from: 'ana',
        text: `Message ${index}`,
        ...(index === 3 && {media: ['video/mp4' as const]}),
      })),
    },
  ],
};

test('the progress of an export says how many messages and files there are', async () => {
  const sandbox = await startSandbox({seed: world, limitsRate: false});
  onTestFinished(() => sandbox.close());
  const held = Promise.withResolvers<void>();
  await using server = await serverThat(async (received) => {
    if (received.target.startsWith('/storage') && server.exchanges.some(({received: {target}}) => target.startsWith('/storage')))
      await held.promise;
    return pass(received, sandbox.url);
  }, sandbox.tokens.all);
  const {ended, seen} = begin(['dm', 'export', '--to', newArchive(), '--json'], {env: server.env, columns: 120});
  await seen(/\d of 2, 121 messages, 1 file/);
  held.resolve();
  expect((await ended).status).toBe(0);
});

const many = (conversations: number): SeedState => {
  const accounts = Array.from({length: conversations}, (_, index) => `friend${index}`);
  const messages = Array.from({length: 120}, (_, index) => ({
    from: 'ana',
    text: `Message ${index}`,
    ...(index % 20 === 0 && {media: ['image/png' as const]}),
  }));
  return {
    me: 'ana',
    accounts: ['ana', ...accounts].map((acct) => ({acct})),
    mutuals: accounts,
    conversations: accounts.map((acct) => ({between: ['ana', acct], messages})),
  };
};

const worlds = [
  {conversations: 12, messages: '1,440', files: 72, seed: many(12)},
  {conversations: 40, messages: '10,000', files: 500, seed: large()},
] as const;

test.each(someInTurn(worlds, 1))(
  '$messages messages and $files files are exported, and nothing is damaged',
  async ({conversations, messages, files, seed}) => {
    const sandbox = await startSandbox({seed, limitsRate: false});
    onTestFinished(() => sandbox.close());
    const env = {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: sandbox.tokens.all};
    const to = newArchive();
    const ended = await run(['dm', 'export', '--to', to], {env});
    // On a slow machine, the progress is told before.
    expect(ended.stderr.split('\n').at(-2)).toBe(
      `Exported ${conversations} conversations to ${to}: ${messages} messages, ${messages} new, ${files} new files.`,
    );
    const verified = await run(['dm', 'export', '--to', to, '--verify'], {env});
    expect(verified).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(new RegExp(String.raw`(?:^|\n)Nothing is damaged: ${conversations} folders\.\n$`)),
    });
  },
);
