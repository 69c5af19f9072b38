/** Media in the folder of a conversation: named by their ids, with the extension of the type that their bytes show. */
import {createHash} from 'node:crypto';
import {lstat, readdir, rename, rm} from 'node:fs/promises';
import {basename, join, parse} from 'node:path';
import {typeOfBeginning, maxBeginningLength, unknownContentType} from '../client/media-type.js';
import {makeFolder, syncFolder} from '../files/folder.js';
import {openToRead} from '../files/read-file.js';
import {absent, systemCode} from '../files/system-error.js';
import {openToWrite} from '../files/whole-file.js';
import type {MediumEntry} from './entry.js';
import {moveAside} from './in-the-way.js';
import {writeAll} from './lines.js';
import {nameOf, type ConversationPlace} from './places.js';

/** The types that a page may link to, with their extensions. Everything else is kept, and never opened: an SVG image can have scripts. */
const extensions: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/heic', 'heic'],
  ['video/mp4', 'mp4'],
  ['video/quicktime', 'mov'],
  ['video/webm', 'webm'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp4', 'm4a'],
  ['audio/aac', 'aac'],
  ['audio/flac', 'flac'],
  ['audio/ogg', 'ogg'],
  ['audio/wav', 'wav'],
]);

const otherExtension = 'bin';

const knownExtensions: ReadonlySet<string> = new Set([...extensions.values(), otherExtension].map((extension) => `.${extension}`));

const folderName = 'media';
const partPrefix = '.part-';

/** Whether a page may link to a file of this type. */
export const isLinkable = (type: string | undefined): boolean => type !== undefined && extensions.has(type);

interface Known {
  readonly type: string;
  readonly extension: string;
}

function knownType(beginning: Buffer): Known {
  const type = typeOfBeginning(beginning.toString('hex')) ?? unknownContentType;
  const extension = extensions.get(type);
  return extension === undefined ? {type: unknownContentType, extension: otherExtension} : {type, extension};
}

/** What is learned of a file while its bytes pass. */
class Facts {
  readonly #hash = createHash('sha256');
  #beginning = Buffer.alloc(0);
  length = 0;

  add(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.length += chunk.length;
    const missing = maxBeginningLength - this.#beginning.length;
    if (missing > 0) this.#beginning = Buffer.concat([this.#beginning, chunk.subarray(0, missing)]);
  }

  entry(id: string): MediumEntry & {readonly file: string} {
    const {type, extension} = knownType(this.#beginning);
    return {id, file: `${folderName}/${nameOf(id)}.${extension}`, type, length: this.length, sha256: this.#hash.digest('hex')};
  }
}

/** Whether something is at a place that a file is not to replace. @param before the sha256 of what was fetched earlier: the same again loses nothing */
async function isWorthKeeping(path: string, {id, sha256}: MediumEntry, before: string | undefined): Promise<boolean> {
  const found = await lstat(path).catch(absent);
  if (found === undefined) return false;
  if (!found.isFile()) return true;
  return found.size > 0 && sha256 !== before && (await factsOfFile(path, id))?.sha256 !== sha256;
}

interface MediumWriting {
  /** Of the file that was there, if there was one. */
  readonly sha256?: string | undefined;
  /** The time of the run, as part of names. */
  readonly stamp: string;
}

/**
 * Writes a file whole or not at all. One that is there stays beside it, damaged as it may be, unless it was this one.
 * @throws the system's error, or that of the chunks
 */
export async function writeMedium(
  place: ConversationPlace,
  id: string,
  chunks: AsyncIterable<Buffer>,
  {sha256: before, stamp}: MediumWriting,
): Promise<MediumEntry> {
  await makeFolder(place.media);
  const part = join(place.media, `${partPrefix}${nameOf(id)}`);
  const facts = new Facts();
  try {
    await using file = await openToWrite(part, 'replace');
    for await (const chunk of chunks) {
      facts.add(chunk);
      await writeAll(file, chunk);
    }
    await file.sync();
  } catch (error) {
    await rm(part, {force: true});
    throw error;
  }
  const entry = facts.entry(id);
  const path = join(place.folder, entry.file);
  if (await isWorthKeeping(path, entry, before)) await moveAside(place.media, basename(path), stamp);
  await rename(part, path);
  await syncFolder(place.media);
  return entry;
}

/** The media that a folder has, whatever their types. It is listed once: looking for each of thousands takes long. */
export class KeptMedia {
  readonly #place: ConversationPlace;
  readonly #names: ReadonlySet<string>;
  /** By the names that ids give, that of a file: one has several where a server gave it another type later. */
  readonly #byId: ReadonlyMap<string, string>;

  private constructor(place: ConversationPlace, names: readonly string[]) {
    this.#place = place;
    this.#names = new Set(names);
    this.#byId = new Map(names.filter((name) => knownExtensions.has(parse(name).ext)).map((name) => [parse(name).name, name]));
  }

  static async in(place: ConversationPlace): Promise<KeptMedia> {
    const present = (await readdir(place.media, {withFileTypes: true}).catch(absent)) ?? [];
    return new KeptMedia(
      place,
      present.filter((one) => one.isFile()).map(({name}) => name),
    );
  }

  /** @param file in the folder of the conversation */
  has(file: string): boolean {
    return this.#names.has(basename(file));
  }

  /** What a medium is, read from its file; undefined where it is not there, or its bytes are of another type than they were when it was written. */
  async entryOf(id: string): Promise<MediumEntry | undefined> {
    const name = this.#byId.get(nameOf(id));
    if (name === undefined) return undefined;
    const entry = await factsOfFile(join(this.#place.media, name), id);
    return entry?.file === `${folderName}/${name}` ? entry : undefined;
  }
}

/** Whether a file has these bytes; undefined where there is none. Something else in its place, and what cannot be read, has not. */
export async function hasBytes(path: string, sha256: string | undefined): Promise<boolean | undefined> {
  try {
    const facts = await factsOfFile(path, '');
    return facts && facts.sha256 === sha256;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

/** What a file holds, under an id that the caller chooses; undefined where there is no file. */
async function factsOfFile(path: string, id: string): Promise<MediumEntry | undefined> {
  await using file = await openToRead(path).catch(absent);
  if (file === undefined) return undefined;
  const facts = new Facts();
  for await (const chunk of file.createReadStream({autoClose: false})) if (Buffer.isBuffer(chunk)) facts.add(chunk);
  return facts.entry(id);
}

/** Removes what a run that was killed left of files. */
export async function removeParts({media}: ConversationPlace): Promise<void> {
  const names = (await readdir(media).catch(absent)) ?? [];
  for (const name of names) if (name.startsWith(partPrefix)) await rm(join(media, name), {force: true, recursive: true});
}
