/** Copies from the account in use to that of another profile. */
import {Flags} from '@oclif/core';
import {connect, sessionAs} from './connection.js';
import {printPlans} from './dry-run.js';
import {carryOut, changeFlags, confirm, plannedRequests, type PolicyFlags, requireConsent, warnOfEach} from './policy.js';
import {printingOf} from './printing.js';
import type {Session} from './session.js';
import {Failure} from '../client/failure.js';
import type {Copy} from '../policy/copy.js';
import {limitsHit} from '../policy/limits.js';
import {readWhole, type State} from '../policy/state.js';

export const copyFlags = {
  to: Flags.string({description: 'the profile to copy to', helpValue: 'PROFILE', required: true}),
  ...changeFlags,
};

interface CopyJob {
  readonly command: string;
  readonly part: 'domain_blocks' | 'filters';
  readonly copy: (from: State, to: State, now: Date) => Copy;
  readonly flags: PolicyFlags & {readonly to: string};
}

/** @throws Failure as a run of changes does; `usage` when both are the same account */
export async function copyBetween({command, part, copy, flags}: CopyJob, session: Session): Promise<void> {
  const printing = await printingOf(session);
  requireConsent(session);
  await using source = await connect(session);
  await using target = await connect(sessionAs(flags.to, session));
  const {profile} = source.identity;
  if (profile !== undefined && profile.name === target.identity.profile?.name)
    throw new Failure('usage', `${profile.name} is the profile to copy from`, {hint: 'name another one with --to'});
  const from = await readWhole(source.client, source.server.origin, [part]);
  const to = await readWhole(target.client, target.server.origin, [part]);
  const now = session.io.now();
  const {changes, left} = copy(from, to, now);
  warnOfEach(
    left.map(({subject, why}) => ({subject, why: `not copied: ${why}`})),
    session,
  );
  if (session.dryRun) return printPlans(await plannedRequests(changes, target), target);
  if (changes.length === 0) {
    session.note(`Nothing to do: ${target.server.host} has all of it.`);
    return session.io.write(session.format === 'json' ? '[]\n' : '', 'data');
  }
  await confirm(changes, limitsHit(changes, to, now), `Copy from ${source.server.host} as`, target);
  await carryOut(changes, {command, flags, printing, connection: target});
}
