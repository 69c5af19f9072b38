/** Flags that several commands take, and flags that take numbers. */
import {Flags} from '@oclif/core';
import {Failure} from '../client/failure.js';
import {formatNames} from '../print/print.js';

/** Milliseconds: a timer that is set for longer goes off at once. */
export const longestTimer = 2 ** 31 - 1;

export interface Bounds {
  readonly least: number;
  readonly most?: number | undefined;
  readonly whole: boolean;
}

/** @throws Failure `usage` for what is no number within the bounds */
export function numberIn(text: string, flag: string, {least, most = Number.MAX_SAFE_INTEGER, whole}: Bounds): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
  throw new Failure('usage', `--${flag} takes ${whole ? 'a whole number' : 'a number'} ${range}`);
}

interface Words {
  readonly description: string;
  readonly helpValue: string;
  readonly helpGroup?: string;
  readonly aliases?: string[];
}

/** A flag that counts. */
export function numberFlag(words: Words, bounds: Bounds) {
  return Flags.custom<number>({...words, parse: async (text, _, {name}) => numberIn(text, name, bounds)})();
}

/** A flag whose value a timer is set for. @param unit milliseconds in one of what is typed */
export function timerFlag(words: Words, {least, unit}: {readonly least: number; readonly unit: 1 | 1000}) {
  return numberFlag(words, {least, most: Math.floor(longestTimer / unit), whole: unit === 1});
}

const helpGroup = 'GLOBAL';

/** Taken by every command. */
export const globalFlags = {
  server: Flags.string({
    char: 's',
    description: 'address of the server; a bare host means https:// (environment: PIXELCTL_SERVER)',
    helpGroup,
    helpValue: 'URL',
  }),
  profile: Flags.string({
    char: 'p',
    description: 'a saved profile: its server and its token (environment: PIXELCTL_PROFILE)',
    helpGroup,
    helpValue: 'NAME',
  }),
  cacert: Flags.string({
    description: 'trust the certificate authorities in this file (PEM), besides the usual ones',
    helpGroup,
    helpValue: 'FILE',
  }),
  'allow-http': Flags.boolean({description: 'allow plain http to another machine', helpGroup}),
  json: Flags.boolean({description: 'raw JSON on standard output', helpGroup}),
  output: Flags.string({
    char: 'o',
    description: `how to print: ${formatNames.join(', ')}; with --dry-run also curl (environment: PIXELCTL_OUTPUT)`,
    helpGroup,
    helpValue: 'FORMAT',
  }),
  fields: Flags.string({
    description: 'only these fields of each item, in this order; dots go into objects: id,account.acct',
    helpGroup,
    helpValue: 'NAMES',
  }),
  jq: Flags.string({
    char: 'q',
    description: 'filter the raw answer with jq; with -o ndjson, each item',
    helpGroup,
    helpValue: 'EXPRESSION',
  }),
  'no-header': Flags.boolean({description: 'CSV and TSV without the names of the columns', helpGroup}),
  'spreadsheet-safe': Flags.boolean({description: 'CSV and TSV in which a spreadsheet finds no formulas', helpGroup}),
  timeout: timerFlag(
    {description: 'from sending to the end of the answer, 30 by default; for uploads, without progress', helpValue: 'SECONDS', helpGroup},
    {least: 0.001, unit: 1000},
  ),
  retries: numberFlag(
    {
      description: 'how often to send again what is safe to send again, 3 by default; limits are waited for as --max-wait says',
      helpValue: 'N',
      helpGroup,
    },
    {least: 0, whole: true},
  ),
  'max-wait': timerFlag(
    {description: 'longest waiting for the limits of the server, 120 by default', helpValue: 'SECONDS', helpGroup},
    {least: 0, unit: 1000},
  ),
  strict: Flags.boolean({description: 'fail on any schema mismatch', helpGroup}),
  verbose: Flags.boolean({
    char: 'v',
    description: 'show requests and answers on standard error, secrets masked (environment: PIXELCTL_DEBUG=1)',
    helpGroup,
  }),
  quiet: Flags.boolean({description: 'no notes, no progress', helpGroup}),
  'no-color': Flags.boolean({description: 'no colour (environment: NO_COLOR)', helpGroup}),
};

