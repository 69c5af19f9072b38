import nock from 'nock';
import {describe, expect, test} from 'vitest';
import {pixelfed, runCommand, server, serverThatSays} from '../run-command.js';

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
      ['add', domain],
      ['add', 'bad.example', domain],
      ['update', domain, '--severity', 'silence'],
    ]) {
      const {status, stderr} = await runCommand([...command, ...words, '--yes']);
      expect({status, stderr}).toEqual({
        status: 2,
        stderr: expect.stringContaining('is this server, above it or below it: nothing was sent'),
      });
    }
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
      stderr: 'Warning: held back, because a server does not block itself: pix.example, sub.pix.example\n',
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

  const named = [{uri: 'names.example'}, {uri: 'https://Names.example/'}, {domain: 'names.example'}];
  const blocking = [
    ['admin', 'domain-blocks', 'add', '--private-comment', 'x'],
    ['admin', 'domain-blocks', 'update', '--severity', 'silence'],
    ['instances', 'moderate', '--banned'],
  ];
  const pairs = named.flatMap((said) => blocking.map((words) => ({said, words})));

  test.each(pairs)('a server is not blocked by what it calls itself: $said, $words', async ({said, words}) => {
    for (const domain of ['names.example', 'photos.names.example']) {
      serverThatSays(said);
      expect(await runCommand([...words, domain, '--yes'])).toEqual({
        status: 2,
        stdout: '',
        stderr: `Error: ${domain} is this server, above it or below it: nothing was sent\nHint: leave it out\n`,
      });
      nock.cleanAll();
      serverThatSays(said);
      const {status, stdout} = await runCommand([...words, '-', '--yes', '--json'], {input: `${domain}\n`});
      expect({status, results: JSON.parse(stdout)}).toMatchObject({status: 0, results: [{held_back: 'own_server', status: null}]});
      nock.cleanAll();
    }
  });

  test('the id of an entry for what the server calls itself is refused', async () => {
    serverThatSays({uri: 'names.example'});
    pixelfed()
      .get(`${path}/7`)
      .reply(200, {...entry('names.example'), ...flags});
    expect(await runCommand([...command, 'update', '7', '--severity', 'suspend', '--yes'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('names.example is this server'),
    });
  });

  test('one’s own server can be unblocked', async () => {
    pixelfed()
      .get(path)
      .reply(200, [{...entry('pix.example'), ...flags}]);
    pixelfed().delete(`${path}/7`).reply(200, {});
    expect(await runCommand([...command, 'remove', 'pix.example', '--yes'])).toMatchObject({status: 0, stderr: 'Unblocked pix.example.\n'});
  });
});

describe('severities of lists', () => {
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
    const {status, stdout, stderr} = await runCommand([...command, 'add', '-', '--yes'], {input});
    expect({status, stdout, stderr}).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('domains with a severity other than suspend: 1 with silence, 1 with noop: nothing was sent'),
    });
  });

  test('what the file of a Pixelfed server unlists is not suspended by default', async () => {
    const input = JSON.stringify({version: 1, auto_cw: ['cw.example'], unlisted: ['low.example'], banned: ['bad.example']});
    expect(await runCommand([...command, 'add', '-', '--yes'], {input})).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('1 with silence: nothing was sent'),
    });
  });

  test.each(lists)('%s is blocked alike with the severity that is given', async (_, input) => {
    for (const given of [
      ['--severity', 'suspend'],
      ['--severity', 'silence'],
    ]) {
      const {status, stdout} = await runCommand([...command, 'add', '-', ...given, '--dry-run', '--json'], {input});
      const domains = ['bad.example', 'low.example', 'none.example'];
      expect(status).toBe(0);
      expect(JSON.parse(stdout).requests).toMatchObject(domains.map((domain) => ({body: {domain, severity: given[1]}})));
    }
  });

  test('a list that suspends all of its domains, and one that says nothing, need no severity', async () => {
    for (const input of ['domain,severity\nbad.example,suspend\n', 'domain,severity\nbad.example,\n', 'bad.example\n']) {
      const {stdout} = await runCommand([...command, 'add', '-', '--dry-run', '--json'], {input});
      expect(JSON.parse(stdout).requests).toMatchObject([{body: {domain: 'bad.example', severity: 'suspend'}}]);
    }
  });
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
  const {status, stdout, stderr} = await runCommand(words, {input: '{"severity": ""}'});
  expect({status, stdout, stderr}).toEqual({status: 2, stdout: '', stderr: expect.stringMatching(/cannot be empty|numbered from 1/)});
});

