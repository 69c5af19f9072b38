/** Blocks for a whole server: what is sent, and what a refusal means. */
import {describe, expect, test} from 'vitest';
import {
  adminDomainBlock,
  adminDomainBlockAddition,
  adminDomainBlockEnd,
  adminDomainBlockRemoval,
  adminDomainBlockUpdate,
  standingBlockUpdate,
} from '../../../src/lib/operations/admin-domain-blocks.js';
import {membersOf} from '../../../src/lib/api/schema.js';
import {AccountDirectory} from '../../../src/lib/operations/accounts.js';
import {perform, requestsFor, type Operation} from '../../../src/lib/operations/operation.js';
import {asFailure, type Failure} from '../../../src/lib/client/failure.js';
import type {Client} from '../../../src/lib/client/client.js';
import {answeringServer, drop, json, type AnsweringServer} from './answering-server.js';

const blocks = '/api/v1/admin/domain_blocks';

const block = (id: unknown, domain: unknown, more: object = {}) => ({
  id,
  domain,
  severity: 'suspend',
  created_at: '2026-01-01T00:00:00.000Z',
  reject_media: false,
  reject_reports: false,
  private_comment: 'private',
  public_comment: null,
  obfuscate: false,
  ...more,
});

interface Server {
  readonly list?: unknown;
  /** By id. */
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly write?: unknown;
  readonly software?: 'mastodon' | 'pixelfed' | 'silent';
  readonly notes?: unknown;
}

/** @param write what the POST, PUT or DELETE is answered; by default with what it asked for */
const serverOf = ({list = [], entries = {}, write, software = 'mastodon', notes = null}: Server): Promise<AnsweringServer> =>
  answeringServer(({line, body}) => {
    if (line === 'GET /api/v1/instance')
      return software === 'silent'
        ? json({}, 500)
        : {version: software === 'pixelfed' ? '3.5.3 (compatible; Pixelfed 0.12.6)' : '4.3.0', domain: 'names.example'};
    if (line.startsWith('GET /api/admin/instances/list')) {
      const known = {id: 3, domain: 'bad.example', software: null, unlisted: false, auto_cw: false, banned: false, notes};
      const facts = {user_count: null, status_count: null, last_crawled_at: null, created_at: '2026-01-01T00:00:00.000Z'};
      return {data: [{...known, ...facts}], meta: {path: '', per_page: 10, next_cursor: null, prev_cursor: null}};
    }
    if (line.startsWith('DELETE')) return write ?? {};
    const [, id] = /domain_blocks\/(\w+)(?: |$)/.exec(line) ?? [];
    if (!line.startsWith('GET')) return write ?? block(id ?? '30', 'bad.example', {private_comment: null, ...Object(body)});
    return id === undefined ? list : entries[id];
  });

const run = (operation: Operation, input: object, {client}: {readonly client: Client}) =>
  perform(operation, input, {client, accounts: async () => new AccountDirectory()});

const failureOf = (sent: Promise<unknown>): Promise<Failure> =>
  sent.then(
    () => expect.unreachable('it fails'),
    (error: unknown) => asFailure(error),
  );

const writes = ({asked}: AnsweringServer) => asked.filter((line) => !line.startsWith('GET'));

describe('the id of a block', () => {
  test.each([
    ['5', '5', []],
    ['bad.example', '2', [block('1', 'a.example'), block('2', 'bad.example'), block(null, 'c.example')]],
    ['bad.example', '2', [block('1', 'BAD.example'), block('2', 'bad.example'), block('3', 'Bad.example')]],
    ['bad.example', '1', [block('1', 'BAD.example'), block('3', 'Bad.example')]],
  ])('the block of %s has the id %s', async (named, id, list) => {
    const server = await serverOf({list, entries: {[id]: block(id, 'bad.example')}});
    expect((await run(adminDomainBlock, {path: {id: named}}, server)).value).toMatchObject({id});
    expect(server.asked.at(-1)).toBe(`GET ${blocks}/${id}`);
    // The list is read once.
    const before = server.asked.length;
    await run(adminDomainBlock, {path: {id: named}}, server);
    expect(server.asked.slice(before)).toEqual([`GET ${blocks}/${id}`]);
  });

  test('a list that could not be read is read again', async () => {
    const list = (_: unknown, before: number) =>
      before === 0 ? json({}, 500) : before === 1 ? [block('1', 'a.example')] : block('1', 'a.example');
    const server = await answeringServer(list);
    await expect(run(adminDomainBlock, {path: {id: 'a.example'}}, server)).rejects.toMatchObject({code: 'unavailable'});
    expect((await run(adminDomainBlock, {path: {id: 'a.example'}}, server)).value).toMatchObject({id: '1'});
  });

  test('a domain that is not in the list is not found, and so is gone', async () => {
    const server = await serverOf({list: [block('1', 'a.example')]});
    expect(await failureOf(run(adminDomainBlockRemoval, {path: {id: 'bad.example'}}, server))).toMatchObject({
      code: 'not_found',
      message: `${server.client.host}: bad.example is not blocked`,
      details: {gone: true},
    });
    expect(writes(server)).toEqual([]);
  });

  test.each([
    ['bad.example', '<id of bad.example>'],
    ['5', '5'],
  ])('a dry run names %s as %s', (id, shown) => {
    for (const operation of [adminDomainBlockRemoval, adminDomainBlockEnd, adminDomainBlockUpdate])
      expect(requestsFor(operation, {path: {id}}).map(({path}) => decodeURIComponent(path))).toEqual([`${blocks}/${shown}`]);
  });
});

