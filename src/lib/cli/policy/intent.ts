/** What `apply` is given: a policy to plan anew, or a plan that was kept. */
import type {Connection} from '../connection.js';
import type {Typed} from '../command.js';
import {adviceFor} from './flags.js';
import {planFor} from './planning.js';
import {readPolicyAndLists} from './read-policy.js';
import type {Remarks} from './showing.js';
import {nameInState, type StateFile, stateFileFor} from './state-file.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';
import type {Change} from '../../policy/change.js';
import {findingJson} from '../../policy/difference.js';
import {limitsHit} from '../../policy/limits.js';
import {lastApply, type OwnershipRecord, reopened, withUnrecorded} from '../../policy/ownership.js';
import {isKeptPlan, type KeptPlan, leftToDo, planDigest, readKeptPlan} from '../../policy/plan-file.js';
import type {Guard} from '../../policy/plan.js';
import {readPart, readState, type State} from '../../policy/state.js';

/** A plan that can be carried out. */
export interface Ready {
  readonly changes: readonly Change[];
  readonly guard: Guard;
  readonly remarks: Remarks;
  readonly record: OwnershipRecord;
  readonly state: State;
  /** The kept plan that it is, by its content. */
  readonly kept?: string;
}

export interface Intent {
  /** The policy, as it was named. */
  readonly name: string;
  readonly stateFile: string;
  /** @throws Failure when it is not for this account, or what it needs cannot be read */
  readonly plan: (file: StateFile, account: string, connection: Connection) => Promise<Ready>;
}

/** @throws Failure `usage` or `local` for what cannot be read or used */
export async function intentOf(file: string, text: string, typed: Typed, session: Session): Promise<Intent> {
  return isKeptPlan(text) ? keptIntent(readKeptPlan(text, file), typed) : policyIntent(file, typed, session);
}

async function policyIntent(name: string, typed: Typed, session: Session): Promise<Intent> {
  const wanted = await readPolicyAndLists(name, typed, session);
  const stateFile = stateFileFor(name, typed.flags['state']);
  return {
    name,
    stateFile,
    async plan(file, account, connection) {
      const owner = {server: connection.server.origin, account, policy: nameInState(name, stateFile)};
      const advice = adviceFor(connection, typed);
      const {plan, record, state} = await planFor(wanted, {account, record: file.recordOf(owner), advice}, connection);
      const {changes, guard, skipped, limits, beyond} = plan;
      return {changes, guard, remarks: {cannot: plan.cannot.map(findingJson), skipped, limits, beyond}, record, state};
    },
  };
}

function keptIntent(kept: KeptPlan, typed: Typed): Intent {
  const stateFile = stateFileFor(kept.policy, typed.flags['state']);
  return {
    name: kept.policy,
    stateFile,
    async plan(file, account, {client, server}) {
      if (kept.server !== server.origin || kept.account !== account)
        throw new Failure(
          'usage',
          `The plan is for ${kept.account} on ${kept.server}, not for ${account} on ${server.origin}: nothing was sent`,
        );
      const state = await readState(client, server.origin, new Set(kept.parts));
      for (const part of [state.domainBlocks, state.blocks, state.mutes, state.filters, state.push])
        if (part !== undefined) readPart<unknown>(part);
      const now = new Date();
      const owner = {server: kept.server, account, policy: nameInState(kept.policy, stateFile)};
      const record = withUnrecorded(file.recordOf(owner), state, now);
      const changes = leftToDo(kept, record, state);
      const digest = planDigest(kept);
      const isBegun = lastApply(record)?.plan === digest;
      return {
        changes,
        guard: kept.guard,
        remarks: {cannot: kept.cannot, ...limitsHit(changes, state, now)},
        record: isBegun ? reopened(record) : record,
        state,
        kept: digest,
      };
    },
  };
}
