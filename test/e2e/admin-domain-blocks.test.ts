/** Blocking domains for everyone on a server, with what Pixelfed and Mastodon each make of it. */
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseFault} from '../../src/lib/sandbox/fault.js';
import type {Generation, SandboxOptions} from '../sandbox/start.js';
import type {SeedState} from '../sandbox/seed.js';
import {run} from './in-process.js';
import {newFolder, type Ended} from './program.js';
import {recordedSandbox, serverThat, type Answered} from './server.js';

const generations: readonly Generation[] = ['0.12.6', '2026', 'mastodon'];
const pixelfed: readonly Generation[] = ['0.12.6', '2026'];
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
    sent: () => server.exchanges.map(({received: {method, target}}) => `${method} ${target}`),
    bodies: (method: string) =>
      server.exchanges.flatMap(({received}) => (received.method === method ? [JSON.parse(received.body.toString())] : [])),
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
    const changed = await desk.blocks([
      'update',
      'bücher.example',
      '--severity',
      'silence',
      '--private-comment',
      'loud',
      '--yes',
      '--json',
    ]);
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

  test('an update sends all settings, those that are not given as they stand', async () => {
    await using desk = await serverWith({like, instances: [{domain: 'a.example', unlisted: true, notes: ['loud']}]});
    await desk.blocks(['update', 'a.example', '--severity', 'suspend', '--yes']);
    // Pixelfed refuses an empty comment, and Mastodon keeps one that is not sent.
    const none = like === 'mastodon' ? {public_comment: ''} : {};
    expect(desk.bodies('PUT')).toEqual([
      {severity: 'suspend', private_comment: 'loud', ...none, reject_media: false, reject_reports: false, obfuscate: false},
    ]);
  });

  test('an empty comment clears the one that stands', async () => {
    await using desk = await serverWith({like, instances: [{domain: 'a.example', unlisted: true, notes: ['loud']}]});
    expect(await desk.blocks(['update', 'a.example', '--private-comment', '', '--yes'])).toMatchObject({status: 0, stderr: ''});
    expect((await desk.there())['a.example']).toMatchObject({severity: 'silence', private_comment: like === 'mastodon' ? null : ''});
  });

  test('a domain that is blocked as asked is done, so that a list can be added again', async () => {
    await using desk = await serverWith({like});
    const add = () =>
      desk.blocks(['add', '-', '--severity', 'silence', '--private-comment', 'x', '--yes', '--json'], 'a.example\nb.example\n');
    const first = resultsIn(await add());
    const again = await add();
    expect(again).toMatchObject({status: 0, stderr: ''});
    expect(resultsIn(again).map(({ok, body}: {ok: boolean; body: unknown}) => ({ok, body}))).toEqual(
      first.map(({body}: {body: unknown}) => ({ok: true, body})),
    );
  });

  test('a domain that is blocked with other settings is refused, and the error names update', async () => {
    await using desk = await serverWith({like, instances: [{domain: 'a.example', unlisted: true, notes: ['mine']}]});
    const {status, stderr} = await desk.blocks(['add', 'a.example', '--yes']);
    expect({status, stderr}).toEqual({
      status: 5,
      stderr: `Error: a.example is blocked already, with the severity silence\nHint: \`pixelctl admin domain-blocks update a.example --severity=suspend --server=${desk.server.url}\` changes it\n`,
    });
    const commented = await desk.blocks(['add', 'a.example', '--severity', 'silence', '--private-comment', 'yours', '--yes']);
    expect(commented).toMatchObject({status: 5, stderr: expect.stringContaining('what differs: private_comment')});
    expect(commented.stderr).not.toContain('mine');
    expect((await desk.there())['a.example']).toMatchObject({severity: 'silence', private_comment: 'mine'});
  });

  test('domains are found in a list that is read once for many targets', async () => {
    const domains = Array.from({length: 7}, (_, index) => `d${index}.example`);
    await using desk = await serverWith({like, instances: domains.map((domain) => ({domain, banned: true}))});
    const {status} = await desk.blocks(['remove', '-', '--yes', '--json'], domains.join('\n'));
    expect(status).toBe(0);
    expect(desk.sent().filter((line) => line.startsWith(`GET ${path}`))).toEqual([`GET ${path}`]);
    expect(await desk.there()).toEqual({});
  });

  test('3,000 blocks are read back whole', async () => {
    const instances = Array.from({length: 3000}, (_, index) => ({domain: `d${index}.example`, banned: true}));
    await using desk = await serverWith({like, instances, limitsRate: false});
    expect(Object.keys(await desk.there())).toHaveLength(3000);
    expect(desk.sent().length).toBeLessThanOrEqual(31);
  });

  test('ids of other servers in a list are refused', async () => {
    await using desk = await serverWith({like});
    for (const stdin of ['7\n', '[{"id": 7}]', 'id\n7\n'])
      expect(await desk.blocks(['remove', '-', '--yes'], stdin), stdin).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('7 is not a domain: nothing was sent'),
      });
    const entry = {id: 999, domain: 'a.example', severity: 'suspend', digest: 'x', created_at: '2026-01-01T00:00:00Z'};
    expect((await desk.blocks(['add', '-', '--yes'], JSON.stringify([entry]))).status).toBe(0);
    expect(Object.keys(await desk.there())).toEqual(['a.example']);
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

  test.each(['drop=after', 'truncate'])('a write that is carried out and whose answer is lost is done: %s', async (fault) => {
    const faults = ['POST', 'PUT', 'DELETE'].map((method) => parseFault(`${fault},at="${method} /api/v1/admin/*",times=1`));
    await using desk = await serverWith({like, faults});
    for (const retries of ['0', '3']) {
      const flags = ['--yes', '--json', '--retries', retries];
      expect(await desk.blocks(['add', 'a.example', '--private-comment', 'x', ...flags])).toMatchObject({status: 0});
      expect(await desk.blocks(['update', 'a.example', '--severity', 'silence', ...flags])).toMatchObject({status: 0});
      expect((await desk.there())['a.example']).toMatchObject({severity: 'silence'});
      expect(await desk.blocks(['remove', 'a.example', ...flags])).toMatchObject({status: 0});
      expect(await desk.there()).toEqual({});
    }
  });

  test('a write that is not carried out and whose answer is lost is not taken for done', async () => {
    const faults = ['POST', 'PUT', 'DELETE'].map((method) => parseFault(`drop,at="${method} /api/v1/admin/*"`));
    await using desk = await serverWith({like, faults, instances: [{domain: 'b.example', unlisted: true}]});
    for (const words of [
      ['add', 'a.example'],
      ['update', 'b.example', '--severity', 'suspend'],
    ]) {
      const {status, stderr} = await desk.blocks([...words, '--yes', '--json', '--retries', '0']);
      expect({status, error: JSON.parse(stderr.split('\n').at(-2) ?? '').error}).toMatchObject({status: 7, error: {fate: 'unknown'}});
    }
    const {status, stderr} = await desk.blocks(['remove', 'b.example', '--yes', '--json', '--retries', '0']);
    const {error} = JSON.parse(stderr.split('\n').at(-2) ?? '');
    expect({status, fate: error.fate, message: error.message}).toEqual({
      status: 7,
      fate: undefined,
      message: expect.stringContaining('this was not carried out'),
    });
  });

  test('a run that a journal records goes on with what is left', async () => {
    const domains = Array.from({length: 6}, (_, index) => `d${index}.example`);
    const faults = [parseFault(`drop=after,at="POST ${path}",after=2,times=1`), parseFault(`status=500,at="GET ${path}",times=1`)];
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

  test('a dry run shows what would be read as a placeholder, and sends nothing', async () => {
    await using desk = await serverWith({like});
    const shown = async (...words: readonly string[]) => resultsIn(await desk.blocks([...words, '--dry-run', '--json'])).requests[0];
    expect(await shown('add', 'a.example')).toMatchObject({method: 'POST', path, body: {domain: 'a.example', severity: 'suspend'}});
    expect(await shown('update', 'a.example', '--severity', 'silence')).toMatchObject({
      method: 'PUT',
      path: `${path}/<id of a.example>`,
      body: {severity: 'silence', private_comment: '<private_comment as it stands>'},
    });
    expect(await shown('remove', '7')).toMatchObject({method: 'DELETE', path: `${path}/7`});
    expect(desk.sent()).toEqual([]);
  });
});

