/** Flags that several commands take, and flags that take numbers. */
import {Flags, type Interfaces} from '@oclif/core';
import {Failure} from '../client/failure.js';
import {formatNames} from '../print/print.js';

/** The longest timer, in milliseconds. A longer one would fire immediately. */
export const maxTimer = 2 ** 31 - 1;

export interface Bounds {
  readonly least: number;
  readonly most?: number | undefined;
  readonly whole: boolean;
}

/** @throws Failure `usage` if the text is not a number within the bounds */
export function numberIn(text: string, flag: string, {least, most = Number.MAX_SAFE_INTEGER, whole}: Bounds): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new Failure('usage', `--${flag} must be ${whole ? 'a whole number' : 'a number'} ${range}`);
}

interface Words {
  readonly description: string;
  readonly helpValue: string;
  readonly helpGroup?: string;
  readonly aliases?: string[];
}

export function numberFlag(words: Words, bounds: Bounds) {
  return Flags.custom<number>({...words, parse: async (text, _, {name}) => numberIn(text, name, bounds)})();
}

/** A flag with a number of seconds, which sets a timer. */
function timerFlag(words: Words, least: number) {
  return numberFlag(words, {least, most: Math.floor(maxTimer / 1000), whole: false});
}

/** A flag that can be given several times. Each takes one value, so that arguments can follow it. */
export function repeatable(description: string, helpValue: string, more: {readonly delimiter?: ','; readonly options?: string[]} = {}) {
  return Flags.string({description, helpValue, multiple: true, multipleNonGreedy: true, ...more});
}

/** The type of several sets of flags that are joined. */
type AllOf<Parts extends readonly unknown[]> = number extends Parts['length']
  ? Interfaces.FlagInput
  : Parts extends readonly [infer First, ...infer Others]
    ? AllOf<Others> & First
    : unknown;

/** Joins the sets of flags of a command. @throws Error if two sets define the same flag, because one definition would be lost */
export function joinFlags<Parts extends readonly Interfaces.FlagInput[]>(...parts: Parts): AllOf<Parts>;
export function joinFlags(...parts: readonly Interfaces.FlagInput[]): Interfaces.FlagInput {
  const joined: Interfaces.FlagInput = {};
  for (const [name, flag] of parts.flatMap((part) => Object.entries(part))) {
    if (name in joined) throw new Error(`Two parts of a command define --${name}`);
    joined[name] = flag;
  }
  return joined;
}

/** The values of some flags. A command may have more flags, and may lack some of these. */
export type GivenFlags<Known> =
  Interfaces.InferredFlags<Known> extends infer All ? {readonly [Name in keyof All]?: All[Name] | undefined} : never;

/** The values of all flags of a command. */
export type FlagsOf<Known> = Omit<Interfaces.InferredFlags<Known>, 'json'>;

/** Help, the reference and the man pages list flags in this order: those without a group, then those of these groups. */
export const helpGroups = {list: 'LIST', targets: 'TARGETS', write: 'WRITE', run: 'RUN', global: 'GLOBAL'} as const;

const global = {helpGroup: helpGroups.global};

export const globalFlags = {
  server: Flags.string({
    char: 's',
    description: 'server address; a bare host means https:// (environment: PIXELCTL_SERVER)',
    helpValue: 'URL',
    ...global,
  }),
  profile: Flags.string({
    char: 'p',
    description: 'profile: its server and its token (environment: PIXELCTL_PROFILE)',
    helpValue: 'NAME',
    ...global,
  }),
  json: Flags.boolean({description: 'print raw JSON', ...global}),
  output: Flags.string({
    char: 'o',
    description: `output format: ${formatNames.join(', ')}; with --dry-run also curl (environment: PIXELCTL_OUTPUT)`,
    helpValue: 'FORMAT',
    ...global,
  }),
  fields: Flags.string({
    description: 'print only these fields or columns, in this order; use dots for nested fields: id,account.acct',
    helpValue: 'NAMES',
    ...global,
  }),
  jq: Flags.string({
    char: 'q',
    description: 'filter the raw response with a jq expression; with -o ndjson, each item',
    helpValue: 'EXPRESSION',
    ...global,
  }),
  'no-header': Flags.boolean({description: 'omit the header row in CSV and TSV', ...global}),
  'spreadsheet-safe': Flags.boolean({description: 'escape formulas in CSV and TSV', ...global}),
  quiet: Flags.boolean({description: 'print no notes and no progress', ...global}),
  verbose: Flags.boolean({
    char: 'v',
    description: 'print requests and responses to standard error, without secrets (environment: PIXELCTL_DEBUG=1)',
    ...global,
  }),
  'no-color': Flags.boolean({description: 'disable colors (environment: NO_COLOR)', ...global}),
  timeout: timerFlag(
    {
      description: 'time limit for a request and its response; for uploads, the time without progress (default: 30)',
      helpValue: 'SECONDS',
      ...global,
    },
    0.001,
  ),
  retries: numberFlag(
    {description: 'number of retries of requests that are safe to repeat (default: 3)', helpValue: 'N', ...global},
    {least: 0, whole: true},
  ),
  'max-wait': timerFlag({description: 'maximum time to wait for rate limits (default: 120)', helpValue: 'SECONDS', ...global}, 0),
  strict: Flags.boolean({description: 'fail if a response differs from the documented schema', ...global}),
  cacert: Flags.string({
    description: 'also trust the certificate authorities in this PEM file',
    helpValue: 'FILE',
    ...global,
  }),
  'allow-http': Flags.boolean({description: 'allow plain http to other machines', ...global}),
};

