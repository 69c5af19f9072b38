import nock from 'nock';
import {describe, expect, test} from 'vitest';
import {expectFailure, pixelfed, runCommand, server, serverThatSays} from '../run-command.js';

const path = '/api/v1/admin/domain_blocks';
const entry = (domain: string) => ({id: '7', domain, severity: 'suspend', private_comment: 'x', public_comment: null, created_at: 'now'});
const flags = {reject_media: false, reject_reports: false, obfuscate: false};
const command = ['admin', 'domain-blocks'];
const own = ['pix.example', 'PIX.example.', 'https://pix.example/about', 'photos.pix.example', 'a.b.pix.example'];

test.each([
  ['Pixelfed', {id: 27, private_comment: null, public_comment: null}],
  ['Mastodon', {id: '27', private_comment: '', public_comment: 'Spam'}],
])('--strict accepts the blocks of %s', async (_, shape) => {
  pixelfed()
    .get(path)
    .reply(200, [{...entry('a.example'), ...flags, digest: 'x', ...shape}]);
  expect(await runCommand([...command, 'list', '--strict', '--json'])).toMatchObject({status: 0});
});

describe("one's own server", () => {
  test.each(own)('one’s own server is not blocked as an argument: %s', async (domain) => {
    for (const words of [
      [...command, 'add', domain],
      [...command, 'add', 'bad.example', domain],
      [...command, 'update', domain, '--severity', 'silence'],
      ['instances', 'moderate', 'bad.example', domain, '--unlisted'],
    ])
      await expectFailure(2, 'is this server, above it or below it: nothing was sent', [...words, '--yes']);
  });

  test.each([
    ['its name', 'pix.example', []],
    [
      'a name above or below it, and every setting given',
      'photos.pix.example',
      ['--private-comment=', '--public-comment='].concat(['--no-reject-media', '--no-reject-reports', '--no-obfuscate']),
    ],
  ])('one’s own server is not blocked by the id of an entry with %s', async (_, domain, settings) => {
    serverThatSays();
    pixelfed()
      .get(`${path}/7`)
      .reply(200, {...entry(domain), severity: 'silence', ...flags});
    expect(await runCommand([...command, 'update', '7', '--severity', 'suspend', ...settings, '--yes'])).toEqual({
      status: 2,
      stdout: '',
      stderr: `Error: ${domain} is this server, above it or below it: nothing was sent\nHint: leave it out\n`,
    });
  });

  test('one’s own server is held back from a list, which says so', async () => {
    serverThatSays();
    pixelfed()
      .post(path, {domain: 'bad.example', severity: 'suspend', private_comment: 'x'})
      .reply(200, {...entry('bad.example'), ...flags});
    const args = [...command, 'add', '-', '--private-comment', 'x', '--yes', '--json'];
    const {status, stdout, stderr} = await runCommand(args, {input: 'pix.example\nbad.example\nsub.pix.example\n'});
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: 'Warning: 2 entries held back, because a server does not block itself: pix.example, sub.pix.example\n',
    });
    expect(JSON.parse(stdout)).toMatchObject([
      {target: 'pix.example', ok: false, status: null, held_back: 'own_server'},
      {target: 'bad.example', ok: true},
      {target: 'sub.pix.example', held_back: 'own_server'},
    ]);
  });

  test('one’s own server is left out of a dry run, and nothing is asked where nothing is left', async () => {
    const dry = await runCommand([...command, 'add', '-', '--dry-run', '--json'], {input: 'pix.example\nbad.example\n'});
    expect(JSON.parse(dry.stdout).requests).toMatchObject([{body: {domain: 'bad.example'}}]);
    const {status, stdout} = await runCommand([...command, 'add', '-', '--json'], {input: 'pix.example\n'});
    expect({status, count: JSON.parse(stdout).length}).toEqual({status: 0, count: 1});
  });
});

const lists = [
  ['a CSV list', 'domain,severity\nbad.example,suspend\nlow.example,silence\nnone.example,noop\n'],
  [
    'the export of a Mastodon server',
    '#domain,#severity,#obfuscate\nbad.example,suspend,false\nlow.example,silence,false\nnone.example,noop,false\n',
  ],
  [
    'a list of blocks',
    JSON.stringify([entry('bad.example'), {...entry('low.example'), severity: 'silence'}, {...entry('none.example'), severity: 'noop'}]),
  ],
] as const;

