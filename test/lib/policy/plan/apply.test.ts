/** Plans carried out on the embedded server, which refuses what real servers refuse. */
import {expect, onTestFinished, test} from 'vitest';
import type {Client} from '../../../../src/lib/client/client.js';
import {requestFor as planned} from '../../../../src/lib/client/request.js';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import {compare} from '../../../../src/lib/policy/sections/compare.js';
import {exportPolicy} from '../../../../src/lib/policy/export.js';
import {beginApply, finishApply} from '../../../../src/lib/policy/state-file/ownership.js';
import {recordDone} from '../recorded.js';
import {makePlan, neededParts} from '../../../../src/lib/policy/plan/plan.js';
import {requestOf} from '../../../../src/lib/policy/plan/requests.js';
import {emptyOwnership, lastApply, recordOf} from '../../../../src/lib/policy/state-file/state-file.js';
import {readState} from '../../../../src/lib/policy/sections/read-state.js';
import type {SectionKey} from '../../../../src/lib/policy/model/section-types.js';
import type {State} from '../../../../src/lib/policy/model/server-state.js';
import {makeUndo} from '../../../../src/lib/policy/plan/undo.js';
import {startSandbox} from '../../../sandbox/start.js';
import {circumstances} from '../model-server.js';
import {wantedBy} from '../wanted.js';
import {clientOf} from '../../../loopback-server.js';

const today = () => ({...circumstances, now: new Date()});

const policy = `
version: 1
domain_blocks:
  must: [bad.example, BÜCHER.example]
  only: true
filters:
  must:
    - {title: Spoilers, context: [home, public], action: hide, keywords: [Spoiler, {keyword: ending, whole_word: false}], expires: 90d}
    - {title: Politics, context: [tags], keywords: [vote], expires: never}
  only: true
`;
const changed = policy
  .replace('[Spoiler, {keyword: ending, whole_word: false}], expires: 90d', '[vote, ending], expires: never')
  .replace('keywords: [vote]', 'keywords: [spoiler]')
  .replace('context: [tags]', 'context: [home]');

async function serverLike(like: '0.12.6' | '2026'): Promise<{client: Client; read: (parts?: ReadonlySet<SectionKey>) => Promise<State>}> {
  const sandbox = await startSandbox({like});
  onTestFinished(() => sandbox.close());
  const client = clientOf(new URL(sandbox.url), {token: async () => sandbox.tokens.all});
  const all = new Set<SectionKey>(['domain_blocks', 'filters', 'blocks', 'mutes']);
  return {client, read: (parts = all) => readState(client, sandbox.url, parts)};
}

async function carryOut(client: Client, changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    const {endpoint, input} = requestOf(change, new Date());
    await client.send(planned(endpoint, input), endpoint.output());
  }
}

test.each(['0.12.6', '2026'] as const)('applies every change on a server like %s until nothing differs', async (like) => {
  const {client, read} = await serverLike(like);
  for (const text of [policy, changed, policy]) {
    const wanted = wantedBy(text);
    const before = await read(neededParts(wanted.policy));
    await carryOut(client, makePlan(wanted, before, [], today()).changes);
    const after = await read(neededParts(wanted.policy));
    expect(makePlan(wanted, after, [], today()).changes).toEqual([]);
    expect(compare(wanted, after, today())).toMatchObject({differences: [], skipped: []});
  }
});

test.each(['0.12.6', '2026'] as const)('reverts every change on a server like %s', async (like) => {
  const {client, read} = await serverLike(like);
  const before = await read();
  const wanted = wantedBy(policy);
  const {changes} = makePlan(wanted, before, [], today());
  expect(changes.length).toBeGreaterThan(4);
  const owner = recordOf(emptyOwnership, {server: before.server, account: 'ana', policy: 'p.yml'});
  await carryOut(client, changes);
  const created = async (change: Change) => {
    const {filters} = await read(new Set(['filters']));
    return filters && 'value' in filters ? filters.value.find(({title}) => title === change.subject)?.id : undefined;
  };
  let record = beginApply(owner, changes, before, new Date());
  for (const change of changes) record = recordDone(record, change, change.action === 'add' ? await created(change) : undefined);
  const last = lastApply(finishApply(record));
  if (!last) throw new Error('There is no apply');
  await carryOut(client, makeUndo(last, await read(), new Date()).changes);
  const withoutIds = (state: State) => exportPolicy(state, new Date()).text.replaceAll(/^ *expires: .*$/gm, '');
  expect(withoutIds(await read())).toBe(withoutIds(before));
});

test.each(['0.12.6', '2026'] as const)('exports a server like %s as a policy without differences', async (like) => {
  const {read} = await serverLike(like);
  const state = await read();
  const {text, leftOut} = exportPolicy(state, new Date());
  expect(leftOut).toEqual([]);
  expect(compare(wantedBy(text), await read(), today())).toMatchObject({differences: [], skipped: []});
  expect(exportPolicy(await read(), new Date()).text).toBe(text);
});
