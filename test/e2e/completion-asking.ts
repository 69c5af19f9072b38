/** Asks real shells what they complete. */
import {spawnSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {completionScripts} from '../../src/lib/cli/completion/script.js';
import {hasTerminal, newFolder, startAtTerminal, startProgram} from './program.js';

/** PowerShell is not among them: Debian does not have it. */
export const realShells = ['bash', 'zsh', 'fish'] as const;

type RealShell = (typeof realShells)[number];

const installed = new Set(realShells.filter((shell) => spawnSync(shell, ['--version']).status === 0));

/** Why a shell cannot be asked here; undefined when it can. */
export function whyNot(shell: RealShell): string | undefined {
  if (!installed.has(shell)) return `${shell} is not installed`;
  return shell === 'bash' && !hasTerminal ? 'script of util-linux is not installed' : undefined;
}

/** What zsh keeps of what it looks up at its start, which takes ten times as long as completing. */
const kept = join(newFolder(), 'zcompdump');

interface Asking {
  /** Empty files in the working folder; a name with a slash at its end is a folder. */
  readonly files?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What bash is told to do with the line: put all candidates into it, or list them. */
  readonly keys?: 'insert' | 'list';
}

/** What can be chosen, by its word, with what the shell says about it. */
export type Offers = ReadonlyMap<string, string>;

/** @throws Error when the shell complains */
export async function ask(shell: RealShell, line: string, {files = [], env = {}, keys = 'insert'}: Asking = {}): Promise<Offers> {
  const folder = newFolder();
  for (const file of files) {
    if (file.endsWith('/')) mkdirSync(join(folder, file));
    else writeFileSync(join(folder, file), '');
  }
  const script = join(newFolder(), 'script');
  writeFileSync(script, completionScripts[shell]);
  const circumstances = {folder, env: {TERM: 'xterm', LC_ALL: 'C.UTF-8', ...env}};
  if (shell === 'bash') return askBash(script, line, keys, circumstances);
  const capture = join(import.meta.dirname, 'completion-capture.zsh');
  const [program, args] =
    shell === 'zsh'
      ? ['zsh', ['-f', capture, script, line, kept]]
      : ['fish', ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', script, line]];
  const {stdout, stderr, status} = await startProgram(program, args, circumstances).ended;
  if (status !== 0 || stderr !== '') throw new Error(`${shell} ended with ${status}: ${stderr}`);
  return new Map(
    stdout.split(/\r?\n/).flatMap((row) => {
      const [word = '', shown = ''] = row.split('\t');
      // zsh repeats the word that a description belongs to.
      return word === '' ? [] : [[word, shell === 'zsh' ? (/ -- (.*)/.exec(shown)?.[1] ?? '') : shown] as const];
    }),
  );
}

/** Types into a bash at a terminal. There the whole line is read back: each of its words that was not typed was offered. */
async function askBash(
  script: string,
  line: string,
  keys: 'insert' | 'list',
  circumstances: Parameters<typeof startAtTerminal>[2],
): Promise<Offers> {
  const settings = join(newFolder(), 'rc');
  const lines = [
    "PS1='READY>'",
    "bind 'set enable-bracketed-paste off'",
    "bind 'set completion-query-items 0'",
    "bind 'set page-completions off'",
    `show() { local word; for word; do printf 'WORD %s\\n' "$word"; done; printf 'DO%s\\n' NE; }`,
    `source '${script}'`,
  ];
  writeFileSync(settings, `${lines.join('\n')}\n`);
  const running = startAtTerminal(`exec bash --noprofile --rcfile '${settings}' -i`, 2000, circumstances);
  await running.seen(/READY>/);
  // ESC * inserts all candidates, ESC ? lists them; Ctrl-A goes to the start of the line.
  running.child.stdin?.write(`${line}${keys === 'insert' ? '\u001b*' : '\u001b?'}\u0001show \r`);
  const shown = await running.seen(/\nDONE/);
  running.child.stdin?.write('exit\r');
  await running.ended;
  if (keys === 'list') {
    const rows = shown.slice(shown.indexOf(line) + line.length, shown.lastIndexOf('READY>')).split(/\r?\n| {3,}|\t/);
    return new Map(rows.flatMap((row) => (/\S/.test(row) && !row.includes('READY>') ? [[row.trim(), ''] as const] : [])));
  }
  const typed = line.trim().split(/\s+/);
  const last = /\s$/.test(line) ? '' : typed.pop();
  const words = [...shown.matchAll(/^WORD (.*?)\r?$/gm)].map(([, word = '']) => word).slice(typed.length);
  return new Map(words.filter((word) => word !== last).map((word) => [word, '']));
}
