/** What `state forget` does: hands items of a policy over to people. */
import {commandText} from '../../files/command-text.js';
import {chosenOf, itemsView, noteWritten, type PolicyAndSubjects, printItems, type RecordFlags, recordsFor} from './state.js';
import {forgettable, nameOfOwner, recordsAt, StateFiles, withForgotten} from '../../policy/index.js';
import {printingOfOwn} from '../sink.js';
import type {Session} from '../session.js';

type ForgetFlags = RecordFlags & {readonly all: boolean; readonly 'dry-run': boolean};

/** @throws Failure as {@link recordsFor} and {@link chosenOf} */
export async function forget({policy, subjects}: PolicyAndSubjects, flags: ForgetFlags, session: Session): Promise<void> {
  await printingOfOwn(itemsView, session);
  const named = await recordsFor({...flags, policy}, session);
  using files = new StateFiles(flags['dry-run']);
  const {all: kept} = await recordsAt(
    named.map(({path, record: owner}) => ({path, owner})),
    (path) => files.open(path),
  );
  const owners = kept.map(({record}) => nameOfOwner(record)).join(' or ');
  const chosen = chosenOf(
    kept.map(({record}) => ({items: forgettable(record), host: new URL(record.server).host})),
    {
      subjects,
      isAll: flags.all,
      why: `no apply of ${named[0].record.policy} made it for ${owners}`,
      hint: `to list what it made: ${commandText('state list', {args: [policy], flags: {state: flags.state}})}`,
    },
  );
  const forgotten = kept.map((one, index) => ({...one, items: chosen[index] ?? []}));
  if (!flags['dry-run']) for (const {file, record, items} of forgotten) await file.write(withForgotten(record, items));
  const items = forgotten.flatMap((one) => one.items.map((item) => ({item, found: {path: one.file.path, record: one.record}})));
  await printItems(items, session);
  noteWritten(items.length, ['forget', 'Forgot'], {isDryRun: flags['dry-run'], session});
}
