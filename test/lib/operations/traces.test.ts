import {expect, test} from 'vitest';
import {addBlock, addDomainBlock, addMute, removeDomainBlock} from '../../../src/lib/api/blocks.js';
import {Traces} from '../../../src/lib/operations/traces.js';
import {clientOf, json, startServer} from '../../loopback-server.js';

test.each([
  ['a domain', addDomainBlock, {body: {domain: 'https://bad.example'}}, ['worse.example', 'bad.example'], 'bad.example'],
  ['no domain above it', addDomainBlock, {body: {domain: 'https://bad.example'}}, ['example', 'a.bad.example'], undefined],
  ['a blocked account', addBlock, {path: {id: '5'}}, [{id: '4'}, {id: '5'}], {id: '5'}],
  ['a muted account', addMute, {path: {id: '5'}}, [{id: '55'}], undefined],
] as const)('finds %s', async (_, endpoint, input, list, found) => {
  const server = await startServer(json(list));
  expect(await new Traces(clientOf(server.url)).find(endpoint, input)).toEqual(found);
});

test('reads every page of a list, once', async () => {
  const server = await startServer(json(['a.example'], 200, {link: '</api/v1/domain_blocks?cursor=2>; rel="next"'}), json(['b.example']));
  const traces = new Traces(clientOf(server.url));
  const find = (domain: string) => traces.find(addDomainBlock, {body: {domain}});
  expect(await Promise.all(['https://b.example', 'https://a.example', 'c.example'].map(find))).toEqual([
    'b.example',
    'a.example',
    undefined,
  ]);
});

test('reads a list again after a failure', async () => {
  const server = await startServer(json({error: 'No'}, 400), json(['a.example']));
  const traces = new Traces(clientOf(server.url));
  await expect(traces.find(addDomainBlock, {body: {domain: 'a.example'}})).rejects.toMatchObject({code: 'refused'});
  expect(await traces.find(addDomainBlock, {body: {domain: 'a.example'}})).toBe('a.example');
});

test('sends nothing where no read can tell', async () => {
  const server = await startServer();
  expect(await new Traces(clientOf(server.url)).find(removeDomainBlock, {body: {domain: 'a.example'}})).toBeUndefined();
});
