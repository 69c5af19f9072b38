import {expect, test} from 'vitest';
import {fingerprint, readState} from '../../../src/lib/policy/sections/read-state.js';
import type {SectionKey} from '../../../src/lib/policy/model/section-types.js';
import type {State} from '../../../src/lib/policy/model/server-state.js';
import {startSandbox} from '../../sandbox/start.js';
import {aFilter, emptyModel, inDays, stateOf} from './model-server.js';
import {bytes, clientOf, json, type Reply, startServer} from '../../loopback-server.js';

function stateFrom(url: URL, ...parts: SectionKey[]): Promise<State> {
  return readState(clientOf(url, {retries: 0}), url.origin, new Set(parts));
}

/** A page whose `Link` leads on; as servers do, under another name and scheme. */
function page(items: readonly unknown[], next?: string): Reply {
  return json(
    items,
    200,
    next === undefined ? {} : {link: `<http://elsewhere.example${next}>; rel="next",<http://elsewhere.example/?page=1>; rel="prev"`},
  );
}

const account = (id: string, acct: string) => ({id, acct, username: acct.split('@')[0]});

test('reads only the requested parts', async () => {
  const {url, received} = await startServer(json(['b.example', 'A.example']));
  expect(await stateFrom(url, 'domain_blocks')).toEqual({
    server: url.origin,
    host: url.host,
    domain_blocks: {
      value: new Map([
        ['a.example', 'A.example'],
        ['b.example', 'b.example'],
      ]),
    },
  });
  expect(received.map(({method, target}) => `${method} ${target}`)).toEqual(['GET /api/v1/domain_blocks']);
});

test('follows pages on the same server, skips empty ones, and stops when pages repeat', async () => {
  const {url, received} = await startServer(
    page(['a.example'], '/api/v1/domain_blocks?cursor=x%2By&limit=1'),
    page([], '/api/v1/domain_blocks?cursor=z&limit=1'),
    page(['b.example', 'bücher.example'], '/api/v1/domain_blocks?cursor=x%2By&limit=1'),
  );
  const {domain_blocks} = await stateFrom(url, 'domain_blocks');
  expect(domain_blocks).toEqual({
    value: new Map([
      ['a.example', 'a.example'],
      ['b.example', 'b.example'],
      ['xn--bcher-kva.example', 'bücher.example'],
    ]),
  });
  expect(received.map(({target}) => target)).toEqual([
    '/api/v1/domain_blocks',
    '/api/v1/domain_blocks?cursor=x%2By&limit=1',
    '/api/v1/domain_blocks?cursor=z&limit=1',
  ]);
});

test('keeps an account once when shifting pages repeat it', async () => {
  const {url} = await startServer(
    page([account('1', 'ana'), account('2', 'bo@b.example')], '/api/v1/blocks?page=2'),
    page([account('2', 'bo@b.example')]),
    page([]),
  );
  expect(await stateFrom(url, 'blocks', 'mutes')).toMatchObject({
    blocks: {
      value: new Map([
        [`ana@${url.host}`, {id: '1', acct: 'ana'}],
        ['bo@b.example', {id: '2', acct: 'bo@b.example'}],
      ]),
    },
    mutes: {value: new Map()},
  });
});

const filter = {
  id: '7',
  title: 'A',
  context: ['public', 'home', 'home'],
  filter_action: 'warn',
  expires_at: null,
  keywords: [{id: 1, keyword: ' Zoo ', whole_word: false}],
  statuses: [],
};

test('reads filters from version 2 of the API, not from the v1 stub', async () => {
  const {url, received} = await startServer(json([filter, {...filter, id: 8, keywords: [{id: '2', keyword: 'x', whole_word: true}]}]));
  expect(await stateFrom(url, 'filters')).toMatchObject({
    filters: {
      value: [
        {
          id: '7',
          title: 'A',
          context: ['home', 'public'],
          action: 'warn',
          expiresAt: null,
          keywords: [{id: 1, keyword: 'zoo', wholeWord: false}],
        },
        {id: '8', keywords: [{id: 2, keyword: 'x', wholeWord: true}]},
      ],
    },
  });
  expect(received.map(({target}) => target)).toEqual(['/api/v2/filters']);
});