test.each(lists)('%s with other severities is not suspended by default', async (_, input) => {
  await expectFailure(
    2,
    'domains with a severity other than suspend: 1 with silence, 1 with noop: nothing was sent',
    [...command, 'add', '-', '--yes'],
    {input},
  );
});

test.each([
  [['admin', 'domain-blocks', 'add', 'bad.example', '--severity', '', '--yes']],
  [['admin', 'domain-blocks', 'update', '7', '--severity', '', '--yes']],
  [['admin', 'domain-blocks', 'add', 'bad.example', '--input', '-', '--yes']],
  [['instances', 'list', '--filter', '']],
  [['reports', 'list', '--page', '0']],
  [['report', '', '5', '--type', 'spam']],
  [['filters', 'create', '--title', 'x', '--context', 'home', '--keyword', 'x', '--action', '']],
])('nothing is sent for a variable that is not set: %j', async (words) => {
  await expectFailure(2, /cannot be empty|numbered from 1/, words, {input: '{"severity": ""}'});
});

test.each([[{}], [{id: '7'}], [{id: '7', domain: 'bad.example'}], [{id: '7', severity: 'noop'}]])(
  'a refusal that shows an entry without a domain or a severity is told as it came: %j',
  async (shown) => {
    serverThatSays();
    pixelfed().post(path).reply(422, {error: 'blocked already', existing_domain_block: shown});
    await expectFailure(5, 'input refused (422): blocked already', [...command, 'add', 'bad.example', '--private-comment', 'x', '--yes']);
  },
);

test('one server that is piped in names its domain', async () => {
  pixelfed()
    .get(path)
    .reply(200, [{...entry('bad.example'), ...flags}]);
  pixelfed().delete(`${path}/7`).reply(200, {});
  const input = JSON.stringify({data: {id: 3, domain: 'bad.example', software: 'mastodon', banned: true}});
  expect(await runCommand([...command, 'remove', '-', '--yes', '--json'], {input})).toMatchObject({status: 0, stderr: ''});
});

test.each([
  [['--json', 'admin', 'domain-blocks', 'list']],
  [['admin', '--json', 'domain-blocks', 'list']],
  [['admin', 'domain-blocks', '--json', 'list']],
  [['admin:domain-blocks:list', '--json']],
])('flags may stand between the words of a command: %j', async (words) => {
  pixelfed().get(path).reply(200, []);
  expect(await runCommand(words)).toMatchObject({status: 0, stdout: '[]\n'});
});

test.each([
  ['an update of one block', ['bad.example']],
  ['an update of several blocks', ['bad.example', 'low.example']],
])('%s asks once what the server says of itself', async (_, domains) => {
  nock(server).get('/api/v1/instance').reply(200, {version: '3.5.3 (compatible; Pixelfed 0.12.6)'});
  const blocks = domains.map((domain, index) => ({...entry(domain), ...flags, id: String(7 + index)}));
  pixelfed().get(path).reply(200, blocks);
  for (const block of blocks) {
    pixelfed().get(`${path}/${block.id}`).reply(200, block);
    pixelfed()
      .put(`${path}/${block.id}`, {severity: 'suspend', ...flags})
      .reply(200, {...block, private_comment: null});
  }
  const update = [...command, 'update', ...domains, '--private-comment=', '--yes', '--json'];
  expect(await runCommand(update)).toMatchObject({status: 0, stderr: ''});
});

test.each([
  ['silence', 'Blocked bad.example for everyone (silence).\n'],
  ['noop', 'Noted bad.example for everyone: a noop blocks nothing.\n'],
])('what an added block does is said: %s', async (severity, stderr) => {
  serverThatSays();
  pixelfed()
    .post(path, {domain: 'bad.example', severity, private_comment: 'x'})
    .reply(200, {...entry('bad.example'), severity, ...flags});
  const words = [...command, 'add', 'bad.example', '--severity', severity, '--private-comment', 'x', '--yes'];
  expect(await runCommand(words)).toEqual({status: 0, stdout: '', stderr});
});
