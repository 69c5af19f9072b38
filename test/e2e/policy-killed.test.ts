import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pairwiseSampler} from '../contract/sample.js';
import {deskAt, everyKind, killAt, ownedIn, stateLines, watchedSandbox, type WatchedSandbox} from './policy-server.js';

async function serverLike(like: '0.12.6' | '2026'): Promise<WatchedSandbox> {
  return watchedSandbox({like});
}

/** Without what differs between servers: their address, and when the demo began. */
const comparable = (policy: string): string => policy.replaceAll(/@127.0.0.1:\d+$|^ *expires: "2.*$/gm, '');

/** What an uninterrupted apply does, and what it leaves. */
async function undisturbed(like: '0.12.6' | '2026') {
  await using server = await serverLike(like);
  const {folder, run} = deskAt(server, {'p.yml': everyKind});
  const before = (await run('export', '--only', 'domain_blocks,filters,blocks,mutes')).stdout;
  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(await run('audit', 'p.yml')).toMatchObject({status: 0});
  return {writes: [...server.writes], before: comparable(before), owned: ownedIn(folder)};
}

const whole = {'0.12.6': await undisturbed('0.12.6'), '2026': await undisturbed('2026')};

test('each kind of change has a step', () => {
  const steps = [
    'DELETE /api/v1/domain_blocks',
    'POST /api/v1/domain_blocks',
    'POST /api/v1/domain_blocks',
    'POST /api/v1/accounts/ID/unblock',
    'POST /api/v1/accounts/ID/block',
    'POST /api/v1/accounts/ID/block',
    'POST /api/v1/accounts/ID/unmute',
    'POST /api/v1/accounts/ID/mute',
    'DELETE /api/v2/filters/ID',
    'PUT /api/v2/filters/ID',
    'POST /api/v2/filters',
  ];
  const linesOf = (writes: readonly string[]) =>
    writes.map((write) =>
      write
        .split(' ', 2)
        .join(' ')
        .replace(/\/\d+(?=\/|$)/, '/ID'),
    );
  expect(linesOf(whole['0.12.6'].writes)).toEqual(steps);
  expect(linesOf(whole['2026'].writes)).toEqual(steps);
});

const momentsOf = (like: '0.12.6' | '2026') =>
  whole[like].writes.flatMap((_, index) => (['before', 'after'] as const).map((moment) => ({like, step: index + 1, moment})));
const after = ({moment}: {readonly moment: string}) => moment === 'after';

const cases = [
  ...momentsOf('2026').map((one) => ({...one, what: 'p.yml'})),
  ...momentsOf('0.12.6')
    .filter(after)
    .map((one) => ({...one, what: 'p.yml'})),
  ...momentsOf('2026')
    .filter(after)
    .map((one) => ({...one, what: 'a plan'})),
];

const sampled = pairwiseSampler<(typeof cases)[number]>(({like, what, step, moment}) => [`${like} ${what} ${moment}`, `kind ${step}`]);

test.concurrent.each(sampled(cases))(
  'sends each write once when an apply of $what to $like is killed $moment step $step and run again',
  async ({step, moment, like, what}) => {
    await using server = await serverLike(like);
    const {folder, run, start} = deskAt(server, {'p.yml': everyKind});
    const how = what === 'a plan' ? ['--expect', JSON.parse((await run('plan', 'p.yml', '--json')).stdout).digest] : ['--yes'];
    await killAt(server, start('apply', 'p.yml', ...how), {moment, step});
    const rest = await run('apply', 'p.yml', ...how, '--json');
    expect(rest).toMatchObject({status: 0, stderr: ''});
    expect(JSON.parse(rest.stdout)).toHaveLength(whole[like].writes.length - (moment === 'after' ? step : step - 1));
    expect(server.writes.toSorted()).toEqual(whole[like].writes.toSorted());
    expect(ownedIn(folder)).toEqual(whole[like].owned);
    expect(stateLines(folder).at(-1)).toHaveProperty('end');
    if (moment === 'before' || like === '0.12.6' || what === 'a plan') return;
    expect((await run('undo', 'p.yml', '--yes')).status).toBe(0);
    expect(comparable((await run('export', '--only', 'domain_blocks,filters,blocks,mutes')).stdout)).toBe(whole[like].before);
  },
);

test.each([
  [
    'a domain that it would block is blocked',
    (server: WatchedSandbox) => server.meanwhile('POST', '/api/v1/domain_blocks', {domain: 'https://xn--bcher-kva.example'}),
  ],
  [
    'the filter that it would change gets a keyword',
    (server: WatchedSandbox) => server.meanwhile('PUT', '/api/v2/filters/1', {keywords_attributes: [{keyword: 'twist', whole_word: true}]}),
  ],
])('refuses to go on with a plan when %s meanwhile', async (_, change) => {
  await using server = await watchedSandbox();
  const {run, start} = deskAt(server, {'p.yml': everyKind});
  const {digest} = JSON.parse((await run('plan', 'p.yml', '--json')).stdout);
  const {child, ended} = start('apply', 'p.yml', '--expect', digest);
  server.stepIn = (when, count) => {
    if (when === 'after' && count === 2) child.kill('SIGKILL');
    return undefined;
  };
  await ended;
  await change(server);
  const done = server.writes.length;
  expect(await run('apply', 'p.yml', '--expect', digest)).toMatchObject({
    status: 5,
    stdout: '',
    stderr: expect.stringContaining('what is done and what is left of it are another plan: nothing was sent'),
  });
  expect(server.writes).toHaveLength(done);
});

test('what a person blocks after an apply was killed stays theirs, and is kept when the policy no longer names it', async () => {
  await using server = await watchedSandbox({like: '2026'});
  const policyOf = (...domains: readonly string[]) => `version: 1\ndomain_blocks: {must: [${domains.join(', ')}]}\n`;
  const {folder, run, start} = deskAt(server, {'p.yml': policyOf('one.example', 'three.example', 'two.example')});
  const {child, ended} = start('apply', 'p.yml', '--yes');
  server.stepIn = (when, count) => {
    if (when === 'after' && count === 1) child.kill('SIGKILL');
    return undefined;
  };
  await ended;
  server.stepIn = () => undefined;
  await server.meanwhile('POST', '/api/v1/domain_blocks', {domain: 'https://two.example'});
  expect((await run('apply', 'p.yml', '--yes')).status).toBe(0);
  writeFileSync(join(folder, 'p.yml'), policyOf());
  expect((await run('apply', 'p.yml', '--yes')).status).toBe(0);
  const blocked: unknown = JSON.parse((await run('domain-blocks', 'list', '--all', '--json')).stdout);
  expect(blocked).toContain('two.example');
  expect(blocked).not.toContain('one.example');
  expect(blocked).not.toContain('three.example');
});
