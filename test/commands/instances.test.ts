/** Servers that a server knows: found by their domains, and moderated with one request for each flag that differs. */
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import nock from 'nock';
import {describe, expect, test} from 'vitest';
import {runCommand, server, serverThatSays} from '../run-command.js';

const path = '/api/admin/instances';

interface Known {
  readonly id: number;
  readonly domain: string;
  banned?: boolean;
  unlisted?: boolean;
  auto_cw?: boolean;
}

interface Pixelfed {
  /** What was set, in order: `5 banned true`. */
  readonly set: string[];
  /** Domains that were looked for. */
  readonly looked: string[];
}

/** A server that knows these. @param fails the keys that cannot be set */
function knowing(all: readonly Known[], fails: readonly string[] = []): Pixelfed {
  const [set, looked]: [string[], string[]] = [[], []];
  const full = (one: Known) => ({unlisted: false, auto_cw: false, banned: false, ...one});
  let q = '';
  serverThatSays();
  nock(server)
    .persist()
    .get(`${path}/list`)
    .query((query) => {
      // Asked of other requests as well.
      if (query['q'] !== undefined) looked.push((q = String(query['q'])));
      return query['sort'] === 'asc' && query['sort_by'] === 'id';
    })
    .reply(() => [200, {data: all.filter(({domain}) => domain.includes(q)).map(full), meta: {next_cursor: null}}]);
  nock(server)
    .persist()
    .post(`${path}/moderate`)
    .reply(async (request: Request) => {
      const {id, key, value}: {readonly id: string; readonly key: string; readonly value: boolean} = JSON.parse(await request.text());
      if (fails.includes(key)) return [422, {message: 'No', errors: {key: ['No']}}];
      const one = all.find((each) => String(each.id) === id);
      set.push(`${id} ${key} ${value}`);
      return [200, {data: full({...Object(one), [key]: value})}];
    });
  return {set, looked};
}

/** For what is not asked for. */
function unused(): void {
  nock.cleanAll();
}

const one: Known = {id: 5, domain: 'bad.example'};

