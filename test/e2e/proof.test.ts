/** What is said to be done, the server showed: odd answers to writes, and deletions of earlier runs. */
import {describe, expect, test} from 'vitest';
import {SkippingClock} from '../loopback-server.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {serverThat, type Answered} from './server.js';

const answered = (body: unknown, status = 200): Answered => ({status, text: JSON.stringify(body)});
const page = (status: number): Answered => ({status, headers: {'content-type': 'text/html'}, text: '<html>Not Found</html>'});

const user = {
  data: {
    id: '7',
    profile_id: '17',
    username: 'spam',
    is_admin: false,
    created_at: '2026-11-20T10:00:00Z',
    statuses_count: 2,
    followers_count: 0,
  },
  meta: {moderation: {unlisted: false, cw: false, no_autolink: false}},
};
const post = {id: '5', visibility: 'public', sensitive: false, account: {id: '17', acct: 'spam'}};
const entry = {id: 3, created_at: '2026-11-20T10:00:00Z', status: {...post, visibility: 'unlisted'}};
const instance = {id: 9, domain: 'a.example', unlisted: false, auto_cw: false, banned: false, notes: null};
const setting = {key: 'some.setting', name: 'Some', description: '', state: false};
const block = {id: '27', domain: 'a.example', severity: 'silence'};
const silenced = {...block, id: '28', domain: 'c.example'};

/** What a server answers to what is no write. */
function read(target: string): Answered {
  if (target.includes('verify_credentials')) return answered({id: '99', acct: 'root', username: 'root'});
  if (target.includes('users/list')) return answered({data: [user.data], meta: {next_cursor: null}});
  if (target.includes('users/')) return answered(user);
  if (target.includes('/statuses/')) return answered(post);
  if (target.includes('autospam/list')) return answered(target.includes('page=') ? [] : [entry]);
  if (target.includes('instances/list')) return answered({data: [instance], meta: {next_cursor: null}});
  if (target.includes('admin/config')) return answered([setting]);
  if (target.endsWith('domain_blocks/28')) return answered(silenced);
  if (target.includes('domain_blocks')) return answered([block, silenced]);
  return answered({error: 'Not Found'}, 404);
}

const final = ['--yes', '--allow-deletions', '1'];

const writes: readonly (readonly [command: string, words: readonly string[]])[] = [
  ['users delete', ['users', 'delete', '@spam', ...final]],
  ['posts moderate --delete', ['posts', 'moderate', '5', '--delete', ...final]],
  ['posts moderate --visibility', ['posts', 'moderate', '5', '--visibility', 'private', '--yes']],
  ['posts moderate --mark-spammer', ['posts', 'moderate', '5', '--mark-spammer', ...final]],
  ['posts moderate --cw', ['posts', 'moderate', '5', '--cw', '--yes']],
  ['users update', ['users', 'update', '@spam', '--cw', '--yes']],
  ['autospam handle', ['autospam', 'handle', '3', '--action', 'dismiss', '--yes']],
  ['reports handle', ['reports', 'handle', '3', '--action', 'ignore', '--yes']],
  ['instances moderate', ['instances', 'moderate', 'a.example', '--banned', '--yes']],
  ['admin settings update', ['admin', 'settings', 'update', 'some.setting', 'on', '--yes']],
  ['dm delete-message', ['dm', 'delete-message', '1', '2', '--yes']],
];

const create = ['filters', 'create', '--title', 'Spam', '--context', 'home', '--action', 'hide', '--keyword', 'x'];
const push = ['push', 'update', 'ExponentPushToken[aaaaaaaaaaaaaaaaaaaaaa]', '--notify', '--no-like'];
const blocking = ['admin', 'domain-blocks'];

/** Of these, servers may answer nothing but that it went well. */
const silent: typeof writes = [
  ['dm mute', ['dm', 'mute', '1']],
  ['dm unmute', ['dm', 'unmute', '1']],
  ['dm hide', ['dm', 'hide', '1']],
  ['dm unhide', ['dm', 'unhide', '1']],
  ['dm accept', ['dm', 'accept', '1']],
  ['dm leave', ['dm', 'leave', '1', '--yes']],
  ['filters delete', ['filters', 'delete', '4', '--yes']],
  ['admin domain-blocks remove', ['admin', 'domain-blocks', 'remove', 'a.example', '--yes']],
  ['domain-blocks remove', ['domain-blocks', 'remove', 'a.example']],
  ['blocks remove', ['blocks', 'remove', '17']],
  ['mutes add', ['mutes', 'add', '17']],
];

