/** Folders of ours that have no links in them: what a link leads to is outside, and could be any file of the user. */
import type {Stats, Dirent} from 'node:fs';
import {lstat, readdir} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {absent, NotPlain} from './system-error.js';

const aLink = 'a symbolic link';

/** What a path is that is neither a file nor a folder, in words; undefined for these two. */
export function oddKind(found: Dirent | Stats): string | undefined {
  if (found.isFile() || found.isDirectory()) return undefined;
  if (found.isSymbolicLink()) return aLink;
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

/** Looks through a folder and all below it. @throws NotPlain for the first link, pipe, socket or device; the system's error */
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
 * From here on nothing in a folder is opened, and no folder made in it, through a link: {@link checkLevels} looks at each level. A link may be planted
 * while a run is under way.
 * @returns what ends this
 */
export function closeTree(folder: string): Disposable {
  const root = resolve(folder);
  closed.add(root);
  return {[Symbol.dispose]: () => void closed.delete(root)};
}

/** The folders above a path up to one that is closed, outermost first, and the path; nothing for a path in no such folder. */
function levelsOf(path: string): string[] {
  const levels: string[] = [];
  for (let at = path; !closed.has(at); at = dirname(at)) {
    if (dirname(at) === at) return [];
    levels.unshift(at);
  }
  return levels;
}

/** @throws NotPlain for a path in a folder that is closed to links, where it or a folder above it is one, or a pipe, a socket or a device */
export async function checkLevels(path: string): Promise<void> {
  if (closed.size === 0) return;
  const whole = resolve(path);
  for (const level of levelsOf(whole)) {
    const found = await lstat(level).catch(absent);
    const kind = found && oddKind(found);
    if (kind !== undefined) throw new NotPlain(level === whole ? path : level, kind);
  }
}
