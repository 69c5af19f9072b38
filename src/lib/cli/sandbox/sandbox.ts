/** What `sandbox` does: runs the test server until it is stopped, and prints how to use it. */
import {printingOf, printResult} from '../printing.js';
import type {Session} from '../session.js';
import {cannotRead, Failure, localFailure} from '../../client/failure.js';
import {readGivenText} from '../../files/text.js';
import {systemCode} from '../../files/system-error.js';
import {watchSignals} from '../../run/index.js';
import type {Sandbox, SandboxOptions} from '../../sandbox/server.js';

/** The flags of the command, as parsed. */
interface SandboxFlags {
  readonly port?: number | undefined;
  readonly seed?: string | undefined;
  readonly like: NonNullable<SandboxOptions['like']>;
  readonly latency?: number | undefined;
  readonly fault?: readonly string[] | undefined;
  readonly random?: number | undefined;
  readonly 'domain-limit'?: number | undefined;
  readonly 'no-rate-limit': boolean;
  readonly accounts?: number | undefined;
  readonly instances?: number | undefined;
}

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
  const text = await readGivenText(value).catch(cannotRead(`the seed ${value}`, '--seed takes demo, empty, large, or a JSON file'));
  const {parseSeed} = await import('../../sandbox/seed.js');
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
}: SandboxFlags): Promise<SandboxOptions> {
  const {parseFault} = await import('../../sandbox/fault.js');
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
function oneText(url: string, tokens: Sandbox['tokens']): string {
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

/** @throws Failure `usage` for a seed or a fault that cannot be understood, `local` where it cannot listen */
export async function runSandbox(flags: SandboxFlags, session: Session): Promise<void> {
  const printing = await printingOf(session);
  const options = await optionsOf(flags);
  const {startSandbox} = await import('../../sandbox/server.js');
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
  const imitated = options.like === 'mastodon' ? 'Mastodon' : `Pixelfed ${options.like}`;
  const heading = `Sandbox (behaves like ${imitated}) at ${url}; Ctrl-C stops it.\n\n`;
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
