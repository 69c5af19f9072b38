/** What `state list`, `state adopt` and `state forget` do. */
import {stat} from 'node:fs/promises';
import {Args, Flags} from '@oclif/core';
import type {GivenFlags} from '../flags.js';
import type {PolicyFlags} from './policy-flags.js';
import type {PolicyRun} from './policy-run.js';
import type {Result} from '../sink.js';
import {Failure, localFailure} from '../../client/failure.js';
import {systemCode} from '../../files/system-error.js';
import {Adoption, compareAccount, forgetItems, listItems} from '../../policy/index.js';

export const policyArguments = {
  POLICY: Args.string({description: 'the policy, YAML or JSON', required: true, ignoreStdin: true}),
};

/** The policy and the names are one argument, because oclif allows no optional argument before one with several values. */
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

type NamesArguments = {readonly POLICY?: readonly string[] | undefined};

/** @throws Failure `usage` where no policy is named */
function readSelection({POLICY = []}: NamesArguments, {all = false, 'dry-run': isDryRun = false}: SelectionFlags) {
  const [policy, ...names] = POLICY;
  if (policy === undefined) throw new Failure('usage', 'Missing: POLICY');
  return {policy, selection: {names, isAll: all, isDryRun}};
}

/** @throws Failure `local` when a state cannot be read */
export async function listState(policy: string, {flags}: PolicyRun<AccountFlags & PolicyFlags>): Promise<Result> {
  await requireFile(policy, flags.state);
  return listItems(policy, {chosen: flags.state, account: flags.account});
}

/** @throws Failure `usage` for standard input without `--state`; `local` for a policy that does not exist: its name may be mistyped */
async function requireFile(policy: string, state: string | undefined): Promise<void> {
  if (policy === '-' && state === undefined)
    throw new Failure('usage', 'A policy from standard input has no state beside it', {hint: 'name it with --state'});
  await stat(policy).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT' || policy === '-') return;
    throw localFailure(`Cannot read the policy ${policy}`, error);
  });
}

/** Records existing items that the policy wants as made by apply. @throws Failure `usage` or `not_found` for names; also when no account can be read */
export async function adopt(args: NamesArguments, run: PolicyRun<SelectionFlags>): Promise<Result> {
  const {policy, selection} = readSelection(args, run.flags);
  const adoption = new Adoption(policy, selection);
  const given = await run.read(policy);
  const accounts = await run.accounts([given], 'read');
  const {found, failure, noun, inUse} = await accounts.gather(async (member) => {
    const target = await run.target(member, [given], true);
    const comparison = await compareAccount(given, target, await run.stateFiles(given, target));
    const [unread] = comparison.unread;
    if (unread !== undefined) throw unread.failure;
    return comparison;
  });
  if (found.length === 0 && failure !== undefined) throw failure;
  for (const {value} of found) adoption.add(value);
  const result = await adoption.write(
    `${noun === undefined ? 'the account does not have it' : 'no account has it'}, or ${policy} does not want it`,
    `see the differences: ${run.adviceOn(inUse).onPolicy('plan', policy)}`,
  );
  return {...result, failure};
}

/** Takes items out of the states, as if people had made them. @throws Failure `usage` or `not_found` for names; `local` for states that cannot be used */
export async function forget(args: NamesArguments, {flags}: PolicyRun<AccountFlags & SelectionFlags>): Promise<Result> {
  const {policy, selection} = readSelection(args, flags);
  await requireFile(policy, flags.state);
  return forgetItems(policy, selection, {chosen: flags.state, account: flags.account});
}
