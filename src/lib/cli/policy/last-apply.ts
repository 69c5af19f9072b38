/** Finds the apply that `undo` takes back. */
import {readdir} from 'node:fs/promises';
import type {Connection} from '../connection.js';
import {nameInState, StateFile, stateFileEnding, stateFileFor} from './state-file.js';
import {Failure, localFailure} from '../../client/failure.js';
import {compareText} from '../../policy/location.js';
import {lastApply, type OwnershipRecord} from '../../policy/ownership.js';

export interface Found {
  readonly path: string;
  /** Its policy, as the state file calls it. */
  readonly policy: string;
}

async function stateFilesHere(): Promise<string[]> {
  const names = await readdir('.').catch((error: unknown) => {
    throw localFailure('Cannot look for state files in this folder', error);
  });
  return names.filter((name) => name.endsWith(stateFileEnding));
}

/**
 * The policy whose last apply to this account is the latest one.
 * @param policy only this one's
 * @param chosen what `--state` says
 * @throws Failure `not_found` when there is none
 */
export async function findLastApply(
  {policy, chosen, account}: {readonly policy: string | undefined; readonly chosen: unknown; readonly account: string},
  {server}: Connection,
): Promise<Found> {
  const paths = typeof chosen === 'string' ? [chosen] : policy === undefined ? await stateFilesHere() : [stateFileFor(policy, undefined)];
  const found: {readonly path: string; readonly record: OwnershipRecord}[] = [];
  for (const path of paths) {
    const {records} = await StateFile.read(path);
    const isMeant = (one: OwnershipRecord) => policy === undefined || one.policy === nameInState(policy, path);
    for (const record of records)
      if (record.server === server.origin && record.account === account && isMeant(record)) found.push({path, record});
  }
  const at = ({record}: (typeof found)[number]) => lastApply(record)?.at ?? '';
  const latest = found
    .filter((one) => at(one) !== '')
    .sort((one, other) => compareText(at(one), at(other)))
    .at(-1);
  if (latest) return {path: latest.path, policy: latest.record.policy};
  const where = paths.length === 0 ? 'no state file is here' : `${paths.join(', ')} ${paths.length === 1 ? 'knows' : 'know'} none`;
  throw new Failure('not_found', `There is no apply to take back for ${account} on ${server.host}: ${where}`, {
    hint: 'name the policy, or its state file with --state',
  });
}
