/** Notes that were typed on Pixelfed's own admin page, which break its list of blocks. */
import {describe, expect, test} from 'vitest';
import type {SandboxOptions} from '../sandbox/start.js';
import {run} from './in-process.js';
import {deskAt, ownedIn} from './policy-server.js';
import {recordedSandbox} from './server.js';
import {machineWith, profileOn} from './signing-in.js';

const generations = ['0.12.6', '2026'] as const;
const note = 'Typed by ana, ticket 91';

/** More than two pages. */
const domains = Array.from({length: 205}, (_, index) => `b${String(index).padStart(3, '0')}.example`);
const positions = {first: 0, middle: 102, last: 204} as const;
type Position = keyof typeof positions;
const wordsOf: readonly Position[] = ['first', 'middle', 'last'];
/** Each is on a page of its own: a page that breaks comes after a whole one, and before one. */
const positionsOf = {'0.12.6': ['first', 'last'], '2026': ['middle']} as const;

interface Setting extends Omit<SandboxOptions, 'instances' | 'seed'> {
  /** The domains whose note was typed, and not sent to the API. */
  readonly typed?: readonly string[];
  /** Those that have a note. */
  readonly noted: readonly string[];
  readonly more?: readonly {readonly domain: string; readonly notes?: string}[];
  readonly scopes?: readonly string[];
}

const severityOf = (index: number) => (index % 2 === 0 ? {banned: true} : {unlisted: true});

