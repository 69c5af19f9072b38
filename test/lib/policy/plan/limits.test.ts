import {describe, expect, test} from 'vitest';
import {limitsHit, limitsOn} from '../../../../src/lib/policy/plan/limits.js';
import {clientOf} from '../../../loopback-server.js';
import {serverWith} from '../../operations/answering-server.js';
import {aFilter, circumstances, emptyModel, stateOf} from '../model-server.js';
import {planFor} from '../wanted.js';

function rows(count: number, row: (index: number) => string): string {
  return Array.from({length: count}, (_, index) => row(index)).join();
}

const domain = (index: number) => `x${index}.example`;
const filter = (index: number) => `{title: F${index}, context: [home], keywords: [k${index}]}`;

test.each([
  [
    `60 domains would be blocked; servers of release 0.12.6 take 50. What does not fit: ${[54, 55, 56, 57, 58, 59, 6, 7, 8, 9].map((row) => `x${row}.example`).join(', ')}`,
    `domain_blocks: {must: [${rows(60, domain)}]}`,
  ],
  [
    '101 domains would be blocked; most servers take 100, those of release 0.12.6 take 50. What does not fit in 100: x99.example',
    `domain_blocks: {must: [${rows(101, domain)}]}`,
  ],
  ['21 filters would be there; most servers take 20. What does not fit: F9', `filters: {must: [${rows(20, filter)}]}`],
  [
    '201 accounts would be blocked; most servers take 200, those of release 0.12.6 take 50. What does not fit in 200: @b9@b.example',
    `blocks: {must: [${rows(201, (index) => `b${index}@b.example`)}]}`,
  ],
  [
    '51 accounts would be blocked; servers of release 0.12.6 take 50. What does not fit: @b9@b.example',
    `blocks: {must: [${rows(51, (index) => `b${index}@b.example`)}]}`,
  ],
  [
    '51 accounts would be muted; servers of release 0.12.6 take 50. What does not fit: @b9@b.example',
    `mutes: {must: [${rows(51, (index) => `b${index}@b.example`)}]}`,
  ],
])('reports before sending: %s', (limit, rules) => {
  const model = {...emptyModel, filters: [aFilter('Other')]};
  expect(planFor(`version: 1\n${rules}`, model).limits).toContain(limit);
});

test('reports nothing for a plan within the limits', () => {
  const rules = `domain_blocks: {must: [${rows(50, domain)}]}\nfilters: {must: [${rows(19, filter)}]}`;
  expect(planFor(`version: 1\n${rules}`, {...emptyModel, filters: [aFilter('Other')]}).limits).toEqual([]);
});

const person = (index: number) => `b${index}@b.example`;

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
] as const)('a known release %s has one limit of %s: with %d wanted %d fit', (release, section, wanted, limit) => {
  const rules = `${section}: {must: [${rows(wanted, section === 'domain_blocks' ? domain : person)}]}`;
  const {changes} = planFor(`version: 1\n${rules}`, emptyModel);
  const {limits, beyond} = limitsHit(changes, stateOf(emptyModel), circumstances.now, release);
  expect(limits).toEqual([expect.stringMatching(`; servers of release ${release} take ${limit}\\. What does not fit: `)]);
  expect(beyond.map((one) => [one.limit, one.subjects.length])).toEqual([[limit, wanted - limit]]);
  const fitting = limitsHit(changes.slice(wanted - limit), stateOf(emptyModel), circumstances.now, release);
  expect(fitting).toEqual({limits: [], beyond: []});
});

test('a release that is no number leaves both limits open', () => {
  const {changes} = planFor(`version: 1\ndomain_blocks: {must: [${rows(143, domain)}]}`, emptyModel);
  const unknown = limitsHit(changes, stateOf(emptyModel), circumstances.now);
  expect(limitsHit(changes, stateOf(emptyModel), circumstances.now, 'nightly')).toEqual(unknown);
  expect(unknown.limits).toEqual([expect.stringContaining('most servers take 100, those of release 0.12.6 take 50. ')]);
});

describe('a plan that only older servers refuse', () => {
  const sent = {changes: planFor(`version: 1\ndomain_blocks: {must: [${rows(60, domain)}]}`, emptyModel).changes, now: circumstances.now};
  const limitsAt = async (answers: Readonly<Record<string, unknown>>, {changes, ...rest} = {...sent, state: stateOf(emptyModel)}) => {
    const {client, asked} = await serverWith(answers);
    const {limits} = await limitsOn(client, changes, rest.state, rest.now);
    return {limits, asked};
  };
  const configuration = 'GET /api/v2.1/config';
  const takenBy = (release: string) => [expect.stringContaining(`60 domains would be blocked; servers of release ${release} take 50. `)];

  test.each([
    ['an older', '0.12.5', takenBy('0.12.5')],
    ['a newer', '0.12.7', []],
  ])('is told by the release of %s server', async (_, version, limits) => {
    expect(await limitsAt({[configuration]: {version}})).toEqual({limits, asked: [configuration]});
  });

  test.each([
    ['does not say its release', {[configuration]: {}}],
    ['answers nothing', {}],
  ])('is told of the last older release where the server %s', async (_, answers) => {
    expect((await limitsAt(answers)).limits).toEqual(takenBy('0.12.6'));
  });

  test('asks nothing where every server takes it', async () => {
    expect(await limitsAt({}, {...sent, changes: sent.changes.slice(0, 50), state: stateOf(emptyModel)})).toEqual({limits: [], asked: []});
  });

  test('ends when the run is interrupted', async () => {
    const {client} = await serverWith({});
    const stopped = clientOf(client.server, {signal: AbortSignal.abort()});
    await expect(limitsOn(stopped, sent.changes, stateOf(emptyModel), sent.now)).rejects.toMatchObject({code: 'interrupted'});
  });
});
