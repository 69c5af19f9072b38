import {describe, expect, test} from 'vitest';
import {AccountDirectory} from '../../../src/lib/operations/accounts.js';
import {addMute} from '../../../src/lib/api/blocks.js';
import {createClient, performOperation} from '../../../src/lib/operations/index.js';
import {recipientLookup} from '../../../src/lib/operations/messages.js';
import {pixelfed, server, token} from '../../run-command.js';

const client = createClient({server: new URL(server), token: async () => token, maxWait: 0});
const idOf = (name: string) => new AccountDirectory().idOf(name, client);

const byName = (name: string) => pixelfed().get(`/api/v1.1/accounts/username/${name}`);
const byLookUp = (acct: string) => pixelfed().get('/api/v1/accounts/lookup').query({acct});
const bySearch = (q: string) => pixelfed().post('/api/v1.1/direct/lookup', {q});
const noRoute = {error: 'The route api/v1.1/accounts/username/bo could not be found.'};
const entry = (id: string, acct: string) => ({local: !acct.includes('@'), id, name: acct, account: {id, acct}});

describe('a local account', () => {
  test('keeps every digit of an id that is a number', async () => {
    byName('bo').reply(200, '{"id":12345678901234567890,"acct":"bo"}');
    expect(await idOf('@bo')).toBe('12345678901234567890');
  });

  test.each([
    [404, noRoute],
    [405, {error: 'The GET method is not supported for route api/v1.1/accounts/username/bo.'}],
  ])('a local account is looked up where the name route is not offered (%i)', async (status, body) => {
    byName('bo').reply(status, body);
    byLookUp('@bo').reply(200, {id: '5', acct: 'bo'});
    expect(await idOf('@bo')).toBe('5');
  });

  test('a local account is searched for last, and only an exact match is used', async () => {
    byName('bo').reply(404, noRoute);
    byLookUp('@bo').reply(400, {error: 'Record not found'});
    bySearch('bo').reply(200, [entry('9', 'bobby'), entry('11', 'bo@remote.example'), entry('5', 'bo')]);
    expect(await idOf('@bo')).toBe('5');
  });

  test('a local account is not looked up where the name route is offered', async () => {
    byName('bo').reply(200, []);
    bySearch('bo').reply(200, [entry('9', 'bobby')]);
    await expect(idOf('@bo')).rejects.toMatchObject({code: 'not_found', message: 'No account @bo on pix.example'});
  });

  test.each([
    ['another account', {id: '9', acct: 'bobby'}],
    ['one of another server', {id: '9', acct: 'bo@other.example'}],
    ['an account without a name', {id: '9'}],
    ['nothing', []],
  ])('a local account is not %s', async (_, answer) => {
    byName('bo').reply(200, answer);
    bySearch('bo').reply(200, [null, 7, {}, {account: null}, {account: {acct: 5}}]);
    await expect(idOf('@bo')).rejects.toMatchObject({code: 'not_found'});
  });

  test('a local account is searched for when the token may not read', async () => {
    byName('bo').reply(403, {error: ''});
    bySearch('bo').reply(200, [entry('5', 'bo')]);
    expect(await idOf('@bo')).toBe('5');
  });

  test('names the missing scope when nothing else finds it', async () => {
    byName('bo').reply(403, {error: ''});
    bySearch('bo').reply(200, []);
    await expect(idOf('@bo')).rejects.toMatchObject({code: 'auth', details: {reason: 'scope'}});
  });

  test('a local account is not searched for with a token that is not accepted', async () => {
    byName('bo').reply(401, {error: 'Unauthenticated.'});
    await expect(idOf('@bo')).rejects.toMatchObject({code: 'auth'});
  });

  test('a local account of one letter is searched for by its whole handle', async () => {
    byName('b').reply(200, []);
    bySearch('@b@pix.example').reply(200, [entry('5', 'b')]);
    expect(await idOf('@b')).toBe('5');
  });

  test('a local account may have a profile URL on another host', async () => {
    byLookUp('@bo@pixels.example').reply(200, {id: '5', acct: 'bo', url: 'https://pixels.example/bo'});
    expect(await idOf('@bo@pixels.example')).toBe('5');
  });
});

describe('a remote account', () => {
  test.each([
    ['is not known', 400, {error: 'Record not found'}],
    ['was asked for too often today', 429, {error: 'Too Many Attempts.'}],
    ['cannot be looked up here', 404, noRoute],
  ])('a remote account is searched for when it %s', async (_, status, body) => {
    byLookUp('@ana@remote.example').reply(status, body, {'retry-after': '3600'});
    bySearch('@ana@remote.example').reply(200, [entry('9', 'ana'), entry('6', 'ana@remote.example')]);
    expect(await idOf('@ana@remote.example')).toBe('6');
  });
});

test('an account and its conversation are looked up once, also by a script', async () => {
  const accounts = new AccountDirectory();
  const thread = pixelfed().get('/api/v1.1/direct/thread').query({pid: '5'});
  thread.reply(200, {id: '5', conversation_id: '7'});
  byName('once').reply(200, {id: '5', acct: 'once'});
  for (const name of ['@once', '@ONCE@pix.example']) expect(await accounts.idOf(name, client)).toBe('5');
  for (const name of ['@once', '@once']) expect(await accounts.conversationOf(name, client)).toBe('7');
  byName('once').reply(200, {id: '5', acct: 'once'});
  pixelfed().post('/api/v1/accounts/5/mute').twice().reply(200, {id: '5', muting: true});
  for (const id of ['@once', '@once']) await performOperation(client, addMute, {path: {id}});
});