/** The values of global flags that completion offers. */
export const globalKnownValues: Readonly<Record<string, readonly string[]>> = {output: formatNames};

const write = {helpGroup: helpGroups.write};

export const sendFlags = {'dry-run': Flags.boolean({description: 'print the requests without sending them', ...write})};

/** The flags of commands that ask before they change something. Other commands ask only if the profile is protected. */
export const writeFlags = {
  ...sendFlags,
  yes: Flags.boolean({char: 'y', description: 'skip the confirmation prompt', ...write}),
};

/** Flags that oclif handles with or without a command. */
export const programFlags: readonly string[] = ['--help', '-h', '--version', '-V'];

/** The flags of every command. Scripts may pass --yes to all of them; help shows it only for commands that ask. */
export const baseFlags = {...globalFlags, yes: Flags.boolean({...writeFlags.yes, hidden: true})};

const list = {helpGroup: helpGroups.list};

export const pagingFlags = {
  all: Flags.boolean({description: 'fetch every page', ...list}),
  max: numberFlag({description: 'fetch pages until there are N items', helpValue: 'N', ...list}, {least: 1, whole: true}),
  'resume-from': Flags.string({
    description: 'start at this cursor (printed when a list is interrupted)',
    helpValue: 'CURSOR',
    ...list,
  }),
};

/** A number of requests per second: `16/s` or `16`. */
const rateFlag = Flags.custom<number>({
  parse: async (text, _, {name}) => {
    const rate = Number(/^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text)?.[1]);
    if (!(rate > 0)) throw new Failure('usage', `--${name} takes a number of requests per second, as in 5/s`);
    return rate;
  },
});

const run = {helpGroup: helpGroups.run};

/** How many requests or accounts are handled at the same time, unless a flag says otherwise. */
export const defaultConcurrency = 4;

/** @param usual the default */
export const concurrencyFlag = (usual: number) =>
  numberFlag({description: `number of requests at the same time (default: ${usual})`, helpValue: 'N', ...run}, {least: 1, whole: true});

export const runFlags = {
  concurrency: concurrencyFlag(defaultConcurrency),
  rate: rateFlag({description: 'maximum number of requests per second', helpValue: 'N/s', ...run}),
  'fail-fast': Flags.boolean({description: 'stop at the first failure', ...run}),
  journal: Flags.string({description: 'record progress in this file; if it exists, resume from it', helpValue: 'FILE', ...run}),
  'resend-unknown': Flags.boolean({
    description: 'resend requests with an unknown outcome in the journal, even if they may take effect twice',
    ...run,
  }),
};

const units: Readonly<Record<string, number>> = {'': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4};

/** A size in bytes, typed as `500M`, `2G` or a number alone. */
export const sizeFlag = Flags.custom<number>({
  parse: async (text, _, {name}) => {
    const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([KMGT]?)(?:i?B)?$/i.exec(text) ?? [];
    const factor = units[unit.toUpperCase()];
    if (count === undefined || factor === undefined) throw new Failure('usage', `--${name} takes a size, as in 500M or 2G`);
    return Math.floor(Number(count) * factor);
  },
});

export const accountsFlags = {
  profile: Flags.string({
    char: 'p',
    description: 'profile, or several: a,b (environment: PIXELCTL_PROFILE)',
    helpValue: 'NAME',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
  }),
  'all-profiles': Flags.boolean({description: 'use the accounts of all profiles'}),
  concurrency: numberFlag(
    {description: `accounts at the same time (default: ${defaultConcurrency})`, helpValue: 'N'},
    {least: 1, whole: true},
  ),
};

/** Parsed flags that name accounts. Commands that use one account have a single profile. */
export type AccountsFlags = Omit<GivenFlags<typeof accountsFlags>, 'profile'> & {readonly profile?: string | readonly string[] | undefined};

