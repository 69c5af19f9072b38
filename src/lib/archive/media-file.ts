/** Media in the folder of a conversation: named by their ids, with the extension of the type that their bytes show. */
import {createHash} from 'node:crypto';
import {lstat, readdir, rename, rm} from 'node:fs/promises';
import {basename, join, parse} from 'node:path';
import {typeOfBeginning, maxBeginningLength, unknownContentType} from '../client/media-type.js';
import {makeFolder, syncFolder} from '../files/folder.js';
import {openToRead} from '../files/read-file.js';
import {shellWord} from '../files/command-text.js';
import {absent, systemCode} from '../files/system-error.js';
import {openToWrite} from '../files/whole-file.js';
import {Damaged} from './failures.js';
import type {Medium} from './fold.js';
import {mediaFolder, nameOf, type ConversationPlace} from './archive-places.js';

/** The types that a page may link to, with their extensions. Files of other types are kept and not linked: an SVG image can have scripts. */
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

const partPrefix = '.part-';

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

export interface MediumFile {
  /** Its path in the folder of the conversation. */
  readonly file: string;
  readonly type: string;
  /** Bytes. */
  readonly length: number;
  readonly sha256: string;
}

/** Reads a file to its end. @param id the id that names the file @param pass is given each chunk */
async function measure(id: string, chunks: AsyncIterable<Buffer>, pass?: (chunk: Buffer) => Promise<void>): Promise<MediumFile> {
  const sum = createHash('sha256');
  let [beginning, length] = [Buffer.alloc(0), 0];
  for await (const chunk of chunks) {
    sum.update(chunk);
    length += chunk.length;
    if (beginning.length < maxBeginningLength) beginning = Buffer.concat([beginning, chunk]).subarray(0, maxBeginningLength);
    await pass?.(chunk);
  }
  const {type, extension} = knownType(beginning);
  return {file: `${mediaFolder}/${nameOf(id)}.${extension}`, type, length, sha256: sum.digest('hex')};
}

/** A name that is free in the folder, because a file that was fetched once is never replaced. */
async function freePath(place: ConversationPlace, file: string): Promise<string> {
  const {name, ext} = parse(file);
  for (let count = 1; ; count += 1) {
    const path = join(place.media, `${name}${count === 1 ? '' : `-${count}`}${ext}`);
    if ((await lstat(path).catch(absent)) === undefined) return path;
  }
}

/** Writes a file whole or not at all. @throws the system's error, or that of the chunks */
export async function writeMedium(place: ConversationPlace, id: string, chunks: AsyncIterable<Buffer>): Promise<MediumFile> {
  await makeFolder(place.media);
  const part = join(place.media, `${partPrefix}${nameOf(id)}`);
  let entry: MediumFile;
  try {
    await using file = await openToWrite(part, 'replace');
    entry = await measure(id, chunks, (chunk) => file.appendFile(chunk));
    await file.sync();
  } catch (error) {
    await rm(part, {force: true});
    throw error;
  }
  const path = await freePath(place, entry.file);
  await rename(part, path);
  await syncFolder(place.media);
  return {...entry, file: `${mediaFolder}/${basename(path)}`};
}

/** The files in the folder of media. It is listed once, because looking for thousands of files one by one takes long. */
export class MediaFolder {
  readonly #place: ConversationPlace;
  readonly #names: ReadonlySet<string>;
  /** The file name of each id, by {@link nameOf}. An id has several files where a server later sent another type: the last counts. */
  readonly #byId: ReadonlyMap<string, string>;

  private constructor(place: ConversationPlace, names: readonly string[]) {
    this.#place = place;
    this.#names = new Set(names);
    this.#byId = new Map(names.filter((name) => knownExtensions.has(parse(name).ext)).map((name) => [parse(name).name, name]));
  }

  static async in(place: ConversationPlace): Promise<MediaFolder> {
    const present = (await readdir(place.media, {withFileTypes: true}).catch(absent)) ?? [];
    return new MediaFolder(
      place,
      present.filter((one) => one.isFile()).map(({name}) => name),
    );
  }

  /** @param file its path in the folder of the conversation */
  has(file: string): boolean {
    return this.#names.has(basename(file));
  }

  /** Reads a file that no log names, because the run that fetched it was killed; undefined where there is none, or its bytes do not fit its name. */
  async fileOf(id: string): Promise<MediumFile | undefined> {
    const name = this.#byId.get(nameOf(id));
    if (name === undefined) return undefined;
    const found = await measureFile(join(this.#place.media, name), id);
    return found?.file === `${mediaFolder}/${name}` ? found : undefined;
  }
}

/** What is wrong with a file that a log names; undefined for nothing. @param withBytes whether to read it, which takes long for many */
export async function damageOfMedium(
  place: ConversationPlace,
  {file = '', length, sha256}: Medium,
  withBytes: boolean,
): Promise<Damaged | undefined> {
  const path = join(place.folder, file);
  const hint = `put it aside, then run the same command again: \`mv ${shellWord(path)} ${shellWord(`${path}.damaged`)}\``;
  const damaged = new Damaged(path, `${path} is damaged`, hint);
  try {
    const size = (await lstat(path).catch(absent))?.size;
    if (size === undefined)
      return new Damaged(path, `${path} is missing`, 'run the export again: it fetches the file if the server still has it');
    if (size !== length) return damaged;
    return !withBytes || (await measureFile(path, ''))?.sha256 === sha256 ? undefined : damaged;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return damaged;
  }
}

/** @returns undefined where there is no file */
export async function measureFile(path: string, id: string): Promise<MediumFile | undefined> {
  await using file = await openToRead(path).catch(absent);
  return file && (await measure(id, file.createReadStream({autoClose: false})));
}

/** Removes the unfinished files of a run that was killed. */
export async function removeParts({media}: ConversationPlace): Promise<void> {
  const names = (await readdir(media).catch(absent)) ?? [];
  for (const name of names) if (name.startsWith(partPrefix)) await rm(join(media, name), {recursive: true});
}
