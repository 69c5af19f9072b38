import {type AccountInUse, completeCommands} from './account-in-use.js';
import type {FlagValues} from './../files/command-text.js';
import type {Interfaces} from '@oclif/core';
import {Failure} from '../client/failure.js';
import type {Wait} from '../client/client.js';
import {inert} from '../print/inert.js';
import {shorten} from '../json/text.js';
import {formatNames, formatTraits, type Format, type FormatTraits, type Terminal} from '../print/print.js';
import {definesProfiles, type Identity, parseServer, tokenVariableOf} from '../auth/index.js';
import type {globalFlags, limitFlags, writeFlags} from './flags.js';
import {paint} from '../print/palette.js';
import type {Environment} from '../files/runtime.js';
import type {Io} from './io.js';
import {statusLineOf} from './status-line.js';

/** The flags that decide how a command runs, as parsed; which of them there are depends on the command. */
export type GlobalFlags = Readonly<
  Partial<Omit<Interfaces.InferredFlags<typeof globalFlags & typeof writeFlags & typeof limitFlags>, 'json'> & {json: boolean | undefined}>
> & {
  /** The profiles of several accounts, in place of `profile`. */
  readonly profiles?: readonly string[] | undefined;
  readonly 'all-profiles'?: boolean | undefined;
};

const milliseconds = (seconds: number | undefined): number | undefined => (seconds === undefined ? undefined : seconds * 1000);

function chosenFormat(flags: GlobalFlags, environment: Environment): Format {
  if (flags.output === 'curl' && !flags.json) {
    if (flags['dry-run']) return 'table';
    throw new Failure('usage', '--output curl is for --dry-run');
  }
  if (flags.json && flags.output !== undefined && flags.output !== 'json') {
    throw new Failure('usage', `--json and --output ${flags.output} cannot be used together`);
  }
  if (flags.json) return 'json';
  const fromEnvironment = environment['PIXELCTL_OUTPUT'] ?? '';
  const name = flags.output ?? (fromEnvironment === '' ? 'table' : fromEnvironment);
  const format = formatNames.find((known) => known === name);
  if (format !== undefined) return format;
  const source = flags.output === undefined ? 'PIXELCTL_OUTPUT' : '--output';
  throw new Failure('usage', `${source} does not support the format "${name}"`, {hint: `one of ${formatNames.join(', ')}`});
}

/** The origin alone, because an address may contain a password. */
function originIn(text: string): string | undefined {
  try {
    return parseServer(text, '', true).origin;
  } catch {
    return undefined;
  }
}

/** The profiles that the environment names, separated by commas as with `--profile`; each once. */
export function profilesIn({PIXELCTL_PROFILE: names = ''}: Environment): string[] {
  return [...new Set(names.split(',').flatMap((name) => name.trim() || []))];
}

/** The flags that select the account in use in another command. Values that the environment has are left out. */
export function accountFlags(
  {server: named, profile: chosen, profiles, 'all-profiles': isAll, 'allow-http': allowHttp, cacert}: GlobalFlags,
  environment: Environment,
): FlagValues {
  const common = {'allow-http': allowHttp === true ? true : undefined, cacert};
  if (isAll === true) return {'all-profiles': true, ...common};
  if (profiles !== undefined) return {profile: profiles.join() === profilesIn(environment).join() ? undefined : [...profiles], ...common};
  // With --profile, PIXELCTL_SERVER is not used.
  const ofEnvironment = chosen === undefined ? originIn(environment['PIXELCTL_SERVER'] ?? '') : undefined;
  const server = originIn(named ?? '');
  return {profile: chosen, server: server === ofEnvironment ? undefined : server, ...common};
}

const maxWarningLength = 2000;
const maxSaid = 1000;

interface Surroundings {
  readonly io: Io;
  readonly userAgent: string;
  /** Wraps texts for people at the width of the terminal; undefined if there is no terminal. */
  readonly wrap?: ((text: string, width: number) => string) | undefined;
  readonly listOf?: AccountInUse['listOf'];
}

/** The flags of a run and its output. It needs no server. */
export class Session {
  readonly flags: GlobalFlags;
  readonly io: Io;
  readonly format: Format;
  readonly out: Terminal;
  readonly userAgent: string;
  /** The account that flags and environment select, once that is known. */
  identity: Pick<Identity, 'profile' | 'server' | 'source' | 'tokenSource'> | undefined;
  readonly listOf: AccountInUse['listOf'];
  readonly #surroundings: Surroundings;

