/** The flags of commands about policies. */
import {Args, Flags} from '@oclif/core';
import type {Typed} from '../command.js';
import type {Connection} from '../connection.js';
import {runFlags, writeFlags} from '../flags.js';
import {type Advice, adviceOf} from '../../policy/difference.js';

/** Where the lists that a policy names may be. */
export const listFlags = {
  'allow-remote-lists': Flags.boolean({description: 'fetch the https:// lists that a policy names'}),
  'allow-outside': Flags.boolean({description: "read lists from outside the policy's folder and the working folder"}),
};

export const stateFlags = {
  state: Flags.string({
    description: 'the state file: what earlier applies made, and what was there before; POLICY.state.json beside the policy unless given',
    helpValue: 'FILE',
  }),
};

/** Changes are carried out one after the other, and the state file is what a run goes on from. */
export const changeFlags = {
  rate: runFlags.rate,
  'fail-fast': runFlags['fail-fast'],
  'max-failures': runFlags['max-failures'],
  ...writeFlags,
};

export const policyArgument = Args.string({description: 'a policy, YAML or JSON', required: true, ignoreStdin: true});

/** Suggests commands on an account, with the flags that lead to the same lists and the same state file. */
export function adviceFor({suggest}: Connection, {flags}: Pick<Typed, 'flags'>): Advice {
  const names = ['allow-remote-lists', 'allow-outside'] as const;
  const {state} = flags;
  const given = Object.fromEntries(names.flatMap((name) => (flags[name] === true ? [[name, true] as const] : [])));
  return adviceOf(suggest, {...given, ...(typeof state === 'string' && {state})});
}
