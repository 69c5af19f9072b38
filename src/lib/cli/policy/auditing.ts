import type {Connection} from '../connection.js';
import type {Typed} from '../command.js';
import {accountIfKnown, knownAccount} from './account.js';
import {adviceFor} from './flags.js';
import {Failure} from '../../client/failure.js';
import {compare} from '../../policy/compare.js';
import {neededParts} from '../../policy/plan.js';
import {refuseOtherServer, type Wanted} from '../../policy/policy-file.js';
import {auditReport, type AuditReport} from '../../policy/reports/report.js';
import {readState} from '../../policy/state.js';

/**
 * One account compared with policies; what they need is read once. What goes wrong with one policy is in its report.
 * @throws Failure `usage` when a policy is for another server
 */
export async function auditServer(policies: readonly Wanted[], connection: Connection, typed: Typed): Promise<AuditReport[]> {
  const {client, server} = connection;
  for (const {policy} of policies) refuseOtherServer(policy, server);
  const parts = policies.map(({policy}) => neededParts(policy)).reduce((all, some) => all.union(some));
  const account = await accountIfKnown(connection);
  const state = await readState(client, server.origin, parts);
  const advice = adviceFor(connection, typed);
  return policies.map((wanted) => {
    const circumstances = {now: new Date(), advice, account: knownAccount(account)};
    const about = {server: server.origin, account, policy: wanted.policy.file};
    try {
      return auditReport(about, wanted, compare(wanted, state, circumstances), circumstances);
    } catch (error) {
      if (error instanceof Failure) return auditReport(about, wanted, error, circumstances);
      throw error;
    }
  });
}
