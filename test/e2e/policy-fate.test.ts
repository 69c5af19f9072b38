/** Changes that a server makes and then does not say so: the next apply or undo looks before it sends anything. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {deskAt, everyKind, watchedSandbox} from './policy-server.js';
import type {Answered} from './server.js';
import {failureIn} from './told.js';

vi.setConfig({testTimeout: 180_000});

const html = '<!DOCTYPE html><html><body>Oops</body></html>';

/** The server has carried the request out, and then says this. */
const answers: readonly (readonly [name: string, answer: Answered])[] = [
  ['500', {status: 500, text: '{"error":"Server Error"}'}],
  ['503', {status: 503, text: ''}],
  ['408', {status: 408, text: ''}],
  ['499', {status: 499, text: ''}],
  ['a redirect', {status: 302, text: html, headers: {location: '/i/web'}}],
  ['200 with HTML', {text: html}],
  ['200 that breaks off', {text: '{"id":"1"', lost: 'within'}],
];

const writesOfApply = 11;
const flags = ['--yes', '--retries', '0', '--json'];

/** What an account has, without what differs between servers: their address, and when the demo began. */
const comparable = (policy: string): string => policy.replaceAll(/^server: .*$|^ *expires: "2.*$/gm, '');

async function desk() {
  const server = await watchedSandbox();
  const made = deskAt(server, {'p.yml': everyKind});
  return {
    ...made,
    server,
    exported: async () => comparable((await made.run('export', '--only', 'domain_blocks,filters,blocks,mutes')).stdout),
    owned: () =>
      JSON.parse(readFileSync(join(made.folder, 'p.yml.state.json'), 'utf8').replaceAll(new URL(server.url).host, 'here')).records[0].owned,
    /** Every write is carried out, or none is, and answered like this. */
    doubt(answer: Answered | undefined, moment: 'after' | 'before' = 'after') {
      server.stepIn = (when) => (when === moment ? answer : undefined);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const undisturbed = await (async () => {
  await using place = await desk();
  expect(await place.run('apply', 'p.yml', ...flags)).toMatchObject({status: 0});
  expect(place.server.writes).toHaveLength(writesOfApply);
  return {owned: place.owned(), after: await place.exported()};
})();

describe.each(answers)('after %s', (_, answer) => {
  test.concurrent.each(['p.yml', 'plan.json'])(
    'owns what an apply of %s made, sends nothing twice, and reverts all of it',
    async (what) => {
      await using place = await desk();
      const before = await place.exported();
      if (what === 'plan.json') await place.run('plan', 'p.yml', '--out', what);
      place.doubt(answer);
      const first = await place.run('apply', what, ...flags);
      expect(failureIn(first.stderr)).toMatchObject({code: 'partial', hint: expect.stringMatching(/^the next apply or undo checks first/)});
      expect(place.server.writes).toHaveLength(writesOfApply);
      place.doubt(undefined);
      expect(await place.run('apply', what, ...flags)).toMatchObject({status: 0, stdout: '[]\n', stderr: ''});
      expect(place.server.writes).toHaveLength(writesOfApply);
      expect(place.owned()).toEqual(undisturbed.owned);
      expect(await place.exported()).toBe(undisturbed.after);
      expect(await place.run('undo', ...flags)).toMatchObject({status: 0});
      expect(await place.exported()).toBe(before);
    },
  );

  test.concurrent('sends nothing twice in an undo', async () => {
    await using place = await desk();
    const before = await place.exported();
    await place.run('apply', 'p.yml', ...flags);
    place.doubt(answer);
    expect(await place.run('undo', ...flags)).toMatchObject({status: 11});
    expect(place.server.writes).toHaveLength(2 * writesOfApply);
    place.doubt(undefined);
    expect(await place.run('undo', ...flags)).toMatchObject({status: 0, stdout: '[]\n', stderr: ''});
    expect(place.server.writes).toHaveLength(2 * writesOfApply);
    expect(await place.exported()).toBe(before);
    expect(await place.run('undo', ...flags)).toMatchObject({status: 4});
  });

  test.concurrent('sends what was not carried out', async () => {
    await using place = await desk();
    place.doubt(answer, 'before');
    expect(await place.run('apply', 'p.yml', ...flags)).toMatchObject({status: 11});
    expect(place.server.writes).toEqual([]);
    place.doubt(undefined);
    expect(await place.run('apply', 'p.yml', ...flags)).toMatchObject({status: 0});
    expect(place.server.writes).toHaveLength(writesOfApply);
    expect(place.owned()).toEqual(undisturbed.owned);
  });

  test.concurrent('continues in the same way after a kill', async () => {
    await using place = await desk();
    const {child, ended} = place.start('apply', 'p.yml', ...flags);
    place.server.stepIn = (when, count) => {
      if (when === 'before') return undefined;
      if (count === writesOfApply - 2) child.kill('SIGKILL');
      return answer;
    };
    expect(await ended).toMatchObject({signal: 'SIGKILL'});
    place.doubt(undefined);
    expect(await place.run('apply', 'p.yml', ...flags)).toMatchObject({status: 0});
    expect(place.server.writes).toHaveLength(writesOfApply);
    expect(place.owned()).toEqual(undisturbed.owned);
  });
});