/** The profiles that `--profile` names, each once. */
export function namedProfiles({profile = []}: AccountsFlags): readonly string[] {
  return [...new Set([profile].flat())];
}

/** The profile of a command that uses one account; undefined where several are meant, or none is named. */
export function onlyProfile(flags: AccountsFlags): string | undefined {
  return areSeveral(flags) ? undefined : namedProfiles(flags)[0];
}

/** Whether several accounts are meant. It depends on the flags alone, and so does the form of the output. */
export function areSeveral(flags: AccountsFlags): boolean {
  return flags['all-profiles'] === true || namedProfiles(flags).length > 1;
}

const targets = {helpGroup: helpGroups.targets};

export const targetFlags = {
  from: Flags.string({
    description: 'read targets from a file (-: standard input)',
    helpValue: 'FILE',
    ...targets,
  }),
  column: Flags.string({
    description: 'with - or --from: take the targets from this column or member',
    helpValue: 'NAME',
    ...run,
  }),
  'skip-invalid': Flags.boolean({description: 'skip invalid lines of the input', ...run}),
  ...runFlags,
};

export const limitFlags = {
  'no-limits': Flags.boolean({description: 'send without checking the limits that the server publishes', ...write}),
};

/** Flags that mean the same for every command, so they are allowed before its name. */
export const leadingFlags = {...baseFlags, ...writeFlags, ...pagingFlags, ...targetFlags, ...limitFlags};

/** The moments that a date stands for: all of a day, or a single moment. */
export interface TimeSpan {
  /** Milliseconds since 1970. */
  readonly first: number;
  readonly last: number;
}

const day = 86_400_000;

/** The span of a date, a time or a day (`yesterday`), or a moment before now (`2d`); undefined for other texts. */
async function spanOf(text: string): Promise<TimeSpan | undefined> {
  const {dateOf, dayOf, durationOf} = await import('../policy/model/time.js');
  const back = ['today', 'yesterday'].indexOf(text.trim().toLowerCase());
  const written = back === -1 ? text : dayOf(new Date(Date.now() - back * day));
  const [first, ago] = [dateOf(written)?.getTime(), durationOf(written)];
  if (first !== undefined) return {first, last: written.includes(':') ? first : first + day - 1};
  if (ago === undefined) return undefined;
  const moment = Date.now() - ago * 1000;
  return {first: moment, last: moment};
}

/** A date or a time, in UTC unless it says otherwise, or how long ago it was. */
export const spanFlag = Flags.custom<TimeSpan>({
  helpValue: 'DATE',
  parse: async (text, _, {name}) => {
    const span = await spanOf(text);
    if (span !== undefined) return span;
    throw new Failure('usage', `--${name} takes a date, a time or how long ago it was: 2026-01-31, 2026-01-31T12:00, yesterday, 2d`);
  },
});

export const showPrivateFlags = {
  'show-private': Flags.boolean({
    description:
      'show e-mail and IP addresses in tables, CSV, TSV and YAML, too, as naming them with --fields does; JSON and NDJSON always have them',
  }),
};

export const saveFlags = {
  save: Flags.string({
    description: 'before any change, add the current state to this file, as JSON lines',
    helpValue: 'FILE',
    ...write,
  }),
  reason: Flags.string({description: 'with --save: the reason to record', helpValue: 'TEXT', ...write}),
};

export const restoreFlags = {
  restore: Flags.string({
    description: 'set back what this file of --save records, for the named targets or for all in it',
    helpValue: 'FILE',
    ...write,
  }),
};

export const deletionFlags = {
  'allow-deletions': numberFlag(
    {description: 'with --yes, the most that may be deleted or changed permanently', helpValue: 'N', ...write},
    {least: 0, whole: true},
  ),
};

/** Seconds between two requests of `--follow`. */
export const defaultInterval = 30;

export const followFlags = {
  follow: Flags.boolean({description: 'print new items as they arrive, oldest first, until interrupted'}),
  interval: timerFlag({description: `with --follow: seconds between two requests (default: ${defaultInterval})`, helpValue: 'SECONDS'}, 1),
  'since-file': Flags.string({
    description: 'print what is newer than the item whose id is in this file, and keep the id of the last one there',
    helpValue: 'FILE',
  }),
};

/** @param contradictions for each flag, the flags that it cannot be used with @throws Failure `usage` when both are given */
export function refuseTogether(flags: object, contradictions: Readonly<Record<string, readonly string[]>>): void {
  const values = new Map<string, unknown>(Object.entries(flags));
  const isGiven = (name: string) => (values.get(name) ?? false) !== false;
  for (const [one, others] of Object.entries(contradictions)) {
    const other = others.find(isGiven);
    if (isGiven(one) && other !== undefined) throw new Failure('usage', `--${one} and --${other} cannot be used together`);
  }
}
