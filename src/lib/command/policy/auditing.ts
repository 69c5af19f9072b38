import {compare} from '../../policy/compare.js';
import {neededParts} from '../../policy/plan.js';
import {refuseOtherServer} from '../../policy/policy-file.js';
import {auditReport, type AuditReport} from '../../policy/reports/report.js';
import {readState} from '../../policy/state.js';
import type {Wanted} from '../../policy/wanted.js';
import type {Connection} from '../connection.js';
import {accountIfKnown} from './account.js';

/**
 * One account held against policies; what they need is read once.
 * @throws Failure `usage` when a policy is for another server, or filters cannot be told apart
 */
export async function auditServer(policies: readonly Wanted[], connection: Connection): Promise<AuditReport[]> {
  const {client, server} = connection;
  for (const {policy} of policies) refuseOtherServer(policy, server);
  const parts = policies.map(({policy}) => neededParts(policy)).reduce((all, some) => all.union(some));
  const account = await accountIfKnown(connection);
  const state = await readState(client, server.origin, parts);
  return policies.map((wanted) => {
    const now = new Date();
    return auditReport({server: server.origin, account, policy: wanted.policy.file}, wanted, compare(wanted, state, now), now);
  });
}
