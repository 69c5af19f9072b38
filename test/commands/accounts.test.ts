/** Accounts and conversations as people name them, in every place where a command takes one. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import nock from 'nock';
import {beforeAll, describe, expect, test} from 'vitest';
import {inputFields, type InputField} from '../../src/lib/cli/endpoint/input-fields.js';
import {someOf} from '../contract/sample.js';
import {table} from '../endpoints/table.js';
import {endpointCommands, type SpecifiedCommand} from '../endpoint-commands.js';
import {expectFailure, pixelfed, runCommand, server} from '../run-command.js';
import {newFolder} from '../new-folder.js';

const folder = newFolder();
const photo = join(folder, 'photo.jpg');
beforeAll(() => writeFileSync(photo, 'photo'));

interface Place extends SpecifiedCommand {
  readonly field: InputField;
  readonly label: string;
}

const commands = await endpointCommands();

/** Every argument of a command that names a thing of this kind. */
function placesOf(kind: 'account' | 'conversation'): Place[] {
  return commands.flatMap(({command, spec}) => {
    const labels = spec.arguments ?? {};
    const fields = inputFields(spec.endpoint).filter(({facts}) => facts?.names === kind);
    return fields.flatMap((field) => (labels[field.name] === undefined ? [] : [{command, spec, field, label: labels[field.name] ?? ''}]));
  });
}

/** A command line with this in its place. */
function lineWith({command, spec, field}: Place, named: string): string[] {
  const values: Readonly<Record<string, string>> = {file: photo, object_type: 'user', [field.name]: named};
  const words = Object.keys(spec.arguments ?? {}).map((name) => values[name] ?? '77');
  const flags = ['yes', 'no-limits'].filter((name) =>
    name === 'yes' ? spec.question !== undefined : spec.endpoint.overLimit !== undefined,
  );
  return [
    ...command.split(' '),
    ...words,
    ...(command === 'report' ? ['--type', 'spam'] : []),
    ...flags.map((name) => `--${name}`),
    '--json',
  ];
}

/** Answers the request of the command, and remembers path, query and body. */
function listens({spec: {endpoint}}: Place): string[] {
  const path = new RegExp(`^${endpoint.path.replaceAll('.', '[.]').replaceAll(/\{\w+\}/g, '[^/?]+')}([?].*)?$`);
  const heard: string[] = [];
  nock(server)
    .intercept(path, endpoint.method)
    .reply(200, async (request: Request) => {
      const {pathname, search} = new URL(request.url);
      heard.push(`${pathname}${search} ${await request.text()}`);
      if (endpoint.name === 'list messages') return {data: [], meta: {has_more: false}};
      if (endpoint.name === 'delete message') return {deleted: true};
      return endpoint.output()._zod.def.type === 'array' ? [] : {};
    });
  return heard;
}

const isCalled = (name: string, account: object) => pixelfed().get(`/api/v1.1/accounts/username/${name}`).reply(200, account);
const isKnown = (acct: string, account: object) => pixelfed().get('/api/v1/accounts/lookup').query({acct}).reply(200, account);

/** What people type, and what is asked for it. */
const forms: readonly (readonly [typed: string, asks: () => unknown])[] = [
  ['5', () => undefined],
  ['@bo', () => isCalled('bo', {id: '5', acct: 'bo'})],
  ['@Bo@PIX.example', () => isCalled('Bo', {id: '5', acct: 'bo'})],
  ['bo@pix.example', () => isCalled('bo', {id: 5, acct: 'bo'})],
  ['https://pix.example/bo', () => isCalled('bo', {id: '5', acct: 'bo'})],
  ['https://pix.example/@bo/', () => isCalled('bo', {id: '5', acct: 'bo'})],
  ['https://pix.example/users/bo?x=1#y', () => isCalled('bo', {id: '5', acct: 'bo'})],
  ['https://pix.example/i/web/profile/5', () => undefined],
  ['@ana@other.example', () => isKnown('@ana@other.example', {id: '5', acct: 'ana@other.example'})],
  ['https://other.example/@ana', () => isKnown('@ana@other.example', {id: '5', acct: 'ana@other.example'})],
];

const accountPlaces = placesOf('account');

test('RECIPIENT, PID, ACCOUNT and the object of a report are accounts', () => {
  const named = table.flatMap(({command, takes}) =>
    (takes.match(/\b(RECIPIENT|PID|ACCOUNT)\b/g) ?? []).map((label) => `${command} ${label}`),
  );
  expect(accountPlaces.map(({command, label}) => `${command} ${label}`).sort()).toEqual([...named, 'report OBJECT_ID'].sort());
});

