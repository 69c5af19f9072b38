/** Makes commands about policies from their words, their flags, and what they do in a run. */
import type {Interfaces} from '@oclif/core';
import {command, type CommandClass, type Definition, type ParsedValues} from '../command.js';
import {type AccountsFlags, accountsFlags} from '../flags.js';
import type {PolicyFlags} from './policy-flags.js';
import {PolicyRun} from './policy-run.js';
import type {GlobalFlags} from '../session.js';
import type {Result} from '../sink.js';

/** The flags that all of these commands have. */
type Common = AccountsFlags & Omit<GlobalFlags, 'profile'>;

interface PolicySpec<Args extends ParsedValues, Flags extends PolicyFlags & ParsedValues> extends Omit<
  Definition<Args, Common & Flags>,
  'args' | 'flags' | 'run'
> {
  readonly args: Interfaces.ArgInput<Args>;
  readonly flags: Interfaces.FlagInput<Flags>;
  /** Whether the command can use several accounts. */
  readonly several?: boolean;
  readonly run: (run: PolicyRun<Common & Flags>, args: Args) => Promise<Result>;
}

export function policyCommand<Args extends ParsedValues, Flags extends PolicyFlags & ParsedValues>({
  several = false,
  flags,
  run,
  ...words
}: PolicySpec<Args, Flags>): CommandClass {
  return command<Common & Flags, Args>({
    ...words,
    flags: several ? [flags, accountsFlags] : [flags],
    run: ({args, flags: given, session, opened, printing}) => run(new PolicyRun(given, session, opened, printing), args),
  });
}
