import {describe, expect, test} from 'vitest';
import {addBlock, addDomainBlock, addMute, createFilter, removeDomainBlock} from '../../../src/lib/client/index.js';
import {Traces} from '../../../src/lib/operations/traces.js';
import {clientOf, json, startServer} from '../../loopback-server.js';

const filter = (id: string, title: string, ...keywords: readonly string[]) => ({
  id,
  title,
  context: ['home'],
  keywords: keywords.map((keyword, index) => ({id: index, keyword, whole_word: true})),
});

describe('a filter is found by its title and all its keywords', () => {
  const created = {body: {title: 'Spam ', context: ['public'], keywords_attributes: [{keyword: 'b'}, {keyword: ' a'}]}};

  test.each([
    ['the same', [filter('1', 'Other', 'a', 'b'), filter('2', 'Spam', 'a', 'b')], '2'],
    ['fewer keywords', [filter('2', 'Spam', 'a')], undefined],
    ['more keywords', [filter('2', 'Spam', 'a', 'b', 'c')], undefined],
    ['another title', [filter('2', 'Spam!', 'a', 'b')], undefined],
    ['items that are no filters', [null, 7, 'Spam', {title: null, keywords: null}], undefined],
  ])('a filter is found by its title and all its keywords among %s', async (_, list, id) => {
    const server = await startServer(json(list));
    const found = await new Traces(clientOf(server.url)).find(createFilter, created);
    expect(found === undefined ? undefined : JSON.parse(found).id).toBe(id);
  });
});

test.each([
  ['a domain', addDomainBlock, {body: {domain: 'https://bad.example'}}, ['worse.example', 'bad.example'], '"bad.example"'],
  ['no domain above it', addDomainBlock, {body: {domain: 'https://bad.example'}}, ['example', 'a.bad.example'], undefined],
  ['a blocked account', addBlock, {path: {id: '5'}}, [{id: '4'}, {id: '5'}], '{"id":"5"}'],
  ['a muted account', addMute, {path: {id: '5'}}, [{id: '55'}], undefined],
] as const)('finds %s', async (_, endpoint, input, list, text) => {
  const server = await startServer(json(list));
  expect(await new Traces(clientOf(server.url)).find(endpoint, input)).toBe(text);
});

test('reads every page of a list, once', async () => {
  const server = await startServer(json(['a.example'], 200, {link: '</api/v1/domain_blocks?cursor=2>; rel="next"'}), json(['b.example']));
  const traces = new Traces(clientOf(server.url));
  const find = (domain: string) => traces.find(addDomainBlock, {body: {domain}});
  expect(await Promise.all(['https://b.example', 'https://a.example', 'c.example'].map(find))).toEqual([
    '"b.example"',
    '"a.example"',
    undefined,
  ]);
});

test('reads a list again after a failure', async () => {
  const server = await startServer(json({error: 'No'}, 400), json(['a.example']));
  const traces = new Traces(clientOf(server.url));
  await expect(traces.find(addDomainBlock, {body: {domain: 'a.example'}})).rejects.toMatchObject({code: 'refused'});
  expect(await traces.find(addDomainBlock, {body: {domain: 'a.example'}})).toBe('"a.example"');
});

test('whether a write was carried out is not asked again after a list could not be read', async () => {
  const server = await startServer(json({error: 'No'}, 400));
  const traces = new Traces(clientOf(server.url));
  const wasThere = () => traces.wasThere(addDomainBlock, {body: {domain: 'a.example'}});
  expect([await wasThere(), await wasThere()]).toEqual([undefined, undefined]);
  expect(server.received).toHaveLength(1);
});

test('sends nothing where no read can tell', async () => {
  const server = await startServer();
  expect(await new Traces(clientOf(server.url)).find(removeDomainBlock, {body: {domain: 'a.example'}})).toBeUndefined();
});
