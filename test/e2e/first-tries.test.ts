/** What people type first who know other tools, as they type it. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {complaint, suggestionsIn} from '../command-lines.js';
import {wordsOfShell} from '../shell-words.js';
import {account} from './demo-world.js';
import {run} from './in-process.js';
import {newFolder, runShell} from './program.js';
import {recordedSandbox, serverThat} from './server.js';
import {machineWith, profileOn} from './signing-in.js';
import {failing} from './told.js';

describe('what is piped in and not read', () => {
  test.concurrent.each([
    ['printf @sly | pixelctl blocks contains', 'ACCOUNT'],
    ['printf @sly | pixelctl blocks add --yes', 'ACCOUNT'],
    ['pixelctl domain-blocks add --yes < list.txt', 'DOMAIN'],
    ['printf Hello | pixelctl dm send @bob', 'MESSAGE'],
    ['printf @bob | pixelctl dm start', 'RECIPIENT'],
    ['printf "version: 1" | pixelctl plan', 'POLICY'],
    ['printf "version: 1" | pixelctl audit', 'POLICY'],
  ])('%s', async (line, argument) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'list.txt'), 'bad.example\n');
    const {status, stderr} = await runShell(line, {env: {PIXELCTL_SERVER: 'http://127.0.0.1:1', PIXELCTL_TOKEN: 'x'}, folder});
    expect(status).toBe(2);
    expect(stderr).toContain(`Hint: to read standard input, pass - as ${argument}\n`);
  });

  test.concurrent('is not asked for where nothing is piped in', async () => {
    const {stderr} = await runShell('pixelctl blocks contains < /dev/null', {env: {PIXELCTL_SERVER: 'http://127.0.0.1:1'}});
    expect(stderr).toContain('Hint: see `pixelctl blocks contains --help`');
  });
});

test.concurrent.each([
  ['blocks list --format json', 'use -o json, or another format; to choose fields, use --fields; to filter, --jq'],
  ['blocks list --json=id', 'to choose fields, use --fields; to filter, --jq'],
  ['blocks list --token x', 'the token comes from PIXELCTL_TOKEN or a profile'],
  ['notifications list --watch', 'did you mean --follow?'],
  ['domain-blocks add x.example --force', 'a command that destroys something asks first: see its help'],
  ['blocks list --hostname pix.example', 'did you mean --server?'],
  ['auth list', 'did you mean `pixelctl auth status`?'],
  ['admin domain-block', 'did you mean `pixelctl admin domain-blocks --help`?'],
  ['admin domain-block ls', 'did you mean `pixelctl admin domain-blocks list`?'],
  ['state rm bad.example', 'did you mean `pixelctl state forget`?'],
  ['config get', "`pixelctl config` shows the server's configuration; for profiles, see `pixelctl auth --help`"],
  ['domain-blocks add x.example -f', 'did you mean --input?'],
  ['api -X POST /api/v1/blocks', 'METHOD is an argument: `pixelctl api METHOD PATH`'],
  ['api /api/v1/blocks -F a=b', 'did you mean --field?'],
  ['dm send @bob --body hi', 'MESSAGE is an argument: `pixelctl dm send ID MESSAGE`'],
  ['apply -f p.yml', 'POLICY is an argument: `pixelctl apply POLICY`'],
  [
    'policy validate p.yml',
    '`pixelctl audit POLICY` compares an account with a policy, and `pixelctl plan POLICY` shows what would change',
  ],
  ['restore backup --at 2026-11-27', 'see `pixelctl restore --help`; put -- before an argument that begins with a dash'],
  ['dm start @bob hi', 'use @hi'],
  ['filters create Spoilers', 'the title is a flag: `pixelctl filters create --title TITLE --context home --keyword WORD`'],
  ['filters import f.json', 'create them from a policy (`pixelctl apply POLICY`) or a backup (`pixelctl restore DIR --only filters`)'],
  ['domain-blocks import list.csv', '`pixelctl domain-blocks add --from FILE` takes a list'],
])('%s: %s', async (line, hint) => {
  const {failure} = await failing(line.split(' '));
  expect(failure).toMatchObject({code: 'usage', exit: 2, hint});
});

/** From tools of servers, of infrastructure and of backups: some of each kind, one a line. */
const guesses = `
me
follow @bob
update
fmt p.yml
dm open 1
apply p.yml -n
apply p.yml --auto-approve
plan p.yml --detailed-exitcode
audit p.yml --fix
plan p.yml -out x
users suspend 1
reports get 1
admin users
snapshots
sync
export --out x
posts delete 1
notifications read
dm list --unread
blocks export
backup DIR
filters update 1 --add-keyword x
users list --search bob
notifications list -f
api x -t y
restore --from x
notifications list --since 2d
whoami
`;

