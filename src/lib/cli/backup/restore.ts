/** What `restore` does: makes what a backup has and the account lacks, as apply does. */
import {applySource, type GuardedFlags} from '../policy/apply.js';
import {requireConsent} from '../policy/changes.js';
import type {PolicyRun} from '../policy/run.js';
import {policySource, sectionKeys} from '../../policy/index.js';
import {printingOfOwn} from '../printing.js';
import {openBackup} from '../../backup/restored.js';
import {resultsView} from '../../run/index.js';

/** Not `apply`: the ids in the policy are those of the server that was backed up. */
const remedy = 'change what is there, or remove it and restore again';

/** @param folder of the backup @throws Failure `usage` or `local` for one that cannot be restored; as {@link applySource} */
export async function restore(folder: string, run: PolicyRun<GuardedFlags & {readonly at?: string | undefined}>): Promise<void> {
  const {flags, session} = run;
  const printing = await printingOfOwn(resultsView, session);
  const chosen = sectionKeys.filter((key) => flags.only?.includes(key));
  const {file, text, only, policy, ...opened} = await openBackup(folder, {only: flags.only && chosen, at: flags.at});
  requireConsent(session);
  const {state = opened.state} = flags;
  for (const warning of opened.warnings) session.warn(warning);
  for (const note of opened.notes) session.note(note);
  const own = run.with({only, state});
  const read = await own.read(file, {text});
  const wanted = {...read, policy: {...read.policy, file: policy}, onlyAdds: true};
  const question = `Restore ${folder} as`;
  const agreed = (host: string) => `Nothing to restore: ${host} has everything that is in ${folder}.`;
  const source = policySource(wanted, {name: folder, question, left: 'that a restore does not change', remedy, agreed});
  await applySource(source, own, {question: `Restore ${folder} to`, printing});
}
