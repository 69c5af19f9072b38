import {type AccountInUse, defaultAccount} from './account-in-use.js';
import {Command, type Config, type Interfaces} from '@oclif/core';
import {asFailure, Failure} from '../client/failure.js';
import {inert} from '../print/inert.js';
import {formatNames, formatTraits} from '../print/print.js';
import {exitStatuses, formatFailure, hintFor} from './errors.js';
import {baseFlags, onlyProfile, type AccountsFlags} from './flags.js';
import {jsonHint, parseFailure} from './parse-errors.js';
import type {Environment} from '../files/runtime.js';
import {ioOf, type Io} from './io.js';
import {Session, type GlobalFlags} from './session.js';

/** Values by name. */
export type ParsedValues = Readonly<Record<string, unknown>>;

/** Parsed values by name of argument or flag. */
export interface Typed {
  readonly args: ParsedValues;
  readonly flags: ParsedValues;
}

/** The arguments and flags that a command class declares. */
interface Declared<Flags extends ParsedValues, Globals extends ParsedValues, Args extends ParsedValues> {
  readonly args: Interfaces.ArgInput<Args>;
  readonly flags: Interfaces.FlagInput<Flags>;
  readonly baseFlags: Interfaces.FlagInput<Globals>;
  readonly strict?: boolean | undefined;
}

/** Whether errors are printed as JSON. Looks at the words only, because the command line may be one that cannot be parsed. */
function wantsJson(argv: readonly string[], environment: Environment): boolean {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  const formats = words.flatMap((word, index) => {
    if (word === '--json') return ['json'];
    if (word === '-o' || word === '--output') return [words[index + 1] ?? ''];
    return /^(-o=?|--output=)(.+)/.exec(word)?.slice(2) ?? [];
  });
  const chosen = formats.at(-1) ?? environment['PIXELCTL_OUTPUT'];
  return formatNames.some((name) => name === chosen && formatTraits[name].isForPrograms);
}

/** A character that no command line contains. */
const mark = '\0';

/** What may be flags. */
function beforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

/**
 * The last one would win, and nobody knows which was meant. Those of all commands may be in an alias, which what is typed overrides.
 * @throws Failure `usage`
 */
function refuseOpposites(argv: readonly string[], flags: Interfaces.FlagInput): void {
  const words = new Set(beforeDashes(argv));
  for (const [name, {helpGroup}] of Object.entries(flags))
    if (helpGroup !== 'GLOBAL' && words.has(`--${name}`) && words.has(`--no-${name}`))
      throw new Failure('usage', `--${name} and --no-${name} cannot be used together`);
}

/** oclif takes the value in `--json=1` for an argument. @throws Failure `usage` */
function refuseValues(argv: readonly string[], flags: Interfaces.FlagInput): void {
  for (const word of beforeDashes(argv)) {
    const [, name = ''] = /^--(?:no-)?([^=]+)=/.exec(word) ?? [];
    if (flags[name]?.type === 'boolean') throw new Failure('usage', `--${name} takes no value`, name === 'json' ? {hint: jsonHint} : {});
  }
}

/** Of a flag that is given twice the last one counts, as in gh and kubectl: oclif refuses it, unless the flag repeats. */
function allowTwice<Known extends Interfaces.FlagInput>(flags: Known): Known {
  // A command without flags of its own has none to spread.
  const allowed = {...flags};
  for (const [name, flag] of Object.entries(allowed))
    if (takesOne(flag)) Object.assign(allowed, {[name]: {...flag, multiple: true, multipleNonGreedy: true}});
  return allowed;
}

const takesOne = (flag: Interfaces.FlagInput[string] | undefined): boolean => flag?.type === 'option' && flag.multiple !== true;

/** oclif parses a value that looks like a flag as one, even in `--title=-s`. A mark in front of the value prevents that. */
function withMarks(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((word, index) => (end !== -1 && index > end ? word : word.replace(/^(--[^=]+=|-\w=)(?=[-\0])/, `$1${mark}`)));
}

function withoutMark(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMark);
  return typeof value === 'string' ? value.replace(/^(--[^=]+=|-\w=)?\0(?=[-\0])/, '$1') : value;
}

/** What help calls the values that stay on this machine: paths and expressions. */
const localValues: ReadonlySet<string> = new Set(['DIR', 'EXPRESSION', 'FILE', 'FORMAT=FILE', 'NAMES', 'POLICY', 'SEED']);

/** @throws Failure `usage` for `-` where it would be sent as an id or a name. Arguments that take many targets read it themselves */
function refuseDashes(args: ParsedValues, known: Interfaces.ArgInput): void {
  for (const [name, value] of Object.entries(args))
    if (value === '-' && known[name]?.description?.includes('-: ') !== true)
      throw new Failure('usage', `${known[name]?.name ?? name} cannot be -, because it is not read from standard input`);
}

