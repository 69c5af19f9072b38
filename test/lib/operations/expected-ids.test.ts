/** Ids from lists: used only where the server shows the same account under them. */
import {expect, test} from 'vitest';
import {listBlocks} from '../../../src/lib/api/blocks.js';
import {expectIds, type FindExpected} from '../../../src/lib/operations/expected-ids.js';
import {answeringServer, json, noRoute, serverWith} from './answering-server.js';

const byId = 'GET /api/v1/accounts/5';
const handle = 'bo@remote.example';
const url = 'https://remote.example/@bo';
const bo = {id: '5', username: 'bo', acct: 'bo@remote.example', url};

const expected = (name = '@Bo@remote.example', one = {id: '5', url}): FindExpected => expectIds(new Map([[name, one]]));

test.each([
  ['the same account', bo, '5'],
  ['its URL in another form', {...bo, url: 'HTTPS://REMOTE.example:443/@bo'}, '5'],
  ['its name without its server', {...bo, acct: 'Bo'}, '5'],
  ['another URL', {...bo, url: 'https://remote.example/@eve'}, undefined],
  ['another handle', {...bo, acct: 'eve@remote.example'}, undefined],
  ['another id', {...bo, id: '6'}, undefined],
  ['no URL', {...bo, url: null}, undefined],
  ['no handle', {...bo, acct: undefined}, undefined],
  ['an account without an id', {...bo, id: undefined}, undefined],
])('an expected id is judged where the server shows %s', async (_, account, id) => {
  const {client, asked} = await serverWith({[byId]: account});
  expect(await expected()(handle, client)).toBe(id);
  expect(asked).toEqual([byId]);
});

test('an account that is of the server itself is compared by its own host', async () => {
  const {client} = await serverWith({[byId]: {...bo, acct: 'bo'}});
  expect(await expected(`@bo@${client.host}`)(`bo@${client.host}`, client)).toBe('5');
});

test('a URL that is none is compared as it is', async () => {
  const {client} = await serverWith({[byId]: {...bo, url: 'no URL'}});
  expect(await expected('@bo@remote.example', {id: '5', url: 'no URL'})(handle, client)).toBe('5');
  expect(await expected('@bo@remote.example', {id: '5', url: 'No URL'})(handle, client)).toBeUndefined();
});

test('an account that is not expected is not asked for', async () => {
  const {client, asked} = await serverWith({[byId]: bo});
  expect(await expected()('eve@remote.example', client)).toBeUndefined();
  expect(asked).toEqual([]);
});

test('a list is read once, and nothing else is asked', async () => {
  const eve = {...bo, id: '7', acct: 'eve@remote.example', url: 'https://remote.example/@eve'};
  const {client, asked} = await answeringServer(() => [{id: '1'}, {...bo, id: '99'}, eve, {acct: 'x', url: 'https://x.example/x'}]);
  const find = expectIds(
    new Map([
      ['@Bo@remote.example', {id: '5', url}],
      ['@eve@remote.example', {id: '8', url: eve.url}],
      ['@mia@remote.example', {id: '9', url: 'https://remote.example/@mia'}],
      ['@x@x.example', {id: '9', url: 'https://x.example/x'}],
      ['@other@remote.example', {id: '99', url}],
    ]),
    listBlocks,
  );
  const found = [];
  for (const name of ['bo@remote.example', 'eve@remote.example', 'mia@remote.example', 'x@x.example', 'other@remote.example'])
    found.push(await find(name, client));
  expect(found).toEqual(['99', '7', undefined, undefined, undefined]);
  expect(asked).toHaveLength(1);
});

test.each([
  ['not found', json({error: 'Record not found'}, 404)],
  ['not offered', noRoute],
  ['refused', json({error: 'No'}, 422)],
  ['outside the scope of the token', json({error: 'Invalid scope(s) provided.'}, 403)],
])('there is no account with an id that is %s', async (_, answer) => {
  const {client} = await serverWith({[byId]: answer});
  expect(await expected()(handle, client)).toBeUndefined();
});

test.each([
  ['auth', json({error: 'Unauthenticated.'}, 401)],
  ['unavailable', json({}, 500)],
  ['bad_answer', []],
])('a failure of the kind %s is passed on', async (code, answer) => {
  const {client} = await serverWith({[byId]: answer});
  await expect(expected()(handle, client)).rejects.toMatchObject({code});
});