describe('a block is added', () => {
  const asked = {domain: 'bad.example', severity: 'suspend'};

  test.each<[string, Server, object, object]>([
    ['as asked', {}, {}, {}],
    ['with empty comments on Mastodon', {}, {private_comment: '', public_comment: ' '}, {private_comment: '', public_comment: ' '}],
    ['without empty comments on Pixelfed', {software: 'pixelfed'}, {private_comment: '', public_comment: ' '}, {}],
    [
      'with the notes that Pixelfed would erase',
      {software: 'pixelfed', notes: ['Spam', ' ', null, 'Ads']},
      {},
      {private_comment: 'Spam; Ads'},
    ],
    ['without notes that are empty', {software: 'pixelfed', notes: ['', null]}, {}, {}],
    [
      'with the comment that is given instead of notes',
      {software: 'pixelfed', notes: ['Spam']},
      {private_comment: 'Mine'},
      {private_comment: 'Mine'},
    ],
    ['without notes on Mastodon, which keeps them', {notes: ['Spam']}, {}, {}],
  ])('a block is added %s', async (_, how, settings, sent) => {
    const server = await serverOf(how);
    const answer = await run(adminDomainBlockAddition, {body: {...asked, ...settings}}, server);
    expect(writes(server)).toEqual([`POST ${blocks} ${JSON.stringify({...asked, ...sent})}`]);
    expect(answer.warnings).toBeUndefined();
    expect(answer.stood).toBeUndefined();
  });

  test('a warning says that notes may be lost, where they cannot be read', async () => {
    const server = await serverOf({software: 'silent'});
    const {warnings} = await run(adminDomainBlockAddition, {body: asked}, server);
    expect(warnings).toHaveLength(1);
    expect(warnings?.[0]).toMatch(/^the notes of servers could not be read, and blocking may have erased some: 127/);
  });

  test('a warning names what the server did not keep, except what it does not have at all', async () => {
    const {obfuscate: _, ...kept} = block('30', 'bad.example');
    const server = await serverOf({write: json(kept)});
    const body = {...asked, private_comment: 'private', reject_media: true, public_comment: 'why', obfuscate: true};
    const {warnings} = await run(adminDomainBlockAddition, {body}, server);
    expect(warnings).toEqual([`${server.client.host} did not keep public_comment, reject_media as asked`]);
  });

  test('the answer of another domain is no success', async () => {
    const server = await serverOf({write: json(block('30', 'other.example'))});
    const failure = await failureOf(run(adminDomainBlockAddition, {body: asked}, server));
    expect(failure).toMatchObject({
      code: 'bad_answer',
      message: `${server.client.host}: the response is about other.example, not about bad.example (domain)`,
      details: {method: 'POST', path: blocks, status: 200, reason: 'another_target', fate: 'unknown', canRepeat: true},
    });
    expect(failure.details.lookWith).toEqual({command: 'admin domain-blocks get', args: ['bad.example']});
  });

  test('the domain of an answer may be in another form', async () => {
    const server = await serverOf({write: json(block('30', 'BAD.example.'))});
    expect((await run(adminDomainBlockAddition, {body: asked}, server)).value).toMatchObject({id: '30'});
  });
});