/** The values that are known for global flags; for completion. */
export const globalKnownValues: Readonly<Record<string, readonly string[]>> = {output: formatNames};

/** The flags of commands that change something. Any of them may ask first: what is destroyed, or as whom. */
export const writeFlags = {
  'dry-run': Flags.boolean({description: 'print the requests, send nothing, ask nothing', helpGroup}),
  yes: Flags.boolean({char: 'y', description: 'do not ask', helpGroup}),
};

/** What oclif looks for whether there is a command or not. */
export const programFlags: readonly string[] = ['--help', '-h', '--version', '-V'];

/** What every command takes. Scripts say yes to all of them; help shows that only where something is asked. */
export const baseFlags = {...globalFlags, yes: Flags.boolean({...writeFlags.yes, hidden: true})};

/** The flags of lists that come in pages. */
export const pagingFlags = {
  all: Flags.boolean({description: 'follow every page', helpGroup}),
  max: numberFlag({description: 'follow pages, and stop after N items', helpValue: 'N', helpGroup}, {least: 1, whole: true}),
  'resume-from': Flags.string({
    description: 'follow pages from a cursor, as the hint of an interrupted list prints it',
    helpGroup,
    helpValue: 'CURSOR',
  }),
};

/** `16/s`, or the number alone. */
const rateFlag = Flags.custom<number>({
  parse: async (text, _, {name}) => {
    const rate = Number(/^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text)?.[1]);
    if (!(rate > 0)) throw new Failure('usage', `--${name} takes a number of requests a second, as in 5/s`);
    return rate;
  },
});

/** The flags of commands that send many requests. */
export const runFlags = {
  concurrency: numberFlag({description: 'requests under way at a time, 4 by default', helpValue: 'N', helpGroup}, {least: 1, whole: true}),
  rate: rateFlag({description: 'requests a second at most', helpGroup, helpValue: 'N/s'}),
  'fail-fast': Flags.boolean({description: 'stop at the first failure', helpGroup}),
  'max-failures': numberFlag({description: 'stop after N failures', helpValue: 'N', helpGroup}, {least: 1, whole: true}),
  journal: Flags.string({
    description: 'record progress in this file, and go on from what stands in it',
    helpGroup,
    helpValue: 'FILE',
  }),
  'resend-unknown': Flags.boolean({
    description: 'also send what the journal does not know the outcome of, including requests that are not idempotent',
    helpGroup,
  }),
};

/** The flags of commands that take many targets. */
export const targetFlags = {
  from: Flags.string({
    description: 'read targets from a file (-: standard input): lines, JSON, or CSV or TSV with a header',
    helpGroup,
    helpValue: 'FILE',
  }),
  'skip-invalid': Flags.boolean({description: 'leave out lines that name no target, and go on', helpGroup}),
  ...runFlags,
};

/** The flag of commands that the limits of the server concern. */
export const limitFlags = {
  'no-limits': Flags.boolean({description: "do not check against the server's own limits before sending", helpGroup}),
};

/** Seconds. */
export const usualInterval = 30;

/** The flags of lists that can be followed. */
export const followFlags = {
  follow: Flags.boolean({description: 'print new items as they come, oldest first, until interrupted'}),
  interval: timerFlag(
    {description: `with --follow: seconds between two requests, ${usualInterval} by default`, helpValue: 'SECONDS'},
    {least: 1, unit: 1000},
  ),
  'since-file': Flags.string({
    description: 'with --follow: keep the id of the last printed item in this file, and continue from there',
    helpValue: 'FILE',
  }),
};