const without = (name: string) => Object.fromEntries(Object.entries(filter).filter(([key]) => key !== name));

test.each<[part: 'blocks' | 'domain_blocks' | 'filters' | 'mutes', answer: Reply, why: string]>([
  ['domain_blocks', bytes('<!doctype html><p>Sign in</p>', {'content-type': 'text/html'}), 'expected JSON, got HTML'],
  ['domain_blocks', json({data: []}), 'expected array, got object'],
  ['domain_blocks', json(['a.example', null]), '1: expected string, got null'],
  ['domain_blocks', json([{domain: 'a.example'}]), '0: expected string, got object'],
  ['domain_blocks', bytes('["a.example"', {'content-type': 'application/json'}), 'only a part of it'],
  ['filters', json([without('keywords')]), '0.keywords: missing'],
  ['filters', json([without('title')]), '0.title: missing'],
  ['filters', json([{...filter, context: 'home'}]), '0.context: expected array, got string'],
  ['filters', json([{...filter, expires_at: 'soon'}]), '0.expires_at: expected a time, got string'],
  ['filters', json([{...filter, keywords: [{id: 1, keyword: 'x'}]}]), '0.keywords.0.whole_word: missing'],
  ['blocks', json([{id: '1'}]), '0.acct: missing'],
  ['mutes', json({}), 'expected array, got object'],
])('never takes an unusable answer for %s as an empty list', async (part, answer, why) => {
  const {url} = await startServer(answer);
  const state = await stateFrom(url, part);
  const found = {
    domain_blocks: state.domain_blocks,
    filters: state.filters,
    blocks: state.blocks,
    mutes: state.mutes,
  }[part];
  expect(found).toMatchObject({
    failure: {code: 'bad_answer', message: expect.stringContaining(why), details: {reason: 'shape', method: 'GET'}},
  });
});

test('half of the pages are not taken for the whole list', async () => {
  const {url} = await startServer(page(['a.example'], '/api/v1/domain_blocks?cursor=x'), json({error: 'Down'}, 503));
  expect(await stateFrom(url, 'domain_blocks')).toMatchObject({domain_blocks: {failure: {code: 'unavailable'}}});
});

test('keeps the other parts when one part fails', async () => {
  const {url} = await startServer(json({error: ''}, 403), json({error: ''}, 404));
  expect(await stateFrom(url, 'filters', 'mutes')).toMatchObject({
    filters: {failure: {code: 'auth'}},
    mutes: {failure: {code: 'not_found'}},
  });
});

test.each(['0.12.6', '2026'] as const)('reads every part of the state from a server like %s', async (like) => {
  const sandbox = await startSandbox({like});
  try {
    const client = clientOf(new URL(sandbox.url), {token: async () => sandbox.tokens.all});
    const parts = new Set<SectionKey>(['domain_blocks', 'filters', 'blocks', 'mutes']);
    const state = await readState(client, sandbox.url, parts);
    for (const part of [state.domain_blocks, state.filters, state.blocks, state.mutes]) expect(part).toHaveProperty('value');
  } finally {
    await sandbox.close();
  }
});

test('changes the fingerprint with everything that a plan can change', () => {
  const model = {...emptyModel, domains: ['a.example'], filters: [aFilter('A', {keywords: ['a', 'b']})]};
  for (const other of [{blocks: ['ana']}, {mutes: ['ana']}, {domains: []}])
    expect(fingerprint(stateOf({...model, ...other}))).not.toBe(fingerprint(stateOf(model)));
  const [filter = aFilter('A')] = model.filters;
  const reversed = {...filter, keywords: filter.keywords.toReversed()};
  expect(fingerprint(stateOf({...model, filters: [reversed]}))).toBe(fingerprint(stateOf(model)));
  for (const other of [{title: 'B'}, {context: ['tags']}, {action: 'hide'}, {expiresAt: inDays(1)}]) {
    expect(fingerprint(stateOf({...model, filters: [{...filter, ...other}]}))).not.toBe(fingerprint(stateOf(model)));
  }
});
