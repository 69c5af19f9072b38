/** Media in the folder of a conversation: named by their ids, with the extension of the type that their bytes show. */
import {createHash} from 'node:crypto';
import {readdir, rename, rm} from 'node:fs/promises';
import {basename, join, parse} from 'node:path';
import {typeOfBeginning, maxBeginningLength, unknownContentType} from '../client/media-type.js';
import {makeFolder, syncFolder} from '../files/folder.js';
import {openToRead} from '../files/read-file.js';
import {absent} from '../files/system-error.js';
import {openToWrite} from '../files/whole-file.js';
import type {MediumEntry} from './entry.js';
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

/** Writes a file whole or not at all. @throws the system's error, or that of the chunks */
export async function writeMedium(place: ConversationPlace, id: string, chunks: AsyncIterable<Buffer>): Promise<MediumEntry> {
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
  await rename(part, join(place.folder, entry.file));
  await syncFolder(place.media);
  return entry;
}

/** The media that a folder has, whatever their types. It is listed once: looking for each of thousands takes long. */
export class KeptMedia {
  readonly #folder: string;
  /** Paths by the names that ids give. */
  readonly #paths = new Map<string, string>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async in({media}: ConversationPlace): Promise<KeptMedia> {
    const kept = new KeptMedia(media);
    for (const one of (await readdir(media, {withFileTypes: true}).catch(absent)) ?? []) if (one.isFile()) kept.add(one.name);
    return kept;
  }

  /** @param file its name; one that no fetch gave is left out */
  add(file: string): void {
    const {name, ext} = parse(file);
    if (knownExtensions.has(ext)) this.#paths.set(name, join(this.#folder, basename(file)));
  }

  has(id: string): boolean {
    return this.#paths.has(nameOf(id));
  }

  /** What a medium is, read from its file; undefined where it is not there. */
  async entryOf(id: string): Promise<MediumEntry | undefined> {
    const path = this.#paths.get(nameOf(id));
    return path === undefined ? undefined : factsOfFile(path, id);
  }
}

/** The same for a certain file. */
export async function factsOfFile(path: string, id: string): Promise<MediumEntry | undefined> {
  await using file = await openToRead(path).catch(absent);
  if (file === undefined) return undefined;
  const facts = new Facts();
  for await (const chunk of file.createReadStream({autoClose: false})) if (Buffer.isBuffer(chunk)) facts.add(chunk);
  return facts.entry(id);
}

/** Removes what a run that was killed left of files. */
export async function removeParts({media}: ConversationPlace): Promise<void> {
  const names = (await readdir(media).catch(absent)) ?? [];
  for (const name of names) if (name.startsWith(partPrefix)) await rm(join(media, name), {force: true});
}