describe.each(pixelfed)('Pixelfed, like %s', (like) => {
  const instances = [
    {domain: 'a.example', notes: ['Their admin answers mail']},
    {domain: 'sub.a.example', notes: ['Not this one']},
    {domain: 'b.example'},
  ];

  test('the notes on a domain are read first and sent along', async () => {
    await using desk = await serverWith({like, instances});
    const added = await desk.blocks(['add', 'a.example', 'b.example', 'c.example', '--yes', '--json', '--concurrency', '1']);
    expect(added).toMatchObject({status: 0, stderr: ''});
    expect(desk.bodies('POST')).toEqual([
      {domain: 'a.example', severity: 'suspend', private_comment: 'Their admin answers mail'},
      {domain: 'b.example', severity: 'suspend'},
      {domain: 'c.example', severity: 'suspend'},
    ]);
    // For the names of the server and for the run together.
    expect(desk.sent().filter((line) => line === 'GET /api/v1/instance')).toHaveLength(1);
  });

  test('notes are those of exactly that host, however many others have its name in theirs', async () => {
    const others = Array.from({length: 35}, (_, index) => ({domain: `x${index}.a.example`, notes: 'Not this one'}));
    await using desk = await serverWith({like, instances: [...others, {domain: 'a.example', notes: ['This one']}]});
    expect(await desk.blocks(['add', 'a.example', '--yes'])).toMatchObject({status: 0, stderr: ''});
    expect(desk.bodies('POST')).toMatchObject([{private_comment: 'This one'}]);
  });

  test('a comment that is given replaces the notes, which are not read', async () => {
    await using desk = await serverWith({like, instances});
    await desk.blocks(['add', 'a.example', '--private-comment', 'Spam', '--yes']);
    expect(desk.sent()).toEqual(['GET /api/v1/instance', `POST ${path}`]);
    expect((await desk.there())['a.example']?.['private_comment']).toBe('Spam');
  });

  test('notes that cannot be read are one warning for all domains', async () => {
    await using desk = await serverWith({like, instances, faults: [parseFault('status=500,at="GET /api/admin/*"')]});
    const {status, stderr} = await desk.blocks(['add', 'a.example', 'b.example', '--yes', '--json']);
    expect(status).toBe(0);
    expect(stderr.match(/the notes of servers could not be read/g)).toHaveLength(1);
  });

  test('what the server drops is one warning that names it, also the second time', async () => {
    await using desk = await serverWith({like});
    const flags = [
      '--public-comment',
      'Spam',
      '--reject-media',
      '--obfuscate',
      '--no-reject-reports',
      '--private-comment',
      'x',
      '--yes',
      '--json',
    ];
    for (let time = 0; time < 2; time += 1) {
      const {status, stderr} = await desk.blocks(['add', 'a.example', 'b.example', ...flags]);
      expect({status, stderr}).toEqual({
        status: 0,
        stderr: `Warning: ${new URL(desk.server.url).host} did not keep public_comment, reject_media, obfuscate as asked\n`,
      });
    }
  });
});

