/** What an earlier run made, which a journal left open: found in a list that is read once. */
import {expect, test} from 'vitest';
import type {Endpoint, PlainInput} from '../../../../src/lib/api/endpoint.js';
import {addBlock, addDomainBlock, addMute} from '../../../../src/lib/api/blocks.js';
import {madeFinder} from '../../../../src/lib/cli/endpoint/sending.js';
import {clientOf, json, startServer, type Reply} from '../../../loopback-server.js';

async function finding({seenBy}: Endpoint, ...answers: readonly Reply[]) {
  const client = clientOf((await startServer(...answers)).url);
  const find = seenBy && madeFinder(seenBy);
  return (input: PlainInput) => find?.(input, client);
}

test.each([
  ['a domain', addDomainBlock, {body: {domain: 'https://bad.example'}}, ['worse.example', 'bad.example'], 'bad.example'],
  ['no domain above it', addDomainBlock, {body: {domain: 'https://bad.example'}}, ['example', 'a.bad.example'], undefined],
  ['a blocked account', addBlock, {path: {id: '5'}}, [{id: '4'}, {id: '5'}], {id: '5'}],
  ['a muted account', addMute, {path: {id: '5'}}, [{id: '55'}], undefined],
] as const)('finds %s', async (_, endpoint, input, list, found) => {
  const find = await finding(endpoint, json(list));
  expect(await find(input)).toEqual(found);
});

test('reads every page of a list, once', async () => {
  const next = {link: '</api/v1/domain_blocks?cursor=2>; rel="next"'};
  const find = await finding(addDomainBlock, json(['a.example'], 200, next), json(['b.example']));
  const domains = ['https://b.example', 'https://a.example', 'c.example'];
  expect(await Promise.all(domains.map((domain) => find({body: {domain}})))).toEqual(['b.example', 'a.example', undefined]);
});

test('reads a list again after a failure', async () => {
  const find = await finding(addDomainBlock, json({error: 'No'}, 400), json(['a.example']));
  await expect(find({body: {domain: 'a.example'}})).rejects.toMatchObject({code: 'refused'});
  expect(await find({body: {domain: 'a.example'}})).toBe('a.example');
});
