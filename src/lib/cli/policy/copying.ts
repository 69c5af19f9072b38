/** From the account in use to that of another profile. */
import {Flags} from '@oclif/core';
import {Failure} from '../../client/failure.js';
import type {Copy} from '../../policy/copy.js';
import {limitsHit} from '../../policy/limits.js';
import {readPart, readState, type PartName, type State} from '../../policy/state.js';
import {connect, type Connection} from '../connection.js';
import type {Typed} from '../command.js';
import {printPlans} from '../dry-run.js';
import {printingOf} from '../printing.js';
import type {Session} from '../session.js';
import {carryOut, plannedRequests} from './carry-out.js';
import {changeFlags} from './flags.js';
import {sessionAs} from './session-as.js';
import {agreeOn, requireSomebody, warnOfEach} from './showing.js';

export const copyFlags = {
  to: Flags.string({description: 'the profile that it is copied to', helpValue: 'PROFILE', required: true}),
  ...changeFlags,
};

interface CopyJob {
  readonly command: string;
  readonly part: 'domain_blocks' | 'filters';
  readonly copy: (from: State, to: State, now: Date) => Copy;
  readonly typed: Typed;
}

async function read({client, server}: Connection, name: PartName): Promise<State> {
  const state = await readState(client, server.origin, new Set([name]));
  for (const part of [state.domainBlocks, state.filters]) if (part !== undefined) readPart<unknown>(part);
  return state;
}

/** @throws Failure as a run of changes does; `usage` when both are the same account */
export async function copyBetween({command, part, copy, typed}: CopyJob, session: Session): Promise<void> {
  const printing = await printingOf(session);
  requireSomebody(session);
  const source = await connect(session);
  const target = await connect(sessionAs(String(typed.flags['to']), session));
  try {
    if (source.identity.profile !== undefined && source.identity.profile.name === target.identity.profile?.name)
      throw new Failure('usage', `${source.identity.profile.name} is where it is copied from`, {hint: 'name another profile with --to'});
    const [from, to] = [await read(source, part), await read(target, part)];
    const now = session.io.now();
    const {changes, left} = copy(from, to, now);
    warnOfEach(
      left.map(({subject, why}) => ({subject, why: `not copied: ${why}`})),
      session,
    );
    if (session.dryRun) return await printPlans(await plannedRequests(changes, target), target);
    if (changes.length === 0) {
      session.note(`Nothing to do: ${target.server.host} has all of it.`);
      return await session.io.write(session.format === 'json' ? '[]\n' : '', 'data');
    }
    await agreeOn(changes, limitsHit(changes, to, now), `Copy from ${source.server.host} as`, target);
    await carryOut(changes, {command, flags: typed.flags, printing, connection: target});
  } finally {
    await source.close();
    await target.close();
  }
}