async function serverWith({typed = [], noted, more = [], scopes, ...options}: Setting) {
  const blocked = domains.map((domain, index) => ({
    domain,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...severityOf(index),
    ...(noted.includes(domain) && {notes: typed.includes(domain) ? note : [note]}),
  }));
  const seed = {accounts: [{acct: 'ana', admin: true}], instances: [...blocked, ...more]};
  const server = await recordedSandbox({limitsRate: false, ...options, seed});
  const {sandbox} = server;
  const token = scopes === undefined ? (sandbox.tokens.admins['ana'] ?? '') : sandbox.grant('ana', scopes);
  const env = {PIXELCTL_SERVER: server.url, PIXELCTL_TOKEN: token};
  return {
    server,
    env,
    /** Whether the server itself can give every page of its list. */
    isWhole: async () => (await run(['admin', 'domain-blocks', 'list', '--all', '--json'], {env})).stderr === '',
    run: (...args: readonly string[]) => run(args, {env}),
    block: async (domain: string) => JSON.parse((await run(['admin', 'domain-blocks', 'get', domain, '--json'], {env})).stdout),
    sent: (method: string) =>
      server.exchanges.flatMap(({received}) => (received.method === method ? [JSON.parse(received.body.toString() || '{}')] : [])),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const at = (position: Position) => domains[positions[position]] ?? '';

const policy = `version: 1\nadmin_domain_blocks:\n  must: [${domains.map((domain, index) => `{domain: ${domain}, severity: ${index % 2 === 0 ? 'suspend' : 'silence'}}`).join(', ')}]\n  only: true\n`;

/** Commands that read all blocks, and what of their output depends on the run. */
const reads: readonly (readonly string[])[] = [
  ['admin', 'domain-blocks', 'list', '--all', '--json'],
  ['admin', 'domain-blocks', 'list', '--all', '-o', 'csv'],
  ['admin', 'domain-blocks', 'list', '--max', '150', '--json'],
  ['admin', 'domain-blocks', 'list', '--all', '--limit', '7', '--json'],
  ...wordsOf.map((position) => ['admin', 'domain-blocks', 'get', at(position), '--json']),
  ['plan', 'p.yml'],
  ['audit', 'p.yml'],
  ['plan', 'other.yml', '--json'],
  ['explain', 'p.yml', at('middle')],
  ['export', '--only', 'admin_domain_blocks'],
  ['export', '--only', 'admin_domain_blocks', '--format', 'fediblockhole'],
];
const files = {'p.yml': policy, 'other.yml': policy.replace('severity: suspend', 'severity: silence')};

test.each(generations)('every read gives with notes typed on the admin page what it gives with comments, like %s', async (like) => {
  const noted = positionsOf[like].map(at);
  await using whole = await serverWith({like, noted});
  await using broken = await serverWith({like, noted, typed: noted});
  expect([await whole.isWhole(), await broken.isWhole()]).toEqual([true, false]);
  for (const args of reads) {
    const [expected, found] = [await deskAt(whole, files).run(...args), await deskAt(broken, files).run(...args)];
    const same = (text: string) =>
      text.replaceAll(broken.server.url, whole.server.url).replaceAll(new URL(broken.server.url).host, new URL(whole.server.url).host);
    const stable = (text: string) => same(text).replaceAll(/"(?:digest|fingerprint)":"\w+"|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
    expect({args, status: found.status, stdout: stable(found.stdout)}).toEqual({
      args,
      status: expected.status,
      stdout: stable(expected.stdout),
    });
  }
});

/** What does not depend on where it stands, nor on what failures look like. */
describe('a note typed on the admin page', () => {
  const like = '2026';

  test('apply heals what it writes, and keeps the note where the policy has another comment', async () => {
    const [made = '', changed = ''] = ['new.example', domains[203]];
    await using desk = await serverWith({like, noted: [changed], typed: [changed], more: [{domain: made, notes: note}]});
    const rules = [made, changed].map((domain) => `{domain: ${domain}, private_comment: mine}`).join(', ');
    const own = deskAt(desk, {'p.yml': `version: 1\nadmin_domain_blocks: {must: [${rules}]}\n`});
    expect((await own.run('apply', 'p.yml', '--yes')).status).toBe(0);
    expect(await desk.isWhole()).toBe(true);
    // What somebody else wrote about a block of theirs stays.
    expect(await desk.block(changed)).toMatchObject({severity: 'suspend', private_comment: note});
    expect(await desk.block(made)).toMatchObject({severity: 'suspend', private_comment: 'mine'});
    expect(ownedIn(own.folder)).toMatchObject([
      {key: `admin_domain_block ${changed}`, was: {severity: 'silence', private_comment: note}},
      {key: `admin_domain_block ${made}`, was: {severity: 'noop', private_comment: note}},
    ]);
    expect((await own.run('undo', 'p.yml', '--yes')).status).toBe(0);
    expect(await desk.block(changed)).toMatchObject({severity: 'silence', private_comment: note});
    const known = await desk.run('instances', 'get', made, '--json');
    expect(JSON.parse(known.stdout).data).toMatchObject({banned: false, unlisted: false, notes: [note]});
  });
});

test('doctor names each of them with the command that heals it', async () => {
  await using desk = await serverWith({like: '0.12.6', noted: [at('first'), at('last')], typed: [at('first'), at('last')]});
  const {sandbox, url} = desk.server;
  const around = await machineWith([
    profileOn(url, {name: 'ana-admin', scopes: ['read', 'write', 'admin:read', 'admin:write'], isAdmin: true}),
    {accessToken: sandbox.tokens.admins['ana'] ?? ''},
  ]);
  const doctor = async () => {
    const {status, stdout} = await around.start(['doctor', '--json', '--profile', 'ana-admin'], {env: {}}).ended;
    const checks: readonly {readonly name: string; readonly ok: boolean; readonly detail: string; readonly fix: string | null}[] =
      JSON.parse(stdout).checks;
    return {status, ...checks.find(({name}) => name === 'admin')};
  };
  const broken = await doctor();
  expect(broken).toMatchObject({status: 7, ok: false, detail: expect.stringContaining(`admin page: ${at('first')}, ${at('last')}`)});
  const commands = [...(broken.fix ?? '').matchAll(/`pixelctl ([^`]+)`/g)].map(([, command = '']) => command.split(' '));
  expect(commands).toHaveLength(2);
  for (const command of commands) expect((await around.start([...command, '--yes'], {env: {}}).ended).status).toBe(0);
  expect(await doctor()).toMatchObject({
    status: 0,
    ok: true,
    detail: expect.stringContaining(`it lists its blocks (${domains.length} domains)`),
  });
  expect(await desk.block(at('last'))).toMatchObject({severity: 'suspend', private_comment: note});
});
