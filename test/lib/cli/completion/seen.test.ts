import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {endpoints} from '../../../../src/lib/api/index.js';
import {factsOf} from '../../../../src/lib/api/schema.js';
import {itemsOfList, SeenList} from '../../../../src/lib/cli/completion/offered.js';
import {keepSeen, readSeen} from '../../../../src/lib/cli/completion/seen.js';

let home: string;
let env: Readonly<Record<string, string>>;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pixelctl-seen-'));
  env = {HOME: home, XDG_CACHE_HOME: join(home, 'cache')};
});
afterEach(() => rmSync(home, {recursive: true}));

const owner = {name: 'ana', server: 'https://pix.example', account: {id: '1'}};
const now = Date.parse('2026-01-01T00:00:00Z');
const items = [{value: '5', about: 'Spoilers'}];
const folder = () => join(home, 'cache/pixelctl/completion');

describe('what a list showed', () => {
  test('what a list showed is known for a minute', async () => {
    await keepSeen('list filters', owner, items, env, now);
    expect(readSeen('list filters', owner, env, now)).toEqual(items);
    expect(readSeen('list filters', owner, env, now + 59_999)).toEqual(items);
    expect(readSeen('list filters', owner, env, now + 60_000)).toBeUndefined();
    expect(readSeen('list filters', owner, env, now - 1)).toBeUndefined();
  });

  test.each([
    ['another list', 'list conversations', owner],
    ['another profile', 'list filters', {...owner, name: 'bob'}],
    ['another server', 'list filters', {...owner, server: 'https://other.example'}],
    ['another account', 'list filters', {...owner, account: {id: '2'}}],
  ])('what a list showed is not offered for %s', async (_, endpoint, other) => {
    await keepSeen('list filters', owner, items, env, now);
    expect(readSeen(endpoint, other, env, now)).toBeUndefined();
  });

  test('what a list showed is in a file for its owner alone', async () => {
    await keepSeen('list filters', owner, items, env, now);
    const [name = ''] = readdirSync(folder());
    expect(statSync(join(folder(), name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
  });

  test('what a list showed is removed with the next one when it is too old', async () => {
    await keepSeen('list filters', owner, items, env, now);
    const [name = ''] = readdirSync(folder());
    const old = new Date(now - 61_000);
    utimesSync(join(folder(), name), old, old);
    await keepSeen('list blocks', owner, items, env, now);
    expect(readdirSync(folder())).toEqual(['ana.list-blocks.json']);
  });

  test('what a list showed is not written in CI', async () => {
    await keepSeen('list filters', owner, items, {...env, CI: 'true'}, now);
    expect(readdirSync(home)).toEqual([]);
  });

  test.each(['', '{}', '[1]', '{"at": 1}', 'null', '\0'])('what a list showed is unknown when the file contains %j', async (text) => {
    await keepSeen('list filters', owner, items, env, now);
    writeFileSync(join(folder(), 'ana.list-filters.json'), text);
    expect(readSeen('list filters', owner, env, now)).toBeUndefined();
  });

  test.each([
    ['no texts', [1, 2, 0]],
    ['no time', ['6', 'Crypto', '0']],
    ['a word with a meaning in shells', ['$(reboot)', 'Crypto', 0]],
  ])('what a list showed is left out where it has %s', async (_, odd) => {
    await keepSeen('list filters', owner, items, env, now);
    const file = join(folder(), 'ana.list-filters.json');
    writeFileSync(file, JSON.stringify({...JSON.parse(readFileSync(file, 'utf8')), items: [odd, ['5', 'Spoilers', 0]]}));
    expect(readSeen('list filters', owner, env, now)).toEqual(items);
  });

  test('what a list showed is never a failure', async () => {
    mkdirSync(join(home, 'cache'), {mode: 0o700});
    writeFileSync(join(home, 'cache/pixelctl'), '');
    await keepSeen('list filters', owner, items, env, now);
    await keepSeen('list filters', owner, items, {}, now);
    expect(readSeen('list filters', owner, env, now)).toBeUndefined();
  });

  test('what a list showed is at most a thousand items, over all pages', async () => {
    const filters = endpoints.find(({name}) => name === 'list filters');
    if (filters === undefined) throw new Error('there is no list of filters');
    const page = Array.from({length: 400}, (_, index) => ({id: String(index), title: 'x'.repeat(1000)}));
    {
      await using seen = new SeenList(filters, owner, {env, now: () => new Date(now)});
      for (let count = 0; count < 10; count += 1) seen.add(JSON.stringify(page));
    }
    expect(readSeen('list filters', owner, env, now)).toHaveLength(1000);
    expect(readFileSync(join(folder(), 'ana.list-filters.json'), 'utf8').length).toBeLessThan(100_000);
  });

  test('what a list showed is kept for its own minute when the list is shown again with fewer items', async () => {
    const both = [
      {value: '5', about: 'Spoilers'},
      {value: '6', about: 'Crypto'},
    ];
    const renamed = [{value: '6', about: 'Coins'}];
    await keepSeen('list filters', owner, both, env, now);
    await keepSeen('list filters', owner, renamed, env, now + 30_000);
    await keepSeen('list filters', owner, [], env, now + 40_000);
    expect(readSeen('list filters', owner, env, now + 59_999)).toEqual([...renamed, ...items]);
    expect(readSeen('list filters', owner, env, now + 60_000)).toEqual(renamed);
    expect(readSeen('list filters', owner, env, now + 90_000)).toEqual([]);
  });

  test('what a list showed is at most a thousand items, over all lists of a minute, the latest first', async () => {
    const many = (start: number) => Array.from({length: 600}, (_, index) => ({value: String(start + index), about: ''}));
    await keepSeen('list filters', owner, many(0), env, now);
    await keepSeen('list filters', owner, many(1000), env, now + 1);
    expect(readSeen('list filters', owner, env, now + 1)).toEqual([...many(1000), ...many(0).slice(0, 400)]);
  });

  test('what a list showed is not added to that of another account', async () => {
    await keepSeen('list filters', owner, [{value: '6', about: 'Crypto'}], env, now);
    const other = {...owner, account: {id: '2'}};
    await keepSeen('list filters', other, items, env, now);
    expect(readSeen('list filters', other, env, now)).toEqual(items);
  });
});

test('a list of which nothing is offered has no items', () => {
  expect(itemsOfList({name: 'list things', rows: []}, [{id: '5'}])).toEqual([]);
});

const lists = endpoints.filter(({offered}) => offered !== undefined);

test.each(lists.map((endpoint) => [endpoint.name, endpoint] as const))('%s offers the items of its example', (_, endpoint) => {
  const found = itemsOfList(endpoint, endpoint.example);
  expect(found.length).toBeGreaterThan(0);
  for (const {value} of found) expect(value).toMatch(/^@?[\w.]+$/);
});

test.each(lists.map((endpoint) => [endpoint.name, endpoint] as const))('%s offers nothing of an answer of another shape', (_, endpoint) => {
  for (const odd of [null, 'x', 5, {}, [null, 5, [], {}, {id: {}}], {data: [null, {id: null, participants: 5}]}]) {
    expect(() => itemsOfList(endpoint, odd)).not.toThrow();
  }
});

test.each(lists.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s offers ids that are numbers with all their digits',
  async (name, endpoint) => {
    const answer = JSON.stringify(endpoint.example).replaceAll(/"id":(?:"\d+"|\d+)/g, '"id":12345678901234567890');
    {
      await using seen = new SeenList(endpoint, owner, {env, now: () => new Date(now)});
      seen.add(answer);
    }
    const values = readSeen(name, owner, env, now)?.map(({value}) => value);
    const offered = itemsOfList(endpoint, endpoint.example).map(({value}) => value);
    if (offered.every((value) => !/^\d+$/.test(value))) expect(new Set(values)).toEqual(new Set(offered));
    else expect(new Set(values)).toEqual(new Set(['12345678901234567890']));
  },
);

test('an item without an id is not offered', () => {
  for (const endpoint of lists.filter(({name}) => name !== 'list domain blocks')) {
    const odd = [{}, {id: null}, {id: true}];
    expect(itemsOfList(endpoint, endpoint.rows?.length === 0 ? odd : {data: odd})).toEqual([]);
  }
});

test('every value that completion takes from a list is one that the list offers', () => {
  const fields = endpoints.flatMap(({pathFields, query, body}) => [pathFields, query, body].flatMap((part) => Object.values(part)));
  const wanted = new Set(fields.flatMap((schema) => factsOf(schema)?.listedBy ?? []));
  expect(wanted).toContain('list blocks');
  expect([...wanted].toSorted()).toEqual(lists.map(({name}) => name).toSorted());
});

test.each(['a b', '$(touch x)', "it's", '', '-5', 'a;b', '`x`', 'x\ny'])('%j is never offered as a value', (id) => {
  const filters = lists.find(({name}) => name === 'list filters');
  if (filters === undefined) throw new Error('there is no list of filters');
  expect(itemsOfList(filters, [{id, title: 'x'}])).toEqual([]);
});

test('what an item is known by is one short line', () => {
  const filters = lists.find(({name}) => name === 'list filters');
  if (filters === undefined) throw new Error('there is no list of filters');
  const [item] = itemsOfList(filters, [{id: '5', title: `a\n\u001b[31mb\u202e\tc${'x'.repeat(200)}`}]);
  expect(item?.about).toMatch(/^a \[31mb cx+…$/);
  expect(item?.about).toHaveLength(80);
});
