/** Blocking domains for everyone on a server, with what Pixelfed and Mastodon each make of it. */
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseFault} from '../../src/lib/sandbox/fault.js';
import type {Generation, SandboxOptions} from '../sandbox/start.js';
import type {SeedState} from '../sandbox/seed.js';
import {run} from './in-process.js';
import {newFolder, type Ended} from './program.js';
import {recordedSandbox, serverThat, requestsTo} from './server.js';

const generations: readonly Generation[] = ['0.12.6', '2026', 'mastodon'];
const path = '/api/v1/admin/domain_blocks';
const accounts: SeedState['accounts'] = [{acct: 'ana', admin: true}, {acct: 'bob'}];

interface Settings extends Omit<SandboxOptions, 'instances' | 'seed'> {
  readonly instances?: SeedState['instances'];
  readonly token?: string;
}

/** A server with an admin, and the command `admin domain-blocks` there. Faults are the sandbox's own: nothing stands before it. */
async function serverWith({instances, token, ...options}: Settings) {
  const arrived: string[] = [];
  const onRequest: SandboxOptions['onRequest'] = ({method, path: asked}) => arrived.push(`${method} ${asked}`);
  const server = await recordedSandbox({...options, onRequest, seed: {accounts, ...(instances && {instances})}});
  const {sandbox} = server;
  const url = options.faults === undefined ? server.url : sandbox.url;
  const env = {PIXELCTL_SERVER: url, PIXELCTL_TOKEN: token ?? sandbox.tokens.admins['ana'] ?? ''};
  const blocks = (args: readonly string[], stdin?: string): Promise<Ended> =>
    run(['admin', 'domain-blocks', ...args], {env, ...(stdin !== undefined && {stdin})});
  return {
    server,
    arrived,
    blocks,
    /** All blocks, by domain. */
    async there(): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
      const {stdout} = await blocks(['list', '--all', '--json']);
      return Object.fromEntries(JSON.parse(stdout).map((entry: {domain: string}) => [entry.domain, entry]));
    },
    sent: () => requestsTo(server),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const resultsIn = ({stdout}: Ended) => JSON.parse(stdout);

describe.each(generations)('admin domain-blocks, like %s', (like) => {
  test('a domain is blocked, changed, shown and unblocked by its name', async () => {
    await using desk = await serverWith({like});
    expect(resultsIn(await desk.blocks(['add', 'Bücher.Example', '--yes', '--json']))).toMatchObject({
      domain: 'xn--bcher-kva.example',
      severity: 'suspend',
    });
    const changed = await desk.blocks('update bücher.example --severity silence --private-comment loud --yes --json'.split(' '));
    expect(resultsIn(changed)).toMatchObject({severity: 'silence', private_comment: 'loud'});
    const cleared = await desk.blocks(['update', 'bücher.example', '--private-comment', '', '--yes', '--json']);
    expect(resultsIn(cleared)).toMatchObject({severity: 'silence'});
    expect(resultsIn(cleared).private_comment ?? '').toBe('');
    expect(resultsIn(await desk.blocks(['get', 'bücher.example', '--json'])).severity).toBe('silence');
    expect(await desk.blocks(['remove', 'https://bücher.example/', '--yes'])).toMatchObject({
      status: 0,
      stderr: 'Unblocked xn--bcher-kva.example.\n',
    });
    expect(await desk.blocks(['get', 'bücher.example'])).toMatchObject({status: 4, stderr: expect.stringContaining('is not blocked')});
  });

  test('blocks are changed and removed by their ids as well', async () => {
    await using desk = await serverWith({like, instances: [{domain: 'a.example', banned: true, id: 7}]});
    expect(resultsIn(await desk.blocks(['update', '7', '--severity', 'silence', '--yes', '--json'])).severity).toBe('silence');
    expect((await desk.blocks(['remove', '7', '--yes'])).status).toBe(0);
    expect(desk.sent()).not.toContain(`GET ${path}`);
    expect(await desk.there()).toEqual({});
  });

  test('an update without settings sends nothing', async () => {
    await using desk = await serverWith({like, instances: [{domain: 'a.example', banned: true, id: 7}]});
    expect(await desk.blocks(['update', 'a.example', '--yes'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Nothing to change'),
    });
    expect(desk.sent()).toEqual([]);
  });

  test('3,000 blocks are read back whole', async () => {
    const instances = Array.from({length: 3000}, (_, index) => ({domain: `d${index}.example`, banned: true}));
    await using desk = await serverWith({like, instances, limitsRate: false});
    expect(Object.keys(await desk.there())).toHaveLength(3000);
    expect(desk.sent().length).toBeLessThanOrEqual(31);
  });

  test('people who are no admins, and tokens without the scope, end a run at the first answer', async () => {
    for (const token of ['sandbox-ana', 'sandbox-bob']) {
      await using desk = await serverWith({like, token});
      const {status, stderr} = await desk.blocks(
        ['add', '-', '--private-comment', 'x', '--yes', '--concurrency', '1'],
        'a.example\nb.example\nc.example\n',
      );
      expect(status).toBe(3);
      expect(stderr).toContain('auth login --admin');
      expect(desk.sent()).toEqual(['GET /api/v1/instance', `POST ${path}`]);
    }
  });

  test('a run that a journal records goes on with what is left', async () => {
    const domains = Array.from({length: 6}, (_, index) => `d${index}.example`);
    const faults = [parseFault(`drop=after,at="POST ${path}",after=2,times=1`)];
    await using desk = await serverWith({like, faults});
    const journal = join(newFolder(), 'journal');
    const add = (...flags: readonly string[]) =>
      desk.blocks(
        ['add', '-', '--yes', '--json', '--journal', journal, '--concurrency', '1', '--retries', '0', '--private-comment', 'x', ...flags],
        domains.join('\n'),
      );
    expect((await add('--fail-fast')).status).toBe(11);
    const again = await add();
    expect(again.status).toBe(0);
    expect(resultsIn(again).map(({resumed = false}) => resumed)).toEqual([true, true, true, false, false, false]);
    expect(desk.arrived.filter((line) => line === `POST ${path}`)).toHaveLength(domains.length);
  });
});

// What other second answers make of a lost first one: test/contract/fates.test.ts.
test.each([
  ['as it was asked for', {}, 0],
  ['as another one', {severity: 'suspend', private_comment: 'y'}, 5],
])('an addition whose answer is lost is done where a refusal shows the block %s', async (_, change, status) => {
  const entry = {id: '7', domain: 'a.example', severity: 'silence', private_comment: 'x', public_comment: null, created_at: 'now'};
  const block = {...entry, reject_media: false, reject_reports: false, obfuscate: false, ...change};
  let count = 0;
  await using server = await serverThat(({method}) => {
    if (method === 'GET') return {text: '{"version":"4.5.0"}'};
    count += 1;
    return count === 1
      ? {text: '', lost: 'before'}
      : {status: 422, text: JSON.stringify({error: 'It exists', existing_domain_block: block})};
  });
  const words = ['add', 'a.example', '--severity', 'silence', '--private-comment', 'x', '--yes', '--json', '--retries', '1'];
  const ended = await run(['admin', 'domain-blocks', ...words], {env: server.env});
  if (status === 0) expect(ended).toMatchObject({status, stdout: `${JSON.stringify(block)}\n`});
  else expect(JSON.parse(ended.stderr).error).toMatchObject({exit: status, fate: 'unknown'});
});
