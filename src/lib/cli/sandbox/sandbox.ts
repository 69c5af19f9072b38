/** Runs the test server until it is stopped, and prints how to use it. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {Flags} from '@oclif/core';
import type {CommandRun, ParsedValues} from '../command.js';
import {numberFlag, repeatable, type FlagsOf} from '../flags.js';
import type {Result} from '../sink.js';
import {Failure, localFailure} from '../../client/failure.js';
import type {Environment} from '../../files/runtime.js';
import {systemCode} from '../../files/system-error.js';
import {watchSignals} from '../../run/index.js';
import type {Sandbox, SandboxOptions} from '../../sandbox/sandbox-server.js';

const generations = ['0.12.6', '2026'] as const;
const seeds = ['demo', 'empty'] as const;

export const sandboxFlags = {
  port: numberFlag(
    {description: 'port to listen on; 0, the default, uses a free one', helpValue: 'N'},
    {least: 0, most: 65_535, whole: true},
  ),
  seed: Flags.option({options: seeds})({description: 'initial data', helpValue: 'SEED', default: 'demo'}),
  like: Flags.option({options: generations})({description: 'release to behave like', helpValue: 'RELEASE', default: '2026'}),
  accounts: numberFlag(
    {description: 'print the tokens of this many accounts; missing ones are created', helpValue: 'N'},
    {least: 1, most: 1000, whole: true},
  ),
  instances: numberFlag(
    {description: 'number of other servers that this one knows; missing ones are created', helpValue: 'N'},
    {least: 0, most: 100_000, whole: true},
  ),
  'no-rate-limit': Flags.boolean({description: 'do not limit requests per minute (no 429)'}),
  shell: Flags.boolean({description: 'open a shell that uses the server; its end stops the server'}),
  fault: repeatable('failure to simulate, where, and how often', 'SPEC'),
};

type SandboxFlags = FlagsOf<typeof sandboxFlags>;

/** @throws Failure `usage` for a fault that cannot be understood */
async function optionsOf({port = 0, fault = [], 'no-rate-limit': isUnlimited, seed, like, accounts, instances}: SandboxFlags) {
  const {parseFault} = await import('../../sandbox/fault.js');
  const faults = fault.map((text) => {
    try {
      return parseFault(text);
    } catch (error) {
      throw new Failure('usage', `--fault: ${String(error).replace(/^Error: /, '')}`);
    }
  });
  return {port, seed, like, accounts, instances, faults, limitsRate: !isUnlimited} satisfies SandboxOptions;
}

/** The tokens, and the shell commands that use one of them; of several accounts, those that save a profile for each in a folder of its own. */
function usageOf(url: string, {all, readOnly, admins}: Sandbox['tokens'], users: Readonly<Record<string, string>>): string {
  const [admin] = Object.values(admins);
  const isOfSeveral = Object.keys(users).length > 0;
  const shown = Object.entries(isOfSeveral ? users : {'all scopes': all, 'read only': readOnly, ...(admin !== undefined && {admin})});
  const width = Math.max(...shown.map(([name]) => name.length));
  const commands = isOfSeveral
    ? [
        'export PIXELCTL_CONFIG_DIR=$(mktemp -d) PIXELCTL_STORAGE=file',
        ...shown.map(([name, token]) => `echo ${token} | pixelctl auth login ${url} --with-token --profile ${name}`),
      ]
    : [`export PIXELCTL_SERVER=${url}`, `export PIXELCTL_TOKEN=${all}`];
  const aim = isOfSeveral ? ', to save a profile for each, apart from your own profiles' : '';
  const tokens = shown.map(([name, token]) => `  ${name.padEnd(width)}  ${token}`);
  return [...tokens, '', `In another shell${aim}:`, '', ...commands.map((line) => `  ${line}`), '', ''].join('\n');
}

/** Opens the user's shell, and waits for its end. @throws Failure `local` where it cannot be started */
async function openShell(env: Environment, variables: Environment): Promise<void> {
  const shell = env['SHELL'] ?? env['ComSpec'] ?? 'sh';
  try {
    await once(spawn(shell, {stdio: 'inherit', env: {...env, ...variables}}), 'exit');
  } catch (error) {
    throw localFailure(`Cannot start ${shell}`, error);
  }
}

/** @throws Failure `usage` for a fault that cannot be understood, and for a shell without a terminal, `local` where it cannot listen */
export async function runSandbox({flags, session, opened}: CommandRun<ParsedValues, SandboxFlags>): Promise<Result> {
  if (flags.shell && !(session.io.isInputTerminal && session.io.out.isTerminal))
    throw new Failure('usage', '--shell needs a terminal', {hint: 'leave it out, and export the variables that are printed'});
  const options = await optionsOf(flags);
  const {startSandbox} = await import('../../sandbox/sandbox-server.js');
  const onRequest: SandboxOptions['onRequest'] = ({method, path, status}) => session.note(`${status} ${method} ${path}`);
  // Requests are not listed in a shell: they would stand between the output of commands.
  const sandbox = await startSandbox({...options, ...(!flags.shell && {onRequest})}).catch((error: unknown) => {
    if (systemCode(error) !== 'EADDRINUSE') throw localFailure(`Cannot listen on port ${options.port}`, error);
    throw new Failure('local', `Port ${options.port} is taken`, {hint: 'choose another port, or let --port 0 choose one'});
  });
  const {url, tokens} = sandbox;
  // Wait for signals before the address is printed, because a script may stop the sandbox at once.
  const signals = opened.use(watchSignals(session.io.system));
  const stopped = new Promise<void>((resolve) => signals.first.addEventListener('abort', () => resolve()));
  const users = Object.fromEntries(Object.entries(tokens.users).slice(0, flags.accounts ?? 0));
  const heading = `Sandbox (behaves like Pixelfed ${options.like}) at ${url}; Ctrl-C stops it.\n\n`;
  const document = {
    url,
    tokens: {
      all: tokens.all,
      read_only: tokens.readOnly,
      admins: tokens.admins,
      ...(flags.accounts !== undefined && {users}),
    },
  };
  const opening = `Sandbox (behaves like Pixelfed ${options.like}) at ${url}, in this shell: type \`exit\` to stop it.\n`;
  const plain = () => (flags.shell ? opening : heading + usageOf(url, tokens, users));
  return {
    document,
    plain,
    async notePrinted() {
      if (flags.shell) await openShell(session.io.env, {PIXELCTL_SERVER: url, PIXELCTL_TOKEN: tokens.all});
      else await stopped;
      // From here on, another signal ends the process.
      signals[Symbol.dispose]();
      await sandbox.close();
    },
  };
}