test('a route that is not available is not tried for the next account', async () => {
  const accounts = new AccountDirectory();
  byName('bo').reply(404, noRoute);
  byLookUp('@bo').reply(429, {error: 'Too Many Attempts.'}, {'retry-after': '3600'});
  bySearch('bo').reply(200, [entry('5', 'bo')]);
  bySearch('eve').reply(200, [entry('6', 'eve')]);
  bySearch('zed').reply(200, []);
  expect([await accounts.idOf('@bo', client), await accounts.idOf('@eve', client)]).toEqual(['5', '6']);
  await expect(accounts.idOf('@zed', client)).rejects.toMatchObject({code: 'rate_limited'});
});

test('a rate limit of one route is not reported for an account that does not need it', async () => {
  const accounts = new AccountDirectory();
  byLookUp('@ana@remote.example').reply(429, {error: 'Too Many Attempts.'}, {'retry-after': '3600'});
  bySearch('@ana@remote.example').reply(200, []);
  await expect(accounts.idOf('@ana@remote.example', client)).rejects.toMatchObject({code: 'rate_limited'});
  byName('zed').reply(200, []);
  bySearch('zed').reply(200, []);
  await expect(accounts.idOf('@zed', client)).rejects.toMatchObject({code: 'not_found'});
});

test('the lookup quota does not slow other requests down', async () => {
  const other = createClient({server: new URL(server), token: async () => token});
  byLookUp('@ana@remote.example').reply(
    200,
    {id: '6', acct: 'ana@remote.example'},
    {'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '0'},
  );
  await new AccountDirectory().idOf('@ana@remote.example', other);
  expect(other.pace).toEqual({pausedFor: undefined, rate: undefined});
  await other.close();
});

test('distinguishes an id from a user name of digits', async () => {
  const accounts = new AccountDirectory();
  byName('123').reply(200, {id: '7', acct: '123'});
  expect(await Promise.all([accounts.idOf('123', client), accounts.idOf('@123', client)])).toEqual(['123', '7']);
});

describe('a local account beyond the limit of the name route', () => {
  const limited = {'x-rate-limit-limit': '30', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '1'};
  const waits: number[] = [];
  let now = 0;
  const clock = {
    now: () => now,
    time: () => now,
    after(milliseconds: number, call: () => void) {
      waits.push(milliseconds);
      now += milliseconds;
      setImmediate(call);
      return () => {};
    },
  };
  const patient = createClient({server: new URL(server), token: async () => token, clock});

  test('a local account beyond the limit of the name route is searched for at once', async () => {
    byName('bo').reply(429, {error: 'Too Many Attempts.'}, limited);
    bySearch('bo').reply(200, [entry('9', 'bobby'), entry('5', 'bo')]);
    expect(await new AccountDirectory().idOf('@bo', patient)).toBe('5');
    expect(waits).toEqual([]);
  });

  test('the name route is left alone after that, as long as the search finds the others', async () => {
    const accounts = new AccountDirectory();
    byName('bo').reply(429, {error: 'Too Many Attempts.'}, limited);
    for (const [name, id] of [
      ['bo', '5'],
      ['eve', '6'],
    ] as const) {
      bySearch(name).reply(200, [entry(id, name)]);
      expect(await accounts.idOf(`@${name}`, patient)).toBe(id);
    }
  });

  test('a local account beyond the limit of the name route that longer names hide from the search is asked for again when the limit has passed, and the route stays open', async () => {
    const accounts = new AccountDirectory();
    byName('bo').reply(429, {error: 'Too Many Attempts.'}, limited);
    bySearch('bo').reply(200, [entry('9', 'bobby')]);
    byName('bo').reply(200, {id: '5', acct: 'bo'});
    byName('eve').reply(200, {id: '6', acct: 'eve'});
    expect(await accounts.idOf('@bo', patient)).toBe('5');
    expect(await accounts.idOf('@eve', patient)).toBe('6');
  });

  test('a local account beyond the limit of the name route that nobody has is not found after that', async () => {
    byName('bo').reply(429, {error: 'Too Many Attempts.'}, limited);
    bySearch('bo').reply(200, []);
    byName('bo').reply(200, []);
    await expect(new AccountDirectory().idOf('@bo', patient)).rejects.toMatchObject({code: 'not_found'});
  });

  test('a local account beyond the limit of the name route is an error of the limit when that would last longer than may be waited', async () => {
    byName('bo')
      .times(2)
      .reply(429, {error: 'Too Many Attempts.'}, {...limited, 'x-rate-limit-reset': '110'});
    bySearch('bo').reply(200, []);
    await expect(idOf('@bo')).rejects.toMatchObject({code: 'rate_limited', message: expect.stringContaining('asks to wait 110 s')});
  });
});

test.each([
  ['bo', {}, 'bo'],
  ['@bo@remote.example', {}, '@bo@remote.example'],
  ['https://remote.example/@bo', {}, '@bo@remote.example'],
  ['https://pix.example/@bo', {}, 'bo'],
  ['https://pix.example/@b', {}, '@b@pix.example'],
  ['https://remote.example/@bo', {remote: true}, 'https://remote.example/@bo'],
])('recipients that %s finds, with %j, are searched for as %s', async (text, remote, q) => {
  pixelfed()
    .post('/api/v1.1/direct/lookup', {q, ...remote})
    .reply(200, []);
  expect((await recipientLookup.send?.({body: {q: text, ...remote}}, client))?.value).toEqual([]);
});
