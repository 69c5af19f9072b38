import {Flags, type Interfaces} from '@oclif/core';
import {Failure, localFailure} from '../lib/client/failure.js';
import {systemCode} from '../lib/files/system-error.js';
import {readTextFile} from '../lib/client/text-input.js';
import {numberFlag, repeatable, timerFlag} from '../lib/cli/flags.js';
import {PixelctlCommand} from '../lib/cli/command.js';
import {printingOf, printResult} from '../lib/cli/printing.js';
import {watchSignals} from '../lib/run/signals.js';
import type {Sandbox as RunningSandbox, SandboxOptions} from '../lib/sandbox/server.js';

const generations = ['0.12.6', '2026', 'mastodon'] as const;

/** Runs a parser of user input; its errors are usage errors. */
function understood<Value>(flag: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new Failure('usage', `--${flag}: ${String(error).replace(/^Error: /, '')}`);
  }
}

async function seedOf(value: string | undefined): Promise<SandboxOptions['seed']> {
  if (value === undefined || value === 'demo' || value === 'empty' || value === 'large') return value;
  const text = await readTextFile(value, `the seed ${value}`, '--seed takes demo, empty, large, or a JSON file');
  const {parseSeed} = await import('../lib/sandbox/seed.js');
  return understood('seed', () => parseSeed(text));
}

async function optionsOf({
  port = 0,
  seed: given,
  like,
  latency = 0,
  fault = [],
  random,
  'domain-limit': domainLimit,
  'no-rate-limit': isUnlimited,
  accounts,
  instances,
}: Interfaces.InferredFlags<typeof Sandbox.flags>): Promise<SandboxOptions> {
  const {parseFault} = await import('../lib/sandbox/fault.js');
  const seed = await seedOf(given);
  return {
    like,
    port,
    latency,
    faults: fault.map((text) => understood('fault', () => parseFault(text))),
    ...(seed !== undefined && {seed}),
    ...(random !== undefined && {random}),
    ...(domainLimit !== undefined && {domainLimit}),
    ...(accounts !== undefined && {accounts}),
    ...(instances !== undefined && {instances}),
    ...(isUnlimited && {limitsRate: false}),
  };
}

/** The lines of shell that make one account usable. */
function oneText(url: string, tokens: RunningSandbox['tokens']): string {
  const [admin] = Object.values(tokens.admins);
  return [
    `  all scopes  ${tokens.all}`,
    `  read only   ${tokens.readOnly}`,
    ...(admin === undefined ? [] : [`  admin       ${admin}`]),
    '',
    'In another shell:',
    '',
    `  export PIXELCTL_SERVER=${url}`,
    `  export PIXELCTL_TOKEN=${tokens.all}`,
    '',
    '',
  ].join('\n');
}

/** The lines of shell that save a profile for each account, apart from those of the user: --all-profiles then means only these. */
function severalText(url: string, users: readonly (readonly [name: string, token: string])[]): string {
  const width = Math.max(...users.map(([name]) => name.length));
  return [
    ...users.map(([name, token]) => `  ${name.padEnd(width)}  ${token}`),
    '',
    'In another shell, to save a profile for each, apart from your own profiles:',
    '',
    '  export PIXELCTL_CONFIG_DIR=$(mktemp -d) PIXELCTL_STORAGE=file',
    ...users.map(([name, token]) => `  echo ${token} | pixelctl auth login ${url} --with-token --profile ${name}`),
    '',
    '',
  ].join('\n');
}

