/** Puts the completion script of a shell where the shell looks for it, and takes it away again. */
import {accessSync, constants, statSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {basename, dirname, isAbsolute, join} from 'node:path';
import {Failure, localFailure} from '../../client/failure.js';
import {homeIn} from '../../files/own-folder.js';
import {shellWord, singleQuoted} from '../../files/shell-word.js';
import {readBytes} from '../../files/read-file.js';
import {absent} from '../../files/system-error.js';
import {writeWhole} from '../../files/whole-file.js';
import type {Environment} from '../../files/runtime.js';
import {withoutTokens} from '../io.js';
import {completionScript, shells, type Shell} from './script.js';

/** Where the script of a shell belongs. */
interface ScriptPlace {
  readonly shell: Shell;
  readonly script: string;
  /** A settings file that needs a line to load the script; undefined where the shell finds the script itself. */
  readonly settings: {readonly file: string; readonly line: string} | undefined;
  /** What else is needed; undefined where nothing is. */
  readonly missing: string | undefined;
}

/** At the end of the line in a settings file, by which it is found again. */
const mark = '# pixelctl completion';

/** In the first line of every script of ours. */
const title = 'completion for pixelctl';

/** Files of the package bash-completion, which loads completion scripts when they are needed. */
const bashCompletion = [
  '/usr/share/bash-completion/bash_completion',
  '/usr/local/share/bash-completion/bash_completion',
  '/etc/profile.d/bash_completion.sh',
  '/usr/local/etc/profile.d/bash_completion.sh',
  '/opt/homebrew/etc/profile.d/bash_completion.sh',
  '/run/current-system/sw/share/bash-completion/bash_completion',
];

const absolute = (path: string | undefined): string | undefined => (path !== undefined && isAbsolute(path) ? path : undefined);

function isWritableFolder(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Asks PowerShell for its settings file, which may be in a folder that was moved. */
async function powershellProfile(environment: Environment, home: string, isWindows: boolean): Promise<string> {
  const {execFile} = await import('node:child_process');
  const ask = ['-NoProfile', '-NonInteractive', '-Command', '$PROFILE.CurrentUserAllHosts'];
  const usual = isWindows
    ? join(home, 'Documents/PowerShell')
    : join(absolute(environment['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'powershell');
  return new Promise((resolve) => {
    execFile('pwsh', ask, {timeout: 10_000, env: withoutTokens(environment), windowsHide: true}, (_, stdout) => {
      resolve(absolute(stdout.trim()) ?? join(usual, 'profile.ps1'));
    });
  });
}

/**
 * The shell that a person uses, from what was typed or from `SHELL`.
 * @throws Failure `usage` when neither says it
 */
export function shellFor(typed: string | undefined, environment: Environment): Shell {
  const named = typed ?? basename(environment['SHELL'] ?? '').replace(/^pwsh$/, 'powershell');
  const shell = shells.find((known) => known === named);
  if (shell !== undefined) return shell;
  const message = typed === undefined ? 'No shell given, and SHELL names no supported shell' : `No completion for "${typed}"`;
  throw new Failure('usage', message, {hint: `pass --shell with one of ${shells.join(', ')}`});
}

/** @throws Failure `local` for a user without a home */
export async function placeFor(shell: Shell, environment: Environment, platform = process.platform): Promise<ScriptPlace> {
  const home = homeIn(environment, platform);
  if (home === undefined) throw new Failure('local', 'No home folder: HOME is not an absolute path', {hint: 'set HOME'});
  const data = absolute(environment['XDG_DATA_HOME']) ?? join(home, '.local/share');
  const own = {shell, settings: undefined, missing: undefined};
  switch (shell) {
    case 'bash': {
      const folder = absolute(environment['BASH_COMPLETION_USER_DIR']) ?? join(data, 'bash-completion');
      const script = join(folder, 'completions/pixelctl');
      const isThere = bashCompletion.some((path) => statSync(path, {throwIfNoEntry: false}) !== undefined);
      const missing = `The package bash-completion was not found. Install it, or add this line to ~/.bashrc: source ${shellWord(script)}`;
      return {...own, script, missing: isThere ? undefined : missing};
    }
    case 'fish':
      return {...own, script: join(absolute(environment['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'fish/completions/pixelctl.fish')};
    case 'zsh': {
      // Known only where it was exported.
      const inPath = (environment['FPATH'] ?? '').split(':').find((folder) => folder.startsWith(`${home}/`) && isWritableFolder(folder));
      if (inPath !== undefined) return {...own, script: join(inPath, '_pixelctl')};
      const script = join(data, 'zsh/site-functions/_pixelctl');
      const line = `[[ ! -f ${shellWord(script)} ]] || source ${shellWord(script)} ${mark}`;
      return {...own, script, settings: {file: join(absolute(environment['ZDOTDIR']) ?? home, '.zshrc'), line}};
    }
    case 'powershell': {
      const file = await powershellProfile(environment, home, platform === 'win32');
      const script = join(dirname(file), 'completions/pixelctl.ps1');
      const quoted = singleQuoted(script).replaceAll(String.raw`'\''`, "''");
      return {...own, script, settings: {file, line: `if (Test-Path ${quoted}) { . ${quoted} } ${mark}`}};
    }
  }
}

/**
 * The bytes of a file, each as one character: people's own files may have any encoding, and what is not changed stays as it is.
 * @throws Failure `local` when it is there and cannot be read, and for UTF-16, to which no line can be added as bytes
 */
async function bytesOf(path: string): Promise<string | undefined> {
  const bytes = await readBytes(path)
    .catch(absent)
    .catch((error: unknown) => {
      throw localFailure(`Cannot read ${path}`, error);
    });
  if (bytes === undefined) return undefined;
  if (bytes.includes(0)) throw new Failure('local', `${path} is not UTF-8 text: nothing was changed`, {hint: 'convert it to UTF-8'});
  return bytes.toString('latin1');
}

/** The text in bytes of UTF-8, each as one character. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

const hasLine = (bytes: string | undefined): boolean => bytes?.split('\n').some((line) => line.trimEnd().endsWith(mark)) ?? false;

/** What has to change in which file; nothing where all is done. */
export interface FileChange {
  readonly path: string;
  /** What happens to it, in words. */
  readonly does: string;
  /** Whether it is a settings file, which people edit themselves. */
  readonly isSettings: boolean;
  /** What it gets, each byte as one character; undefined: it is removed. */
  readonly bytes: string | undefined;
}

/** The script of ours that is there. @throws Failure `local` for another file in its place */
async function ownScript(path: string): Promise<string | undefined> {
  const bytes = await bytesOf(path);
  if (bytes === undefined || bytes.split('\n', 2).join('\n').includes(title)) return bytes;
  throw new Failure('local', `${path} is not a completion script of pixelctl: nothing was changed`, {hint: 'move that file away'});
}

/** @throws Failure `local` */
export async function installing({shell, script, settings}: ScriptPlace): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  const bytes = asBytes(completionScript(shell));
  if ((await ownScript(script)) !== bytes) changes.push({path: script, does: `write ${script}`, isSettings: false, bytes});
  if (settings === undefined) return changes;
  const before = await bytesOf(settings.file);
  if (hasLine(before)) return changes;
  const start = before === undefined || before === '' || before.endsWith('\n') ? (before ?? '') : `${before}\n`;
  const does = `add to ${settings.file}: ${settings.line}`;
  return [...changes, {path: settings.file, does, isSettings: true, bytes: `${start}${asBytes(settings.line)}\n`}];
}

/** @throws Failure `local` */
export async function removing({script, settings}: ScriptPlace): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  if ((await ownScript(script)) !== undefined) changes.push({path: script, does: `remove ${script}`, isSettings: false, bytes: undefined});
  const before = settings && (await bytesOf(settings.file));
  if (settings === undefined || before === undefined || !hasLine(before)) return changes;
  const left = before.split('\n').filter((line) => !line.trimEnd().endsWith(mark));
  return [
    ...changes,
    {path: settings.file, does: `remove the line of pixelctl from ${settings.file}`, isSettings: true, bytes: left.join('\n')},
  ];
}

/** @throws Failure `local` when a file cannot be written; those before it are done */
export async function writeChanges(changes: readonly FileChange[]): Promise<void> {
  for (const {path, bytes} of changes) {
    try {
      if (bytes === undefined) await rm(path);
      else await writeWhole(path, Buffer.from(bytes, 'latin1'), {mode: (statSync(path, {throwIfNoEntry: false})?.mode ?? 0o644) & 0o777});
    } catch (error) {
      throw localFailure(`Cannot ${bytes === undefined ? 'remove' : 'write'} ${path}`, error);
    }
  }
}