describe.each(accountPlaces)('$command $label', (place) => {
  // What is asked for a form is the same for each place.
  test.each(someOf(forms, 4, `${place.command} ${place.label}`))('accepts %s', async (typed, asks) => {
    asks();
    const heard = listens(place);
    const {status, stderr} = await runCommand(lineWith(place, typed));
    expect({status, stderr, times: heard.length}).toMatchObject({status: 0, times: 1});
    const {part, name, kind} = place.field;
    const wanted = {
      path: new RegExp(place.spec.endpoint.path.replace(`{${name}}`, '5').replaceAll(/\{\w+\}/g, '[^/]+')),
      query: new RegExp(`[?&]${name}=5(&| )`),
      body: kind === 'list' ? /"recipient_ids":\["5"\]/ : new RegExp(`"${name}":"5"|name="${name}"\\\\?r?\\\\?n?[^]*?5`),
    }[part];
    expect(heard[0]).toMatch(wanted);
  });

  const refused = [
    ['bo', /begins with @, not \\"bo\\"[^]*use @bo\b/],
    ['bo smith', /is not an account/],
    ['@', /is not an account/],
    ['@bo@', /is not an account/],
    ['https://pix.example/p/bo/123', /is not an account/],
    ['3; touch pwned #', /is not an account/],
  ] as const;
  test.each(someOf(refused, 2, `${place.command} ${place.label}`))('refuses %s before anything is sent', async (typed, message) => {
    await expectFailure(2, message, lineWith(place, typed));
  });

  test('prints a placeholder in a dry run', async () => {
    const isRead = place.spec.endpoint.method === 'GET';
    if (isRead) return;
    const {status, stdout} = await runCommand([...lineWith(place, '@bo'), '--dry-run']);
    expect(status).toBe(0);
    expect(stdout).toContain('<id of @bo>');
  });
});

test('the object of a report is an account only for the type user', async () => {
  pixelfed().post('/api/v1.1/report', {object_type: 'post', object_id: 'bo', report_type: 'spam'}).reply(200, {msg: 'ok', code: 200});
  expect((await runCommand(['report', 'post', 'bo', '--type', 'spam'])).status).toBe(0);
});

test('accounts can be named in --input', async () => {
  isCalled('bo', {id: '5', acct: 'bo'});
  pixelfed()
    .post('/api/v1.1/direct/conversations', {recipient_ids: ['5', '6']})
    .reply(201, {});
  const input = '{"recipient_ids": ["@bo", 6]}';
  expect((await runCommand(['dm', 'start', '--input', '-', '--no-limits'], {input})).status).toBe(0);
});

test('each account is looked up once per run by a command with many targets', async () => {
  isCalled('bo', {id: '5', acct: 'bo'});
  pixelfed().post('/api/v1/accounts/5/mute').times(2).reply(200, {id: '5'});
  const {status, stdout} = await runCommand(['mutes', 'add', '@bo', '@BO', 'https://pix.example/bo', '--json']);
  expect({status, results: JSON.parse(stdout)}).toMatchObject({status: 0, results: [{target: '@bo', ok: true}, {}]});
});

test('each account is looked up once per run, also when the account does not exist', async () => {
  pixelfed().get('/api/v1.1/accounts/username/bo').reply(200, []);
  pixelfed().post('/api/v1.1/direct/lookup', {q: 'bo'}).reply(200, []);
  const {status, stdout} = await runCommand(['mutes', 'add', '@bo', '@BO', 'https://pix.example/bo', '--json']);
  expect(status).toBe(11);
  expect(stdout.match(/"code":"not_found"/g)).toHaveLength(2);
});

const conversationPlaces = placesOf('conversation');
const hasThread = (conversation: object) =>
  pixelfed()
    .get('/api/v1.1/direct/thread?pid=5')
    .reply(200, {id: '5', messages: [], ...conversation});

test('conversations are named in these places', () => {
  expect(conversationPlaces.map(({command}) => command).sort()).toEqual(
    ['accept', 'delete-message', 'get', 'hide', 'leave', 'messages', 'mute', 'read', 'send', 'unhide', 'unmute'].map(
      (verb) => `dm ${verb}`,
    ),
  );
});

describe.each(conversationPlaces)('$command ID', (place) => {
  test.each(['@bo', 'bo@pix.example', 'https://pix.example/@bo'])('accepts %s for the conversation with that account', async (typed) => {
    isCalled('bo', {id: '5', acct: 'bo'});
    hasThread({conversation_id: '81'});
    const heard = listens(place);
    expect(await runCommand(lineWith(place, typed))).toMatchObject({status: 0});
    expect(heard[0]).toMatch(/\/conversations\/81(\/|\?| )/);
  });

  test('the command does not start a conversation when there is none', async () => {
    isCalled('bo', {id: '5', acct: 'bo'});
    hasThread({conversation_id: null});
    const {status, stderr} = await runCommand(lineWith(place, '@bo'));
    expect(status).toBe(4);
    expect(JSON.parse(stderr).error).toMatchObject({
      message: 'No conversation with @bo yet',
      hint: 'start one with `pixelctl dm start @bo`',
    });
  });

  test('an id of no request that a server names is a bad answer, and a dry run asks nothing', async () => {
    isCalled('bo', {id: '5', acct: 'bo'});
    hasThread({conversation_id: '.'});
    await expectFailure(8, 'the response does not name the conversation with @bo', lineWith(place, '@bo'));
    if (place.spec.endpoint.method === 'GET') return;
    expect(await runCommand([...lineWith(place, '@bo'), '--dry-run'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('<id of the conversation with @bo>'),
    });
  });

  test('suggests `thread` on servers without conversations', async () => {
    isCalled('bo', {id: '5', acct: 'bo'});
    hasThread({});
    await expectFailure(4, 'pixelctl thread get @bo', lineWith(place, '@bo'));
  });
});

test('a confirmation names the conversation with the account', async () => {
  isCalled('bo', {id: '5', acct: 'bo'});
  hasThread({conversation_id: '81'});
  pixelfed()
    .get('/api/v1.1/direct/conversations/81')
    .reply(200, {id: '81', participants: [{acct: 'bo'}]});
  await expectFailure(2, 'Leave the conversation with @bo on pix.example?', ['dm', 'leave', '@bo'], {typing: 'n\n'});
});
