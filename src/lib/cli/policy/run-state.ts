/** What `state list`, `state adopt` and `state forget` do. */
import {Args, Flags} from '@oclif/core';
import type {GivenFlags} from '../flags.js';
import type {PolicyFlags} from './policy-flags.js';
import type {PolicyRun} from './policy-run.js';
import type {Result} from '../sink.js';
import {Failure} from '../../client/failure.js';
import {adoptItems, forgetItems, listItems, type Selection, type Target} from '../../policy/index.js';

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

/** @throws Failure `usage` where no policy or nothing is named, or with --all and names */
function readSelection({POLICY = []}: NamesArguments, flags: StateFlags): Selection {
  const [policy, ...names] = POLICY;
  const {state, account, all = false, 'dry-run': isDryRun = false} = flags;
  if (policy === undefined) throw new Failure('usage', 'Missing: POLICY');
  if (all && names.length > 0) throw new Failure('usage', '--all and names cannot be used together');
  if (!all && names.length === 0)
    throw new Failure('usage', 'No names given', {hint: 'name domains, accounts or titles of filters, or pass --all'});
  return {policy, state, account, names, isDryRun};
}

/** @throws Failure `local` when a state cannot be read */
export const listState = (policy: string, {flags}: PolicyRun<StateFlags>): Promise<Result> =>
  listItems(readSelection({POLICY: [policy]}, {...flags, all: true}));

/** @throws Failure `usage` or `not_found` for names; also when no account can be read */
export async function adopt(args: NamesArguments, run: PolicyRun<StateFlags>): Promise<Result> {
  const selection = readSelection(args, run.flags);
  const given = await run.read(selection.policy);
  const accounts = await run.accounts([given], 'read');
  const gather = <Value>(work: (target: Target) => Promise<Value>) =>
    accounts.gather(async (member) => work(await run.target(member, [given], true)));
  return adoptItems(given, selection, gather, run.adviceOn(accounts.inUse));
}

/** @throws Failure `usage` or `not_found` for names; `local` for states that cannot be used */
export const forget = async (args: NamesArguments, {flags, opened}: PolicyRun<StateFlags>): Promise<Result> =>
  forgetItems(readSelection(args, flags), (file) => opened.use(file));