describe('Mastodon', () => {
  const like = 'mastodon';

  test('a domain that another block covers is held back, and is no failure of a run', async () => {
    await using desk = await serverWith({like, instances: [{domain: 'bad.example', banned: true}]});
    const many = await desk.blocks(['add', 'sub.bad.example', 'other.example', '--severity', 'silence', '--yes', '--json']);
    expect(many.status).toBe(0);
    expect(resultsIn(many)).toMatchObject([
      {target: 'sub.bad.example', ok: false, status: 422, held_back: 'covered', error: {message: expect.stringContaining('bad.example')}},
      {target: 'other.example', ok: true},
    ]);
    const one = await desk.blocks(['add', 'sub.bad.example', '--severity', 'silence', '--yes']);
    expect(one).toMatchObject({
      status: 5,
      stderr: expect.stringContaining('is covered by the block of bad.example, with the severity suspend'),
    });
    expect(desk.sent().filter((line) => line.startsWith('PUT'))).toEqual([]);
  });

  test('a standing block without what was asked is refused: nothing is dropped there', async () => {
    await using desk = await serverWith({like, instances: [{domain: 'bad.example', banned: true}]});
    const {status, stderr} = await desk.blocks(['add', 'bad.example', '--public-comment', 'Spam', '--yes']);
    expect({status, stderr}).toMatchObject({status: 5, stderr: expect.stringContaining('what differs: public_comment')});
  });

  test('all settings are kept, and nothing is read before', async () => {
    await using desk = await serverWith({like});
    const flags = ['--public-comment', 'Spam', '--reject-media', '--reject-reports', '--obfuscate'];
    const {stderr, stdout} = await desk.blocks(['add', 'a.example', ...flags, '--yes', '--json']);
    expect({stderr, entry: JSON.parse(stdout)}).toMatchObject({
      stderr: '',
      entry: {public_comment: 'Spam', reject_media: true, reject_reports: true, obfuscate: true},
    });
    expect(new Set(desk.sent())).toEqual(new Set(['GET /api/v1/instance', `POST ${path}`]));
  });
});

