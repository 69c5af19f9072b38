/** Asks real shells what they complete. */
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {shells} from '../../src/lib/cli/completion/script.js';

export type Shell = (typeof shells)[number];

const fishCapture = 'source $argv[1]; complete -C $argv[2]';
const commands: Readonly<Record<Shell, readonly string[]>> = {
  bash: ['--norc', '--noprofile', join(import.meta.dirname, 'completion-capture.bash')],
  zsh: ['-f', join(import.meta.dirname, 'completion-capture.zsh')],
  fish: ['--no-config', '-c', fishCapture],
};

export function isInstalled(shell: Shell): boolean {
  return spawnSync(shell, ['--version']).status === 0;
}

/** What can be chosen, by its word; bash has nothing to say about it. */
export type Offers = ReadonlyMap<string, string>;

/**
 * Asks in a folder of its own, with empty files of these names.
 * @throws when the shell complains, or completing leaves anything behind
 */
export function ask(shell: Shell, script: string, line: string, files: readonly string[] = []): Offers {
  const home = mkdtempSync(join(tmpdir(), 'pixelctl-completion-'));
  const folder = mkdtempSync(join(home, 'work-'));
  for (const file of files) writeFileSync(join(folder, file), '');
  writeFileSync(join(home, 'script'), script);
  const {stdout, stderr, status} = spawnSync(shell, [...commands[shell], join(home, 'script'), line], {
    cwd: folder,
    encoding: 'utf8',
    env: {PATH: process.env['PATH'], HOME: home, TERM: 'xterm', LC_ALL: 'C.UTF-8'},
  });
  const left = readdirSync(folder).filter((name) => !files.includes(name));
  rmSync(home, {recursive: true});
  if (left.length > 0) throw new Error(`completing made ${left.join(', ')}`);
  if (status !== 0 || stderr !== '') throw new Error(`${shell} ended with ${status}: ${stderr}`);
  return new Map(
    stdout.split(/\r?\n/).flatMap((row) => {
      const [word = '', shown = ''] = row.split('\t');
      // fish repeats the flag that a value is joined to, zsh the word that a description belongs to.
      const about = shell === 'zsh' ? (/ -- (.*)/.exec(shown)?.[1] ?? '') : shown;
      return word === '' ? [] : [[word.replace(/^--[a-z-]+=/, ''), about] as const];
    }),
  );
}