test.concurrent.each(guesses.trim().split('\n'))('%s is answered with what does it here, or with what pixelctl cannot do', async (line) => {
  const {failure} = await failing(line.split(' '));
  expect(failure).toMatchObject({code: 'usage', exit: 2, hint: expect.any(String)});
  expect(failure.hint).not.toMatch(/--yes|^see `pixelctl --help`|is not a flag/);
  const general = /^see `|^it takes no arguments/.test(failure.hint ?? '');
  expect(general).toBe(line.startsWith('api '));
  expect(suggestionsIn(failure.hint ?? '').map((command) => complaint(wordsOfShell(command).slice(1)))).toEqual(
    suggestionsIn(failure.hint ?? '').map(() => undefined),
  );
});

test.concurrent('blocks list --json id,acct', async () => {
  const {status, stderr} = await run(['blocks', 'list', '--json', 'id,acct']);
  expect({status, stderr}).toEqual({
    status: 2,
    stderr: expect.stringContaining('"hint":"to choose fields, use --fields; to filter, --jq"'),
  });
});

describe('what people paste', () => {
  test.concurrent.each(['https://HOST/@ana', '@ana@HOST', 'ana@HOST', 'HOST/', 'HOST/@ana', 'https://HOST/users/ana/'])(
    'auth login %s signs in to the server of the account',
    async (pasted) => {
      const words = ['auth', 'login', pasted.replace('HOST', 'closed.localhost:1'), '--with-token', '--insecure-storage'];
      const {failure} = await failing(words, {env: {PIXELCTL_CONFIG_DIR: newFolder()}, stdin: 'token\n'});
      expect(failure).toMatchObject({code: 'unavailable', message: expect.stringContaining('closed.localhost:1')});
    },
  );

  test.concurrent('dm lookup and users get take the address of a profile', async () => {
    await using server = await serverThat(() => ({text: '[]'}));
    const address = `${server.env['PIXELCTL_SERVER']}/@ana`;
    await run(['dm', 'lookup', address], {env: server.env});
    await run(['dm', 'lookup', 'https://far.example/@bo'], {env: server.env});
    await run(['users', 'get', address], {env: server.env});
    const asked = server.exchanges.map(({received: {target, body}}) => String(body) || target);
    expect(asked).toEqual(['{"q":"ana"}', '{"q":"@bo@far.example"}', expect.stringContaining('q=ana')]);
  });

  test.concurrent.each(['yesterday', '2d', '48h', '2026-11-20', '2026-11-20T12:00'])('users list --created-after %s', async (time) => {
    await using server = await serverThat(() => ({text: '{"data": []}'}));
    const {status, stdout} = await run(['users', 'list', '--created-after', time, '--json'], {env: server.env});
    expect({status, stdout}).toEqual({status: 0, stdout: '[]\n'});
  });
});

describe('a value that is not known', () => {
  test.concurrent.each([
    ['dm list --filter spam', 'Unknown filter "spam"', 'known values: primary, requests, hidden'],
    ['reports handle 1 --action close --yes', 'Unknown action "close"', 'known values: ignore, cw, unlist'],
    [
      'autospam handle 1 --action delete --yes',
      'Unknown action "delete"',
      'known values: dismiss, dismiss-all, approve, approve-all, delete-post, delete-account',
    ],
    ['users list --sort name', 'Unknown sort "name"', 'known values: desc, asc'],
    ['instances list --filter bad', 'Unknown filter "bad"', 'known values: all, banned, unlisted, auto_cw'],
    ['admin domain-blocks add x.example --severity limit --yes', 'Unknown severity "limit"', 'known values: suspend, silence, noop'],
  ])('is refused where all are known: %s', async (line, message, hint) => {
    await using server = await serverThat(() => ({text: '[]'}));
    const {failure} = await failing(line.split(' '), {env: server.env});
    expect(failure).toMatchObject({exit: 2, message, hint});
    expect(server.exchanges).toEqual([]);
  });

  test.concurrent.each([
    ['report post 1 --type rude', '--type rude', 'known values: spam'],
    ['report story-post 1 --type spam', 'OBJECT_TYPE story-post', 'known values: post'],
    ['filters create --title A --context everywhere --keyword a', '--context everywhere', 'known values: home'],
    ['filters create --title A --context home --action fold --keyword a', '--action fold', 'known values: warn'],
    ['notifications list --type like', '--type like', 'did you mean favourite?'],
    ['notifications list --type favorite', '--type favorite', 'did you mean favourite?'],
    ['notifications list --type weather', '--type weather', 'known values: follow, follow_request, mention'],
    ['dm send 5 hi --type song', '--type song', 'known values: text'],
  ])('is sent with a warning where servers add some: %s', async (line, named, advice) => {
    await using server = await serverThat(() => ({text: '[]'}));
    const {stderr} = await run(line.split(' '), {env: server.env});
    expect(stderr).toContain(`Warning: ${named}: it is sent, but not known; ${advice}`);
    expect(server.exchanges.length).toBeGreaterThan(0);
  });
});

test.concurrent('dm unread-count --all-profiles', async () => {
  await using server = await recordedSandbox();
  const accounts = ['ana', 'bob'].map(
    (name) => [profileOn(server.url, {name, account: {id: account(name), acct: name}}), {accessToken: `sandbox-${name}`}] as const,
  );
  const machine = await machineWith(...accounts);
  const {status, stdout} = await machine.run(['dm', 'unread-count', '--all-profiles', '--json']);
  expect({status, items: JSON.parse(stdout)}).toEqual({
    status: 0,
    items: [
      {account: expect.stringContaining('ana@'), item: {primary: 2, requests: 1}},
      {account: expect.stringContaining('bob@'), item: expect.objectContaining({requests: 0})},
    ],
  });
  expect((await machine.run(['dm', 'unread-count', '-p', 'ana', '-o', 'tsv'])).stdout).toBe('primary\trequests\n2\t1\n');
});

describe('a policy from standard input', () => {
  const policy = 'version: 1\ndomain_blocks: {must: [bad.example]}\n';
  const piped = async (lines: readonly string[]) => {
    await using server = await recordedSandbox();
    const folder = newFolder();
    const ends = [];
    for (const line of lines) ends.push(await run(line.split(' '), {env: server.env, folder, stdin: policy}));
    return ends;
  };

  test.concurrent('is planned and explained', async () => {
    const [planned, explained] = await piped(['plan -', 'explain bad.example --policy -']);
    expect(planned).toMatchObject({status: 10, stdout: '+ domain block bad.example  # domain_blocks.must: -:2\n'});
    expect(planned?.stderr).toMatch(/^To apply it: pixelctl apply -$/m);
    expect(explained).toMatchObject({status: 0, stdout: expect.stringContaining('must be blocked')});
  });

  test.concurrent.each([[], ['--state', 's.ndjson']])(
    'is applied with a state file that is named, and without one: %j',
    async (...state) => {
      const [applied, planned] = await piped([['apply', '-', '--yes', ...state].join(' '), ['plan', '-', ...state].join(' ')]);
      expect(applied).toMatchObject({status: 0, stdout: expect.stringContaining('add domain block bad.example')});
      expect(planned).toMatchObject({status: 0, stderr: 'Nothing to do.\n'});
    },
  );
});
