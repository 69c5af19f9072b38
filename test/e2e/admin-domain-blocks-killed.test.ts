/** Runs over the blocks of a whole server that are killed with one of their writes, before it is carried out or after. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Generation} from '../sandbox/start.js';
import type {SeedState} from '../sandbox/seed.js';
import {pairwiseSampler} from '../contract/sample.js';
import {run} from './in-process.js';
import {newFolder, start} from './program.js';
import {recordedSandbox} from './server.js';

const domains = Array.from({length: 8}, (_, index) => `d${index}.example`);

/** Half of them are known, with notes; for what changes or removes blocks all are blocked. */
const instances = (verb: string): SeedState['instances'] =>
  domains.flatMap((domain, index) =>
    verb === 'add'
      ? index % 2 === 0
        ? [{domain, notes: [`notes on ${domain}`]}]
        : []
      : [{domain, banned: true, notes: [`notes on ${domain}`]}],
  );

const commands: Readonly<Record<string, readonly string[]>> = {
  add: ['--severity', 'silence'],
  update: ['--severity', 'silence'],
  remove: [],
};

/** A server that calls something around each write. */
async function watched(like: Generation, verb: string, around: (moment: 'after' | 'before') => void) {
  const seed = {accounts: [{acct: 'ana', admin: true}], instances: instances(verb)};
  const server = await recordedSandbox({like, seed, limitsRate: false}, (moment, {method}) => void (method !== 'GET' && around(moment)));
  const env = {PIXELCTL_SERVER: server.url, PIXELCTL_TOKEN: server.sandbox.tokens.admins['ana'] ?? ''};
  return {
    env,
    async there(): Promise<unknown> {
      const {stdout} = await run(['admin', 'domain-blocks', 'list', '--all', '--json'], {env});
      const entries: readonly Record<string, unknown>[] = JSON.parse(stdout);
      return entries
        .map(({domain, severity, private_comment}) => ({domain, severity, private_comment}))
        .toSorted((one, other) => String(one.domain).localeCompare(String(other.domain)));
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const words = (verb: string, folder: string): string[] => {
  const files = ['--from', join(folder, 'domains.txt'), '--journal', join(folder, 'journal')];
  return ['admin', 'domain-blocks', verb, ...(commands[verb] ?? []), ...files, '--yes', '--json'];
};

function desk(): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'domains.txt'), domains.join('\n'));
  return folder;
}

const moments = (['0.12.6', 'mastodon'] as const).flatMap((like) =>
  Object.keys(commands).flatMap((verb) =>
    [2, 5, 8].flatMap((write) => (['before', 'after'] as const).map((moment) => ({like, verb, write, moment}))),
  ),
);

/** What a run does that nothing disturbs. */
async function undisturbed(like: Generation, verb: string): Promise<unknown> {
  await using server = await watched(like, verb, () => {});
  expect(await run(words(verb, desk()), {env: server.env})).toMatchObject({status: 0, stderr: ''});
  return await server.there();
}

/** Each server with each command and moment, and each command with each write. */
const sampled = pairwiseSampler<(typeof moments)[number]>(({like, verb, write, moment}) => [
  `${like} ${verb} ${moment}`,
  `${verb} ${write}`,
]);

test.each(sampled(moments))(
  'a run that is killed and run again does what it would have done: $like, $verb, $moment write $write',
  async (point) => {
    const {like, verb, write, moment} = point;
    const whole = await undisturbed(like, verb);
    let [count, kill] = [0, () => {}];
    await using server = await watched(like, verb, (now) => {
      if (now === 'before') count += 1;
      if (now === moment && count === write) kill();
    });
    const folder = desk();
    const running = start([...words(verb, folder), '--concurrency', '1'], {env: server.env});
    kill = () => void running.child.kill('SIGKILL');
    expect((await running.ended).signal).toBe('SIGKILL');
    kill = () => {};
    const again = await run(words(verb, folder), {env: server.env});
    expect(again, again.stdout).toMatchObject({status: 0, stderr: ''});
    expect(JSON.parse(again.stdout).map(({target, ok}: {target: string; ok: boolean}) => [target, ok])).toEqual(
      domains.map((domain) => [domain, true]),
    );
    expect(await server.there()).toEqual(whole);
  },
);