/** @throws Failure `usage` for what may be sent and is not what was typed: Node puts U+FFFD in place of bytes that are not UTF-8 */
function refuseReplaced({args, flags}: Typed, known: Interfaces.FlagInput): void {
  const values = [
    ...Object.entries(args).map(([name, value]) => ({name, label: name, value})),
    ...Object.entries(flags).map(([name, value]) => {
      const flag = known[name];
      return {name: `--${name}`, label: flag?.type === 'option' ? flag.helpValue : undefined, value};
    }),
  ];
  for (const {name, label, value} of values) {
    const isReplaced = [value].flat().some((text) => typeof text === 'string' && text.includes('\ufffd'));
    if (!isReplaced || (typeof label === 'string' && localValues.has(label))) continue;
    throw new Failure('usage', `${name} is not valid UTF-8, or contains U+FFFD, the replacement character: nothing was sent`, {
      hint: 'check the encoding of the terminal or the script; files and standard input may contain U+FFFD',
    });
  }
}

/** The profiles that the environment names, separated by commas as with `--profile`. */
function profilesIn({PIXELCTL_PROFILE: names = ''}: Environment): string[] {
  return names.split(',').flatMap((name) => name.trim() || []);
}

/** The base of all commands: global flags, the session, and how a failure is printed. */
export abstract class PixelctlCommand extends Command {
  static override baseFlags = baseFlags;

  /** What the reference and the man page say beyond the help. */
  static details?: string | undefined;

  /** Whether it changes something on the server, for commands without a record. */
  static writes = false;

  /** Whether a second run does no harm, for commands without a record. */
  static isRepeatable = true;

  /** Whether it ends with `drift` where it finds a difference. */
  static findsDrift = false;

  #session: Session | undefined;

  /**
   * Parses the command line and opens the session.
   * @param command the class itself: values have the types of its flags and arguments
   * @throws Failure `usage`
   */
  protected async start<Flags extends ParsedValues, Globals extends GlobalFlags, Args extends ParsedValues>(
    command: Declared<Flags, Globals, Args>,
  ): Promise<{args: Args; flags: Flags & Globals; session: Session}> {
    const {args, flags} = await this.typed(command);
    return {args, flags, session: await this.open(flags)};
  }

  /** @throws Failure `usage` for global flags that cannot be used together */
  protected async open(flags: GlobalFlags): Promise<Session> {
    const session = new Session(flags, {
      io: this.io,
      userAgent: this.config.userAgent.replace(/ .*/, ''),
      wrap: this.io.err.isTerminal ? (await import('../print/width.js')).wrapWords : undefined,
    });
    this.#session = session;
    if (flags.cacert !== undefined) await (await import('./connection.js')).trust(flags.cacert);
    return session;
  }

  /**
   * Reads the command line of a command that can use several accounts, and opens its session.
   * @returns a session without a profile where several are meant
   */
  protected async startForAccounts<Flags extends AccountsFlags & ParsedValues, Args extends ParsedValues>(
    command: Pick<Declared<Flags, ParsedValues, Args>, 'args' | 'flags'>,
  ) {
    const {profile: _, ...common} = baseFlags;
    const {args, flags} = await this.typed({args: command.args, flags: command.flags, baseFlags: common});
    return {args, flags, session: await this.openFor(flags)};
  }

  /** Opens the session of a command that can use several accounts, without a profile where several are meant. */
  protected async openFor(flags: AccountsFlags & Omit<GlobalFlags, 'profile'>): Promise<Session> {
    return this.open({...flags, profile: onlyProfile(flags)});
  }

  /** Parses the command line. @throws Failure `usage` */
  protected async typed<Flags extends ParsedValues, Globals extends ParsedValues, Args extends ParsedValues>({
    args: known,
    baseFlags: common,
    flags: own,
    strict,
  }: Declared<Flags, Globals, Args>): Promise<{args: Args; flags: Flags & Globals}> {
    refuseValues(this.argv, {...common, ...own});
    refuseOpposites(this.argv, {...common, ...own});
    // Passed one by one, because oclif ignores what a class inherits.
    const {args, flags} = await this.parse<Flags, Globals, Args>(
      {args: known, baseFlags: allowTwice(common), flags: allowTwice(own), strict},
      withMarks(this.argv),
    );
    const all: Interfaces.FlagInput = {...common, ...own};
    for (const [name, value] of Object.entries(flags)) {
      const last: unknown = takesOne(all[name]) && Array.isArray(value) ? value.at(-1) : value;
      Object.assign(flags, {[name]: withoutMark(last)});
    }
    refuseDashes(args, known);
    refuseReplaced({args, flags}, {...common, ...own});
    const profiles = profilesIn(this.io.env);
    const profile = {...common, ...own}['profile'];
    const takesSeveral = profile?.type === 'option' && profile.multiple === true;
    if (takesSeveral && profiles.length > 1 && flags['profile'] === undefined && flags['all-profiles'] !== true)
      Object.assign(flags, {profile: profiles});
    return {args, flags};
  }

  /** Runs the command, and prints what fails. */
  async runToEnd(): Promise<void> {
    await this._run();
  }

