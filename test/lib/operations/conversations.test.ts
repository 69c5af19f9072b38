/** Conversations found by the account that they are with, what dry runs name, and what is said of oneself. */
import {describe, expect, test} from 'vitest';
import * as examples from '../../../src/lib/api/examples.js';
import {asFailure, Failure} from '../../../src/lib/client/failure.js';
import {AccountDirectory, hostOfAccounts, whoAmI, type AccountsOptions} from '../../../src/lib/operations/accounts.js';
import {answeringServer, json, noRoute, serverWith, type AnsweringServer} from './answering-server.js';

const self = 'GET /api/v1/accounts/verify_credentials';
const thread = (id: string) => `GET /api/v1.1/direct/thread?pid=${id}`;
const byName = (name: string) => `GET /api/v1.1/accounts/username/${name}`;

const failureOf = (work: Promise<unknown>): Promise<Failure> => work.then(() => expect.unreachable('it fails'), asFailure);

describe('the conversation with an account', () => {
  const found = ({client}: AnsweringServer, name = '@bo', options: AccountsOptions = {}) =>
    new AccountDirectory(options).conversationOf(name, client);
  const serverOf = (answer: unknown) => serverWith({[byName('bo')]: {id: '5', username: 'bo', acct: 'bo'}, [thread('5')]: answer});

  test('the conversation with an account is found once, by the thread with it', async () => {
    const server = await serverOf({...examples.thread, id: '5', conversation_id: 77});
    const accounts = new AccountDirectory();
    expect(await Promise.all([accounts.conversationOf('@bo', server.client), accounts.conversationOf('@bo', server.client)])).toEqual([
      '77',
      '77',
    ]);
    expect(server.asked).toEqual([byName('bo'), thread('5')]);
  });

  test('an id of a conversation stays as it is, and in a dry run an account is a placeholder', async () => {
    const server = await answeringServer(() => undefined);
    expect(await found(server, '77')).toBe('77');
    expect(await found(server, '@bo', {dryRun: true})).toBe('<id of the conversation with @bo>');
    expect(server.asked).toEqual([]);
  });

  const {conversation_id: _, ...before2026} = {...examples.thread, id: '5'};

  test.each([
    [
      'none yet',
      {...examples.thread, id: '5', conversation_id: null},
      'not_found',
      'No conversation with @bo yet',
      'start one with `pixelctl dm start @bo`',
    ],
    [
      'none on a server before 2026',
      before2026,
      'not_found',
      /does not support conversations$/,
      'servers before 2026 have threads: `pixelctl thread get @bo`',
    ],
    [
      'none that can be named',
      {...examples.thread, id: '5', conversation_id: '.'},
      'bad_answer',
      /: the response does not name the conversation with @bo$/,
      undefined,
    ],
  ])('there is %s', async (_, answer, code, message, hint) => {
    const failure = await failureOf(found(await serverOf(answer)));
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(message);
    expect(failure.details.hint).toBe(hint);
    expect(failure.details.reason).toBe(answer === before2026 ? 'unknown_route' : undefined);
  });

  test('nobody has a conversation with themselves', async () => {
    const server = await serverWith({
      [byName('ana')]: {id: '1', username: 'ana', acct: 'ana'},
      [self]: {id: '1', username: 'ana', acct: 'ana'},
    });
    expect(await failureOf(found(server, '@ana'))).toMatchObject({
      code: 'usage',
      message: '@ana is your own account; there is no conversation with yourself: nothing was changed',
      details: {hint: 'name another account', status: 404},
    });
  });
});

describe('a failure that may be about oneself', () => {
  const missing = new Failure('not_found', 'No', {status: 404});
  const own = {id: '1', acct: 'ana'};

  test('a message to oneself alone is explained, without a request where it is known who that is', async () => {
    const {client, asked} = await answeringServer(() => undefined);
    const accounts = new AccountDirectory({self: own});
    expect(await accounts.explain(missing, ['1', '1'], client)).toMatchObject({
      code: 'usage',
      message: '@ana is your own account; you cannot message yourself: nothing was sent',
      details: {status: 404, hint: 'name another account'},
    });
    expect(asked).toEqual([]);
  });

  test.each([
    ['a message to others as well', missing, ['1', '2']],
    ['another failure', new Failure('refused', 'No'), ['1']],
    ['a missing route', new Failure('not_found', 'No', {reason: 'unknown_route'}), ['1']],
    ['what is no failure', new Error('No'), ['1']],
  ])('%s is passed on', async (_, error, ids) => {
    const {client} = await answeringServer(() => undefined);
    expect(await new AccountDirectory({self: own}).explain(error, ids, client)).toBe(error);
  });

  test('who one is is asked for once, and a failure is passed on where that is not known', async () => {
    const {client, asked} = await answeringServer(() => json({}, 500));
    const accounts = new AccountDirectory({self: null});
    expect([await accounts.explain(missing, ['1'], client), await accounts.explain(missing, ['1'], client)]).toEqual([missing, missing]);
    expect(asked).toEqual([self]);
  });
});