describe('a first answer that is lost, and a second one that refuses', () => {
  const entry = {id: '7', domain: 'a.example', severity: 'silence', private_comment: 'x', public_comment: null, created_at: 'now'};
  const block = {...entry, reject_media: false, reject_reports: false, obfuscate: false};
  const other = {...block, severity: 'suspend', private_comment: 'y'};

  const seconds: Readonly<Record<string, Answered>> = {
    400: {status: 400, text: '{"error":"No"}'},
    403: {status: 403, text: '{"error":"This action is not allowed"}'},
    422: {status: 422, text: '{"error":"Validation failed: No"}'},
    '422 with the block': {status: 422, text: JSON.stringify({error: 'It exists', existing_domain_block: block})},
    '422 with another block': {status: 422, text: JSON.stringify({error: 'It exists', existing_domain_block: other})},
    429: {status: 429, text: '{"error":"Slow down"}', headers: {'retry-after': '3600'}},
    500: {status: 500, text: '{"error":"Server Error"}'},
    'a lost connection': {text: '', lost: 'before'},
    'a redirect': {status: 302, text: '', headers: {location: '/i/web'}},
  };

  const writes = [
    {method: 'POST', words: ['add', 'a.example', '--severity', 'silence', '--private-comment', 'x'], done: block, open: []},
    {method: 'PUT', words: ['update', '7', '--severity', 'silence', '--private-comment', 'x'], done: block, open: other},
    {method: 'DELETE', words: ['remove', '7'], done: undefined, open: block},
  ];

  const cases = writes.flatMap((write) => Object.keys(seconds).map((second) => ({...write, second})));

  /** @param there what the server has afterwards */
  async function outcome({method, words, second}: (typeof cases)[number], there: unknown) {
    let count = 0;
    const answers: Readonly<Record<string, () => Answered>> = {
      '/api/v1/instance': () => ({text: '{"version":"4.5.0"}'}),
      [path]: () => ({text: JSON.stringify([there].flat().filter(Boolean))}),
      // Before the change it is the other one.
      [`${path}/7`]: () => {
        const now = count === 0 ? other : there;
        return now === undefined ? {status: 404, text: '{"error":"Record not found"}'} : {text: JSON.stringify(now)};
      },
    };
    await using server = await serverThat((received) => {
      if (received.method !== method) return answers[received.target]?.() ?? {status: 404, text: '{"error":"Record not found"}'};
      count += 1;
      return count === 1 ? {text: '', lost: 'before'} : (seconds[second] ?? {text: ''});
    });
    return await run(['admin', 'domain-blocks', ...words, '--yes', '--json', '--max-wait', '1', '--retries', '1'], {env: server.env});
  }

  test.concurrent.each(cases)('a write that a read shows is done: $method, then $second', async (each) => {
    const {status, stdout, stderr} = await outcome(each, each.done);
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect(JSON.parse(stdout)).toEqual(each.done ?? {});
  });

  test.concurrent.each(cases.filter(({method, second}) => method !== 'DELETE' && !(method === 'POST' && second === '422 with the block')))(
    'a write that a read does not show is of unknown fate: $method, then $second',
    async (each) => {
      const {status, stderr} = await outcome(each, each.open);
      expect(status).not.toBe(0);
      expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({fate: 'unknown'});
    },
  );

  test.concurrent.each(cases.filter(({method}) => method === 'DELETE'))(
    'a removal was not carried out where the block still stands: $second',
    async (each) => {
      const {status, stderr} = await outcome(each, each.open);
      expect(status).not.toBe(0);
      const {error} = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
      expect(error).not.toHaveProperty('fate');
      expect(error.message).toContain('this was not carried out');
    },
  );
});
