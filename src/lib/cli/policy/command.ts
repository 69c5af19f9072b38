/** Commands about policies: each is its words, and what it does with a run. */
import type {Interfaces} from '@oclif/core';
import {command, type CommandClass, type Example, type ParsedValues} from '../command.js';
import {type AccountsFlags, accountsFlags} from '../flags.js';
import type {PolicyFlags} from './flags.js';
import {PolicyRun} from './run.js';
import type {GlobalFlags} from '../session.js';
import type {Result} from '../sink.js';

/** The flags of all commands. */
type Common = AccountsFlags & Omit<GlobalFlags, 'profile'>;

interface PolicySpec<Args extends ParsedValues, Flags extends PolicyFlags & ParsedValues> {
  readonly summary: string;
  readonly description: string;
  /** What the reference and the man page say beyond it. */
  readonly details?: string;
  /** Whether it changes something on the server. */
  readonly writes?: boolean;
  /** Whether a second run does no harm. */
  readonly isRepeatable?: boolean;
  /** Whether it ends with `drift` where it finds a difference. */
  readonly findsDrift?: boolean;
  /** What stands between the name of the command and its flags. */
  readonly usage?: string;
  readonly args: Interfaces.ArgInput<Args>;
  readonly flags: Interfaces.FlagInput<Flags>;
  /** Values of flags that take any, for completion. */
  readonly knownValues?: Readonly<Record<string, readonly string[]>>;
  readonly examples: readonly Example[];
  /** Whether it can use several accounts. */
  readonly several?: boolean;
  readonly run: (run: PolicyRun<Common & Flags>, args: Args) => Promise<Result | void>;
}

/** Makes a command about policies. */
export function policyCommand<Args extends ParsedValues, Flags extends PolicyFlags & ParsedValues>({
  several = false,
  flags,
  run,
  ...words
}: PolicySpec<Args, Flags>): CommandClass {
  return command<Common & Flags, Args>({
    ...words,
    flags: several ? [flags, accountsFlags] : [flags],
    // Each of them checks what is about rows itself: an export has them in formats of its own.
    printsRows: () => true,
    run: ({args, flags: given, session, opened}) => run(new PolicyRun(given, session, opened), args),
  });
}
