/** Makes the class that oclif runs from the data of a command. */
import {type AccountInUse, defaultAccount} from './account-in-use.js';
import {Command, type Config, type Interfaces} from '@oclif/core';
import {asFailure, Failure} from '../client/failure.js';
import {hintFor, tellFailure} from './errors.js';
import {accountsFlags, areSeveral, baseFlags, namedProfiles, onlyProfile, writeFlags, type AccountsFlags} from './flags.js';
import {jsonHint, parseFailure} from './parse-errors.js';
import {ioOf, type Io} from './io.js';
import {printResult} from './print-result.js';
import {profilesIn, Session, type GlobalFlags} from './session.js';
import {checkFields, printingOf, type Printing, type Result} from './sink.js';
import {watchListSignals} from '../run/index.js';
import type {ListView} from '../api/view.js';

export type ParsedValues = Readonly<Record<string, unknown>>;

/** Parsed values by name of argument or flag. */
interface Typed {
  readonly args: ParsedValues;
  readonly flags: ParsedValues;
}

/** A character that no command line contains. */
const mark = '\0';

/** The words before `--`, which may be flags. */
function beforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

/**
 * Refuses `--x` together with `--no-x`: nobody knows which was meant. Global flags may be in an alias, and what is typed overrides it.
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

/** Lets the last value count if a flag is given twice, as gh and kubectl do, so that it overrides one in an alias. oclif would refuse the second one. */
function allowTwice<Known extends Interfaces.FlagInput>(flags: Known): Known {
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

/** The placeholders in help for values that are not sent to a server: paths and expressions. */
const localValues: ReadonlySet<string> = new Set(['DIR', 'EXPRESSION', 'FILE', 'FORMAT=FILE', 'NAMES', 'POLICY', 'SEED']);

/** @throws Failure `usage` for `-` as an id or a name. The description of an argument that can read standard input contains `-: ` */
function refuseDashes(args: ParsedValues, known: Interfaces.ArgInput): void {
  for (const [name, value] of Object.entries(args))
    if (value === '-' && known[name]?.description?.includes('-: ') !== true)
      throw new Failure('usage', `${known[name]?.name ?? name} cannot be -, because it is not read from standard input`);
}

/** Node puts U+FFFD in place of bytes that are not UTF-8, so the wrong text would be sent. @throws Failure `usage` */
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

/** The connections and files that a run has opened. They are closed after its result is printed, the last one first. */
export class Opened implements AsyncDisposable {
  readonly #all: (AsyncDisposable | Disposable)[] = [];
  readonly #closing = new AbortController();

  /** Aborted before anything is closed, because nobody needs a response that is still awaited. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  use<One extends AsyncDisposable | Disposable>(one: One): One {
    this.#all.push(one);
    return one;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Failure('local', 'The command has ended'));
    for (const one of this.#all.splice(0).toReversed()) {
      if (Symbol.asyncDispose in one) await one[Symbol.asyncDispose]();
      else one[Symbol.dispose]();
    }
  }
}

export interface CommandRun<Args = ParsedValues, Flags = ParsedValues> {
  readonly args: Args;
  readonly flags: Flags;
  /** Has no profile if several are meant. */
  readonly session: Session;
  /** The name of the command as it is typed: `dm accept`. */
  readonly words: string;
  readonly printing: Printing;
  readonly opened: Opened;
  /** Returns a signal that is aborted when somebody stops the command, and when it ends. Until the first call, Ctrl-C ends the process. */
  readonly stop: () => AbortSignal;
  /** The configuration of oclif, which has all commands. */
  readonly config: Config;
}

interface Words {
  readonly summary: string;
  readonly description: string;
  /** What the reference and the man page say beyond the help. */
  readonly details?: string | undefined;
  readonly examples: readonly Example[];
  /** The part of the usage line between the name of the command and its flags. */
  readonly usage?: string | undefined;
  /** Values that completion offers for arguments and flags; other values are valid, too. */
  readonly knownValues?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The kind of object that the command lists, if it needs no arguments: `filter`. */
  readonly lists?: string | undefined;
  /** Whether it changes something on the server, for commands without a record. */
  readonly writes?: boolean | undefined;
  /** Whether a second run does no harm, for commands without a record; true by default. */
  readonly isRepeatable?: boolean | undefined;
  /** Whether it ends with `drift` where it finds a difference. */
  readonly findsDrift?: boolean | undefined;
}

export interface Definition<Args, Flags> extends Words {
  readonly args?: Interfaces.ArgInput | undefined;
  /** Its own flags, and those that it shares with other commands: `joinFlags` joins them. */
  readonly flags?: Interfaces.FlagInput | undefined;
  /** How the output is shown, if that is a document of pixelctl. `--fields` is checked against them before anything else is done. */
  readonly view?: ListView | undefined;
  /** Whether it prints rows with a header, even if `--output` does not say so. */
  printsRows?(flags: Flags): boolean;
  run(run: CommandRun<Args, Flags>): Promise<Result | void>;
}

type Globals = Omit<Interfaces.InferredFlags<typeof baseFlags>, 'json'> & {readonly json?: boolean | undefined};

type AnyFlags = AccountsFlags & Omit<GlobalFlags, 'profile'> & ParsedValues;

/** Definitions with which a command may replace the global flag of the same name. */
const replacements: ReadonlySet<unknown> = new Set([accountsFlags.profile, writeFlags.yes]);

/** @throws Error for a flag that all commands have */
function refuseGlobals(own: Interfaces.FlagInput): void {
  const twice = Object.keys(own).find((name) => name in baseFlags && !replacements.has(own[name]));
  if (twice !== undefined) throw new Error(`A command defines --${twice}, which all commands have`);
}

/** What this program reads from a command class beside what oclif knows. */
interface Statics
  extends Pick<Words, 'details' | 'knownValues' | 'lists'>, Required<Pick<Words, 'findsDrift' | 'isRepeatable' | 'writes'>> {
  /** Runs the command, and prints what fails. @param argv the words after its name */
  start(argv: string[], config: Config): Promise<void>;
}

export type CommandClass = (new (argv: string[], config: Config) => Command) & Statics & typeof Command;

/** @throws Error for a flag that all commands have. A command that defines one of them again, in another form, gets its own */
export function command<Args extends ParsedValues = ParsedValues, Own extends ParsedValues = Record<never, never>>(
  definition: Definition<Args, Omit<Globals, keyof Own> & Own> & {
    readonly args?: Interfaces.ArgInput<Args>;
    readonly flags?: Interfaces.FlagInput<Own>;
  },
): CommandClass;
export function command<Flags, Args = ParsedValues>(definition: Definition<Args, Flags>): CommandClass;
export function command(definition: Definition<ParsedValues, AnyFlags>): CommandClass {
  const {flags: own = {}, usage = '', view, ...words} = definition;
  // Else oclif reads a missing argument from standard input.
  const args = Object.fromEntries(Object.entries(definition.args ?? {}).map(([name, arg]) => [name, {...arg, ignoreStdin: true}]));
  refuseGlobals(own);
  const common: Interfaces.FlagInput = baseFlags;
  const all = {...common, ...own};
  return class extends Command {
    static override baseFlags = baseFlags;
    static override summary = words.summary;
    static override description = words.description;
    static details = words.details;
    static override usage = ['<%= command.id %>', usage, '[flags]'].filter(Boolean).join(' ');
    static override args = args;
    static override flags = own;
    static override examples = examplesOf(words.examples);
    static knownValues = words.knownValues;
    static lists = words.lists;
    static writes = words.writes === true;
    static isRepeatable = words.isRepeatable !== false;
    static findsDrift = words.findsDrift === true;

    #session: Session | undefined;

    static async start(argv: string[], config: Config): Promise<void> {
      await new this(argv, config)._run();
    }

    override async run(): Promise<void> {
      const typed = await this.#parsed();
      const {flags} = typed;
      const profiles = areSeveral(flags) && flags['all-profiles'] !== true ? namedProfiles(flags) : undefined;
      const session = await this.#open({...flags, profile: onlyProfile(flags), profiles});
      const printing = await printingOf(session, definition.printsRows?.(flags));
      // A dry run prints requests, which have other fields.
      if (view !== undefined && !session.dryRun) await checkFields(printing, {of: 'own', view}, session);
      await using opened = new Opened();
      let stop: AbortSignal | undefined;
      const result = await definition.run({
        ...typed,
        session,
        words: this.#words,
        printing,
        opened,
        stop: () => (stop ??= AbortSignal.any([opened.use(watchListSignals(session.io.system)).first, opened.closing])),
        config: this.config,
      });
      const items = result?.items;
      // In Node 22, generators have no `Symbol.asyncDispose`.
      if (items !== undefined) opened.use({[Symbol.asyncDispose]: async () => void (await items.return(undefined))});
      if (result !== undefined) await printResult({view, ...result}, session, printing);
    }

    /** @throws Failure `usage` */
    async #parsed(): Promise<{args: ParsedValues; flags: AnyFlags}> {
      refuseValues(this.argv, all);
      refuseOpposites(this.argv, all);
      // Passed one by one, because oclif ignores what a class inherits.
      const parsed = await this.parse<AnyFlags, ParsedValues, ParsedValues>(
        {args, baseFlags: allowTwice(common), flags: allowTwice(own)},
        withMarks(this.argv),
      );
      const values: ParsedValues = parsed.flags;
      for (const [name, value] of Object.entries(values)) {
        // Two profiles are never one of them: -p a -p b is refused wherever -p a,b is.
        const one: unknown = takesOne(all[name]) && Array.isArray(value) ? (name === 'profile' ? value.join(',') : value.at(-1)) : value;
        Object.assign(parsed.flags, {[name]: withoutMark(one)});
      }
      refuseDashes(parsed.args, args);
      refuseReplaced(parsed, all);
      const profiles = profilesIn(this.#io.env);
      const {profile, 'all-profiles': isAll} = parsed.flags;
      if ([profile].flat().includes(''))
        throw new Failure('usage', '--profile needs a name', {hint: '`pixelctl auth status` lists the profiles'});
      if (own['profile'] !== undefined && profiles.length > 1 && profile === undefined && isAll !== true)
        Object.assign(parsed.flags, {profile: profiles});
      return parsed;
    }

    /** @throws Failure `usage` for global flags that cannot be used together */
    async #open(flags: GlobalFlags): Promise<Session> {
      const io = this.#io;
      const session = new Session(flags, {
        io,
        userAgent: this.config.userAgent.replace(/ .*/, ''),
        wrap: io.err.isTerminal ? (await import('../print/width.js')).wrapWords : undefined,
        listOf: (kind) => this.#listOf(kind),
      });
      this.#session = session;
      if (flags.cacert !== undefined) await (await import('./connection.js')).trust(flags.cacert);
      return session;
    }

    /** Skips oclif's check for deprecated names, which reads the whole manifest. */
    protected override async init(): Promise<void> {}

    protected override async catch(error: Error): Promise<void> {
      // With NODE_ENV=test or development, oclif warns that a command did not parse its arguments when parsing failed.
      this.parsed = true;
      await tellFailure(await this.#failureOf(error), this.argv, this.#io, this.#session?.inUse);
    }

    /** The failure to print, without oclif's own messages, which repeat what was typed: that may be secret. */
    async #failureOf(error: unknown): Promise<Failure> {
      if (!(error instanceof Error)) return asFailure(error);
      const typed = {
        command: this.#words,
        flags: Object.keys(all),
        words: this.argv,
        args,
        pipeHint: (argument: string) => this.#io.pipeHint(argument),
      };
      const failure = (await parseFailure(error, typed)) ?? asFailure(error);
      return withAdvice(failure, this.#words, this.#session?.inUse ?? defaultAccount);
    }

    /** The command that lists objects of a kind: the one beside this command, else the only one. Read from the manifest. */
    #listOf(kind: string): string | undefined {
      const lists = this.config.commands.flatMap(({id, lists: listed}) => (listed === kind && /(^|:)list$/.test(id) ? id : []));
      const beside = this.id?.replace(/[^:]*$/, 'list');
      const found = lists.find((id) => id === beside) ?? (lists.length === 1 ? lists[0] : undefined);
      return found?.replaceAll(':', ' ');
    }

    get #io(): Io {
      return ioOf(this.config);
    }

    get #words(): string {
      return (this.id ?? '').replaceAll(':', ' ');
    }
  };
}