describe('refusals that show an entry', () => {
  test.each([[{}], [{id: '7'}], [{id: '7', domain: 'bad.example'}], [{id: '7', severity: 'noop'}]])(
    'a refusal that shows an entry without a domain or a severity is told as it came: %j',
    async (shown) => {
      serverThatSays();
      pixelfed().post(path).reply(422, {error: 'blocked already', existing_domain_block: shown});
      const {status, stderr} = await runCommand([...command, 'add', 'bad.example', '--private-comment', 'x', '--yes']);
      expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining('input refused (422): blocked already')});
    },
  );
});

describe('what a write made', () => {
  const block = {...entry('bad.example'), ...flags};
  const answers = {
    503: () => pixelfed().delete(`${path}/7`).reply(503, {error: 'busy'}),
    'a lost connection': () =>
      pixelfed()
        .delete(`${path}/7`)
        .replyWithError(Object.assign(new Error('reset'), {code: 'ECONNRESET'})),
  };

  test.each(Object.entries(answers))('a removal was not carried out where the block still stands: %s', async (_, answer) => {
    answer();
    pixelfed().get(`${path}/7`).reply(200, block);
    const {status, stderr} = await runCommand([...command, 'remove', '7', '--yes', '--json', '--retries', '0']);
    const {error} = JSON.parse(stderr);
    expect({status, error}).toMatchObject({status: 7, error: {message: expect.stringContaining('; this was not carried out')}});
    expect(error).not.toHaveProperty('fate');
    expect(error.hint).not.toContain('not known');
  });

  test('an answer with the block of another domain is a bad one', async () => {
    serverThatSays();
    pixelfed()
      .post(path)
      .reply(200, {...entry('other.example'), ...flags});
    const {status, stderr} = await runCommand([...command, 'add', 'bad.example', '--private-comment', 'x', '--yes']);
    expect({status, stderr}).toEqual({
      status: 8,
      stderr: expect.stringContaining('the response is about other.example, not about bad.example'),
    });
  });
});

test('one server that is piped in names its domain', async () => {
  pixelfed()
    .get(path)
    .reply(200, [{...entry('bad.example'), ...flags}]);
  pixelfed().delete(`${path}/7`).reply(200, {});
  const input = JSON.stringify({data: {id: 3, domain: 'bad.example', software: 'mastodon', banned: true}});
  expect(await runCommand([...command, 'remove', '-', '--yes', '--json'], {input})).toMatchObject({status: 0, stderr: ''});
});

describe('groups of commands of two words', () => {
  test.each([[['admin']], [['admin', 'domain-blocks']], [['admin', 'domain-blocks', '--help']], [['help', 'admin', 'domain-blocks']]])(
    'groups show their commands: %j',
    async (words) => {
      const {status, stdout} = await runCommand(words);
      expect({status, stdout}).toEqual({status: 0, stdout: expect.stringContaining('admin domain-blocks')});
    },
  );

  test.each([
    [['admin', 'domain-blocks', 'lst'], 'Unknown command "admin domain-blocks lst"', '`pixelctl admin domain-blocks list`'],
    [['admin', 'domain-blocks', 'delete'], 'Unknown command "admin domain-blocks delete"', '`pixelctl admin domain-blocks remove`'],
    [['admin', 'domain-block'], 'Unknown command "admin domain-block"', '`pixelctl admin domain-blocks --help`'],
  ])('a mistake in %j is named with what was meant', async (words, message, hint) => {
    const {status, stderr} = await runCommand(words);
    expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining(message)});
    expect(stderr).toContain(hint);
  });

  test.each([
    [['--json', 'admin', 'domain-blocks', 'list']],
    [['admin', '--json', 'domain-blocks', 'list']],
    [['admin', 'domain-blocks', '--json', 'list']],
    [['admin:domain-blocks:list', '--json']],
  ])('flags may stand between the words: %j', async (words) => {
    pixelfed().get(path).reply(200, []);
    expect(await runCommand(words)).toMatchObject({status: 0, stdout: '[]\n'});
  });
});

test('the question of update says what changes, and repeats no comment', async () => {
  nock(server).get('/api/v1/instance').reply(200, {version: '4.5.0'});
  const change = ['update', '5', '--severity', 'silence', '--private-comment', 'secret', '--reject-media'];
  const {status, stderr} = await runCommand(['admin', 'domain-blocks', ...change], {typing: 'n\n'});
  expect(status).toBe(2);
  expect(stderr).toContain('Change the block of 5 for everyone on pix.example: severity silence, the private comment, reject media true?');
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