test('a dry run names accounts by placeholders, and ids as they are', async () => {
  const {client, asked} = await answeringServer(() => undefined);
  const accounts = new AccountDirectory({dryRun: true});
  expect([await accounts.idOf('@bo', client), await accounts.idOf('5', client)]).toEqual(['<id of @bo>', '5']);
  expect(asked).toEqual([]);
});

test('an id from a list is used where the server confirms it, and said to come from there', async () => {
  const notes: string[] = [];
  const url = 'https://remote.example/@bo';
  const {client, asked} = await serverWith({'GET /api/v1/accounts/5': {id: '5', username: 'bo', acct: 'bo@remote.example', url}});
  const accounts = new AccountDirectory({note: (text) => notes.push(text)});
  accounts.expect(new Map([['@bo@remote.example', {id: '5', url}]]));
  expect(await accounts.idOf('@Bo@remote.example', client)).toBe('5');
  expect(notes).toEqual(['@bo@remote.example is account 5 (from the list that named it)']);
  expect(asked).toHaveLength(1);
});

test.each([
  ['a lookup', 'GET /api/v1/accounts/lookup?acct=%40bo', {id: '5', username: 'bo', acct: 'bo'}],
  ['a search', 'POST /api/v1.1/direct/lookup', [{local: true, id: '5', name: 'bo', account: {id: '5', acct: 'bo'}}]],
])('an account that is found by %s is said to be', async (from, line, answer) => {
  const notes: string[] = [];
  const {client} = await answeringServer((asked) => (asked.line === line ? answer : noRoute));
  expect(await new AccountDirectory({note: (text) => notes.push(text)}).idOf('@bo', client)).toBe('5');
  expect(notes).toEqual([`@bo is account 5 (from ${from})`]);
});

test('an account that nobody has is not found, with the search that shows similar ones', async () => {
  const {client} = await answeringServer(({line}) => (line.includes('direct/lookup') ? [] : undefined));
  const failure = await failureOf(new AccountDirectory().idOf('@bo', client));
  expect(failure).toMatchObject({code: 'not_found', message: `No account @bo on ${client.host}`});
  expect(failure.details.hint).toBe('search for it: `pixelctl dm lookup bo`');
});

test.each([{id: '.'}, {id: 'a b'}])('an account that is named by an id which no request can carry is no answer: %j', async ({id}) => {
  const {client} = await serverWith({[byName('bo')]: {id, username: 'bo', acct: 'bo'}});
  expect(await failureOf(new AccountDirectory().idOf('@bo', client))).toMatchObject({
    code: 'bad_answer',
    message: `${client.host}: the response does not name the account by a usable id`,
  });
});

test.each([
  ['https://names.example/ana', 'names.example'],
  ['no URL', undefined],
  [null, undefined],
])('the host of a server’s own accounts is that of %j', async (url, host) => {
  const {client} = await serverWith({[self]: {id: '1', username: 'ana', acct: 'ana', url}});
  expect(await hostOfAccounts(client)).toBe(host);
});

test('whoever a server names on another host is taken as its own account, with a warning', async () => {
  const warnings: string[] = [];
  const {client} = await serverWith({[self]: {id: 1, username: 'ana', acct: 'ana@other.example'}});
  expect(await whoAmI(client, (text) => warnings.push(text))).toEqual({id: '1', acct: 'ana'});
  expect(warnings).toEqual([`${client.host} says that your account is @ana@other.example: pixelctl uses @ana@${client.host}`]);
});

test.each([
  {id: '.', acct: 'ana'},
  {id: '1', acct: '@'},
  {id: '1', acct: ''},
])('an account of a token without a usable name is no answer: %j', async (said) => {
  const {client} = await serverWith({[self]: {...said, username: 'ana'}});
  expect(await failureOf(whoAmI(client))).toMatchObject({
    code: 'bad_answer',
    message: `${client.host}: the response does not name the account of the token`,
  });
});
