/** What `state list`, `state adopt` and `state forget` do. */
import {stat} from 'node:fs/promises';
import {Args, Flags} from '@oclif/core';
import type {GivenFlags} from '../flags.js';
import type {PolicyFlags} from './policy-flags.js';
import type {PolicyRun} from './policy-run.js';
import type {Result} from '../sink.js';
import {cannotRead, Failure} from '../../client/failure.js';
import {adoptItems, compareToAdopt, forgetItems, isStateless, listItems, type Selection} from '../../policy/index.js';

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

type NamesArguments = {readonly POLICY?: readonly string[] | undefined};

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

type StateFlags = Partial<GivenFlags<typeof accountFlags & typeof selectionFlags>> & PolicyFlags;

/** @throws Failure `usage` where no policy is named; for standard input without `--state`; `local` for a policy that cannot be read: its name may be mistyped */
async function readSelection(args: readonly string[], flags: StateFlags): Promise<Selection> {
  const [policy, ...names] = args;
  const {state, account, 'dry-run': isDryRun = false} = flags;
  if (policy === undefined) throw new Failure('usage', 'Missing: POLICY');
  if (isStateless(policy, state))
    throw new Failure('usage', 'A policy from standard input has no state beside it', {hint: 'name it with --state'});
  if (policy !== '-') await stat(policy).catch(cannotRead(`the policy ${policy}`));
  return {policy, state, account, names, isDryRun};
}

/** @throws Failure `usage` when nothing is named, or with --all and names */
async function readNamed({POLICY = []}: NamesArguments, flags: StateFlags): Promise<Selection> {
  const selection = await readSelection(POLICY, flags);
  if (flags.all === true && selection.names.length > 0) throw new Failure('usage', '--all and names cannot be used together');
  if (flags.all !== true && selection.names.length === 0)
    throw new Failure('usage', 'No names given', {hint: 'name domains, accounts or titles of filters, or pass --all'});
  return selection;
}

/** @throws Failure `local` when a state cannot be read */
export async function listState(policy: string, {flags}: PolicyRun<StateFlags>): Promise<Result> {
  return listItems(await readSelection([policy], flags));
}

/** @throws Failure `usage` or `not_found` for names; also when no account can be read */
export async function adopt(args: NamesArguments, run: PolicyRun<StateFlags>): Promise<Result> {
  const selection = await readNamed(args, run.flags);
  const {policy} = selection;
  const given = await run.read(policy);
  const accounts = await run.accounts([given], 'read');
  const {found, failure, noun, inUse} = await accounts.gather(async (member) =>
    compareToAdopt(given, await run.target(member, [given], true)),
  );
  if (found.length === 0 && failure !== undefined) throw failure;
  const result = await adoptItems(
    found.map(({value}) => value),
    selection,
    `${noun === undefined ? 'the account does not have it' : 'no account has it'}, or ${policy} does not want it`,
    `see the differences: ${run.adviceOn(inUse).onPolicy('plan', policy)}`,
  );
  return {...result, failure};
}

/** @throws Failure `usage` or `not_found` for names; `local` for states that cannot be used */
export async function forget(args: NamesArguments, {flags, opened}: PolicyRun<StateFlags>): Promise<Result> {
  return forgetItems(await readNamed(args, flags), (file) => opened.use(file));
}
