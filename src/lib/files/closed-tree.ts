/** Our own folders must have no links in them: a link could lead to any file of the user. */
import type {Stats, Dirent} from 'node:fs';
import {lstat, readdir} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {absent, NotPlain} from './system-error.js';

const aLink = 'a symbolic link';

/** What kind of thing a path is, in words; undefined for a file or a folder. */
export function oddKind(found: Dirent | Stats): string | undefined {
  if (found.isFile() || found.isDirectory()) return undefined;
  if (found.isSymbolicLink()) return aLink;
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

/** Checks a folder and all below it. @throws NotPlain for the first link, pipe, socket or device; the system's error */
export async function checkTree(folder: string): Promise<void> {
  for (const one of await readdir(folder, {withFileTypes: true})) {
    const path = join(folder, one.name);
    const odd = oddKind(one);
    if (odd !== undefined) throw new NotPlain(path, odd);
    if (one.isDirectory()) await checkTree(path);
  }
}

const closed = new Set<string>();

/**
 * From now on, {@link checkLevels} checks every level of paths in a folder, so that nothing in it is opened or made through a link.
 * Somebody may plant a link while a run is under way.
 * @returns ends this when it is disposed of
 */
export function closeTree(folder: string): Disposable {
  const root = resolve(folder);
  closed.add(root);
  return {[Symbol.dispose]: () => void closed.delete(root)};
}

/** The path, and the folders above it up to a closed one, outermost first; empty for a path that is in no closed folder. */
function levelsOf(path: string): string[] {
  const levels: string[] = [];
  for (let at = path; !closed.has(at); at = dirname(at)) {
    if (dirname(at) === at) return [];
    levels.unshift(at);
  }
  return levels;
}

/** @throws NotPlain for a path in a closed folder, if the path or a folder above it is a link, a pipe, a socket or a device */
export async function checkLevels(path: string): Promise<void> {
  if (closed.size === 0) return;
  const whole = resolve(path);
  for (const level of levelsOf(whole)) {
    const found = await lstat(level).catch(absent);
    const kind = found && oddKind(found);
    if (kind !== undefined) throw new NotPlain(level === whole ? path : level, kind);
  }
}