/** Where the token that was refused, or the server that did not answer, comes from, if that is a variable: it overrides profiles. */
function originOf({code}: Failure, {from, profile}: AccountInUse): string | undefined {
  const token = code === 'auth' ? from?.token : undefined;
  const variable = token ?? from?.server;
  if (variable === undefined) return undefined;
  const what = variable === 'PIXELCTL_PROFILE' ? `the profile ${profile ?? ''}` : token === undefined ? 'the server' : 'the token';
  return `${what} is from ${variable}`;
}

/** Adds a hint to a failure: the help of the command, or the variable that a token or a server comes from. */
function withAdvice(failure: Failure, words: string, inUse: AccountInUse): Failure {
  const {code, message, details} = failure;
  if (code === 'usage') return details.reason === undefined ? failure.with({hint: `see \`pixelctl ${words} --help\``}) : failure;
  const isOfOrigin = (code === 'auth' || code === 'unavailable') && details.fate === undefined && !details.reason?.startsWith('admin');
  const origin = isOfOrigin ? originOf(failure, inUse) : undefined;
  if (origin === undefined) return failure;
  return new Failure(code, message, {...details, hint: [origin, hintFor(failure, inUse) ?? []].flat().join('; ')});
}

export interface Example {
  readonly does: string;
  /** Without `pixelctl`, unless the line begins with something else. */
  readonly line: string;
}

/** The examples in the form that oclif reads. */
export function examplesOf(examples: readonly Example[]): {readonly description: string; readonly command: string}[] {
  const lineOf = (line: string) => (line.includes('pixelctl ') ? line : `pixelctl ${line}`);
  return examples.map(({does, line}) => ({description: does, command: lineOf(line)}));
}
