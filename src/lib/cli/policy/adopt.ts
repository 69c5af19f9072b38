/** What `state adopt` does: records what exists and the policy wants as if an apply had made it. */
import {type PolicyFlags, sameFlags} from './flags.js';
import type {PolicyRun} from './run.js';
import {chosenOf, itemsView, noteWritten, printItems, refuseNameless} from './state.js';
import {printingOfOwn} from '../sink.js';
import {adoptable, adoptedIn, adviceOf, meantIn, StateFiles, whoseText} from '../../policy/index.js';
import {counted} from '../../json/text.js';

type AdoptFlags = PolicyFlags & {readonly all: boolean; readonly 'dry-run': boolean};

interface Named {
  /** Its file. */
  readonly policy: string;
  /** Names and patterns. */
  readonly subjects: readonly string[];
}

/** @throws Failure `usage` or `not_found` for names as {@link chosenOf}; that of accounts that cannot be read */
export async function adopt({policy: file, subjects}: Named, run: PolicyRun<AdoptFlags>): Promise<void> {
  const {flags, session} = run;
  refuseNameless(file, flags);
  await printingOfOwn(itemsView, session);
  const policy = await run.read(file);
  const accounts = await run.accounts([policy], 'read');
  using files = new StateFiles(flags['dry-run']);
  const {found, failed} = await accounts.eachApart(async (member) => {
    const target = await run.target(member, [policy]);
    const records = await files.records(file, flags, meantIn(policy, target, accounts.areNamed));
    const items = await adoptable(policy, target);
    return {records, items, host: target.server.host, who: whoseText(target), plan: target.advice.onPolicy('plan', file)};
  });
  const failure = accounts.failureOf(failed);
  const [first] = found;
  if (first === undefined && failure !== undefined) throw failure;
  const chosen = chosenOf(
    found.map(({value}) => value),
    {
      subjects,
      isAll: flags.all,
      why: `${accounts.areNamed ? 'no account has it' : `${first?.value.who} does not have it`}, or ${file} does not want it`,
      hint: `see the differences: ${accounts.areNamed ? adviceOf(accounts.inUse.flags, sameFlags(flags)).onPolicy('plan', file) : first?.value.plan}`,
    },
  );
  const adopted = found.flatMap(({value: {records}}, index) => adoptedIn(records, chosen[index] ?? []));
  if (!flags['dry-run']) for (const {file, record} of adopted) await file.write(record);
  await printItems(
    adopted.flatMap(({file: {path}, record, items}) => items.map((item) => ({item, found: {path, record}}))),
    session,
  );
  const count = adopted.reduce((sum, {items}) => sum + items.length, 0);
  const known = chosen.flat().length - count;
  const more = known === 0 ? '' : `${counted(known, 'item was', 'items were')} recorded already`;
  noteWritten(count, ['adopt', 'Adopted'], {isDryRun: flags['dry-run'], more, session});
  if (failure !== undefined) throw failure;
}
