/** E-mail and IP addresses of people: where they are shown, and where they never are. */
import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {recordedSandbox, serverThat, type Answered} from './server.js';

const addresses = /deals10@example\.com|198\.51\.100\./;

/** All that is in the files of a folder. */
const textsIn = (folder: string): string =>
  globSync('**/*', {cwd: folder, withFileTypes: true})
    .filter((one) => one.isFile())
    .map(({parentPath, name}) => readFileSync(join(parentPath, name), 'utf8'))
    .join('');

const server = await recordedSandbox({limitsRate: false});
afterAll(() => server[Symbol.asyncDispose]());

async function asked(words: readonly string[], more: {readonly stdin?: string; readonly columns?: number; readonly typing?: string} = {}) {
  const before = server.exchanges.length;
  const folder = newFolder();
  const env = {
    ...server.env,
    PIXELCTL_TOKEN: server.sandbox.tokens.admins['admin'] ?? '',
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
  const ended = await run(words, {env, folder, ...more});
  const received = server.exchanges
    .slice(before)
    .map(({answered: {text = ''}}) => text)
    .join('');
  return {...ended, received, kept: textsIn(folder)};
}

const list = ['users', 'list', '--query', 'deals10'];
const get = ['users', 'get', '@deals10'];
const update = ['users', 'update', '@deals10', '@deals18', '--cw', '--yes'];
const raw = ['api', 'GET', '/api/admin/users/list?q=deals10'];

describe('addresses are shown', () => {
  test.each([
    ...[list, get, update, raw].flatMap((words) => [[[...words, '--json']], [[...words, '-o', 'ndjson']], [[...words, '--jq', '.']]]),
    ...[list, get, raw].flatMap((words) => [[[...words, '-o', 'csv', '--show-private']], [[...words, '-o', 'yaml', '--show-private']]]),
    ...[list, get, ['users', 'update', '@deals10', '--cw', '--yes', '-o', 'table']].flatMap((words) => [[[...words, '--show-private']]]),
    [[...list, '--fields', 'user,registered from']],
    [[...list, '-o', 'csv', '--fields', 'id,email']],
    [[...list, '--fields', 'app_register_ip']],
    [[...get, '-o', 'yaml', '--fields', 'data.email']],
    [[...update, '-o', 'csv', '--fields', 'target,body.data.email']],
  ])('%j', async (words) => {
    expect((await asked(words)).stdout).toMatch(addresses);
  });
});

describe('addresses are not shown', () => {
  test.each([
    ...[list, get, update, raw].flatMap((words) => [[[...words, '-o', 'csv']], [[...words, '-o', 'tsv']], [[...words, '-o', 'yaml']]]),
    [list],
    [get],
    [update],
    [[...list, '-o', 'csv', '--fields', 'id,username']],
    [[...get, '-o', 'csv', '--fields', 'data']],
    [[...list, '--all-profiles']],
    [[...update, '-o', 'csv', '--fields', 'body']],
    [[...update, '-o', 'yaml', '--fields', 'target,body.data']],
    [[...list, '-o', 'tsv', '--fields', 'username', '-v']],
    [[...get, '-v']],
    [[...raw, '-v', '-o', 'yaml']],
    [[...update, '-v', '--journal', 'journal', '--save', 'saved']],
    [[...update, '-o', 'csv', '--journal', 'journal', '-v']],
    [['users', 'delete', '@crypto11', '--yes', '--allow-deletions', '1', '--save', 'saved', '-v']],
  ])('%j', async (words) => {
    const {stdout, stderr, kept, received} = await asked(words);
    expect(stdout + stderr + kept).not.toMatch(addresses);
    // They would have been there.
    if (!words.includes('--all-profiles')) expect(received).toMatch(addresses);
  });

  test('in a question', async () => {
    const {stderr} = await asked(['users', 'delete', '@deals10'], {typing: 'n\n', columns: 100});
    expect(stderr).toContain('@deals10, ');
    expect(stderr).not.toMatch(addresses);
  });

  test('in the header of an empty list', async () => {
    expect((await asked(['users', 'list', '--query', 'nobody-here', '-o', 'csv'])).stdout).toMatch(/^id,profile_id,.*,register_source,has/);
  });

  test('in the error of a filter that fails on the response', async () => {
    const {stderr, status} = await asked(['users', 'update', '@deals10', '--cw', '--yes', '--json', '--jq', '.data.name | error']);
    expect(status).toBe(9);
    expect(JSON.parse(stderr).error.body.data).toMatchObject({username: 'deals10'});
    expect(stderr).not.toMatch(addresses);
  });

  const quoting = ['--jq', '[.. | objects | select(has("email"))] | error'];
  test.each([
    [list],
    [[...list, '--show-private']],
    [[...list, '--json']],
    [[...list, '--all']],
    [[...list, '-o', 'ndjson']],
    [get],
    [update],
    [['users', 'update', '@deals10', '--cw', '--yes', '--json']],
    [raw],
  ])('in the error of jq: %j', async (words) => {
    const {stdout, stderr, status} = await asked([...words, ...quoting]);
    expect({status, stdout}).toEqual({status: 9, stdout: ''});
    expect(stderr).toMatch(/--jq failed on the res(?:ponse|ults): the filter does not fit a value/);
    expect(stderr).not.toMatch(addresses);
  });

  test.each([
    '/api/%61dmin/users/list',
    '/api/%2561dmin/users/list',
    '/%61%70%69/adm%69n/users/list',
    '/api%2fadmin%2fusers/list',
    '/api//admin//users/list',
    '/api/./admin/x/../users/list',
    '/x/%2e%2e/api/admin/users/list',
    '/API/Admin/users/list',
    '/index.php/api/admin/users/list',
    'api/admin/users/list?q=deals10&_=/api/v1',
    '/api\\admin\\users\\list',
    '/api/v1/admin/users/list',
  ])('of the path %s', async (path) => {
    const user = {id: '7', username: 'deals10', email: 'deals10@example.com', app_register_ip: '198.51.100.1'};
    await using server = await serverThat(() => ({text: JSON.stringify([user])}));
    for (const flags of [
      ['-o', 'table'],
      ['-o', 'csv'],
      ['-o', 'yaml'],
      ['-v', '-o', 'tsv'],
      ['--jq', '.[0] | error'],
    ]) {
      const {stdout, stderr} = await run(['api', path, ...flags], {env: server.env});
      expect(stdout + stderr).not.toMatch(addresses);
      expect(stdout + stderr).toMatch(/deals10|--jq failed/);
    }
  });

  const user = '{"id":"7","profile_id":"17","username":"deals10","email":"deals10@example.com","app_register_ip":"198.51.100.1"';
  test.each<[string, Answered]>([
    ['is cut short', {text: `{"data":[${user}`}],
    ['has members of other types', {text: `{"data":[${user.replace('"deals10@example.com"', '["deals10@example.com"]')}}],"meta":{}}`}],
    ['is another shape', {text: `{"data":${user}}}`}],
    ['is an error', {status: 500, text: `{"error":"Server Error","user":${user}}}`}],
    ['is an error with fields', {status: 500, text: `{"errors":{"user":[]},"data":${user}}}`}],
    ['is no JSON', {status: 404, text: `<p>${user}}</p>`}],
  ])('in what is said of an answer that %s', async (_, answer) => {
    await using server = await serverThat(() => answer);
    for (const words of [list, get, ['users', 'delete', '7', '@deals10', '--yes', '--allow-deletions', '2']])
      for (const flags of [[], ['--json'], ['--strict', '-v'], ['-o', 'csv']]) {
        const {stderr} = await run([...words, ...flags, '--retries', '0'], {env: server.env});
        expect(stderr).not.toMatch(addresses);
      }
  });

  test('a resumed run prints results without them', async () => {
    await using server = await recordedSandbox({limitsRate: false});
    const folder = newFolder();
    const env = {...server.env, PIXELCTL_TOKEN: server.sandbox.tokens.admins['admin'] ?? ''};
    const again = () => run([...update, '--json', '--journal', 'journal'], {env, folder});
    await again();
    const {stdout} = await again();
    expect(JSON.parse(stdout)).toMatchObject([{ok: true, resumed: true, body: {data: {username: 'deals10'}}}, {resumed: true}]);
    expect(stdout).not.toMatch(addresses);
  });
});
