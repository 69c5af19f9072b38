/** From a policy to a plan for one account: with what earlier applies made, and what the server has now. */
import type {Connection} from '../connection.js';
import {knownAccount} from './account.js';
import {type Advice, blindness} from '../../policy/difference.js';
import type {About} from '../../policy/difference.js';
import {lastApply, type OwnershipRecord, withUnrecorded} from '../../policy/ownership.js';
import {makePlan, neededParts, type Plan} from '../../policy/plan.js';
import {refuseOtherServer, type Wanted} from '../../policy/policy-file.js';
import {type PartName, readState, type State} from '../../policy/state.js';
import {undoneParts} from '../../policy/undo.js';

export interface Planned {
  readonly about: About;
  readonly plan: Plan;
  readonly state: State;
  readonly parts: ReadonlySet<PartName>;
  /** With what an apply made before it was killed. */
  readonly record: OwnershipRecord;
}

/**
 * Reads what the policy needs, and compares.
 * @throws Failure for what cannot be read: nothing may be concluded from not having seen it
 */
export async function planFor(
  wanted: Wanted,
  {account, record, advice}: {readonly account: string; readonly record: OwnershipRecord; readonly advice: Advice},
  {client, server}: Connection,
): Promise<Planned> {
  refuseOtherServer(wanted.policy, server);
  const last = lastApply(record);
  const needed = neededParts(wanted.policy, record.owned);
  const parts = last?.isFinished === false ? needed.union(undoneParts(last)) : needed;
  const state = await readState(client, server.origin, parts);
  const now = new Date();
  const complete = withUnrecorded(record, state, now);
  const plan = makePlan(wanted, state, complete.owned, {now, advice, account: knownAccount(account)});
  const failure = blindness(plan.skipped, server.host);
  if (failure !== undefined) throw failure;
  return {about: {server: server.origin, account, policy: wanted.policy.file}, plan, state, parts, record: complete};
}
