/** Flags of the commands about policies. */
import type {FlagValues} from '../../files/command-text.js';
import {joinFlags, numberFlag, repeatable} from '../flags.js';
import {Args, Flags} from '@oclif/core';
import type {AccountsFlags, GivenFlags} from '../flags.js';
import {reportFlags} from './report-files.js';
import {sectionKeys} from '../../policy/index.js';

export const listFlags = {
  'allow-remote-lists': Flags.boolean({description: 'allow https:// lists, and lists that servers publish'}),
  'allow-outside': Flags.boolean({description: "read lists from outside the policy's folder and the working folder"}),
};

/** Flags for plans that apply refuses without them. */
export const guardFlags = {
  'allow-removals': numberFlag({description: 'allow N removals that no rule names', helpValue: 'N'}, {least: 0, whole: true}),
  'allow-additions': numberFlag({description: 'allow N new server-wide suspensions of domains', helpValue: 'N'}, {least: 0, whole: true}),
};

const privateFlags = {
  'show-private': Flags.boolean({
    description: 'also show private comments',
  }),
};

export const stateFlags = {
  state: Flags.string({
    description: 'where the state is: a file that ends with .ndjson, or a folder (default: POLICY.ACCOUNT.state.ndjson)',
    helpValue: 'PATH',
  }),
};

export const partFlags = {
  only: repeatable(`only these sections of the policy: ${sectionKeys.join(', ')}`, 'SECTIONS', {
    delimiter: ',',
    options: [...sectionKeys],
  }),
};

export const readingFlags = joinFlags(listFlags, privateFlags);

export const keysText = 'Every key of a policy is described in docs/reference/policy.md.';

/** The policy and the names are one argument, because oclif allows no optional argument before one with several values. */
export const namesArguments = {
  POLICY: Args.string({
    description: 'the policy, then domains, accounts, and titles of filters',
    multiple: true,
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

export const policyArgument = Args.string({description: 'a policy, YAML or JSON (-: standard input)', required: true});

export const policiesArgument = Args.string({
  description: 'policies, YAML or JSON (-: standard input)',
  required: true,
  multiple: true,
});

/** The flags of these commands, as parsed; not every command has all of them. */
export type PolicyFlags = AccountsFlags &
  Partial<
    GivenFlags<typeof guardFlags & typeof listFlags & typeof partFlags & typeof privateFlags & typeof reportFlags & typeof stateFlags>
  >;

/** The flags that lead to the same lists and states, for commands that are suggested. */
export function sameFlags(flags: PolicyFlags): FlagValues {
  const names = ['allow-remote-lists', 'allow-outside', 'state'] as const;
  return Object.fromEntries(names.flatMap((name) => (flags[name] === undefined || flags[name] === false ? [] : [[name, flags[name]]])));
}
