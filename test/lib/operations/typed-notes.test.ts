/** Blocks that are read from the list of servers, because the server cannot list them: what becomes of a failure of that list. */
import {expect, test} from 'vitest';
import {listAdminDomainBlocks} from '../../../src/lib/api/admin-domain-blocks.js';
import {Failure} from '../../../src/lib/client/failure.js';
import {requestFor} from '../../../src/lib/client/request.js';
import {standIn} from '../../../src/lib/operations/typed-notes.js';
import {answeringServer, json, noRoute} from './answering-server.js';

const broken = new Failure('unavailable', 'cannot list', {reason: 'typed_note'});
const list = requestFor(listAdminDomainBlocks, {});

test.each([
  ['whose token is refused', json({error: 'Unauthenticated.'}, 401), {code: 'auth', details: {reason: 'token'}}],
  [
    'that is only for admins',
    json({error: ''}, 404),
    {code: 'auth', message: expect.stringContaining('needs the scope admin:write'), details: {reason: 'admin_scope', scope: 'admin:write'}},
  ],
  ['that fails', json({error: 'x'}, 500), {code: 'unavailable'}],
])('a list of servers %s fails so', async (_, answer, failure) => {
  const {client} = await answeringServer(() => answer);
  await expect(standIn(list, broken, client)).rejects.toMatchObject(failure);
});

test('without a list of servers, and for any other failure, there is nothing in its place', async () => {
  const {client, asked} = await answeringServer(() => noRoute);
  expect(await standIn(list, broken, client)).toBeUndefined();
  const before = asked.length;
  expect(await standIn(list, new Failure('unavailable', 'x'), client)).toBeUndefined();
  expect(asked).toHaveLength(before);
});

test('blocks are made of the servers, each once, in the order of their ids', async () => {
  const server = (id: number, flags: object) => ({id, domain: `s${id}.example`, banned: false, unlisted: false, notes: null, ...flags});
  const {client} = await answeringServer(({line}) => ({
    data: line.includes('filter=banned')
      ? [server(10, {banned: true}), server(9, {banned: true, unlisted: true, notes: 'typed'})]
      : [server(9, {banned: true, unlisted: true, notes: 'typed'}), server(2, {unlisted: true}), server(1, {})],
    meta: {path: '', per_page: 10, next_cursor: null, prev_cursor: null},
  }));
  const {text = '[]'} = (await standIn(list, broken, client)) ?? {};
  expect(JSON.parse(text)).toMatchObject([
    {id: 2, severity: 'silence', private_comment: null},
    {id: 9, severity: 'suspend', private_comment: 'typed'},
    {id: 10, severity: 'suspend'},
  ]);
});