/** A server with one answer to every write but recounts. */
const answering = (answer: Answered) =>
  serverThat(({method, target, body}) => (method === 'GET' || body.includes('refresh_stats') ? read(target) : answer));

async function ends(words: readonly string[], env: Record<string, string>) {
  const {status, stderr} = await run([...words, '--retries', '0', '--json'], {env, clock: new SkippingClock()});
  return {status, fate: stderr.startsWith('{') ? JSON.parse(stderr).error.fate : undefined};
}

describe('an answer that does not show that it was done is 8, of unknown fate', () => {
  test.each([...writes, ...silent])('%s: an error under the status 200', async (_, words) => {
    await using server = await answering(answered({error: 'No.'}));
    expect(await ends(words, server.env)).toEqual({status: 8, fate: 'unknown'});
  });

  test.each(writes.flatMap(([command, words]) => [{}, null, {data: null}, [null]].map((body) => ({command, words, body}))))(
    '$command: $body',
    async ({words, body}) => {
      await using server = await answering(answered(body));
      expect(await ends(words, server.env)).toEqual({status: 8, fate: 'unknown'});
    },
  );

  test.each(['true', 1, null, [], {}, undefined])('a setting whose state is %j', async (state) => {
    await using server = await answering(answered([{...setting, state}]));
    const words = ['admin', 'settings', 'update', 'some.setting', 'on', '--yes'];
    expect(await ends(words, server.env)).toEqual({status: 8, fate: 'unknown'});
  });

  test('a setting that the server leaves as it was is refused', async () => {
    await using server = await answering(answered([setting]));
    expect(await ends(['admin', 'settings', 'update', 'some.setting', 'on', '--yes'], server.env)).toEqual({status: 5, fate: undefined});
  });

  test.each([
    ['instances moderate', ['instances', 'moderate', 'a.example', '--banned', '--yes'], {data: instance}],
    ['posts moderate', ['posts', 'moderate', '5', '--visibility', 'private', '--yes'], post],
    ['reports handle', ['reports', 'handle', '3', '--action', 'ignore', '--yes'], {success: false}],
    ['autospam handle', ['autospam', 'handle', '3', '--action', 'dismiss', '--yes'], {status: 'error'}],
    ['users delete', ['users', 'delete', '@spam', ...final], {status: 200, msg: 'queued'}],
    ['dm delete-message', ['dm', 'delete-message', '1', '2', '--yes'], {deleted: false}],
    ['dm mute', ['dm', 'mute', '1'], {id: '1', muted: false}],
    ['dm unmute', ['dm', 'unmute', '1'], {id: '1', muted: true}],
    ['dm hide', ['dm', 'hide', '1'], {id: '1', hidden: false}],
    ['dm unhide', ['dm', 'unhide', '1'], {id: '1', hidden: true}],
    ['dm accept', ['dm', 'accept', '1'], {id: '1', state: 'request'}],
    ['dm leave', ['dm', 'leave', '1', '--yes'], {id: '1', state: 'active'}],
    ['blocks add', ['blocks', 'add', '17', '--yes'], {id: '17', blocking: false}],
    ['blocks remove', ['blocks', 'remove', '17'], {id: '17', blocking: true}],
    ['mutes add', ['mutes', 'add', '17'], {id: '17', muting: false}],
    ['mutes remove', ['mutes', 'remove', '17'], {id: '17', muting: true}],
    ['filters create', create, {id: '4', title: 'Other'}],
    ['filters create', create, {id: '4', title: 'Spam', filter_action: 'warn'}],
    ['filters create', create, {title: 'Spam'}],
    ['filters create', create, {}],
    ['filters update', ['filters', 'update', '4', '--title', 'Spam'], {id: '4', title: 'Other'}],
    ['filters update', ['filters', 'update', '4', '--title', 'Spam'], {title: 'Spam'}],
    ['push update', push, {notify_enabled: false, has_token: true, notify_like: false}],
    ['push update', push, {notify_enabled: true, has_token: true, notify_like: true}],
    ['push update', push, {notify_enabled: true, has_token: false, notify_like: false}],
    ['push disable', ['push', 'disable', '--yes'], {notify_enabled: true, has_token: false}],
    ['push disable', ['push', 'disable', '--yes'], {notify_enabled: false, has_token: true}],
    ['admin domain-blocks add', [...blocking, 'add', 'b.example', '--severity', 'suspend', '--yes'], {...block, domain: 'b.example'}],
    ['admin domain-blocks update', [...blocking, 'update', 'c.example', '--severity', 'suspend', '--yes'], silenced],
  ])('%s: what the answer shows is not what was asked for', async (_, words, body) => {
    await using server = await answering(answered(body));
    expect(await ends(words, server.env)).toEqual({status: 8, fate: 'unknown'});
  });
});