describe('a domain is blocked already', () => {
  const refused = (entry: object) => json({error: 'There is already a block', existing_domain_block: entry}, 422);
  const add = (server: AnsweringServer, settings: object = {}) =>
    run(adminDomainBlockAddition, {body: {domain: 'bad.example', severity: 'suspend', private_comment: 'private', ...settings}}, server);

  test.each<[string, object, object, 'mastodon' | 'pixelfed']>([
    ['as asked', {}, {}, 'mastodon'],
    ['in another form', {domain: 'Bad.example'}, {}, 'mastodon'],
    [
      'with settings that Pixelfed drops',
      {public_comment: null, reject_media: null},
      {reject_media: true, public_comment: 'x'},
      'pixelfed',
    ],
  ])('a block that stands %s is a success', async (_, entry, settings, software) => {
    const server = await serverOf({write: refused(block('2', 'bad.example', entry)), software});
    const answer = await add(server, settings);
    expect(answer).toMatchObject({status: 422, stood: true, value: {id: '2'}});
  });

  test.each([
    ['another severity', {severity: 'silence'}, {}, 'bad.example is blocked already, with the severity silence', '--severity=suspend'],
    [
      'other settings',
      {reject_media: true, private_comment: 'old'},
      {reject_media: false},
      'bad.example is blocked already, with the severity suspend; what differs: private_comment, reject_media',
      '--private-comment=private --no-reject-media',
    ],
    [
      'what only Mastodon keeps',
      {public_comment: null},
      {public_comment: 'x', obfuscate: true},
      'bad.example is blocked already, with the severity suspend; what differs: public_comment, obfuscate',
      '--public-comment=x --obfuscate',
    ],
  ])('a block that stands with %s is a failure, which says how to change it', async (_, entry, settings, message, flags) => {
    const server = await serverOf({write: refused(block('2', 'bad.example', entry))});
    const failure = await failureOf(add(server, settings));
    expect(failure).toMatchObject({code: 'refused', message, details: {status: 422}});
    expect(failure.details.hint).toBe(`\`pixelctl admin domain-blocks update bad.example ${flags}\` changes it`);
  });

  test('a domain that the block of another one covers is held back', async () => {
    const server = await serverOf({write: refused(block('2', 'example', {severity: 'silence'}))});
    expect(await failureOf(add(server))).toMatchObject({
      code: 'refused',
      message: 'bad.example is covered by the block of example, with the severity silence',
      details: {reason: 'covered', heldBack: 'covered', status: 422},
    });
  });

  test('an entry that does nothing is changed into a block, and stays one that does nothing where that is asked', async () => {
    const noop = block('2', 'bad.example', {severity: 'noop'});
    const server = await answeringServer(({line, body}) => {
      if (line.startsWith('POST')) return refused(noop);
      return line.startsWith('PUT') ? block('2', 'bad.example', Object(body)) : noop;
    });
    expect((await add(server, {reject_media: true})).value).toMatchObject({severity: 'suspend', reject_media: true});
    expect(writes(server)[1]).toBe(
      `PUT ${blocks}/2 {"severity":"suspend","private_comment":"private","public_comment":"","reject_media":true,"reject_reports":false,"obfuscate":false}`,
    );
    expect(await add(server, {severity: 'noop'})).toMatchObject({stood: true});
    expect(writes(server)).toHaveLength(3);
  });

  test.each([
    ['01HZX', '01HZX'],
    [undefined, undefined],
    ['2\ud83d', undefined],
  ])('an entry that does nothing is changed by its id: %j', async (id, usable) => {
    const noop = block(id, 'bad.example', {severity: 'noop'});
    const server = await answeringServer(({line, body}) =>
      line.startsWith('POST') ? refused(noop) : line.startsWith('PUT') ? {...noop, ...membersOf(body)} : noop,
    );
    const adding = add(server);
    if (usable === undefined) expect(await failureOf(adding)).toMatchObject({code: 'bad_answer', details: {reason: 'shape'}});
    else await adding;
    expect(writes(server).slice(1)).toEqual(usable === undefined ? [] : [expect.stringContaining(`PUT ${blocks}/${usable} `)]);
  });
});