export default class Sandbox extends PixelctlCommand {
  static override summary = 'Run a local test server';
  static override description = `The server runs in memory and listens on this machine only. It has every endpoint that a command calls, and accounts, messages and filters to try them on. Ctrl-C stops it, and its data is lost.

It prints tokens: one with all scopes, one that can only read, and one of an admin, for the commands that moderate the server. With --accounts N it prints the tokens of N accounts, and the commands that save a profile for each, to try commands with several profiles. --fault makes it fail on purpose: status=503, delay=2000, drop, truncate, html, rate-limit=3, each with conditions such as at="POST /api/v1.1/report", chance=0.3, times=1.`;
  static override usage = '<%= command.id %> [flags]';
  static override flags = {
    port: numberFlag(
      {description: 'port to listen on; 0, the default, uses a free one', helpValue: 'N'},
      {least: 0, most: 65_535, whole: true},
    ),
    seed: Flags.string({
      description: 'initial data: demo, empty, large (10,000 messages and 500 files), or a JSON file',
      helpValue: 'SEED',
    }),
    like: Flags.option({options: generations})({description: 'release to behave like', helpValue: 'RELEASE', default: '2026'}),
    accounts: numberFlag(
      {description: 'print the tokens of this many accounts; missing ones are created', helpValue: 'N'},
      {least: 1, most: 1000, whole: true},
    ),
    instances: numberFlag(
      {description: 'number of other servers that this one knows; missing ones are created', helpValue: 'N'},
      {least: 0, most: 100_000, whole: true},
    ),
    'domain-limit': numberFlag(
      {description: 'number of domains that an account can block (default: 50 with --like 0.12.6, 100 with --like 2026)', helpValue: 'N'},
      {least: 0, most: 1_000_000, whole: true},
    ),
    'no-rate-limit': Flags.boolean({description: 'do not limit requests per minute (no 429)'}),
    latency: timerFlag({description: 'milliseconds to wait before every response', helpValue: 'MS'}, {least: 0, unit: 1}),
    fault: repeatable('failure to simulate, where, and how often', 'SPEC'),
    random: numberFlag(
      {description: 'seed for the random numbers behind chance', helpValue: 'N'},
      {least: 0, most: 2 ** 32 - 1, whole: true},
    ),
  };
  static knownValues = {seed: ['demo', 'empty', 'large']};
  static override examples = [
    {description: 'Imitate the newest release, on a free port', command: '<%= config.bin %> sandbox'},
    {description: 'Imitate a slow server of 2025', command: '<%= config.bin %> sandbox --like 0.12.6 --latency 300 --port 8080'},
    {description: 'Imitate a Mastodon server, for its block lists', command: '<%= config.bin %> sandbox --like mastodon'},
    {description: 'Allow block lists of any length', command: '<%= config.bin %> sandbox --seed empty --domain-limit 100000'},
    {description: 'Try several accounts', command: '<%= config.bin %> sandbox --accounts 3'},
    {description: 'Fail every third request', command: '<%= config.bin %> sandbox --fault status=503,chance=0.33 --random 7'},
  ];

  override async run(): Promise<void> {
    const {flags, session} = await this.start(Sandbox);
    const printing = await printingOf(session);
    const options = await optionsOf(flags);
    const {startSandbox} = await import('../lib/sandbox/server.js');
    const onRequest: SandboxOptions['onRequest'] = ({method, path, status}) => session.note(`${status} ${method} ${path}`);
    const sandbox = await startSandbox({...options, onRequest}).catch((error: unknown) => {
      if (systemCode(error) !== 'EADDRINUSE') throw localFailure(`Cannot listen on port ${options.port}`, error);
      throw new Failure('local', `Port ${options.port} is taken`, {hint: 'choose another port, or let --port 0 choose one'});
    });
    const {url, tokens} = sandbox;
    // Listen before the address is printed: a script may stop it at once.
    using signals = watchSignals(session.io.system);
    const stopped = new Promise<void>((resolve) => signals.first.addEventListener('abort', () => resolve()));
    const users = Object.entries(tokens.users).slice(0, flags.accounts ?? 0);
    const heading = `A server like ${options.like} listens on ${url}; Ctrl-C stops it.\n\n`;
    const document = {
      url,
      tokens: {
        all: tokens.all,
        read_only: tokens.readOnly,
        admins: tokens.admins,
        ...(users.length > 0 && {users: Object.fromEntries(users)}),
      },
    };
    const plain = () => heading + (users.length > 0 ? severalText(url, users) : oneText(url, tokens));
    await printResult({document: JSON.stringify(document), plain}, session, printing);
    await stopped;
    // A second signal ends the process.
    signals[Symbol.dispose]();
    await sandbox.close();
  }
}
