/** Changes that a server makes and then does not say so: the next apply or undo looks before it sends anything. */
import {readdirSync, renameSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {pairwiseSampler, sampledBy, someInTurn} from '../contract/sample.js';
import {deskAt, everyKind, ownedIn, watchedSandbox} from './policy-server.js';
import type {Answered} from './server.js';
import {failureIn} from './told.js';

const html = '<!DOCTYPE html><html><body>Oops</body></html>';

const toLogin: Answered = {status: 302, text: html, headers: {location: '/login'}};

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
const comparable = (policy: string): string => policy.replaceAll(/@127.0.0.1:\d+$|^ *expires: "2.*$/gm, '');

async function desk() {
  const server = await watchedSandbox();
  const made = deskAt(server, {'p.yml': everyKind});
  return {
    ...made,
    server,
    exported: async () => comparable((await made.run('export', '--only', 'domain_blocks,filters,blocks,mutes')).stdout),
    owned: () => ownedIn(made.folder),
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

describe.each(someInTurn(answers, 2, 'answer'))('after %s', (_, answer) => {
  test.concurrent.each(['p.yml', 'a plan'])('owns what an apply of %s made, sends nothing twice, and reverts all of it', async (what) => {
    await using place = await desk();
    const before = await place.exported();
    const digest = JSON.parse((await place.run('plan', 'p.yml', '--json')).stdout).digest;
    const words = ['apply', 'p.yml', ...(what === 'a plan' ? ['--expect', digest] : []), ...flags];
    place.doubt(answer);
    const first = await place.run(...words);
    expect(failureIn(first.stderr)).toMatchObject({code: 'partial', hint: expect.stringMatching(/^the next run first checks/)});
    expect(place.server.writes).toHaveLength(writesOfApply);
    place.doubt(undefined);
    expect(await place.run(...words)).toMatchObject({status: 0, stdout: '[]\n', stderr: ''});
    expect(place.server.writes).toHaveLength(writesOfApply);
    expect(place.owned()).toEqual(undisturbed.owned);
    expect(await place.exported()).toBe(undisturbed.after);
    expect(await place.run('undo', 'p.yml', ...flags)).toMatchObject({status: 0});
    expect(await place.exported()).toBe(before);
  });

  test.concurrent('sends nothing twice in an undo', async () => {
    await using place = await desk();
    const before = await place.exported();
    await place.run('apply', 'p.yml', ...flags);
    place.doubt(answer);
    expect(await place.run('undo', 'p.yml', ...flags)).toMatchObject({status: 11});
    expect(place.server.writes).toHaveLength(2 * writesOfApply);
    place.doubt(undefined);
    expect(await place.run('undo', 'p.yml', ...flags)).toMatchObject({status: 0, stdout: '[]\n', stderr: ''});
    expect(place.server.writes).toHaveLength(2 * writesOfApply);
    expect(await place.exported()).toBe(before);
    expect(await place.run('undo', 'p.yml', ...flags)).toMatchObject({status: 0, stdout: '[]\n'});
    expect(place.server.writes).toHaveLength(2 * writesOfApply);
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

/** The answer to the second attempt, which is not carried out. */
const refusals: readonly (readonly [name: string, answer: Answered, code: string])[] = [
  ['400', {status: 400, text: '{"error":"Limit reached"}'}, 'refused'],
  ['403', {status: 403, text: '{"error":"No"}'}, 'refused'],
  ['404', {status: 404, text: '{"error":""}'}, 'not_found'],
  ['422', {status: 422, text: '{"message":"No","errors":{"id":["No"]}}'}, 'refused'],
  ['a lost connection', {text: '', lost: 'before'}, 'unavailable'],
];

/** The server carries out every write, the answer is lost, and the retry ends like this. */
function loseAndRefuse(server: Awaited<ReturnType<typeof watchedSandbox>>, answer: Answered): void {
  const known = new Set<string>();
  server.stepIn = (moment, _, {method, target, body}) => {
    const request = `${method} ${target} ${body.toString()}`;
    if (moment === 'before') return known.has(request) ? answer : undefined;
    known.add(request);
    return {text: '', lost: 'before'};
  };
}

describe.each(someInTurn(refusals, 2, 'refusal'))('when the answer is lost and the retry ends with %s', (_, answer) => {
  test.concurrent('an apply leaves all of it open, and the next one owns and reverts it', async () => {
    await using place = await desk();
    const before = await place.exported();
    loseAndRefuse(place.server, answer);
    const first = await place.run('apply', 'p.yml', '--yes', '--retries', '1', '--json');
    const results: unknown[] = JSON.parse(first.stdout);
    expect(results).toHaveLength(writesOfApply);
    expect(results).toEqual(results.map(() => expect.objectContaining({ok: false, error: expect.objectContaining({fate: 'unknown'})})));
    expect(place.server.writes).toHaveLength(writesOfApply);
    place.doubt(undefined);
    expect(await place.run('apply', 'p.yml', ...flags)).toMatchObject({status: 0, stdout: '[]\n', stderr: ''});
    expect(place.owned()).toEqual(undisturbed.owned);
    loseAndRefuse(place.server, answer);
    expect(await place.run('undo', 'p.yml', '--yes', '--retries', '1', '--json')).toMatchObject({status: 11});
    place.doubt(undefined);
    expect(await place.run('undo', 'p.yml', ...flags)).toMatchObject({status: 0, stdout: '[]\n'});
    expect(await place.exported()).toBe(before);
    expect(place.server.writes).toHaveLength(2 * writesOfApply);
  });
});

interface Case {
  readonly words: readonly string[];
  readonly after: (typeof refusals)[number];
}

/** Commands, each with an end of its second attempt. */
const refused = (...commands: readonly (readonly string[])[]) =>
  pairwiseSampler<Case>(({words, after: [name]}) => [words.join(' '), name])(
    commands.flatMap((words) => refusals.map((after) => ({words, after}))),
  ).map(({words, after: [name, answer, code]}) => ({command: words.slice(0, 2).join(' '), words, name, answer, code}));

describe('when the answer of a command is lost', () => {
  test.concurrent.each(
    refused(
      ['domain-blocks', 'add', 'lost.example', '--yes'],
      ['domain-blocks', 'remove', 'casino.example.com'],
      ['blocks', 'add', '@bob', '--yes'],
      ['mutes', 'add', '@bob'],
      ['mutes', 'remove', '@dailydeals@shop.example.com'],
    ),
  )('$command says that its outcome is not known, if the retry ends with $name', async ({words, answer, code}) => {
    await using place = await desk();
    loseAndRefuse(place.server, answer);
    const ended = await place.run(...words, '--retries', '1', '--json');
    expect(failureIn(ended.stderr), sampledBy).toMatchObject({
      code,
      fate: 'unknown',
      hint: expect.stringMatching(/contains .*repeating it does no harm$/),
    });
    expect(place.server.writes).toHaveLength(1);
  });

  test.concurrent.each(
    refused(
      ['domain-blocks', 'add', 'one.example', 'two.example', '--yes'],
      ['blocks', 'add', '@bob', '@clara', '--yes'],
      ['mutes', 'add', '@bob', '@omar@lens.example.org'],
    ),
  )('a resumed $command reads first, and takes what it finds as done, if the retry ends with $name', async ({words, answer, code}) => {
    await using place = await desk();
    loseAndRefuse(place.server, answer);
    const first = await place.run(...words, '--retries', '1', '--json', '--journal', 'journal');
    expect(JSON.parse(first.stdout), sampledBy).toMatchObject([{error: {code, fate: 'unknown'}}, {error: {code, fate: 'unknown'}}]);
    place.doubt(undefined);
    const second = await place.run(...words, '--json', '--journal', 'journal');
    expect(second.status).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject([
      {ok: true, resumed: true},
      {ok: true, resumed: true},
    ]);
    expect(place.server.writes).toHaveLength(2);
  });
});

describe.each([
  ['401', {status: 401, text: '{"error":"Unauthenticated."}'}, 'auth'],
  ['500 Unauthenticated.', {status: 500, text: '{"error":"Unauthenticated."}'}, 'auth'],
  ['429', {status: 429, text: '{}', headers: {'retry-after': '3600'}}, 'rate_limited'],
  ['a redirect to the login page', toLogin, 'auth'],
] satisfies [string, Answered, string][])('when the answer is lost and the run ends with %s', (_, answer, code) => {
  test.concurrent('the first change is open, and the next apply owns it', async () => {
    await using place = await desk();
    loseAndRefuse(place.server, answer);
    const first = await place.run('apply', 'p.yml', '--yes', '--retries', '1', '--json');
    expect(JSON.parse(first.stdout)).toMatchObject([{ok: false, error: {code, fate: 'unknown'}}]);
    place.doubt(undefined);
    expect(await place.run('apply', 'p.yml', ...flags)).toMatchObject({status: 0});
    expect(place.server.writes).toHaveLength(writesOfApply);
    expect(place.owned()).toEqual(undisturbed.owned);
  });
});

test.concurrent.each(['after', 'before'] as const)(
  'an apply or undo that is redirected to the login page ends, and the next one looks first: %s a change was made',
  async (moment) => {
    await using place = await desk();
    const before = await place.exported();
    const isMade = moment === 'after';
    for (const [command, writes] of [
      [['apply', 'p.yml'], 0],
      [['undo', 'p.yml'], writesOfApply],
    ] as const) {
      place.doubt(toLogin, moment);
      const first = await place.run(...command, ...flags);
      expect(first.status).toBe(3);
      expect(JSON.parse(first.stdout)).toMatchObject([{ok: false, status: 302, error: {code: 'auth', fate: 'unknown'}}]);
      expect(place.server.writes).toHaveLength(writes + (isMade ? 1 : 0));
      place.doubt(undefined);
      expect(await place.run(...command, ...flags)).toMatchObject({status: 0});
      expect(place.server.writes).toHaveLength(writes + writesOfApply);
      if (writes === 0) expect(place.owned()).toEqual(undisturbed.owned);
    }
    expect(await place.exported()).toBe(before);
  },
);

test.concurrent.each([
  ['of which all changes are made', undefined, {status: 0, writes: writesOfApply}],
  ['of which a change is refused', {status: 422, text: '{"error":"No"}'}, {status: 11, writes: writesOfApply - 1}],
] as const)('an apply %s notes all of them in a state that is moved away meanwhile', async (_, answer, {status, writes}) => {
  await using place = await desk();
  const moved: string[] = [];
  place.server.stepIn = (moment, count) => {
    if (count > 1 || moment !== (answer ? 'before' : 'after')) return undefined;
    const [file = ''] = readdirSync(place.folder).filter((name) => name.endsWith('.state.ndjson'));
    moved.push(file);
    renameSync(join(place.folder, file), join(place.folder, 'aside'));
    return answer;
  };
  expect(await place.run('apply', 'p.yml', ...flags)).toMatchObject({status});
  expect(place.server.writes).toHaveLength(writes);
  renameSync(join(place.folder, 'aside'), join(place.folder, moved[0] ?? ''));
  place.doubt(undefined);
  expect(await place.run('apply', 'p.yml', ...flags)).toMatchObject({status: 0});
  expect(place.server.writes).toHaveLength(writesOfApply);
  expect(place.owned()).toEqual(undisturbed.owned);
});
