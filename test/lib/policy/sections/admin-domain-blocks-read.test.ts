/** What is read of a server's blocks before they are compared, and of what an addition overwrites. */
import {describe, expect, test} from 'vitest';
import {asFailure} from '../../../../src/lib/client/failure.js';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import {adminDomainBlocks} from '../../../../src/lib/policy/sections/admin-domain-blocks.js';
import {changingOf} from '../../../../src/lib/policy/sections/index.js';
import {readState} from '../../../../src/lib/policy/sections/read-state.js';
import {clientOf} from '../../../loopback-server.js';
import {answeringServer, json, type AnsweringServer} from '../../operations/answering-server.js';

const blocks = 'GET /api/v1/admin/domain_blocks';
const versions = {pixelfed: '3.5.3 (compatible; Pixelfed 0.12.6)', mastodon: '4.3.0'} as const;

const known = (id: number, domain: string, notes: string | null) => ({id, domain, notes, banned: false, unlisted: false, auto_cw: false});

interface Server {
  readonly software?: keyof typeof versions;
  readonly list?: unknown;
  /** What is answered to the search for a server. */
  readonly instances?: unknown;
}

const serverOf = ({software = 'mastodon', list = [], instances = []}: Server): Promise<AnsweringServer> =>
  answeringServer(({line}) => {
    if (line === 'GET /api/v1/instance') return {version: versions[software], domain: 'names.example'};
    if (line === blocks) return list;
    if (line.startsWith('GET /api/admin/instances/list')) return typeof instances === 'function' ? instances : {data: instances};
    return undefined;
  });

const stateOf = ({client}: AnsweringServer) => readState(client, 'https://pix.example', new Set(['admin_domain_blocks']));

describe('the blocks of a server', () => {
  const bare = {id: '1', domain: 'bare.example', severity: 'silence'};

  test('blocks are read with what is said of them, and without what is empty or off', async () => {
    const all = {reject_media: true, reject_reports: true, obfuscate: true, public_comment: 'open', private_comment: 'ours'};
    const off = {reject_media: false, reject_reports: null, obfuscate: false, public_comment: '', private_comment: null};
    const list = [bare, {...bare, ...all, id: 2, domain: 'All.example'}, {...bare, ...off, id: '3', domain: 'off.example'}];
    const server = await serverOf({list});
    const {admin_domain_blocks, blocking} = await stateOf(server);
    expect(admin_domain_blocks).toEqual({
      value: new Map([
        ['all.example', {id: '2', facts: {severity: 'silence', ...all}}],
        ['bare.example', {id: '1', facts: {severity: 'silence'}}],
        ['off.example', {id: '3', facts: {severity: 'silence'}}],
      ]),
    });
    expect(blocking).toEqual({software: 'mastodon', hosts: [server.client.host, 'names.example'], unblocked: new Map()});
  });

  test.each([[1], [-1]])('of a domain in two spellings, the strictest block counts, in any order: %d', async (order) => {
    const list = [bare, {id: '2', domain: 'Bare.example', severity: 'suspend'}].sort(() => order);
    const {admin_domain_blocks} = await stateOf(await serverOf({list}));
    expect(admin_domain_blocks).toEqual({value: new Map([['bare.example', {id: '2', facts: {severity: 'suspend'}}]])});
  });

  test('entries that do nothing are no blocks, and are remembered', async () => {
    const list = [bare, {id: '2', domain: 'noted.example', severity: 'noop', private_comment: 'seen once'}];
    const {admin_domain_blocks, blocking} = await stateOf(await serverOf({software: 'pixelfed', list}));
    expect(admin_domain_blocks).toEqual({value: new Map([['bare.example', {id: '1', facts: {severity: 'silence'}}]])});
    expect(blocking).toMatchObject({
      software: 'pixelfed',
      unblocked: new Map([['noted.example', {severity: 'noop', private_comment: 'seen once'}]]),
    });
  });

  test.each([
    ['without an id', [{domain: 'a.example', severity: 'silence'}], '0.id: missing'],
    ['without a domain', [{id: '1', severity: 'silence'}], '0.domain: missing'],
    ['of another severity', [{...bare, severity: 'limit'}], '0.severity: '],
    ['with a comment that is no text', [{...bare, private_comment: 7}], '0.private_comment: expected string, got number'],
    ['with a flag that is no boolean', [{...bare, obfuscate: 'no'}], '0.obfuscate: expected boolean, got string'],
    ['in an object', {data: []}, 'expected array, got object'],
  ])('blocks %s are not taken for fewer blocks', async (_, list, why) => {
    const {admin_domain_blocks, blocking} = await stateOf(await serverOf({list}));
    expect(admin_domain_blocks).toMatchObject({failure: {code: 'bad_answer', message: expect.stringContaining(why)}});
    expect(blocking).toBeUndefined();
  });

  test('nobody but admins can read them', async () => {
    const {admin_domain_blocks} = await stateOf(await serverOf({list: json({error: 'Not yours'}, 403)}));
    expect(admin_domain_blocks).toMatchObject({failure: {code: 'auth'}});
  });
});

