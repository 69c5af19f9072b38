/** What `undo` does: reverts the last apply to each account. */
import {carryOut, changeAccounts, type changeFlags, endsOf, type AccountChanges} from './changes.js';
import type {PolicyFlags} from './flags.js';
import {refuseNameless} from './state.js';
import type {PolicyRun} from './run.js';
import {
  findLastApply,
  lastApplyTo,
  type Records,
  recordsAt,
  type Section,
  sharedSections,
  shownSubject,
  StateFiles,
  type Target,
  undoApply,
  undoFor,
} from '../../policy/index.js';
import type {GivenFlags} from '../flags.js';
import {printingOfOwn} from '../sink.js';
import {Failure} from '../../client/failure.js';
import {resultsView} from '../../run/index.js';

/** @param policy undefined: the one that was applied last @throws Failure `not_found` when no account has an apply; as {@link changeAccounts} */
export async function undo(policy: string | undefined, run: PolicyRun<GivenFlags<typeof changeFlags> & PolicyFlags>): Promise<void> {
  const {flags, session} = run;
  refuseNameless(policy, flags);
  const printing = await printingOfOwn(resultsView, session);
  const choice = {policy, chosen: flags.state};
  const accounts = await run.accounts([], 'write', {accounts: async () => true, server: (server) => changedOf(choice, server)});
  using files = new StateFiles(session.dryRun);
  const without: Failure[] = [];
  await changeAccounts(
    {
      question: 'Revert the last apply to',
      async prepare(member) {
        const target = await run.target(member, []);
        const found = await lastApplyTo(choice, target).catch((error: unknown) => {
          if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
          without.push(error);
        });
        if (found === undefined) return nothingToRevert;
        return revertOf(found.policy, await recordsAt(found.places, (path) => files.open(path)), target);
      },
      // An account without an apply is left alone, unless none of them has one.
      check() {
        const [first] = without;
        if (first === undefined || without.length < accounts.members.length) return;
        throw accounts.areNamed
          ? new Failure('not_found', `Nothing to revert for any of ${accounts.members.map(({account}) => account).join(', ')}`, {
              hint: first.details.hint,
            })
          : first;
      },
    },
    accounts,
    {flags, printing, session},
  );
}

const remarks = {limits: [], beyond: []};

const nothingToRevert: AccountChanges = {
  changes: [],
  remarks,
  question: '',
  nothing: 'Nothing to do.',
  carryOut: async () => {},
};

/** The sections of what the accounts of a server share that an apply changed last. @throws Failure `local` */
async function changedOf(choice: Parameters<typeof findLastApply>[0], server: URL): Promise<readonly Section[]> {
  const found = await findLastApply(choice, {account: server.host, owner: 'server', server});
  return sharedSections.filter(({kind}) => found?.kinds.has(kind));
}

async function revertOf(policy: string, records: Records, target: Target): Promise<AccountChanges> {
  const last = await undoFor(records, target);
  const {changes, lost, at, state} = last;
  return {
    changes,
    ends: endsOf(changes, state),
    remarks,
    warnings: lost.map((one) => ({subject: shownSubject(one), why: one.why})),
    question: `Revert the apply of ${policy} (${at}) as`,
    nothing:
      lost.length > 0
        ? `Nothing left to revert of the apply of ${at}.`
        : `Nothing to do: what the apply of ${at} changed is already back to its earlier state.`,
    carryOut: (send) => undoApply(last, (all, made) => carryOut(all, send, {witness: {made}})),
  };
}
