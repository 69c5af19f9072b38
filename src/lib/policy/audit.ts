/** Audits an account: compares it with policies, and with what their earlier applies made. */
import {Failure} from '../client/failure.js';
import {remembered, type Remembered} from './plan/apply.js';
import {withinCap} from './sections/domains/cap.js';
import {compare} from './sections/compare.js';
import {type Circumstances, type Comparison, type Target} from './model/difference.js';
import {withPeople} from './plan/by-hand.js';
import {keptBlocks, leftovers, unreadOwned} from './plan/leftovers.js';
import {type AuditReport, auditReport} from './reports/report.js';
import {uncheckedProtection} from './lists/protection.js';
import type {Records} from './state-file/records.js';
import {readState} from './sections/read-state.js';
import {wantedFor, withFollowed} from './reading/read-wanted.js';
import {withFollows} from './sections/admin-domain-blocks.js';
import type {State} from './model/server-state.js';
import type {Wanted} from './lists/wanted.js';

/** A policy, and the state file that it has for an account. */
export interface Audited {
  readonly wanted: Wanted;
  readonly records: Records;
}

/**
 * Compares an account with policies; what they need is read once. A failure of one policy is in its report.
 */
export async function auditAccount(policies: readonly Audited[], target: Target): Promise<AuditReport[]> {
  const {client, server, account, own, advice, now: clock} = target;
  const pairs = await Promise.all(
    policies.map(async ({wanted: general, records}) => {
      const wanted = await withFollowed(wantedFor(general, target), target.followed);
      const about = {server: server.origin, account, policy: wanted.policy.file};
      return {wanted, about, past: remembered(wanted, records)};
    }),
  );
  const parts = pairs.map(({past}) => past.parts).reduce((all, some) => all.union(some));
  const state = await readState(client, server.origin, parts, own);
  const circumstances = {now: clock(), advice};
  const measured = await Promise.all(
    pairs.map(async ({wanted, ...rest}) => ({...rest, wanted: await withFollows(wanted, state, target.measures)})),
  );
  return measured.map(({wanted, about, past}) => {
    try {
      return auditReport(about, wanted, comparison(wanted, state, past, circumstances), circumstances);
    } catch (error) {
      if (error instanceof Failure) return auditReport(about, wanted, error, circumstances);
      throw error;
    }
  });
}

/** The differences from the policy, and what it leaves behind. */
function comparison(wanted: Wanted, state: State, {recordsIn}: Remembered, circumstances: Circumstances): Comparison {
  const records = recordsIn(state, circumstances.now);
  const {owned: made, watched} = records;
  const about = withPeople(wanted, state, {...circumstances, owned: made, watched});
  const {differences: all, skipped, matchedBy} = compare(wanted, state, about);
  const kept = keptBlocks(wanted, state, made);
  const asked = () => all.flatMap(({change}) => change ?? []);
  const {left, skipped: leftAlone} = leftovers(wanted, asked, {state, owned: made, matchedBy}, about);
  const {differences, held} = withinCap(all, wanted, state, left);
  const unchecked = [...wanted.domains.values()].flatMap(({protection}) => uncheckedProtection(protection, wanted, skipped));
  return {
    differences: [...differences, ...unchecked, ...left],
    skipped: [...skipped, ...leftAlone, ...kept, ...held, ...(made.length > 0 ? unreadOwned(skipped, state) : [])],
  };
}
