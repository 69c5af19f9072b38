/** From a policy to a plan for one account: with what earlier applies made, and what the server has now. */
import {Failure} from '../../client/failure.js';
import type {About} from '../../policy/output.js';
import {lastApply, withUnrecorded, type OwnershipRecord} from '../../policy/ownership.js';
import {makePlan, neededParts, type Plan} from '../../policy/plan.js';
import {failureOf, type Kind, type Skipped} from '../../policy/finding.js';
import {refuseOtherServer} from '../../policy/policy-file.js';
import {readState, type PartName, type State} from '../../policy/state.js';
import {undoneParts} from '../../policy/undo.js';
import type {Wanted} from '../../policy/wanted.js';
import type {Connection} from '../connection.js';

export interface Planned {
  readonly about: About;
  readonly plan: Plan;
  readonly state: State;
  readonly parts: ReadonlySet<PartName>;
  /** With what an apply made before it was killed. */
  readonly record: OwnershipRecord;
}

const words: Readonly<Record<Kind, string>> = {
  block: 'the blocks',
  config: 'the configuration',
  domain_block: 'the domain blocks',
  filter: 'the filters',
  mute: 'the mutes',
  push: 'the push settings',
};

/** The failure of what could not be looked at, in words that say what that was. */
export function blindness(skipped: readonly Skipped[], host: string): Failure | undefined {
  const failure = failureOf(skipped);
  if (failure === undefined) return undefined;
  const kinds = new Set(skipped.filter((one) => one.failure?.code === failure.code).map(({kind}) => words[kind]));
  return new Failure(failure.code, `Cannot look at ${[...kinds].join(', ')} of ${host}: ${failure.message}`, failure.details);
}

/**
 * Reads what the policy needs, and compares.
 * @throws Failure for what cannot be read: nothing may be concluded from not having seen it
 */
export async function planFor(wanted: Wanted, account: string, record: OwnershipRecord, {client, server}: Connection): Promise<Planned> {
  refuseOtherServer(wanted.policy, server);
  const last = lastApply(record);
  const needed = neededParts(wanted.policy, record.owned);
  const parts = last?.isFinished === false ? needed.union(undoneParts(last)) : needed;
  const state = await readState(client, server.origin, parts);
  const now = new Date();
  const complete = withUnrecorded(record, state, now);
  const plan = makePlan(wanted, state, complete.owned, now);
  const failure = blindness(plan.skipped, server.host);
  if (failure !== undefined) throw failure;
  return {about: {server: server.origin, account, policy: wanted.policy.file}, plan, state, parts, record: complete};
}
