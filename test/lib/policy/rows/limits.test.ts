/** Known limits of servers: what may not fit is told before anything is sent. */
import {describe, expect, test} from 'vitest';
import {limitsOn} from '../../../../src/lib/policy/rows/limits.js';
import {clientOf} from '../../../loopback-server.js';
import {serverWith} from '../../operations/answering-server.js';
import {ana, compared, type Items, numbered} from '../compared.js';

const configuration = 'GET /api/v2.1/config';
const people = (count: number) => Array.from({length: count}, (_, index) => `b${index}@b.example`);
const filter = (index: number) => `{title: F${index}, context: [home], keywords: [k${index}]}`;
const rules = {
  domain_blocks: (count: number) => `domain_blocks: {must: [${numbered(count).join(', ')}]}`,
  blocks: (count: number) => `blocks: {must: [${people(count).join(', ')}]}`,
  mutes: (count: number) => `mutes: {must: [${people(count).join(', ')}]}`,
  filters: (count: number) => `filters: {must: [${Array.from({length: count}, (_, index) => filter(index)).join(', ')}]}`,
};

async function limitsAt(answers: Readonly<Record<string, unknown>>, text: string, items?: Items) {
  const {client, asked} = await serverWith(answers);
  const limits = await limitsOn(await compared(text, items, {target: {...ana, client}}));
  return {...limits, asked};
}

test.each([
  ['0.12.6', 'domain_blocks', 143, 50],
  ['0.12.6', 'blocks', 51, 50],
  ['0.12.6', 'mutes', 51, 50],
  ['0.11.13', 'domain_blocks', 51, 50],
  ['0.12.7', 'domain_blocks', 143, 100],
  ['0.12.10', 'domain_blocks', 101, 100],
  ['0.12.10-rc.1', 'blocks', 201, 200],
  ['0.13.0', 'mutes', 501, 500],
  ['1.0.0', 'domain_blocks', 101, 100],
] as const)('a server of release %s has one limit of %s: of %d wanted %d fit', async (version, section, wanted, limit) => {
  const {texts, beyond} = await limitsAt({[configuration]: {version}}, rules[section](wanted));
  expect(texts).toEqual([expect.stringContaining(`; servers of release ${version} take ${limit}. What does not fit: `)]);
  expect(beyond.size).toBe(wanted - limit);
  expect(await limitsAt({[configuration]: {version}}, rules[section](limit))).toMatchObject({texts: [], beyond: new Set()});
});

test.each([
  [
    'the last ones of the plan',
    rules.domain_blocks(103),
    {},
    '103 domains would be blocked; servers take 100. What does not fit: d97.example, d98.example, d99.example; set domain_blocks.limit in the policy',
  ],
  [
    'accounts as people write them',
    rules.blocks(201),
    {},
    '201 accounts would be blocked; servers take 200. What does not fit: @b200@b.example',
  ],
  [
    'filters, with those that are there',
    rules.filters(20),
    {filters: {Other: {context: ['home'], keywords: []}}},
    '21 filters would exist; servers take 20. What does not fit: F9',
  ],
])('names %s', async (_, text, items, limit) => {
  const {texts} = await limitsAt({}, text, items);
  expect(texts).toEqual([limit]);
});

test('what is removed makes room', async () => {
  const only = rules.filters(20).replace('{must', '{only: true, must');
  expect((await limitsAt({}, only, {filters: {Other: {context: ['home'], keywords: []}}})).texts).toEqual([]);
});

describe('a plan that only older servers refuse', () => {
  test.each([
    ['an older', '0.12.5', ['60 domains would be blocked; servers of release 0.12.5 take 50. ']],
    ['a newer', '0.12.7', []],
    ['a', 'nightly', []],
  ])('is told by the release of %s server, %s', async (_, version, limits) => {
    const {texts, asked} = await limitsAt({[configuration]: {version}}, rules.domain_blocks(60));
    expect(texts).toEqual(limits.map((limit) => expect.stringContaining(limit)));
    expect(asked).toEqual([configuration]);
  });

  test('is not told where the server does not say its release', async () => {
    expect((await limitsAt({[configuration]: {}}, rules.domain_blocks(60))).texts).toEqual([]);
    expect((await limitsAt({}, rules.domain_blocks(60))).texts).toEqual([]);
  });

  test('asks nothing where every server takes it, or none takes more', async () => {
    expect((await limitsAt({}, rules.domain_blocks(50))).asked).toEqual([]);
    expect((await limitsAt({}, rules.filters(21))).asked).toEqual([]);
  });

  test('ends when the run is interrupted', async () => {
    const {client} = await serverWith({});
    const stopped = clientOf(client.server, {signal: AbortSignal.abort()});
    const comparison = await compared(rules.domain_blocks(60), {}, {target: {...ana, client: stopped}});
    await expect(limitsOn(comparison)).rejects.toMatchObject({code: 'interrupted'});
  });
});
