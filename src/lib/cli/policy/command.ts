/** Commands about policies: each is its words, and what it does with a run. */
import type {Interfaces} from '@oclif/core';
import {type CommandClass, type Example, examplesOf, PixelctlCommand, type ParsedValues} from '../command.js';
import {type AccountsFlags, accountsFlags, joinFlags} from '../flags.js';
import type {PolicyFlags} from './flags.js';
import {PolicyRun} from './run.js';
import type {GlobalFlags} from '../session.js';

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
  /** What it does. What the run opens is closed afterwards. */
  readonly run: (run: PolicyRun<Common & Flags>, args: Args) => Promise<void>;
}

/** Makes a command about policies. */
export function policyCommand<Args extends ParsedValues, Flags extends PolicyFlags & ParsedValues>({
  several = false,
  usage,
  run,
  ...words
}: PolicySpec<Args, Flags>): CommandClass {
  const {args, flags: own} = words;
  const {profile, ...others} = PixelctlCommand.baseFlags;
  const accounts: Interfaces.FlagInput = several ? accountsFlags : {profile};
  const common: Interfaces.FlagInput = {...others, ...accounts};
  return class extends PixelctlCommand {
    static override baseFlags = PixelctlCommand.baseFlags;
    static override summary = words.summary;
    static override description = words.description;
    static override details = words.details;
    static override writes = words.writes === true;
    static override isRepeatable = words.isRepeatable !== false;
    static override findsDrift = words.findsDrift === true;
    static override usage = `<%= command.id %> ${usage === undefined ? '' : `${usage} `}[flags]`;
    static override args: Interfaces.ArgInput = args;
    static override flags: Interfaces.FlagInput = joinFlags(own, several ? accounts : {});
    static override examples = examplesOf(words.examples);
    static knownValues = words.knownValues;

    override async run(): Promise<void> {
      const typed = await this.typed<Flags, Common, Args>({args, flags: own, baseFlags: common});
      await using opened = new PolicyRun(typed.flags, await this.openFor(typed.flags));
      await run(opened, typed.args);
    }
  };
}
