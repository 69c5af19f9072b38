/** Servers that a server knows: found by their domains, and moderated with one request for each flag that differs. */
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import nock from 'nock';
import {afterEach, describe, expect, test} from 'vitest';
import {runCommand, server, serverThatSays} from '../run-command.js';
import {newFolder} from '../new-folder.js';

const path = '/api/admin/instances';

interface Known {
  readonly id: number;
  readonly domain: string;
  banned?: boolean;
  unlisted?: boolean;
  auto_cw?: boolean;
  readonly notes?: unknown;
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

afterEach(() => nock.cleanAll());

const one: Known = {id: 5, domain: 'bad.example'};

describe('instances moderate', () => {
  test('one request is sent for each flag that differs, and the last answer is printed', async () => {
    const {set, looked} = knowing([{...one, banned: true}]);
    const {status, stdout} = await runCommand('instances moderate BAD.example --auto-cw --unlisted --banned --yes --json'.split(' '));
    expect(status).toBe(0);
    expect(looked).toEqual(['bad.example']);
    expect(set).toEqual(['5 unlisted true', '5 auto_cw true']);
    expect(JSON.parse(stdout).data).toMatchObject({id: 5, auto_cw: true});
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

  test('nothing is set where all is as asked, and the server is printed as it was read', async () => {
    const {set} = knowing([{...one, banned: true}]);
    const {status, stdout} = await runCommand('instances moderate bad.example --banned --no-unlisted --yes --json'.split(' '));
    expect({status, set}).toEqual({status: 0, set: []});
    expect(JSON.parse(stdout)).toEqual({data: {unlisted: false, auto_cw: false, ...one, banned: true}});
  });

  test.each([
    ['--banned', '`pixelctl admin domain-blocks add gone.example` blocks servers that are not known yet'],
    ['--unlisted', '`pixelctl admin domain-blocks add gone.example` blocks servers that are not known yet'],
    ['--auto-cw', '`pixelctl instances list --query=gone.example` lists those with this text in their domain'],
    ['--no-banned', '`pixelctl instances list --query=gone.example` lists those with this text in their domain'],
  ])('a server that is not known is not set to %s', async (flag, hint) => {
    knowing([one]);
    const {status, stderr} = await runCommand(['instances', 'moderate', 'gone.example', flag, '--yes']);
    expect({status, stderr}).toEqual({status: 4, stderr: `Error: pix.example does not know gone.example\nHint: ${hint}\n`});
  });

  test('a dry run names one request for each flag', async () => {
    const {stdout} = await runCommand('instances moderate bad.example --no-unlisted --banned --dry-run --json'.split(' '));
    expect(JSON.parse(stdout).requests.map(({body}: {readonly body: unknown}) => body)).toEqual([
      {id: '<id of bad.example>', key: 'banned', value: true},
      {id: '<id of bad.example>', key: 'unlisted', value: false},
    ]);
  });

  test('at least one flag is needed', async () => {
    const {status, stderr} = await runCommand(['instances', 'moderate', 'bad.example']);
    expect({status, stderr}).toEqual({
      status: 2,
      stderr: 'Error: Nothing to change\nHint: see `pixelctl instances moderate --help`\n',
    });
  });

  test('a journal keeps what was done, and a second run does the rest', async () => {
    const journal = join(newFolder(), 'journal');
    const domains = `${journal}.txt`;
    writeFileSync(domains, 'domain,severity\nbad.example,suspend\nother.example,silence\n');
    const line = ['instances', 'moderate', '--from', domains, '--banned', '--yes', '--journal', journal, '-o', 'ndjson'];
    const {set: first} = knowing([one]);
    expect((await runCommand(line)).status).toBe(11);
    nock.cleanAll();
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
});

test('an id is shown without looking for a domain', async () => {
  nock(server)
    .get(`${path}/get`)
    .query({id: '7'})
    .reply(200, {data: {id: 7, domain: 'x.example', notes: 'A\u001b[1m'}});
  const {stdout} = await runCommand(['instances', 'get', '7', '--fields', 'id,notes']);
  expect(stdout).toContain('A␛[1m');
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
});
