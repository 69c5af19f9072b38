/** Copies from the account in use to that of another profile. */
import {joinFlags} from '../flags.js';
import {Flags} from '@oclif/core';
import {Accounts} from '../accounts.js';
import {carryOut, changeAccounts, changeFlags, endsOf, requireConsent} from './changes.js';
import {connect, sessionAs} from '../connection.js';
import type {RunFlags} from '../bulk-run.js';
import {resultsView} from '../../run/index.js';
import {printingOfOwn} from '../printing.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';
import {type Copy, limitsOn, readWhole, type SectionKey, type State} from '../../policy/index.js';

export const copyFlags = joinFlags(
  {
    to: Flags.string({description: 'the profile to copy to', helpValue: 'PROFILE', required: true}),
  },
  changeFlags,
);

interface CopyJob {
  readonly part: SectionKey;
  readonly copy: (from: State, to: State, now: Date) => Copy;
  readonly flags: RunFlags & {readonly to: string};
}

/** @throws Failure as a run of changes does; `usage` when both are the same account */
export async function copyBetween({part, copy, flags}: CopyJob, session: Session): Promise<void> {
  const printing = await printingOfOwn(resultsView, session);
  requireConsent(session);
  await using source = await connect(session);
  await using target = await connect(sessionAs(flags.to, session));
  const {profile} = source.identity;
  if (profile !== undefined && profile.name === target.identity.profile?.name)
    throw new Failure('usage', `${profile.name} is the profile to copy from`, {hint: 'name another one with --to'});
  const from = await readWhole(source.client, source.server.origin, [part]);
  await changeAccounts(
    {
      question: `Copy from ${source.server.host} to`,
      async prepare({connection}) {
        const to = await readWhole(connection.client, connection.server.origin, [part]);
        const now = session.io.now();
        const {changes, left} = copy(from, to, now);
        return {
          changes,
          ends: endsOf(changes, to),
          remarks: await limitsOn(connection.client, changes, to, now),
          warnings: left.map(({subject, why}) => ({subject, why: `not copied: ${why}`})),
          question: `Copy from ${source.server.host} as`,
          nothing: `Nothing to do: ${connection.server.host} already has everything.`,
          carryOut: (send) => carryOut(changes, send),
        };
      },
    },
    Accounts.of(target),
    {flags, printing, session},
  );
}
