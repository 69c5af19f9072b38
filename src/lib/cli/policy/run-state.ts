/** What `state list`, `state adopt` and `state forget` do. */
import {stat} from 'node:fs/promises';
import {Args, Flags} from '@oclif/core';
import type {GivenFlags} from '../flags.js';
import type {PolicyFlags} from './policy-flags.js';
import type {PolicyRun} from './policy-run.js';
import type {Result} from '../sink.js';
import {Failure, localFailure} from '../../client/failure.js';
import {systemCode} from '../../files/system-error.js';
import {countNoun} from '../../json/text.js';
import {
  adoptionsOf,
  adoptItems,
  compareAccount,
  forgetItems,
  listItems,
  type ManagedItemJson,
  Names,
  policyViews,
} from '../../policy/index.js';

export const policyArguments = {
  POLICY: Args.string({description: 'the policy, YAML or JSON', required: true, ignoreStdin: true}),
};

/** One argument for oclif, which takes no optional ones before many. */
export const namesArguments = {
  POLICY: Args.string({
    description: 'the policy, then domains, accounts, and titles of filters',
    multiple: true,
    ignoreStdin: true,
  }),
};

export const selectionFlags = {
  all: Flags.boolean({description: 'all items instead of named ones'}),
  'dry-run': Flags.boolean({description: 'show what would change, and write nothing'}),
};

export const accountFlags = {
  account: Flags.string({
    description: 'only this account, as in the state: ana@pix.example, or the host of a server',
    helpValue: 'ACCOUNT',
  }),
};

type AccountFlags = GivenFlags<typeof accountFlags>;

type SelectionFlags = GivenFlags<typeof selectionFlags> & PolicyFlags;

/** @throws Failure `usage` where no policy is named */
function policyAndNames({POLICY = []}: {readonly POLICY?: readonly string[] | undefined}) {
  const [policy, ...names] = POLICY;
  if (policy === undefined) throw new Failure('usage', 'Missing: POLICY');
  return {policy, names};
}

/** @throws Failure `local` when a state cannot be read */
export async function listState(policy: string, {flags}: PolicyRun<AccountFlags & PolicyFlags>): Promise<Result> {
  await requireFile(policy, flags.state);
  return itemsResult(await listItems(policy, {chosen: flags.state, account: flags.account}), {empty: 'No managed items.'});
}

/** @throws Failure `usage` for standard input, which has no states beside it; `local` for a policy that is not there: a name that is mistyped has none */
async function requireFile(policy: string, state: string | undefined): Promise<void> {
  if (policy === '-' && state === undefined)
    throw new Failure('usage', 'A policy from standard input has no state beside it', {hint: 'name it with --state'});
  await stat(policy).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT' || policy === '-') return;
    throw localFailure(`Cannot read the policy ${policy}`, error);
  });
}

/** Takes what exists and the policy wants as made by apply. @throws Failure `usage` or `not_found` for names; that of accounts that cannot be read */
export async function adopt(args: {readonly POLICY?: readonly string[] | undefined}, run: PolicyRun<SelectionFlags>): Promise<Result> {
  const {flags} = run;
  const {policy, names} = policyAndNames(args);
  const chosen = new Names(names, flags.all === true);
  const given = await run.read(policy);
  const accounts = await run.accounts([given], 'read');
  const {found, failure, noun} = await accounts.gather(async (member) => {
    const target = await run.target(member, [given], true);
    const files = await run.stateFiles(given, target);
    const comparison = await compareAccount(given, target, files);
    return {adoptions: adoptionsOf(comparison, files, chosen), plan: target.advice.onPolicy('plan', policy)};
  });
  if (found.length === 0 && failure !== undefined) throw failure;
  const [first] = found;
  chosen.refuseUnmatched(
    `${noun === undefined ? 'the account does not have it' : 'no account has it'}, or ${policy} does not want it`,
    `see the differences: ${first?.value.plan}`,
  );
  const isDryRun = flags['dry-run'] === true;
  const adoptions = found.flatMap(({value}) => value.adoptions);
  const items = await adoptItems(policy, adoptions, isDryRun);
  const known = adoptions.reduce((sum, one) => sum + one.known, 0);
  const more = known === 0 ? '' : `${countNoun(known, 'item was', 'items were')} recorded already`;
  return itemsResult(items, {failure, notes: [writtenText(items.length, ['adopt', 'Adopted'], isDryRun, more)]});
}

/** Gives items up to people. Sends nothing. @throws Failure `usage` or `not_found` for names, `local` for states that cannot be used */
export async function forget(
  args: {readonly POLICY?: readonly string[] | undefined},
  {flags}: PolicyRun<AccountFlags & SelectionFlags>,
): Promise<Result> {
  const {policy, names} = policyAndNames(args);
  const chosen = new Names(names, flags.all === true);
  await requireFile(policy, flags.state);
  const isDryRun = flags['dry-run'] === true;
  const items = await forgetItems(policy, chosen, {chosen: flags.state, account: flags.account, isDryRun});
  return itemsResult(items, {notes: [writtenText(items.length, ['forget', 'Forgot'], isDryRun)]});
}

/** @param empty is said without items, where no note says it */
const itemsResult = (document: readonly ManagedItemJson[], {empty = '', ...ending}: Result & {readonly empty?: string}): Result => ({
  document,
  view: {...policyViews.items, empty},
  at: [],
  ...ending,
});

/** What became of items: `Adopted 2 items.`, or that nothing was written. @param verbs `['adopt', 'Adopted']` */
function writtenText(count: number, [todo, done]: readonly [todo: string, done: string], isDryRun: boolean, more = ''): string {
  if (count === 0) return `Nothing to ${todo}${more === '' ? '' : `: ${more}`}.`;
  const items = countNoun(count, 'item');
  return isDryRun ? `Nothing was written: ${items} to ${todo}.` : `${done} ${items}${more === '' ? '' : `; ${more}`}.`;
}