  /** Skips oclif's check for deprecated names, which reads the whole manifest. */
  protected override async init(): Promise<void> {}

  protected override async catch(error: Error): Promise<void> {
    // With NODE_ENV=test or development, oclif warns that a command did not parse its arguments when parsing failed.
    this.parsed = true;
    await tellFailure(await this.failureOf(error), this.argv, this.io, this.#session?.inUse);
  }

  /** The failure to print. oclif's own messages repeat what was typed, which may be secret. */
  protected async failureOf(error: unknown): Promise<Failure> {
    if (!(error instanceof Error)) return asFailure(error);
    const own = {
      command: this.words,
      flags: Object.keys({...this.ctor.baseFlags, ...this.ctor.flags}),
      words: this.argv,
      args: this.ctor.args,
      pipeHint: (argument: string) => this.io.pipeHint(argument),
    };
    // Read from the manifest, when a flag is looked for in other commands.
    const others = () => this.config.commands.map(({id, flags}) => ({command: id.replaceAll(':', ' '), flags: Object.keys(flags)}));
    const failure = (await parseFailure(error, own, others)) ?? asFailure(error);
    if (failure.details.reason?.startsWith('admin') === true && failure.details.hint === undefined)
      return this.#withProfileOfAdmin(await this.#withMissingScope(failure));
    const isOfOrigin = failure.code === 'auth' || failure.code === 'unavailable';
    if (isOfOrigin && failure.details.fate === undefined) return this.#withOrigin(failure);
    return failure.code === 'usage' && failure.details.reason === undefined
      ? failure.with({hint: `see \`pixelctl ${this.words} --help\``})
      : failure;
  }

  /** Servers do not say whether an admin or a scope is missing: a token that shows its scopes does. */
  async #withMissingScope(failure: Failure): Promise<Failure> {
    const {identity} = this.#session ?? {};
    const {scope, status} = failure.details;
    if (identity === undefined || scope === undefined) return failure;
    const {claimsOf, missingScopes} = await import('../auth/index.js');
    const scopes = identity.profile?.scopes ?? claimsOf((await identity.token?.()) ?? '').scopes;
    if (!scopes || missingScopes([scope], scopes).length === 0) return failure;
    return new Failure(failure.code, `${identity.server.host}: the token lacks the scope ${scope} (${status})`, failure.details);
  }

  /** With a hint at the profile that was made for this, where there is one. */
  async #withProfileOfAdmin(failure: Failure): Promise<Failure> {
    const {profileOfAdmin} = await import('./profiles.js');
    const name = await profileOfAdmin(this.#session?.inUse ?? defaultAccount, this.io);
    return name === undefined ? failure : failure.with({hint: `use the profile of an admin: --profile=${name}`});
  }

  /** With a hint at where token or server come from, where that is the environment: it wins over profiles. */
  async #withOrigin(failure: Failure): Promise<Failure> {
    const inUse = this.#session?.inUse ?? defaultAccount;
    if (inUse.from?.server === undefined && inUse.from?.token === undefined) return failure;
    const {originText} = await import('./profiles.js');
    const origin = await originText(failure, inUse, this.io);
    const hint = [origin ?? [], hintFor(failure, inUse) ?? []].flat().join('; ');
    return origin === undefined ? failure : new Failure(failure.code, failure.message, {...failure.details, hint});
  }

  protected get io(): Io {
    return ioOf(this.config);
  }

  /** The command's name as it is typed. */
  protected get words(): string {
    return (this.id ?? '').replaceAll(':', ' ');
  }
}

export interface Example {
  readonly does: string;
  /** Without `pixelctl`, unless the line begins with something else. */
  readonly line: string;
}

/** As oclif reads them. */
export function examplesOf(examples: readonly Example[]): {readonly description: string; readonly command: string}[] {
  const lineOf = (line: string) => (line.startsWith('pixelctl') || line.includes('| pixelctl') ? line : `pixelctl ${line}`);
  return examples.map(({does, line}) => ({description: does, command: lineOf(line)}));
}

/** A command class that is not abstract. */
export type CommandClass<Made extends PixelctlCommand = PixelctlCommand> = (new (argv: string[], config: Config) => Made) &
  typeof PixelctlCommand;

/** Prints a failure on standard error and sets the exit status. */
export async function tellFailure(failure: Failure, argv: readonly string[], io: Io, inUse: AccountInUse = defaultAccount): Promise<void> {
  io.exitStatus = exitStatuses[failure.code].status;
  const {color, isTerminal, width} = io.err;
  const json = wantsJson(argv, io.env);
  const text = formatFailure(failure, {json, color, inUse});
  io.tell(isTerminal && !json ? (await import('../print/width.js')).wrapWords(text, width) : text);
  const debugging = argv.includes('--verbose') || argv.includes('-v');
  const {cause} = failure.details;
  // A syntax error quotes what was parsed, which may be a secret.
  if (failure.code === 'internal' && debugging && cause instanceof Error && !(cause instanceof SyntaxError)) {
    io.tell(`* ${inert(cause.message)}\n`);
  }
}
