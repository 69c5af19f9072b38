/** Which domains a server does not take: a mistake as an argument, and left out of a list. */
import {describe, expect, test} from 'vitest';
import {adminDomainBlockAddition} from '../../../src/lib/operations/admin-domain-blocks.js';
import {holdBack, listedTopLevel, refuseListedId} from '../../../src/lib/operations/domain-targets.js';
import {domainBlock} from '../../../src/lib/operations/domains.js';
import type {Operation} from '../../../src/lib/operations/operation.js';
import {serverWith} from './answering-server.js';

const instance = 'GET /api/v1/instance';
const pixelfed = {uri: 'https://pics.example', version: '3.5.3 (compatible; Pixelfed 0.12.6)'};

/** What is told of the domains of a list, and what was asked for it. */
async function heldBack(operation: Operation, listed: readonly string[], {said = pixelfed, asks = true} = {}) {
  const {client, asked} = await serverWith({[instance]: said});
  const targets = listed.map((value) => ({value, isListed: true}));
  const sending = {input: {path: {}, query: {}, body: {}}, ofDomains: true, client, hostname: client.server.hostname, asks, targets};
  const {failures} = await holdBack(operation, sending);
  const held = [...failures].map(([value, {details}]) => [value, details.heldBack]);
  return {held: Object.fromEntries(held), asked: asked.length};
}

describe('of a list', () => {
  test('whole top-level domains are not blocked for an account, whatever the server is', async () => {
    expect(await heldBack(domainBlock, ['example', 'bad.example'])).toEqual({held: {example: 'top_level'}, asked: 0});
  });

  test.each([
    [pixelfed, {example: 'top_level'}],
    [{uri: 'https://pics.test', version: '3.5.3 (compatible; Pixelfed 0.12.6)'}, {example: 'top_level'}],
    [{uri: 'https://pics.test', version: '4.5.0'}, {}],
  ])('on a server that says %j, %j is held back for everyone', async (said, held) => {
    expect((await heldBack(adminDomainBlockAddition, ['example', 'bad.example'], {said})).held).toEqual(held);
  });

  test('what a server calls itself is held back, with what is above it and below it', async () => {
    const listed = ['pics.example', 'a.pics.example', 'bad.example'];
    const own = {'pics.example': 'own_server', 'a.pics.example': 'own_server'};
    expect((await heldBack(adminDomainBlockAddition, listed)).held).toEqual(own);
  });

  test('a server that must not be asked is known by its address alone', async () => {
    expect(await heldBack(adminDomainBlockAddition, ['pics.example', 'example'], {asks: false})).toEqual({held: {}, asked: 0});
  });
});

test.each([
  [domainBlock, 'example', 'example has no dot, and HOST cannot block whole top-level domains: nothing was sent'],
  [adminDomainBlockAddition, 'example', 'example has no dot, and HOST cannot block whole top-level domains: nothing was sent'],
  [adminDomainBlockAddition, 'a.pics.example', 'a.pics.example is'],
])('%# is a mistake as an argument: %s', async (operation, value, message) => {
  const {client} = await serverWith({[instance]: pixelfed});
  const sending = {input: {path: {}, query: {}, body: {}}, ofDomains: true, client, hostname: client.server.hostname, asks: true};
  const held = holdBack(operation, {
    ...sending,
    targets: [
      {value: 'bad.example', isListed: false},
      {value, isListed: false},
    ],
  });
  await expect(held).rejects.toMatchObject({code: 'usage', message: expect.stringContaining(message.replace('HOST', client.host))});
});

test('a list may name a whole top-level domain', () => {
  expect(['EXAMPLE', 'bad.example', '@a', ''].map(listedTopLevel)).toEqual(['example', undefined, undefined, undefined]);
});

test('an id in a list is refused', () => {
  expect(() => refuseListedId('12', '12')).toThrow('12 is not a domain');
  expect(() => refuseListedId('bad.example', 'Bad.Example')).not.toThrow();
});
