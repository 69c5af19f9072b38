/**
 * What the lists of an account last contained, so that completion can offer it for a minute. Private files of our own; a cache that
 * cannot be read or written is no failure.
 */
import {readdir, rename, rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {Endpoint} from '../../api/endpoint.js';
import {cacheFolder, secureFolder} from '../../files/own-folder.js';
import {readTextNow} from '../../files/read-file.js';
import {parseWithTexts} from '../../json/exact.js';
import {at, itemsAt, textAt} from '../../json/path.js';
import type {Environment, Io} from '../io.js';
import type {Item} from './complete.js';

/** Milliseconds. */
const keptFor = 60_000;
/** Items. */
const most = 1000;
/** Characters of what people know an item by. */
const maxAboutLength = 80;

/** Only characters without a meaning in any shell: other values are not offered. */
const plain = /^[\w@%+:./][\w@%+:./-]{0,252}$/;

/** Whose list it is. */
export interface Owner {
  readonly name: string;
  /** The server's origin. */
  readonly server: string;
  readonly account: {readonly id: string} | null;
}

function folderOf(environment: Environment): string | undefined {
  const folder = cacheFolder(environment);
  return folder === undefined ? undefined : join(folder, 'completion');
}

const fileOf = (endpoint: string, {name}: Owner): string => `${name}.${endpoint.replaceAll(' ', '-')}.json`;

const ownerText = ({name, server, account}: Owner): string => [name, server, account?.id ?? ''].join(' ');

/** One line without control characters. */
function tidy(text: string): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return line.length > maxAboutLength ? `${line.slice(0, maxAboutLength - 1)}…` : line;
}

/** The items of a list that can be offered, up to a thousand. @param answer long numbers are texts in it */
export function itemsOfList({rows = [], offered}: Pick<Endpoint, 'offered' | 'rows'>, answer: unknown): Item[] {
  if (offered === undefined) return [];
  return (itemsAt(answer, rows) ?? [])
    .slice(0, most)
    .map((item) => offered(item))
    .map(({value, about}) => ({value, about: tidy(about)}))
    .filter(({value}) => plain.test(value));
}

/** An item, and when it was last listed, in milliseconds since 1970. */
interface SeenItem extends Item {
  readonly at: number;
}

const isFresh = (time: unknown, now: number): time is number => typeof time === 'number' && time <= now && now - time < keptFor;

function seenIn(path: string, owner: Owner, now: number): SeenItem[] | undefined {
  const kept: unknown = JSON.parse(readTextNow(path));
  const {value: latest} = at(kept, ['at']);
  if (!isFresh(latest, now) || textAt(kept, ['owner']) !== ownerText(owner)) return undefined;
  return (itemsAt(kept, ['items']) ?? []).flatMap((item) => {
    const [value, about, {value: age}] = [textAt(item, [0]), textAt(item, [1]), at(item, [2])];
    if (value === undefined || about === undefined || typeof age !== 'number' || !plain.test(value)) return [];
    const listed = latest - age;
    return isFresh(listed, now) ? [{value, about: tidy(about), at: listed}] : [];
  });
}

/** @param now milliseconds since 1970 @returns undefined when nothing is known, or it is older than a minute */
export function readSeen(endpoint: string, owner: Owner, environment: Environment, now: number): Item[] | undefined {
  const folder = folderOf(environment);
  try {
    if (folder === undefined || secureFolder(folder, {own: 2, make: false}) === undefined) return undefined;
    return seenIn(join(folder, fileOf(endpoint, owner)), owner, now)?.map(({value, about}) => ({value, about}));
  } catch {
    return undefined;
  }
}

/** What is still fresh in a file that may be absent or broken. */
function freshIn(path: string, owner: Owner, now: number): readonly SeenItem[] {
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
  owner: Owner,
  items: readonly Item[],
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
    const kept = [...items.map((item) => ({...item, at: now})), ...before].slice(0, most);
    const text = JSON.stringify({at: now, owner: ownerText(owner), items: kept.map((item) => [item.value, item.about, now - item.at])});
    await using temporary = await writeTemporary(path, text, {mode: 0o600, durable: false});
    await rename(temporary.path, path);
    await sweep(folder, now);
  } catch {
    // Completion offers less.
  }
}

/** Collects what a list command prints, for completion. */
export class SeenList {
  readonly #endpoint: Endpoint;
  readonly #owner: Owner;
  readonly #io: Pick<Io, 'env' | 'now'>;
  #items: readonly Item[] | undefined;

  constructor(endpoint: Endpoint, owner: Owner, io: Pick<Io, 'env' | 'now'>) {
    this.#endpoint = endpoint;
    this.#owner = owner;
    this.#io = io;
  }

  /** @param answer the text of a page, for ids that are long numbers */
  add(answer: string): void {
    const before = this.#items ?? [];
    if (before.length < most) this.#items = [...before, ...itemsOfList(this.#endpoint, parseWithTexts(answer))];
  }

  /** To be called when everything is printed. Never fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#items === undefined) return;
    await keepSeen(this.#endpoint.name, this.#owner, this.#items, this.#io.env, this.#io.now().getTime());
  }
}