describe('instances moderate', () => {
  test('one request is sent for each flag that differs, and the last answer is printed', async () => {
    const {set, looked} = knowing([{...one, banned: true}]);
    const {status, stdout} = await runCommand([
      'instances',
      'moderate',
      'BAD.example',
      '--auto-cw',
      '--unlisted',
      '--banned',
      '--yes',
      '--json',
    ]);
    expect(status).toBe(0);
    expect(looked).toEqual(['bad.example']);
    expect(set).toEqual(['5 unlisted true', '5 auto_cw true']);
    expect(JSON.parse(stdout).data).toMatchObject({id: 5, auto_cw: true});
    unused();
  });

  test('nothing is sent where nothing is to be changed, and the server is printed as it was read', async () => {
    const {set} = knowing([{...one, unlisted: true}]);
    const line = ['instances', 'moderate', 'bad.example', 'https://BAD.example/', '--no-banned', '--unlisted', '--yes'];
    const {status, stdout} = await runCommand([...line, '-o', 'ndjson']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      target: 'bad.example',
      ok: true,
      status: 200,
      body: {data: {id: 5, domain: 'bad.example', unlisted: true, auto_cw: false, banned: false}},
    });
    expect(set).toEqual([]);
    unused();
  });

  test('a failure between two requests names what was done before it', async () => {
    knowing([one, {id: 6, domain: 'other.example'}], ['unlisted']);
    const line = ['instances', 'moderate', 'bad.example', 'other.example', '--banned', '--unlisted', '--yes'];
    const {status, stdout} = await runCommand([...line, '-o', 'ndjson']);
    expect(status).toBe(11);
    for (const text of stdout.trimEnd().split('\n'))
      expect(JSON.parse(text)).toMatchObject({
        ok: false,
        status: 422,
        error: {code: 'refused', done: ['banned'], message: expect.stringContaining('done already: banned')},
      });
  });

  test('a server is found by exactly its host', async () => {
    const {set} = knowing([
      {id: 1, domain: 'www.bad.example'},
      {id: 2, domain: 'Bad.Example'},
      {id: 3, domain: 'bad.example'},
      {id: 4, domain: 'bad.example.org'},
    ]);
    await runCommand(['instances', 'moderate', 'bad.example', '--banned', '--yes', '--quiet']);
    expect(set).toEqual(['3 banned true']);
  });

  test('a server that was stored in another form is found', async () => {
    const {set} = knowing([{id: 2, domain: 'bad.example.'}]);
    await runCommand(['instances', 'moderate', 'bad.example', '--banned', '--yes', '--quiet']);
    expect(set).toEqual(['2 banned true']);
  });

  test('a server that is not known is not found, and the hint says what blocks it', async () => {
    knowing([{id: 1, domain: 'www.bad.example'}]);
    const {status, stderr} = await runCommand(['instances', 'moderate', 'bad.example', '--banned', '--yes']);
    expect(status).toBe(4);
    expect(stderr).toContain('pix.example does not know bad.example');
    expect(stderr).toContain('pixelctl admin domain-blocks add bad.example');
    unused();
  });

  test.each([
    ['get', 'bad.example'],
    ['moderate', 'bad.example', '--no-banned', '--auto-cw', '--yes'],
  ])('who does not want to block a server that is not known is not told how: instances %s', async (...words) => {
    knowing([{id: 1, domain: 'www.bad.example'}]);
    const {status, stderr} = await runCommand(['instances', ...words]);
    expect({status, stderr}).toEqual({
      status: 4,
      stderr: expect.stringMatching(
        /^Error: pix\.example does not know bad\.example\nHint: `pixelctl instances list --query=bad\.example \S+ lists those/,
      ),
    });
    unused();
  });

  test.each([['--banned'], ['--unlisted']])('the server itself, above or below, is refused as an argument with %s', async (flag) => {
    for (const domain of ['pix.example', 'www.pix.example'])
      expect(await runCommand(['instances', 'moderate', 'bad.example', domain, flag, '--yes'])).toMatchObject({
        status: 2,
        stderr: expect.stringContaining(`${domain} is this server, above it or below it: nothing was sent`),
      });
  });

  test('the server itself is held back from a list, and said', async () => {
    const {set} = knowing([one]);
    const line = ['instances', 'moderate', '-', '--banned', '--yes', '-o', 'ndjson'];
    const {status, stdout, stderr} = await runCommand(line, {input: 'pix.example\nbad.example\n'});
    expect(status).toBe(0);
    expect(stderr).toContain('pix.example');
    expect(stdout.split('\n')[0]).toContain('"held_back":"own_server"');
    expect(set).toEqual(['5 banned true']);
  });

  test('the server itself can be made free again, and marked with content warnings', async () => {
    const {set} = knowing([{id: 9, domain: 'pix.example', banned: true}]);
    await runCommand(['instances', 'moderate', 'pix.example', '--no-banned', '--auto-cw', '--yes', '--quiet']);
    expect(set).toEqual(['9 banned false', '9 auto_cw true']);
  });

  test('at least one flag is needed', async () => {
    const {status, stderr} = await runCommand(['instances', 'moderate', 'bad.example']);
    expect({status, stderr}).toEqual({
      status: 2,
      stderr: 'Error: Missing: --[no-]banned, --[no-]unlisted or --[no-]auto-cw\nHint: see `pixelctl instances moderate --help`\n',
    });
  });

  test('the question names the servers and what is done to them', async () => {
    serverThatSays();
    const line = ['instances', 'moderate', 'bad.example', 'other.example', '--banned', '--no-unlisted'];
    const {stderr} = await runCommand(line, {typing: 'n\n'});
    expect(stderr).toContain('Ban and relist bad.example, other.example on pix.example?');
  });

  test('a dry run prints a request for each flag, with a placeholder for the id', async () => {
    const {stdout} = await runCommand(['instances', 'moderate', 'bad.example', '--banned', '--no-auto-cw', '--dry-run', '--json']);
    expect(JSON.parse(stdout).requests.map(({body}: {readonly body: unknown}) => body)).toEqual([
      {id: '<id of bad.example>', key: 'banned', value: true},
      {id: '<id of bad.example>', key: 'auto_cw', value: false},
    ]);
  });

  test('a journal keeps what was done, and a second run does the rest', async () => {
    const journal = join(mkdtempSync(join(tmpdir(), 'pixelctl-instances-')), 'journal');
    const domains = `${journal}.txt`;
    writeFileSync(domains, 'domain,severity\nbad.example,suspend\nother.example,silence\n');
    const line = ['instances', 'moderate', '--from', domains, '--banned', '--yes', '--journal', journal, '-o', 'ndjson'];
    const {set: first} = knowing([one]);
    expect((await runCommand(line)).status).toBe(11);
    unused();
    const {set: second} = knowing([one, {id: 6, domain: 'other.example'}]);
    expect((await runCommand(line)).status).toBe(0);
    expect([first, second]).toEqual([['5 banned true'], ['6 banned true']]);
    expect(readFileSync(journal, 'utf8')).toContain('other.example');
  });

  test('servers are changed one after the other', async () => {
    const all = Array.from({length: 6}, (_, index): Known => ({id: index + 1, domain: `s${index + 1}.example`}));
    const {set} = knowing(all);
    const domains = all.map(({domain}) => domain);
    await runCommand(['instances', 'moderate', ...domains, '--banned', '--unlisted', '--yes', '--quiet']);
    expect(set).toEqual(all.flatMap(({id}) => [`${id} banned true`, `${id} unlisted true`]));
  });
});

describe('instances refresh', () => {
  test('servers are found by their domains, and counted by their ids', async () => {
    knowing([one, {id: 6, domain: 'other.example'}]);
    const counted: string[] = [];
    nock(server)
      .persist()
      .post(`${path}/refresh-stats`)
      .reply(async (request: Request) => {
        const {id}: {readonly id: string} = JSON.parse(await request.text());
        counted.push(id);
        return [200, {data: {id: Number(id), domain: Number(id) === 5 ? 'bad.example' : 'other.example', user_count: 3, status_count: 9}}];
      });
    const {status, stdout} = await runCommand(['instances', 'refresh', 'BAD.example', 'other.example', '-o', 'ndjson']);
    expect(status).toBe(0);
    expect(counted.toSorted()).toEqual(['5', '6']);
    expect(stdout.split('\n')[0]).toContain('"target":"BAD.example","ok":true,"status":200,"body":{"data":{"id":5,');
    unused();
  });

  test('nothing is asked before servers are counted', async () => {
    knowing([one]);
    nock(server)
      .post(`${path}/refresh-stats`, {id: '5'})
      .reply(200, {data: {id: 5, domain: 'bad.example', user_count: 3}});
    const {status, stdout} = await runCommand(['instances', 'refresh', 'bad.example']);
    expect({status, stdout}).toEqual({status: 0, stdout: expect.stringContaining('accounts  3')});
    unused();
  });
});

test('an id is shown without looking for a domain', async () => {
  nock(server)
    .get(`${path}/get`)
    .query({id: '7'})
    .reply(200, {data: {id: 7, domain: 'x.example', notes: 'A\u001b[1m'}});
  const {stdout} = await runCommand(['instances', 'get', '7', '--fields', 'id,notes']);
  expect(stdout).toContain('A␛[1m');
});

test('the item of instances get is the server, in every format', async () => {
  nock(server)
    .persist()
    .get(`${path}/get`)
    .query(true)
    .reply(200, {data: {id: 7, domain: 'x.example'}});
  expect((await runCommand(['instances', 'get', '7', '-o', 'csv'])).stdout).toBe('id,domain\r\n7,x.example\r\n');
  expect((await runCommand(['instances', 'get', '7', '-o', 'ndjson'])).stdout).toBe('{"id":7,"domain":"x.example"}\n');
  expect((await runCommand(['instances', 'get', '7', '--json'])).stdout).toBe('{"data":{"id":7,"domain":"x.example"}}\n');
});

test('several servers are shown as results, in the order given, and what is not known fails alone', async () => {
  knowing([one, {id: 6, domain: 'other.example'}]);
  nock(server)
    .persist()
    .get(`${path}/get`)
    .query(true)
    .reply((request: Request) => {
      const id = Number(new URL(request.url).searchParams.get('id'));
      return [200, {data: {id, domain: id === 6 ? 'other.example' : 'bad.example'}}];
    });
  const {status, stdout} = await runCommand(['instances', 'get', '5', '--from', '-', '--concurrency', '1', '--json'], {
    input: 'gone.example\nother.example\n',
  });
  expect(status).toBe(11);
  expect(JSON.parse(stdout)).toEqual([
    {target: '5', ok: true, status: 200, body: {data: {id: 5, domain: 'bad.example'}}},
    {target: 'gone.example', ok: false, status: null, error: expect.objectContaining({code: 'not_found'})},
    {target: 'other.example', ok: true, status: 200, body: {data: {id: 6, domain: 'other.example'}}},
  ]);
  unused();
});

test('a server without this API is not one of an admin who lacks a scope', async () => {
  nock(server).get(`${path}/list`).query(true).reply(404, {error: 'The route api/admin/instances/list could not be found.'});
  expect((await runCommand(['instances', 'list'])).status).toBe(4);
});
