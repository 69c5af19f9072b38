/** What `validate` says of policies and lists: how much they want, and what is wrong with them. It uses no server and no token. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {newFolder} from '../../new-folder.js';
import {serverThat} from '../../server.js';
import {deskAt, run as runAt} from './desk.js';

const policy = `version: 1
server: pix.example
domain_blocks:
  must: [bad.example, {domain: over.example, until: 2020-01-01}]
  must_not: {domains: [fine.example], lists: [{file: allowed.txt}]}
  lists: [{file: tier0.csv, min_severity: suspend}, {file: more.txt}]
filters:
  must: [{title: Spoilers, context: [home], keywords: [spoiler]}]
blocks: {must: ['@bob@pix.example'], must_not: ['@ana@pix.example', '@zoe@pix.example']}
for:
  zoe@pix.example: {domain_blocks: {must: [extra.example]}}
  ana@pix.example: {mutes: {must: ['@loud@pix.example']}}
`;

const files = {
  'p.yml': policy,
  'allowed.txt': 'allowed.example\nmore.example\n',
  'tier0.csv': '#domain,#severity\nlisted.example,suspend\nmild.example,silence\nfine.example,suspend\n',
  'more.txt': 'more.example\nbad.example\nlast.example\n',
  'mutes.json': '{"version": 1, "mutes": {"must": ["@loud@pix.example"]}}',
  'wrong.yml': 'version: 1\ndomain_blocks: {must: [bad.example], musst_not: []}\nmutes: {must: 3}\n',
  'other.yml': 'version: 1\nblocks:\n  must: ["a b"]\n',
};

const row = (account: string | null, section: string, [wanted, forbidden, lists]: readonly [number, number, number], name = 'p.yml') => ({
  policy: name,
  account,
  section,
  wanted,
  forbidden,
  lists,
});

const counts = [
  row(null, 'domain_blocks', [3, 3, 3]),
  row(null, 'filters', [1, 0, 0]),
  row(null, 'blocks', [1, 2, 0]),
  row('zoe@pix.example', 'domain_blocks', [4, 3, 3]),
  row('ana@pix.example', 'mutes', [1, 0, 0]),
];

/** A folder with the files, on a machine without any settings. */
const desk = () => deskAt({env: {}}, files);

/** Settings that no other command can work with. */
function brokenSettings() {
  const folder = newFolder();
  writeFileSync(join(folder, 'profiles.json'), '{"profiles": [', {mode: 0o600});
  return {
    PIXELCTL_CONFIG_DIR: folder,
    PIXELCTL_PROFILE: 'nobody',
    PIXELCTL_TOKEN_FILE: join(folder, 'none'),
    PIXELCTL_SERVER: 'http://[::',
  };
}

describe('shows how much policies want', () => {
  test('by section, and by account where the rules of one differ', async () => {
    const {stdout, stderr, status} = await desk().run('validate', 'p.yml');
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      'policy  account          section        wanted  forbidden  lists',
      'p.yml   any              domain_blocks  3       3          3',
      'p.yml   any              filters        1       0          0',
      'p.yml   any              blocks         1       2          0',
      'p.yml   zoe@pix.example  domain_blocks  4       3          3',
      'p.yml   ana@pix.example  mutes          1       0          0',
      '',
    ]);
    expect({stderr, status}).toEqual({stderr: 'tier0.csv: skipped 1 entry below min_severity\n', status: 0});
  });

  test('of several files, as JSON', async () => {
    const {stdout, stderr, status} = await desk().run('validate', 'mutes.json', 'p.yml', '--json');
    expect(JSON.parse(stdout)).toEqual([row(null, 'mutes', [1, 0, 0], 'mutes.json'), ...counts]);
    expect({stderr, status}).toEqual({stderr: '', status: 0});
  });

  test('of standard input, beside a file', async () => {
    const {folder} = desk();
    const {stdout} = await runAt(['validate', '-', 'mutes.json', '-o', 'ndjson'], {env: {}, folder, stdin: policy});
    const rows = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(rows).toEqual([...counts.map((one) => ({...one, policy: '-'})), row(null, 'mutes', [1, 0, 0], 'mutes.json')]);
  });

  test('says so where there is no rule', async () => {
    const {folder} = desk();
    expect(await runAt(['validate', '-'], {env: {}, folder, stdin: 'version: 1\n'})).toMatchObject({
      stdout: '',
      stderr: 'No rules.\n',
      status: 0,
    });
  });
});