describe('a block is changed', () => {
  const standing = block('2', 'bad.example', {public_comment: null, reject_media: true});
  const {obfuscate: _, ...older} = standing;

  test.each<[string, Server, object, object]>([
    [
      'what is not given stays',
      {entries: {2: standing}},
      {severity: 'silence'},
      {severity: 'silence', private_comment: 'private', public_comment: '', reject_media: true, reject_reports: false, obfuscate: false},
    ],
    [
      'what a server does not have is not sent',
      {entries: {2: older}},
      {reject_media: false},
      {severity: 'suspend', private_comment: 'private', public_comment: '', reject_media: false, reject_reports: false},
    ],
    [
      'Pixelfed is sent no empty comments',
      {entries: {2: standing}, software: 'pixelfed'},
      {private_comment: ''},
      {severity: 'suspend', reject_media: true, reject_reports: false, obfuscate: false},
    ],
  ])('of a block that is changed, %s', async (_, how, settings, sent) => {
    const server = await serverOf(how);
    await run(standingBlockUpdate, {path: {id: '2'}, body: settings}, server);
    expect(writes(server)).toEqual([`PUT ${blocks}/2 ${JSON.stringify(sent)}`]);
  });

  test('a block that is given whole is not read', async () => {
    const server = await serverOf({});
    const body = {
      severity: 'silence',
      private_comment: 'a',
      public_comment: 'b',
      reject_media: true,
      reject_reports: true,
      obfuscate: true,
    };
    await run(standingBlockUpdate, {path: {id: '2'}, body}, server);
    expect(server.asked).toEqual([`PUT ${blocks}/2 ${JSON.stringify(body)}`]);
  });

  test.each([
    ['severity', {severity: null}],
    ['severity', {severity: ''}],
    ['private_comment', {private_comment: 5}],
    ['reject_media', {reject_media: 'yes'}],
    ['obfuscate', {obfuscate: null}],
  ])('a block with a %s that cannot be kept is not changed', async (name, odd) => {
    const server = await serverOf({entries: {2: {...standing, ...odd}}});
    expect(await failureOf(run(standingBlockUpdate, {path: {id: '2'}, body: {reject_reports: true}}, server))).toMatchObject({
      code: 'bad_answer',
      message: expect.stringContaining(name),
    });
    expect(writes(server)).toEqual([]);
  });

  test('a block is read once to be changed by its id, and found by its domain', async () => {
    const byId = await serverOf({entries: {2: standing}});
    await run(adminDomainBlockUpdate, {path: {id: '2'}, body: {severity: 'silence'}}, byId);
    expect(byId.asked.filter((line) => line === `GET ${blocks}/2`)).toHaveLength(1);
    const byName = await serverOf({entries: {2: standing}, list: [standing]});
    await run(adminDomainBlockUpdate, {path: {id: 'bad.example'}, body: {severity: 'silence'}}, byName);
    expect(writes(byName)[0]).toMatch(`PUT ${blocks}/2 `);
  });

  test('a dry run says what stays as it stands', () => {
    const [request] = requestsFor(adminDomainBlockUpdate, {path: {id: '2'}, body: {severity: 'silence', obfuscate: false}});
    expect(request?.body).toEqual({
      json: {
        severity: 'silence',
        private_comment: '<private_comment as it stands>',
        public_comment: '<public_comment as it stands>',
        reject_media: '<reject_media as it stands>',
        reject_reports: '<reject_reports as it stands>',
        obfuscate: false,
      },
    });
  });

  test('a block is ended by removing it, and with settings by changing it', async () => {
    const server = await serverOf({entries: {2: standing}});
    await run(adminDomainBlockEnd, {path: {id: '2'}, body: {}}, server);
    await run(adminDomainBlockEnd, {path: {id: '2'}}, server);
    await run(adminDomainBlockEnd, {path: {id: '2'}, body: {severity: 'noop'}}, server);
    expect(writes(server).map((line) => line.split(' ', 2).join(' '))).toEqual([
      `DELETE ${blocks}/2`,
      `DELETE ${blocks}/2`,
      `PUT ${blocks}/2`,
    ]);
    expect(requestsFor(adminDomainBlockEnd, {path: {id: '2'}, body: {severity: 'noop'}}).map(({method}) => method)).toEqual(['PUT']);
    expect(requestsFor(adminDomainBlockEnd, {path: {id: '2'}, body: {}}).map(({method}) => method)).toEqual(['DELETE']);
  });
});

test('adding and changing may block the own server, and removing does not', () => {
  expect(
    [adminDomainBlockAddition, adminDomainBlockUpdate, standingBlockUpdate, adminDomainBlockRemoval].map((one) => one.blocksServers?.({})),
  ).toEqual([true, true, true, undefined]);
});

test.each<[string, Operation, object, Server]>([
  ['an addition', adminDomainBlockAddition, {body: {domain: 'bad.example', severity: 'suspend', private_comment: 'private'}}, {}],
  ['a change', standingBlockUpdate, {path: {id: '2'}, body: {severity: 'silence'}}, {entries: {2: block('2', 'bad.example')}}],
  ['a removal', adminDomainBlockRemoval, {path: {id: '2'}}, {}],
])('%s without an answer is of unknown fate', async (_, operation, input, how) => {
  const server = await serverOf({...how, write: drop});
  expect(await failureOf(run(operation, input, server))).toMatchObject({details: {fate: 'unknown'}});
});