  /** @throws Failure `usage` for a format that is not known */
  constructor(flags: GlobalFlags, surroundings: Surroundings) {
    const {io, userAgent, listOf} = surroundings;
    this.flags = flags;
    this.io = io;
    this.userAgent = userAgent;
    this.listOf = listOf;
    this.#surroundings = surroundings;
    this.format = chosenFormat(flags, io.env);
    this.out = io.out;
  }

  get traits(): FormatTraits {
    return formatTraits[this.format];
  }

  with(flags: Partial<GlobalFlags>): Session {
    return new Session({...this.flags, ...flags}, this.#surroundings);
  }

  /** The account that flags and environment name, with what is known of it. */
  get inUse(): AccountInUse {
    const {flags, identity, listOf} = this;
    const {env} = this.io;
    const account = accountFlags(flags, env);
    const name = identity?.profile?.name ?? account['profile'];
    const isDefined = definesProfiles(env);
    const tokenVariable = isDefined && name !== undefined ? tokenVariableOf(String(name)) : undefined;
    const needsProfile = isDefined && name === undefined;
    const variable = (source: string | undefined): string | undefined => (source?.startsWith('PIXELCTL_') === true ? source : undefined);
    const from = isDefined ? undefined : {server: variable(identity?.source), token: variable(identity?.tokenSource)};
    const {name: profile, isAdmin} = identity?.profile ?? {};
    const signIn = profile === undefined ? undefined : {profile, admin: isAdmin === true ? true : undefined};
    return {flags: account, tokenVariable, needsProfile, server: identity?.server.origin, profile, signIn, from, listOf};
  }

  /** Milliseconds. */
  get timeout(): number | undefined {
    return milliseconds(this.flags.timeout);
  }

  /** Milliseconds. */
  get maxWait(): number | undefined {
    return milliseconds(this.flags['max-wait']);
  }

  get dryRun(): boolean {
    return this.flags['dry-run'] === true;
  }

  /** Whether a format was chosen by a flag or the environment. */
  get hasChosenFormat(): boolean {
    return this.flags.json === true || this.flags.output !== undefined || (this.io.env['PIXELCTL_OUTPUT'] ?? '') !== '';
  }

  /** Begins to show a wait, and returns a function that ends that; undefined if waits are not shown. */
  get waiting(): ((wait: Wait) => () => void) | undefined {
    if (this.flags.quiet || this.traits.isForPrograms) return undefined;
    return this.io.err.isTerminal ? (wait) => statusLineOf(this.io).begin(wait) : undefined;
  }

  get assumeYes(): boolean {
    return this.flags.yes === true;
  }

  get isVerbose(): boolean {
    const debug = this.io.env['PIXELCTL_DEBUG'] ?? '';
    return this.flags.verbose === true || (debug !== '' && debug !== '0');
  }

  /** Prints a line without wrapping it, such as an address to copy. */
  tell(line: string): void {
    this.io.tell(`${inert(completeCommands(line, this.inUse))}\n`);
  }

  /** Prints sentences, wrapped at the width of the terminal. */
  say(text: string): void {
    this.#sayPainted(inert(completeCommands(text, this.inUse)));
  }

  tellUnlessQuiet(text: string): void {
    if (!this.flags.quiet) this.say(text);
  }

  /** Prints a note for people, without `--quiet` and only beside a table. */
  note(text: string): void {
    if (this.traits.hasNotes) this.tellUnlessQuiet(text);
  }

  warn(text: string): void {
    const label = paint('yellow', 'Warning:', this.io.err);
    this.#sayPainted(`${label} ${inert(shorten(completeCommands(text, this.inUse), maxWarningLength))}`);
  }

  warnOnce(text: string): void {
    if (this.isNew(text)) this.warn(text);
  }

  /** Whether something was not said before in this run, whatever account it is about. After many texts nothing is new, to save memory. */
  isNew(text: string): boolean {
    const {said} = this.io;
    const {size} = said;
    return size < maxSaid && said.add(text).size > size;
  }

  #sayPainted(text: string): void {
    this.io.tell(`${this.#surroundings.wrap?.(text, this.io.err.width) ?? text}\n`);
  }
}