describe('names mistakes (2)', () => {
  test('of all files with line and column, one on a line', async () => {
    const {stdout, stderr, status} = await desk().run('validate', 'wrong.yml', 'mutes.json', 'other.yml');
    expect({stdout, status}).toEqual({stdout: '', status: 2});
    expect(stderr).toMatch(
      /^wrong\.yml has 2 mistakes\nwrong\.yml:2:38: unknown key "musst_not"; .*\nwrong\.yml:3:15: .*\nother\.yml:3:10: "a b" is not an account.*\nError: 2 files cannot be used\nHint: /,
    );
  });

  test('of standard input, as JSON', async () => {
    const {folder} = desk();
    const {stdout, stderr, status} = await runAt(['validate', '-', '--json'], {env: {}, folder, stdin: 'version: 1\nmutes: {must: 3}\n'});
    expect({stdout, status}).toEqual({stdout: '', status: 2});
    expect(JSON.parse(stderr)).toMatchObject({error: {code: 'usage', message: expect.stringMatching(/^-:2:15: /)}});
  });
});

describe('uses no server, no profile and no token', () => {
  test('where those that are configured are broken', async () => {
    const {folder} = desk();
    const env = brokenSettings();
    expect((await runAt(['audit', 'p.yml'], {env, folder})).status).not.toBe(0);
    const {stdout, status} = await runAt(['validate', 'p.yml', '--json'], {env, folder});
    expect({counts: JSON.parse(stdout), status}).toEqual({counts, status: 0});
  });

  test('where they work', async () => {
    await using server = await serverThat(async () => ({status: 200, text: '[]'}));
    const {status} = await deskAt(server, files).run('validate', 'p.yml', 'mutes.json');
    expect({status, exchanges: server.exchanges}).toEqual({status: 0, exchanges: []});
  });

  test('but fetches lists where that is allowed, without a token', async () => {
    const published = [
      {domain: 'one.example', severity: 'suspend'},
      {domain: 'two.example', severity: 'suspend'},
    ];
    await using server = await serverThat(async () => ({status: 200, text: JSON.stringify(published)}));
    const place = deskAt(server, {'p.yml': `version: 1\ndomain_blocks: {lists: [{server: '${server.url}'}]}\n`});
    const {stdout} = await place.run('validate', 'p.yml', '--allow-remote-lists', '--json');
    expect(JSON.parse(stdout)).toEqual([row(null, 'domain_blocks', [2, 0, 1])]);
    const sent = server.exchanges.map(({received: {target, headers}}) => [target, headers['authorization']]);
    expect(sent).toEqual([['/api/v1/instance/domain_blocks', undefined]]);
  });
});

test('answers as apply does to a list on the web', async () => {
  await using server = await serverThat(async () => ({status: 200, text: '[]'}));
  const place = deskAt(server, {'p.yml': 'version: 1\ndomain_blocks: {lists: [{url: "https://pix.example/list.txt"}]}\n'});
  const [validated, applied] = [await place.run('validate', 'p.yml'), await place.run('apply', 'p.yml', '--yes')];
  expect(validated.stderr).toMatch(/^Error: p\.yml:2 names a list on the web, .*\nHint: .*--allow-remote-lists/);
  expect(validated).toMatchObject({stderr: applied.stderr, status: applied.status});
  expect(server.exchanges).toEqual([]);
});
