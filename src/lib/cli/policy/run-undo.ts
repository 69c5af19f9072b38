/** What `undo` does: sets back what the last apply of a policy, or the last restore of a backup, changed. */
import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {changeAccounts, type changeFlags} from './changes.js';
import type {PolicyFlags} from './policy-flags.js';
import type {PolicyRun} from './policy-run.js';
import {prepareUndo, refuseUnknown} from '../../policy/index.js';
import type {GivenFlags} from '../flags.js';
import type {Result} from '../sink.js';
import {Failure} from '../../client/failure.js';
import {commandText} from '../../files/command-text.js';
import {absent} from '../../files/system-error.js';

/** @param name a policy, or the folder of a backup @throws Failure `usage` for a folder within a backup, or a policy that nobody applied; as {@link changeAccounts} does */
export async function undo(name: string, run: PolicyRun<GivenFlags<typeof changeFlags> & PolicyFlags>): Promise<Result> {
  const {flags, session} = run;
  const found = name === '-' ? undefined : await stat(name).catch(absent);
  const isBackup = found?.isDirectory() === true;
  const [, backup] = /^(.+)[\\/]lists[\\/][^\\/]+[\\/]?$/.exec(name) ?? [];
  if (isBackup && backup !== undefined)
    throw new Failure('usage', `${name} is a part of a backup: nothing was sent`, {
      hint: `\`${commandText('undo', {args: [backup]})}\` takes back its last restore`,
    });
  if (name === '-' && flags.state === undefined)
    throw new Failure('usage', 'A policy from standard input has no state beside it', {hint: 'name it with --state'});
  const file = isBackup ? join(name, 'restore') : name;
  if (found === undefined) await refuseUnknown(file, flags.state);
  const verb = isBackup ? 'restore' : 'apply';
  const given = {policy: {file, rules: new Map()}, domains: new Map()};
  return changeAccounts(
    {
      given,
      what: `Undo the last ${verb} of ${name}`,
      done: {said: 'Reverted'},
      async prepare(member) {
        const target = await run.target(member, [given], true);
        const files = session.dryRun ? await run.states(given, target) : await run.stateFiles(given, target);
        return prepareUndo({name, file, verb}, files, target);
      },
    },
    run,
  );
}
