/** Blocks that are read from the list of servers, because the server cannot list them: what becomes of a failure of that list. */
import {expect, test} from 'vitest';
import {listAdminDomainBlocks} from '../../../src/lib/api/admin-domain-blocks.js';
import {everyItem} from '../../../src/lib/client/paging.js';
import {Failure} from '../../../src/lib/client/failure.js';
import {requestFor} from '../../../src/lib/client/request.js';
import {adminDomainBlock, adminDomainBlockAddition, adminDomainBlockUpdate} from '../../../src/lib/operations/admin-domain-blocks.js';
import {perform, type Operation} from '../../../src/lib/operations/operation.js';
import {AccountDirectory} from '../../../src/lib/operations/accounts.js';
import {healing, standIn, typedNotes} from '../../../src/lib/operations/typed-notes.js';
import {failureOf} from '../../failure-of.js';
import {clientOf} from '../../loopback-server.js';
import {ask, sandboxWith} from '../sandbox/asking.js';
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

test('one block is made of its server, and a warning names it; there is none where it is not blocked', async () => {
  const request = requestFor(adminDomainBlock, {path: {id: '9'}});
  for (const flags of [{banned: true}, {unlisted: true}, {}]) {
    const {client, asked} = await answeringServer(() => ({
      data: {id: 9, domain: 'a.example', banned: false, unlisted: false, notes: 'typed', ...flags},
    }));
    const incoming = await standIn(request, broken, client);
    expect(incoming && JSON.parse(incoming.text).private_comment).toBe(Object.keys(flags).length === 0 ? undefined : 'typed');
    expect(asked).toEqual(['GET /api/admin/instances/get?id=9']);
  }
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
    {id: 2, severity: 'silence', private_comment: null, public_comment: null, reject_media: false, reject_reports: false, obfuscate: false},
    {id: 9, severity: 'suspend', private_comment: 'typed'},
    {id: 10, severity: 'suspend'},
  ]);
});

/** A server of which eleven blocks have a typed note, and others have none. */
async function withTyped(notes = 'Typed') {
  const typed = Array.from({length: 11}, (_, index) => ({
    domain: `t${index + 1}.example`,
    banned: index % 2 === 0,
    unlisted: index % 2 !== 0,
    notes,
  }));
  const others = [
    {domain: 'plain.example', banned: true},
    {domain: 'free.example', notes},
  ];
  const seed = {
    accounts: [{acct: 'ana', admin: true}],
    instances: [...typed, ...others].map((one) => ({createdAt: '2026-01-01T00:00:00.000Z', ...one})),
  };
  const sandbox = await sandboxWith({like: '2026', seed, limitsRate: false});
  const token = sandbox.tokens.admins['ana'] ?? '';
  const warnings: string[] = [];
  const client = clientOf(new URL(sandbox.url), {token: async () => token, retries: 0, standIn, warn: (text) => void warnings.push(text)});
  const run = (operation: Operation, input: object) => perform(operation, input, {client, accounts: async () => new AccountDirectory()});
  return {client, warnings, run, isWhole: async () => (await ask(sandbox, `GET ${listAdminDomainBlocks.path}`, {token})).status === 200};
}

test('all blocks are read, and a warning names ten of those with a note', async () => {
  const {client, warnings, isWhole} = await withTyped();
  expect(await isWhole()).toBe(false);
  expect(await everyItem(client, listAdminDomainBlocks)).toHaveLength(12);
  expect(warnings).toEqual([
    `${client.host} cannot list its blocks, because notes were typed on its own admin page (${Array.from({length: 10}, (_, index) => `t${index + 1}.example`).join(', ')} and 1 more). They were read from its list of servers instead; \`pixelctl doctor\` says how to repair this`,
  ]);
  const {blocks, typed} = await typedNotes(client);
  expect([blocks, typed.length, typed.slice(0, 2).map(healing)]).toEqual([
    12,
    11,
    [
      'pixelctl admin domain-blocks update t1.example --severity=suspend',
      'pixelctl admin domain-blocks update t2.example --severity=silence',
    ],
  ]);
});

test.each<[string, Operation, object, object | string, (string | undefined)?]>([
  ['a block that is read', adminDomainBlock, {path: {id: 't2.example'}}, {severity: 'silence', private_comment: 'Typed'}],
  ['a server that is not blocked', adminDomainBlock, {path: {id: '13'}}, 'not_found'],
  [
    'a change',
    adminDomainBlockUpdate,
    {path: {id: 't1.example'}, body: {severity: 'silence'}},
    {severity: 'silence', private_comment: 'Typed'},
  ],
  [
    'a change of the same comment',
    adminDomainBlockUpdate,
    {path: {id: 't1.example'}, body: {private_comment: ' Typed '}},
    {private_comment: 'Typed'},
  ],
  [
    'a change of the comment',
    adminDomainBlockUpdate,
    {path: {id: '1'}, body: {private_comment: 'mine'}},
    {severity: 'suspend', private_comment: 'mine'},
    'the comment on t1.example replaced a note that was typed on the admin page of HOST; it was: Typed',
  ],
  ['an addition as it is', adminDomainBlockAddition, {body: {domain: 't1.example', severity: 'suspend'}}, {private_comment: 'Typed'}],
  ['an addition that differs', adminDomainBlockAddition, {body: {domain: 't1.example', severity: 'silence'}}, 'refused'],
  ['an addition', adminDomainBlockAddition, {body: {domain: 'free.example', severity: 'suspend'}}, {private_comment: 'Typed'}],
])('%s keeps the note', async (_, operation, input, expected, warning) => {
  const {client, run, warnings} = await withTyped();
  if (typeof expected === 'string') expect(await failureOf(run(operation, input))).toMatchObject({code: expected});
  else {
    const answer = await run(operation, input);
    expect(answer.value).toMatchObject(expected);
    expect(answer.warnings).toEqual(warning && [warning.replace('HOST', client.host)]);
    expect(warnings.every((text) => text.includes('cannot list its blocks'))).toBe(true);
  }
});

test.each<[string, Operation, object]>([
  ['a change', adminDomainBlockUpdate, {path: {id: 't1.example'}, body: {severity: 'suspend'}}],
  ['an addition', adminDomainBlockAddition, {body: {domain: 'free.example', severity: 'suspend'}}],
])('a note that is longer than a comment is cut, and the answer of %s has it whole', async (_, operation, input) => {
  const long = 'x'.repeat(1001);
  const {run} = await withTyped(long);
  const {value, warnings} = await run(operation, input);
  expect(value).toMatchObject({private_comment: `${'x'.repeat(999)}…`});
  expect(warnings).toEqual([`the note was cut to the 1000 characters that a comment may have; it was: ${long}`]);
});