describe('before domains are blocked', () => {
  const add = (subject: string): Change => ({
    action: 'add',
    kind: 'admin_domain_block',
    subject,
    details: {severity: 'suspend'},
    reason: 'must',
    because: 'admin_domain_blocks.must: p.yml:3',
  });
  const remove: Change = {...add('gone.example'), action: 'remove', details: {id: '9'}, kind: 'admin_domain_block'};

  const now = new Date('2026-11-22T10:00:00Z');

  /** What is known by then, and what was asked for it. */
  async function preparedOn(options: Server, changes: readonly Change[]) {
    const server = await serverOf(options);
    const state = await stateOf(server);
    const before = server.asked.length;
    const prepared = await changingOf('admin_domain_block').prepared?.(changes, state, server.client, now);
    return {
      details: changes.map((change) => prepared?.changes.get(change)?.details),
      warning: prepared?.warning,
      asked: server.asked.slice(before),
    };
  }

  test('Pixelfed is asked for the notes that a block overwrites', async () => {
    const instances = [known(3, 'noted.example', 'spam since May'), known(4, 'plain.example', null)];
    const {details, warning, asked} = await preparedOn({software: 'pixelfed', instances}, [
      add('noted.example'),
      remove,
      add('plain.example'),
    ]);
    expect(details).toEqual([
      {severity: 'suspend', private_comment: 'spam since May', replaces: {severity: 'noop', private_comment: 'spam since May'}},
      undefined,
      {severity: 'suspend', replaces: {severity: 'noop'}},
    ]);
    expect(warning).toBeUndefined();
    expect(asked).toEqual(['noted', 'plain'].map((name) => `GET /api/admin/instances/list?sort=asc&sort_by=id&q=${name}.example`));
  });

  test('a server that Pixelfed does not know has no notes', async () => {
    const {details, warning} = await preparedOn({software: 'pixelfed'}, [add('new.example')]);
    expect([details, warning]).toEqual([[{severity: 'suspend', replaces: {severity: 'noop'}}], undefined]);
  });

  test.each([
    ['Mastodon keeps comments, and', {software: 'mastodon'}, [add('noted.example')]],
    ['removals overwrite nothing, and Pixelfed', {software: 'pixelfed'}, [remove]],
  ] as const)('%s is not asked', async (_, options, changes) => {
    expect(await preparedOn(options, changes)).toEqual({details: [undefined], warning: undefined, asked: []});
  });

  test('notes that cannot be read are warned of, and the block is sent as it is', async () => {
    const {details, warning} = await preparedOn({software: 'pixelfed', instances: json({error: 'Down'}, 500)}, [add('noted.example')]);
    expect(details).toEqual([undefined]);
    expect(warning).toMatch(/^the notes of servers could not be read, and blocking erases them: /);
  });

  test('a run that is interrupted while they are read sends nothing', async () => {
    const server = await serverOf({software: 'pixelfed'});
    const state = await stateOf(server);
    const client = clientOf(server.client.server, {signal: AbortSignal.abort()});
    const error = await Promise.resolve(adminDomainBlocks.changing?.prepared?.([add('a.example')], state, client, now)).catch(asFailure);
    expect(error).toMatchObject({code: 'interrupted'});
  });
});