test.each([
  ['filters create', create, {id: '4', title: ' Spam ', filter_action: 'hide'}],
  ['filters update', ['filters', 'update', '4', '--action', 'hide'], {id: '4', title: 'Other'}],
  ['push update', push, {notify_enabled: true, has_token: true, notify_like: false, notify_follow: true}],
  ['push disable', ['push', 'disable', '--yes'], {}],
])('%s: an answer may leave out what was sent, and show more: %j', async (_, words, body) => {
  await using server = await answering(answered(body));
  expect(await ends(words, server.env)).toEqual({status: 0, fate: undefined});
});

test.each([
  [answered({error: String.raw`No query results for model [App\Models\CustomFilter] 4`}, 404), true],
  [answered({error: String.raw`No query results for model [App\Models\CustomFilter] 5`}, 404), false],
  [answered({error: 'Not Found'}, 404), false],
  [answered({error: 'Gone'}, 410), false],
  [page(404), false],
])('a deletion of an earlier run is done only where the server says that it is gone: %j', async (second, isDone) => {
  let sent = 0;
  await using server = await serverThat(({method, target}) => {
    if (method === 'GET') return target.includes('filters') ? answered({id: '4', title: 'Spoilers'}) : read(target);
    sent += 1;
    return sent === 1 ? answered({error: ''}, 502) : second;
  });
  const folder = newFolder();
  const words = ['filters', 'delete', '4', '--yes', '-o', 'ndjson', '--journal', 'journal', '--retries', '0'];
  await run(words, {env: server.env, folder});
  const {stdout} = await run([...words, '--resend-unknown'], {env: server.env, folder});
  expect(JSON.parse(stdout)).toMatchObject(isDone ? {ok: true} : {ok: false, error: {fate: 'unknown'}});
});

test('somebody without a profile can be read, and is refused for changes with a sentence', async () => {
  const bare = {...user, data: {...user.data, profile_id: ''}};
  let sent = 0;
  await using server = await serverThat(({method, target}) => {
    if (method !== 'GET') sent += 1;
    if (target.includes('users/list')) return answered({data: [bare.data], meta: {next_cursor: null}});
    return target.includes('users/get') ? answered(bare) : read(target);
  });
  for (const name of ['@spam', '7']) {
    expect(await run(['users', 'get', name, '--json'], {env: server.env})).toMatchObject({status: 0});
    const stderr = expect.stringContaining('@spam has no profile, so nothing of theirs can be changed');
    for (const words of [
      ['update', name, '--cw', '--yes'],
      ['delete', name],
    ])
      expect(await run(['users', ...words], {env: server.env, typing: '1\n'})).toMatchObject({status: 5, stderr});
  }
  const piped = await run(['users', 'update', '-', '--cw', '--yes'], {env: server.env, stdin: JSON.stringify(bare.data)});
  expect(piped).toMatchObject({status: 11, stdout: expect.stringContaining('@spam has no profile')});
  expect(sent).toBe(0);
});

