/**
 * What the lists of an account last contained, so that completion can offer it for a minute. Private files of our own; a cache that
 * cannot be read or written is no failure.
 */
import {readdir, rename, rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {cacheFolder, secureFolder} from '../../files/own-folder.js';
import {readTextNow} from '../../files/read-file.js';
import {at, itemsAt, textAt} from '../../json/path.js';
import type {Environment} from '../../files/runtime.js';
import type {Offered} from './complete.js';

/** Milliseconds. */
const keptFor = 60_000;
/** Items. */
export const mostItems = 1000;
/** Characters of what people know an item by. */
const maxAboutLength = 80;

/** Only characters without a meaning in any shell: other values are not offered. */
export const plainWord = /^[\w@%+:./][\w@%+:./-]{0,252}$/;

/** Whose list it is. */
export interface SeenOwner {
  readonly name: string;
  /** The server's origin. */
  readonly server: string;
  readonly account: {readonly id: string} | null;
}

function folderOf(environment: Environment): string | undefined {
  const folder = cacheFolder(environment);
  return folder === undefined ? undefined : join(folder, 'completion');
}

const fileOf = (endpoint: string, {name}: SeenOwner): string => `${name}.${endpoint.replaceAll(' ', '-')}.json`;

const ownerText = ({name, server, account}: SeenOwner): string => [name, server, account?.id ?? ''].join(' ');

/** One line without control characters. */
export function tidy(text: string): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return line.length > maxAboutLength ? `${line.slice(0, maxAboutLength - 1)}…` : line;
}

/** An item, and when it was last listed, in milliseconds since 1970. */
interface SeenItem extends Offered {
  readonly at: number;
}

const isFresh = (time: unknown, now: number): time is number => typeof time === 'number' && time <= now && now - time < keptFor;

function seenIn(path: string, owner: SeenOwner, now: number): SeenItem[] | undefined {
  const kept: unknown = JSON.parse(readTextNow(path));
  const {value: latest} = at(kept, ['at']);
  if (!isFresh(latest, now) || textAt(kept, ['owner']) !== ownerText(owner)) return undefined;
  return (itemsAt(kept, ['items']) ?? []).flatMap((item) => {
    const [value, about, {value: age}] = [textAt(item, [0]), textAt(item, [1]), at(item, [2])];
    if (value === undefined || about === undefined || typeof age !== 'number' || !plainWord.test(value)) return [];
    const listed = latest - age;
    return isFresh(listed, now) ? [{value, about: tidy(about), at: listed}] : [];
  });
}

/** @param now milliseconds since 1970 @returns undefined when nothing is known, or it is older than a minute */
export function readSeen(endpoint: string, owner: SeenOwner, environment: Environment, now: number): Offered[] | undefined {
  const folder = folderOf(environment);
  try {
    if (folder === undefined || secureFolder(folder, {own: 2, make: false}) === undefined) return undefined;
    return seenIn(join(folder, fileOf(endpoint, owner)), owner, now)?.map(({value, about}) => ({value, about}));
  } catch {
    return undefined;
  }
}

/** What is still fresh in a file that may be absent or broken. */
function freshIn(path: string, owner: SeenOwner, now: number): readonly SeenItem[] {
  try {
    return seenIn(path, owner, now) ?? [];
  } catch {
    return [];
  }
}

/** Removes what is too old: it would name people for longer than it is used. */
async function sweep(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const {mtimeMs} = await stat(path);
    if (now - mtimeMs > keptFor) await rm(path, {force: true});
  }
}

/**
 * Writes the file in one step, without waiting for the disk. Not in CI, where nobody presses Tab. What the list showed less than a
 * minute before stays: it may have been another page, or another filter.
 */
export async function keepSeen(
  endpoint: string,
  owner: SeenOwner,
  items: readonly Offered[],
  environment: Environment,
  now: number,
): Promise<void> {
  const folder = folderOf(environment);
  if (folder === undefined || (environment['CI'] ?? '') !== '') return;
  try {
    secureFolder(folder, {own: 2, make: true});
    const {writeTemporary} = await import('../../files/whole-file.js');
    const path = join(folder, fileOf(endpoint, owner));
    const values = new Set(items.map(({value}) => value));
    const before = freshIn(path, owner, now).filter(({value}) => !values.has(value));
    const kept = [...items.map((item) => ({...item, at: now})), ...before].slice(0, mostItems);
    const text = JSON.stringify({at: now, owner: ownerText(owner), items: kept.map((item) => [item.value, item.about, now - item.at])});
    await using temporary = await writeTemporary(path, text, {mode: 0o600, durable: false});
    await rename(temporary.path, path);
    await sweep(folder, now);
  } catch {
    // Completion offers less.
  }
}
