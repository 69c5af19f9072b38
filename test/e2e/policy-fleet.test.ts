/** Policies on several accounts. */
import {readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {pairwiseSampler} from '../contract/sample.js';
import {SkippingClock} from '../loopback-server.js';
import {killAt} from './policy-server.js';
import {threeAccounts} from './three-accounts.js';
import {failureIn} from './told.js';

const policy = 'version: 1\ndomain_blocks: {must: [bad.example, worse.example]}\nmutes: {must_not: [dailydeals@shop.example.com]}\n';

/** Hosts have another port in every run. */
const plain = (text: string, {ana, clara}: {readonly ana: string; readonly clara: string}): string =>
  text.replaceAll(ana.slice(4), 'one.example').replaceAll(clara.slice(6), 'two.example');

async function deskWith(text = policy, options = {}) {
  const desk = await threeAccounts(options);
  desk.write('p.yml', text);
  return desk;
}

describe('plan', () => {
  test('shows each account, then a summary, and suggests an apply to all of them', async () => {
    await using desk = await deskWith();
    await desk.run(['domain-blocks', 'add', 'bad.example', '-p', 'bob', '--yes']);
    const {status, stdout, stderr} = await desk.run(['plan', 'p.yml', '--all-profiles']);
    expect(status).toBe(10);
    const told = plain(stdout, desk);
    for (const heading of ['ana@one.example: 2 to add, 1 to remove', 'bob@one.example: 1 to add', 'clara@two.example: 2 to add'])
      expect(told).toContain(`${heading}\n`);
    expect(told).toMatch(/\n\n3 accounts: 5 to add, 1 to remove\n$/);
    expect(stderr).toMatch(/^To apply exactly this plan: pixelctl apply p\.yml --expect=[\da-f]{64} --all-profiles$/m);
    expect([...desk.one.writes, ...desk.two.writes]).toHaveLength(1);
  });

  test('prints rows with the account', async () => {
    await using desk = await deskWith();
    const rows = await desk.run(['plan', 'p.yml', '-p', 'ana,clara', '-o', 'csv', '--fields', 'account,action,subject']);
    const added = (name: string) => ['bad', 'worse'].map((domain) => `@${name},add,${domain}.example`);
    const wanted = ['account,action,subject', ...added('ana'), '@ana,remove,dailydeals@shop.example.com', ...added('clara'), ''];
    expect(rows.stdout.split('\r\n')).toEqual(wanted);
  });

  test('shows the others when one account cannot be read', async () => {
    await using desk = await deskWith();
    await desk.two[Symbol.asyncDispose]();
    const args = ['plan', 'p.yml', '--all-profiles', '--retries', '0'];
    const {status, stdout, stderr} = await desk.run([...args, '--json']);
    expect({status, failure: failureIn(stderr)}).toMatchObject({
      status: 11,
      failure: {code: 'partial', accounts: [{account: desk.clara, error: {code: 'unavailable'}}]},
    });
    expect(JSON.parse(stdout)).toMatchObject([
      {account: '@ana', changes: [{}, {}, {}]},
      {account: '@bob'},
      {account: '@clara', error: {code: 'unavailable'}},
    ]);
    const text = await desk.run(args);
    expect(text.status).toBe(11);
    expect(plain(text.stdout, desk)).toContain('bob@one.example: 2 to add\n');
    expect(plain(text.stdout, desk)).toMatch(/^clara@two\.example: error: /m);
    expect(plain(text.stdout, desk)).toMatch(/\n3 accounts: 4 to add, 1 to remove; 1 account failed\n$/);
    await desk.run([...args, '--report', 'markdown=plan.md']);
    const report = desk.read('plan.md').replaceAll('&#64;', '@').replaceAll('&#58;', ':');
    expect(plain(report, desk)).toMatch(/^### clara@two\.example: error: .*connection refused$/m);
  });
});

test.each(['plan', 'audit'])('%s says of each account what is held back in it', async (command) => {
  await using desk = await deskWith(
    "version: 1\nblocks: {must: ['@bob']}\nfilters: {must: [{title: Old, context: [home], keywords: [old], expires: '2020-01-01'}]}\n",
  );
  const {stderr} = await desk.run([command, 'p.yml', '--all-profiles']);
  const notes = plain(stderr, desk)
    .split('\n')
    .filter((line) => line.includes('Held back'));
  expect(notes).toEqual([
    expect.stringMatching(/^.*ana.*: Held back: filter Old: its date has passed/),
    expect.stringMatching(/^.*bob.*: Held back: filter Old: its date has passed/),
    expect.stringMatching(/^.*bob.*: Held back: account block @bob: it is the account itself$/),
    expect.stringMatching(/^.*clara.*: Held back: filter Old: its date has passed/),
  ]);
});

describe('accounts of a policy', () => {
  test('refuses an account that the policy does not name, before anything is sent', async () => {
    await using desk = await deskWith();
    desk.write('p.yml', `${policy}accounts: ['${desk.ana}', '${desk.clara}']\n`);
    for (const command of ['plan', 'apply', 'audit']) {
      const args = [command, 'p.yml', ...(command === 'apply' ? ['--yes'] : [])];
      for (const profiles of [['--all-profiles'], ['-p', 'bob']])
        expect(await desk.run([...args, ...profiles]), [...args, ...profiles].join(' ')).toMatchObject({
          status: 2,
          stdout: '',
          stderr: expect.stringContaining(`The policy is not for ${desk.bob}: its accounts (p.yml:4) do not include it`),
        });
    }
    expect(desk.one.exchanges).toEqual([]);
    expect(await desk.run(['plan', 'p.yml', '-p', 'ana', '-p', 'clara'])).toMatchObject({status: 10});
    expect(await desk.run(['explain', 'bad.example', '--policy', 'p.yml', '-p', 'bob'])).toMatchObject({status: 2});
  });

  test('applies to each account what the policy says for it', async () => {
    await using desk = await deskWith();
    desk.write(
      'p.yml',
      `version: 1
domain_blocks: {must: [bad.example]}
for:
  '${desk.ana}': {domain_blocks: {must: [only.ana.example]}}
  '${desk.clara}': {domain_blocks: {lists: [{file: more.txt}]}}
`,
    );
    desk.write('more.txt', 'listed.example\n');
    expect(await desk.run(['apply', 'p.yml', '--all-profiles', '--yes', '--json'])).toMatchObject({status: 0});
    expect(await desk.blocked('ana')).toEqual(expect.arrayContaining(['bad.example', 'only.ana.example']));
    expect(await desk.blocked('ana')).not.toContain('listed.example');
    expect(await desk.blocked('bob')).toEqual(['bad.example']);
    expect(await desk.blocked('clara')).toEqual(['bad.example', 'listed.example']);
    expect(await desk.run(['audit', 'p.yml', '--all-profiles'])).toMatchObject({status: 0});
    const {stdout} = await desk.run(['explain', 'listed.example', '--policy', 'p.yml', '-p', 'clara', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{wanted: true, because: [{where: 'more.txt:1'}]}]);
    expect(await desk.run(['diff', 'p.yml', 'clara'])).toMatchObject({status: 0});
    expect(await desk.run(['diff', 'p.yml', 'bob'])).toMatchObject({status: 0});
  });
});

describe('apply', () => {
  test('prints the results by account, and keeps a state file for each', async () => {
    await using desk = await deskWith();
    const {status, stdout, stderr} = await desk.run(['apply', 'p.yml', '--all-profiles', '--yes']);
    expect(status).toBe(0);
    const [head, ...rows] = plain(stdout, desk).trimEnd().split('\n');
    expect(head).toMatch(/^account +target +result/);
    const targets = ['add domain block bad.example', 'add domain block worse.example'];
    const unmuted = 'ana@one.example|remove account mute @dailydeals@shop.example.com|ok';
    const added = ['ana@one.example', 'bob@one.example', 'clara@two.example'].flatMap((one) =>
      targets.map((target) => `${one}|${target}|ok`),
    );
    expect(rows.map((line) => line.split(/ {2,}/).slice(0, 3).join('|'))).toEqual(added.toSpliced(2, 0, unmuted));
    expect(plain(stderr, desk)).toContain('clara@two.example: 2 to add\n');
    const states = [desk.ana, desk.bob, desk.clara].map((one) => `p.yml.${one.replace(':', '%3A')}.state.ndjson`);
    expect(desk.states()).toEqual(states);
    // Each account is reverted, and applied to alone, with its own state file.
    expect(await desk.run(['undo', 'p.yml', '-p', 'bob', '--yes'])).toMatchObject({status: 0});
    expect(await desk.blocked('bob')).toEqual([]);
    expect(await desk.run(['apply', 'p.yml', '-p', 'bob', '--yes'])).toMatchObject({status: 0});
    desk.write('p.yml', 'version: 1\ndomain_blocks: {must: [bad.example]}\n');
    const fewer = await desk.run(['apply', 'p.yml', '--all-profiles', '--yes', '--json']);
    expect(JSON.parse(fewer.stdout)).toMatchObject(
      ['ana', 'bob', 'clara'].map((name) => ({
        account: expect.stringContaining(`${name}@`),
        item: {target: 'remove domain block worse.example', ok: true, status: 200},
      })),
    );
    expect(desk.states()).toHaveLength(3);
  });

  test('applies the others when one account fails', async () => {
    await using desk = await deskWith();
    desk.two.stepIn = (moment) => (moment === 'before' ? {status: 400, text: '{"error":"no"}'} : undefined);
    const {status, stdout, stderr} = await desk.run(['apply', 'p.yml', '--all-profiles', '--yes', '--json']);
    expect({status, failure: failureIn(stderr.split('\n').slice(-2).join('\n'))}).toMatchObject({
      status: 11,
      failure: {message: expect.stringMatching(/^1 of 3 accounts failed: clara@\S+: 2 of 2 failed$/), accounts: [{account: desk.clara}]},
    });
    const {ana, bob, clara} = desk;
    const accounts = [ana, ana, ana, bob, bob, clara, clara];
    expect(JSON.parse(stdout)).toMatchObject(accounts.map((account) => ({account, item: {ok: account !== clara}})));
  });

  test('applies exactly the plan of several accounts that was read, and goes on with it', async () => {
    await using desk = await deskWith();
    const {digest} = JSON.parse((await desk.run(['plan', 'p.yml', '--all-profiles', '--json'])).stdout)[0];
    const apply = ['apply', 'p.yml', '--expect', digest];
    expect(await desk.run([...apply, '-p', 'clara'])).toMatchObject({status: 5});
    desk.two.stepIn = (moment) => (moment === 'before' ? {status: 400, text: '{"error":"no"}'} : undefined);
    expect(await desk.run([...apply, '--all-profiles'])).toMatchObject({status: 11});
    desk.two.stepIn = () => undefined;
    // What is done is not sent again.
    const {status, stdout} = await desk.run([...apply, '--all-profiles', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).map(({account}: {account: string}) => account.split('@')[0])).toEqual(['clara', 'clara']);
    expect([desk.one.writes.length, desk.two.writes.length]).toEqual([5, 2]);
  });

  test('sends nothing to any account when one of them would lose too much', async () => {
    await using desk = await deskWith();
    await desk.run(['domain-blocks', 'add', ...Array.from({length: 25}, (_, index) => `b${index}.example`), '-p', 'bob', '--yes']);
    const before = desk.one.writes.length;
    desk.write('p.yml', 'version: 1\ndomain_blocks: {must: [bad.example], only: true}\n');
    expect(await desk.run(['plan', 'p.yml', '-p', 'bob,clara'])).toMatchObject({
      stderr: expect.stringMatching(/^To apply it: pixelctl apply p\.yml --allow-removals=25 --profile=bob --profile=clara$/m),
    });
    const args = ['apply', 'p.yml', '-p', 'bob,clara', '--yes'];
    expect(await desk.run(args)).toMatchObject({
      status: 5,
      stdout: '',
      stderr: expect.stringMatching(/The plan was not applied: bob@\S+: it removes 25 items that no rule names[^]*--allow-removals 25/),
    });
    expect([desk.one.writes.length - before, desk.two.writes.length]).toEqual([0, 0]);
    expect(await desk.run([...args, '--allow-removals', '25', '--json'])).toMatchObject({status: 0});
  });

  test('shows the requests of each account without sending them', async () => {
    await using desk = await deskWith();
    const {status, stdout} = await desk.run(['apply', 'p.yml', '--all-profiles', '--dry-run', '--json']);
    expect(status).toBe(0);
    const {ana, bob, clara} = desk;
    const {requests} = JSON.parse(stdout);
    expect(requests).toMatchObject([ana, ana, ana, bob, bob, clara, clara].map((account) => ({account})));
    expect(requests[0].item).toMatchObject({method: 'POST', body: {domain: 'https://bad.example'}});
    const text = await desk.run(['apply', 'p.yml', '-p', 'bob,clara', '--dry-run', '-o', 'curl']);
    expect(text.stdout).toMatch(new RegExp(`^# ${desk.bob}\ncurl --request POST '${desk.one.url}`));
    expect([...desk.one.writes, ...desk.two.writes]).toEqual([]);
    expect(desk.states()).toEqual([]);
  });

  test.each([
    ['alone', 9, ['-p', 'bob']],
    ['among several', 11, ['-p', 'bob,clara']],
  ])('refuses an account %s whose state another run has', async (_, failed, profiles) => {
    await using desk = await deskWith();
    const lock = `p.yml.${desk.bob.replace(':', '%3A')}.state.ndjson.lock`;
    desk.write(lock, JSON.stringify({pid: 7, host: 'runner-2', namespace: null, start: null, since: '2026-01-01T00:00:00.000Z'}));
    const args = ['apply', 'p.yml', '--yes', '--json', ...profiles];
    const {status, stderr} = await desk.run(args);
    expect({status, stderr: plain(stderr, desk)}).toEqual({
      status: failed,
      stderr: expect.stringMatching(/Another pixelctl \(process 7 on runner-2\) is using p\.yml\.bob@\S+\.state\.ndjson: nothing was sent/),
    });
    expect(stderr).toContain(`if runner-2 is gone, remove ${lock}`);
    expect(desk.one.writes).toEqual([]);
    rmSync(join(desk.folder, lock));
    expect(await desk.run(args)).toMatchObject({status: 0});
    expect(readdirSync(desk.folder).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  test('sends no more requests a second to a server than --rate, however many accounts it has', async () => {
    await using desk = await deskWith('version: 1\ndomain_blocks: {must: [bad.example]}\n');
    const clock = new SkippingClock();
    const at: number[] = [];
    desk.one.stepIn = (moment) => {
      if (moment === 'before') at.push(clock.now());
      return undefined;
    };
    expect(await desk.run(['apply', 'p.yml', '-p', 'ana,bob', '--yes', '--rate', '1', '--json'], {}, clock)).toMatchObject({status: 0});
    expect(at).toHaveLength(2);
    expect(at[1]).toBeGreaterThanOrEqual(1000);
  });
});

describe('nothing to do', () => {
  const idle = 'version: 1\ndomain_blocks: {must_not: [never.example]}\n';
  const forms: readonly (readonly [string, readonly string[], string])[] = [
    ['JSON', ['--json'], '[]\n'],
    ['a table', [], ''],
  ];

  test.each(forms)('nothing to do is printed as %s by apply and undo, for one account and several', async (_, flags, stdout) => {
    await using desk = await deskWith(idle);
    for (const profiles of [['-p', 'ana'], ['--all-profiles']])
      expect(await desk.run(['apply', 'p.yml', '--yes', ...profiles, ...flags]), profiles.join(' ')).toMatchObject({status: 0, stdout});
    desk.write('p.yml', policy);
    await desk.run(['apply', 'p.yml', '--yes', '-p', 'clara']);
    for (const domain of ['bad.example', 'worse.example']) await desk.run(['domain-blocks', 'remove', domain, '-p', 'clara', '--yes']);
    expect(await desk.run(['undo', 'p.yml', '--yes', '-p', 'clara', ...flags])).toMatchObject({status: 0, stdout});
  });

  test('nothing to do is said once for several accounts', async () => {
    await using desk = await deskWith(idle);
    const applied = {status: 0, stdout: '', stderr: 'Nothing to do.\n'};
    expect(await desk.run(['apply', 'p.yml', '--yes', '--all-profiles'])).toMatchObject(applied);
    const planned = {status: 0, stdout: '3 accounts: nothing to do\n', stderr: ''};
    expect(await desk.run(['plan', 'p.yml', '--all-profiles'])).toMatchObject(planned);
    desk.write('p.yml', 'version: 1\ndomain_blocks: {must: [spam.example.net]}\n');
    await desk.run(['domain-blocks', 'add', 'spam.example.net', '-p', 'bob', '--yes']);
    const {stdout} = await desk.run(['plan', 'p.yml', '--all-profiles']);
    expect(plain(stdout, desk)).toContain('ana@one.example: nothing to do\nbob@one.example: nothing to do\n');
  });
});

describe('undo of several accounts', () => {
  test('leaves an account alone that has nothing to undo, and says so where none has', async () => {
    await using desk = await deskWith('version: 1\ndomain_blocks: {must: [bad.example]}\n');
    const undo = ['undo', 'p.yml', '--all-profiles', '--yes'];
    expect(await desk.run(['apply', 'p.yml', '-p', 'ana,bob', '--yes'])).toMatchObject({status: 0});
    const again = await desk.run(['apply', 'p.yml', '-p', 'ana,bob', '--dry-run', '-o', 'csv']);
    expect(again.stdout).toBe('account,method,path,query,headers,body\r\n');
    const {status, stderr} = await desk.run(undo);
    expect({status, stderr: plain(stderr, desk)}).toEqual({
      status: 0,
      stderr: expect.stringContaining('bob@one.example: bad.example: follows ended in both directions'),
    });
    expect(await desk.blocked('bob')).toEqual([]);
    const none = await desk.run(undo);
    expect(none).toMatchObject({status: 0, stderr: 'Nothing to do.\n'});
  });
});

describe('several accounts', () => {
  test('several accounts are named in every command that is suggested', async () => {
    await using desk = await deskWith();
    for (const command of ['audit', 'plan'])
      expect(await desk.run([command, 'p.yml', '--all-profiles']), command).toMatchObject({
        status: 10,
        stderr: expect.stringMatching(
          /^[^:]+: .*\.\nTo .*: pixelctl (plan|apply) p\.yml --all-profiles\n(To apply exactly .*: pixelctl apply p\.yml --expect=\S+ --all-profiles\n)?$/,
        ),
      });
  });

  test.each(['plan p.yml', 'audit p.yml', 'domain-blocks list --all'])(
    'several accounts are those that PIXELCTL_PROFILE names, which suggestions leave out, for %s',
    async (line) => {
      await using desk = await deskWith();
      const args = [...line.split(' '), '--json'];
      const byFlag = await desk.run([...args, '-p', 'ana,clara']);
      const stderr = byFlag.stderr.replaceAll(' --profile=ana --profile=clara', '');
      expect(await desk.run(args, {PIXELCTL_PROFILE: 'ana,clara'})).toEqual({...byFlag, stderr});
    },
  );

  test('adopt what exists, each with a record of its own', async () => {
    await using desk = await deskWith('version: 1\ndomain_blocks: {must: [bad.example, worse.example]}\n');
    for (const name of ['ana', 'clara']) await desk.run(['domain-blocks', 'add', 'bad.example', '-p', name, '--yes']);
    const adopt = ['state', 'adopt', 'p.yml', '-p', 'ana,clara'];
    expect(await desk.run([...adopt, 'worse.example'])).toMatchObject({status: 4, stderr: expect.stringContaining('no account has it')});
    const {status, stdout} = await desk.run([...adopt, 'bad.example', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([desk.ana, desk.clara].map((account) => ({subject: 'bad.example', account})));
    desk.write('p.yml', 'version: 1\ndomain_blocks: {must: [worse.example]}\n');
    const plan = await desk.run(['plan', 'p.yml', '-p', 'ana,clara']);
    expect(plain(plan.stdout, desk)).toContain('- domain block bad.example');
  });

  test('are named together where differences are left in more than one', async () => {
    await using desk = await deskWith('version: 1\ndomain_blocks: {must: []}\n');
    const whole = '{domain_blocks: {must: [cf]}}';
    desk.write('p.yml', `version: 1\ndomain_blocks: {must: []}\nfor: {'${desk.ana}': ${whole}}\n`);
    const apply = async () => failureIn((await desk.run(['apply', 'p.yml', '-p', 'ana,bob', '--yes', '--json'])).stderr).message;
    expect(await apply()).toBe(`1 difference left in ${desk.ana} that pixelctl cannot change: domain_blocks.must cf`);
    desk.write('p.yml', `version: 1\ndomain_blocks: {must: []}\nfor: {'${desk.ana}': ${whole}, '${desk.bob}': ${whole}}\n`);
    expect(await apply()).toBe(`2 differences left in ${desk.ana}, ${desk.bob} that pixelctl cannot change: domain_blocks.must cf`);
  });

  test('adopt nothing where none of them can be read', async () => {
    await using desk = await deskWith();
    await desk.one[Symbol.asyncDispose]();
    await desk.two[Symbol.asyncDispose]();
    const adopt = ['state', 'adopt', 'p.yml', '-p', 'ana,clara', '--all', '--retries', '0', '--json'];
    const {status, stdout, stderr} = await desk.run(adopt);
    expect({status, stdout, failure: failureIn(stderr)}).toMatchObject({
      status: 11,
      stdout: '',
      failure: {message: expect.stringMatching(/^2 of 2 accounts failed: /), accounts: [{account: desk.ana}, {account: desk.clara}]},
    });
  });
});

describe('an apply to several accounts that is stopped', () => {
  const all = ['apply', 'p.yml', '--all-profiles', '--yes'];

  const kills = [1, 2, 3, 4, 5].flatMap((step) => (['before', 'after'] as const).map((moment) => ({moment, step})));
  const sampled = pairwiseSampler<(typeof kills)[number]>(({moment, step}) => [moment, `step ${step}`]);

  test.concurrent.each(sampled(kills))(
    'an apply to several accounts that is stopped does the rest when it was killed $moment write $step of a server',
    async ({moment, step}) => {
      await using desk = await deskWith();
      await killAt(desk.one, desk.start(all), {moment, step});
      const rest = await desk.run([...all, '--json']);
      expect(rest).toMatchObject({status: 0});
      expect(desk.one.writes.filter((write) => write.includes('POST /api/v1/domain_blocks'))).toHaveLength(4);
      expect(desk.two.writes).toHaveLength(2);
      expect(await desk.run(['undo', 'p.yml', '--all-profiles', '--yes', '--json'])).toMatchObject({status: 0});
      expect(await desk.blocked('bob')).toEqual([]);
      expect(await desk.blocked('clara')).toEqual([]);
    },
  );

  test('an apply to several accounts that is stopped ends at a signal with what was done, and goes on later', async () => {
    await using desk = await deskWith();
    const {child, ended} = desk.start([...all, '--json', '--concurrency', '1']);
    desk.one.stepIn = (when, count) => {
      if (when === 'before' && count === 2) child.kill('SIGINT');
      return undefined;
    };
    const {status, stdout, stderr} = await ended;
    expect(status).toBe(130);
    expect(failureIn(stderr.split('\n').slice(-2).join('\n'))).toMatchObject({
      code: 'interrupted',
      message: expect.stringMatching(/^Interrupted after 2 of 7/),
    });
    expect(JSON.parse(stdout)).toHaveLength(2);
    expect(await desk.run([...all, '--json'])).toMatchObject({status: 0});
    expect([...desk.one.writes, ...desk.two.writes]).toHaveLength(7);
  });
});

test('one of several accounts that needs protection and has none fails alone', async () => {
  await using desk = await threeAccounts();
  const only = `version: 1\ndomain_blocks: {must: [bad.example]}\nfor: {"${desk.clara}": {domain_blocks: {protect_followed: 1}}}\n`;
  desk.write('p.yml', only);
  const {status, stderr} = await desk.run(['apply', 'p.yml', '--all-profiles', '--yes']);
  expect({status, stderr}).toEqual({status: 11, stderr: expect.stringContaining('protect_followed (p.yml:3) cannot be checked: ')});
  expect(desk.two.writes).toEqual([]);
  expect(await desk.blocked('bob')).toContain('bad.example');
});

test.concurrent('of several accounts the end says which failed, and of which something is held back', async () => {
  await using desk = await threeAccounts({domainLimit: 1});
  desk.write('p.yml', 'version: 1\ndomain_blocks: {must: [a.example, b.example]}\n');
  desk.two.stepIn = (moment) => (moment === 'before' ? {status: 400, text: '{"error":"no"}'} : undefined);
  const {stderr, status} = await desk.run(['apply', 'p.yml', '-p', 'bob,clara', '--yes', '--json']);
  expect(status).toBe(11);
  const held = `${desk.bob}: The limit of the server is reached, and 1 domain block was held back: `;
  expect(failureIn(stderr.split('\n').slice(-2).join('\n'))).toMatchObject({
    code: 'partial',
    message: expect.stringContaining(`1 of 2 accounts failed: ${desk.clara}: 2 of 2 failed; ${held}`),
    accounts: [{account: desk.clara}],
  });
});
