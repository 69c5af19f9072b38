/** The entry point: finds the command that was typed, runs it, and prints whatever fails as one error. */
import {asFailure, Failure} from '../../client/failure.js';
import {systemCode} from '../../files/system-error.js';
import {exitStatuses, tellFailure} from '../errors.js';
import {leadingFlags, programFlags} from '../flags.js';
import {ProgramConfig, type Program} from './program-config.js';
import {certificateSwitch, type Io, ioOfProcess} from '../io.js';
import {versionWords} from './version.js';

/** Prepares the streams, the crash reports and the warnings of the process. */
function prepareProcess(argv: readonly string[], io: Io): void {
  // oclif, which may be loaded later, would crash on every error of standard output except a closed pipe. Writers handle these errors.
  process.stdout.removeAllListeners('error');
  process.stdout.on('error', (error) => {
    if (systemCode(error) !== 'EPIPE') io.exitStatus = exitStatuses.local.status;
  });
  process.stdout.on('newListener', (event, listener: () => void) => {
    if (event === 'error') queueMicrotask(() => process.stdout.removeListener('error', listener));
  });
  // Keep the token out of the crash reports that Node may be set to write.
  process.report.excludeEnv = true;
  process.once('uncaughtException', (error) => {
    void tellFailure(asFailure(error), argv, io).finally(() => process.exit());
  });
  // Hides Node's warning that certificates are not checked, because connections give a warning of their own.
  if (io.env[certificateSwitch] === '0') {
    const listeners = process.listeners('warning');
    process.removeAllListeners('warning');
    process.on('warning', (warning) => {
      if (!warning.message.includes(certificateSwitch)) for (const listener of listeners) listener.call(process, warning);
    });
  }
  // There is nowhere to report an error of standard error.
  process.stderr.on('error', () => {});
}

/** Makes oclif and the prompts print no colour. With both variables set, Node would warn. */
function leaveOutColor(): void {
  process.env['NO_COLOR'] = '1';
  delete process.env['FORCE_COLOR'];
}

const helpFlags: readonly string[] = ['--help', '-h'];

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.length === 0 || (end === -1 ? argv : argv.slice(0, end)).some((word) => helpFlags.includes(word));
}

/** The words before the first flag. */
function wordsIn(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((word) => word.startsWith('-'));
  return end === -1 ? argv : argv.slice(0, end);
}

/** The number of words in the name of the command, the longest that fits; undefined if they begin with none. @param ids of all commands */
function commandLength(words: readonly string[], ids: readonly string[]): number | undefined {
  const most = Math.max(...ids.map((id) => id.split(':').length));
  const counts = Array.from({length: most}, (_, index) => most - index);
  return counts.find((count) => ids.includes(words.slice(0, count).join(':')));
}

const leading = Object.entries<{readonly type: string; readonly char?: string | undefined}>(leadingFlags);

/** The number of words of a flag with its value: `--server x` and `-vs x` are two; undefined for a flag that is not allowed before the command. */
function lengthOf(word: string): number | undefined {
  const [long = '', ...value] = word.replace(/^--/, '').split('=');
  if (word.startsWith('--')) {
    const [, flag] = leading.find(([name]) => name === long) ?? [];
    return flag && (flag.type === 'option' && value.length === 0 ? 2 : 1);
  }
  for (const [index, letter] of [...word].entries()) {
    if (index === 0) continue;
    const [, flag] = leading.find(([, {char}]) => char === letter) ?? [];
    if (flag === undefined) return undefined;
    if (flag.type === 'option') return index === word.length - 1 ? 2 : 1;
  }
  return 1;
}

/**
 * `--json blocks list` and `blocks --json list` are `blocks list --json`, `help blocks list` is `blocks list --help`.
 * @throws Failure `usage` for flags without a command, and for a flag before the command that only some commands have
 */
export function commandFirst(argv: readonly string[]): string[] {
  const [words, flags]: [string[], string[]] = [[], []];
  let at = 0;
  while (at < argv.length) {
    const word = argv[at] ?? '';
    const isFlag = word.length > 1 && word.startsWith('-');
    const length = isFlag ? lengthOf(word) : 1;
    if (word === '--' || length === undefined) break;
    (isFlag ? flags : words).push(...argv.slice(at, at + length));
    at += length;
  }
  const rest = argv.slice(at);
  const [next = ''] = rest;
  if (words[0] === 'help') return words.length === 1 ? ['--help'] : [...words.slice(1), ...flags, ...rest, '--help'];
  if (words.length > 0) return [...words, ...flags, ...rest];
  if (programFlags.includes(next) || argv.length === 0) return [...rest, ...flags];
  // The message does not repeat the value, which may be a secret.
  const name = next.startsWith('--') ? next.replace(/=[^]*$/, '') : next.slice(0, 2);
  throw new Failure('usage', rest.length === 0 ? 'No command given' : `Unknown global flag ${name}`, {
    hint: 'put the flags of a command after it, as in `pixelctl dm list --filter requests`; see `pixelctl --help`',
  });
}

/** @param argv words that begin with the command */
async function dispatch(argv: string[], config: ProgramConfig, io: Io): Promise<void> {
  const [first = ''] = argv;
  if (versionWords.includes(first)) return io.write(`${config.userAgent}\n`, 'data');
  const length = commandLength(argv, config.commandIDs);
  const words = wordsIn(argv);
  const isGroup = length === undefined && words.length > 0 && config.findTopic(words.join(':')) !== undefined;
  // With a flag, a group is no request for help: a script would take the help for output.
  if (asksForHelp(argv) || (isGroup && words.length === argv.length)) {
    const {default: Help} = await import('./help.js');
    return new Help(config, config.pjson.oclif.helpOptions).showHelp(argv);
  }
  if (length === undefined) {
    const {noCommand} = await import('../guesses.js');
    throw noCommand(isGroup ? words : argv.filter((word) => !word.startsWith('-')), config.commandIDs);
  }
  const found = await config.loadCommand(argv.slice(0, length).join(':'));
  await found.start(argv.slice(length), config);
}

/** Runs a command line in this process. @param argv what was typed after the program's name */
export async function runWith(argv: string[], program: Program, io: Io): Promise<void> {
  try {
    // Most command lines begin with the command and need no reordering.
    const [first = '', second = ''] = argv;
    const config = new ProgramConfig(program, io);
    const isCommand = !second.startsWith('-') && (argv.length === 0 || commandLength(argv, config.commandIDs) !== undefined);
    const isInOrder = first !== 'help' && (isCommand || programFlags.includes(first));
    const ordered = isInOrder ? argv : commandFirst(argv);
    await dispatch(ordered, config, io);
  } catch (error) {
    await tellFailure(asFailure(error), argv, io);
  }
}

/** Runs the process's own command line. */
export async function run(argv: string[], program: Program): Promise<void> {
  if (argv.includes('--no-color')) leaveOutColor();
  const io = ioOfProcess();
  // In these libraries, FORCE_COLOR beats NO_COLOR.
  if (!io.out.color && !io.err.color) leaveOutColor();
  prepareProcess(argv, io);
  await runWith(argv, program, io);
}