test.each([
  [['read', 'write', 'admin:read'], 'the token lacks the scope admin:write (404)'],
  [['read', 'write', 'admin:read', 'admin:write'], 'only for admins (404)'],
])('an empty 404 to a token with the scopes %j: %s', async (scopes, says) => {
  await using server = await serverThat(() => answered({error: ''}, 404));
  const token = ['e30', Buffer.from(JSON.stringify({scopes})).toString('base64url'), 'x'].join('.');
  const ended = await run(['instances', 'list'], {env: {...server.env, PIXELCTL_TOKEN: token}});
  expect(ended).toMatchObject({status: 3, stderr: expect.stringContaining(says)});
  const profiles = {PIXELCTL_PROFILES: 'one', PIXELCTL_SERVER_ONE: server.url, PIXELCTL_TOKEN_ONE: token};
  const several = await run(['instances', 'list', '--all-profiles', '-o', 'ndjson'], {env: profiles});
  expect(several.stderr).toContain(says);
});

describe('a site that has no API', () => {
  const signIn = (url: string, words: readonly string[], stdin: string) =>
    run(['auth', 'login', url, '--insecure-storage', ...words], {env: {PIXELCTL_CONFIG_DIR: newFolder()}, stdin});
  async function expectUnchecked(env: Record<string, string>): Promise<void> {
    const {stdout} = await run(['doctor', '--json'], {env});
    const checks: readonly {readonly name: string}[] = JSON.parse(stdout).checks;
    expect(checks.find(({name}) => name === 'token')).toMatchObject({ok: false, detail: expect.stringMatching(/^not checked/)});
  }
  const sites = {pages: page(404), 'empty answers': {status: 404, text: ''}, 'JSON of its own': answered({detail: 'Not Found'}, 404)};
  const others = {...sites, 'pages of a proxy that forbids': page(403), 'JSON about errors': answered({error: 'Not Found'}, 404)};

  test.each(Object.entries(others))('answers with %s: signing in says so', async (_, answer) => {
    await using server = await serverThat(() => answer);
    for (const [words, stdin] of [
      [['--with-token'], 'token'],
      [['--no-browser'], ''],
    ] as const) {
      const stderr = expect.stringMatching(/does not have the API of Pixelfed; nothing was saved[^]*check the address/);
      expect(await signIn(server.url, words, stdin)).toMatchObject({status: 4, stderr});
    }
  });

  test('answers with pages as if all went well: signing in asks to check the address', async () => {
    await using server = await serverThat(() => page(200));
    const stderr = expect.stringContaining('check that this is the address of a Pixelfed server');
    expect(await signIn(server.url, ['--with-token'], 'token')).toMatchObject({status: 8, stderr});
  });

  test.each(Object.entries(sites))('answers with %s: the first answer says so', async (_, answer) => {
    await using server = await serverThat(() => answer);
    for (const words of [['filters', 'list'], ['blocks', 'list'], ['config']]) {
      const {status, stderr} = await run(words, {env: server.env});
      expect({status, stderr}).toEqual({status: 4, stderr: expect.stringMatching(/this is no answer of Pixelfed[^]*check the address/)});
    }
    await expectUnchecked(server.env);
  });

  test('a token of which nothing shows that it was accepted is not checked', async () => {
    await using server = await serverThat(({target}) =>
      target.includes('/instance') ? answered({version: '3.5.3 (compatible; Pixelfed 0.12.6)'}) : answered({error: 'Not Found'}, 404),
    );
    await expectUnchecked(server.env);
  });
});

describe('a page without a list', () => {
  const lists = ['users', 'instances', 'reports', 'autospam', 'dm', 'filters', 'blocks', 'domain-blocks', 'notifications'];
  const others = ['dm messages 1', 'dm mutuals', 'admin domain-blocks list', 'admin settings list'];
  test.each([...lists.map((name) => `${name} list`), ...others])('%s ends with 8', async (command) => {
    const words = command.split(' ');
    let body: unknown;
    await using server = await serverThat(() => answered(body));
    for (body of [{}, {error: 'x'}, {data: null}, null])
      expect(await run([...words, '--json'], {env: server.env}), JSON.stringify(body)).toMatchObject({status: 8, stdout: ''});
    expect(await run(words, {env: server.env})).toMatchObject({status: 8, stdout: ''});
  });
});
