/** A generation of a backup: its lists as they were at one time, and the digests that tell whether its files are whole. */
import {createHash} from 'node:crypto';
import {mkdir, readdir, rename, rmdir, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {Failure, localFailure} from '../client/failure.js';
import {checkLevels} from '../files/closed-tree.js';
import {syncFolder} from '../files/folder.js';
import {readBytes} from '../files/read-file.js';
import {openToWrite, writeWhole} from '../files/whole-file.js';

/** Increased when the format changes. */
const version = 1;

/** Says what is in a generation. It is written with it. */
export const keptFile = 'kept.json';

const shape = z.object({
  generation: z.literal(version),
  /** Whether it was one that `latest` named, or was going to. */
  accepted: z.boolean(),
  lists: z.record(z.string(), z.object({items: z.int().check(z.nonnegative()), read: z.string().check(z.refine(isGeneration))})),
  /** The sha256 of each. The names are ours: one with a slash leads elsewhere. */
  files: z.record(z.string().check(z.regex(/^[a-z_]+(?:\.[a-z]+)+$/)), z.string().check(z.regex(/^[\da-f]{64}$/))),
});

/** What a generation says about itself. */
type Kept = z.infer<typeof shape>;

/** What a generation holds. */
export interface Content extends Pick<Kept, 'accepted' | 'lists'> {
  /** Texts by the names of files. */
  readonly files: ReadonlyMap<string, string>;
}

export interface BackupGeneration {
  readonly name: string;
  readonly folder: string;
  /** Undefined: damaged. */
  readonly kept: Kept | undefined;
  /** The texts of those that are whole. */
  readonly files: ReadonlyMap<string, string>;
  /** What is wrong: `blocks.json: no such file`. */
  readonly damage: readonly string[];
  /** What else is in its folder. */
  readonly others: readonly string[];
}

const form = /^(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d)Z$/;

/** When a generation was made, by its name; undefined for what is no name of one. */
export function momentOf(name: string): Date | undefined {
  const moment = new Date(name.replace(form, '$1$2:$3:$4Z'));
  return !Number.isNaN(moment.getTime()) && nameAt(moment) === name ? moment : undefined;
}

export function isGeneration(name: string): boolean {
  return momentOf(name) !== undefined;
}

/** Two of one second have the same name. */
export function nameAt(moment: Date): string {
  return moment.toISOString().replace(/\.\d+/, '').replaceAll(':', '');
}

const digestOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

const temporaryForm = /^\.(.+)\.temporary$/;

/** A generation has this name while it is written and while it is removed. */
const temporaryOf = (name: string): string => `.${name}.temporary`;

export function isTemporary(name: string): boolean {
  return isGeneration(temporaryForm.exec(name)?.[1] ?? '');
}

/** @throws the system's error where there is no such folder */
export async function readGeneration(lists: string, name: string): Promise<BackupGeneration> {
  const folder = join(lists, name);
  const present = await readdir(folder);
  const files = new Map<string, string>();
  const damage: string[] = [];
  const read = async (file: string): Promise<Buffer | undefined> => {
    try {
      return await readBytes(join(folder, file));
    } catch (error) {
      damage.push(localFailure(file, error).message);
      return undefined;
    }
  };
  const changed = (file: string) => damage.push(`${file}: it differs from what was written`);
  const kept = keptIn(await read(keptFile));
  if (kept === undefined && damage.length === 0) changed(keptFile);
  for (const [file, digest] of Object.entries(kept?.files ?? {})) {
    const bytes = await read(file);
    if (bytes !== undefined && digestOf(bytes) === digest) files.set(file, bytes.toString('utf8'));
    else if (bytes !== undefined) changed(file);
  }
  const others = present.filter((one) => one !== keptFile && kept?.files[one] === undefined);
  return {name, folder, kept, files, damage, others};
}

function keptIn(bytes: Buffer | undefined): Kept | undefined {
  try {
    return shape.parse(JSON.parse(bytes?.toString('utf8') ?? ''));
  } catch {
    return undefined;
  }
}

const keptText = (kept: Kept): string => `${JSON.stringify(kept, undefined, 2)}\n`;

async function writeNew(path: string, text: string): Promise<void> {
  await using file = await openToWrite(path, 'new');
  await file.writeFile(text);
  await file.sync();
}

/** Writes all of it, or nothing that counts: its folder gets its name when everything is on the disk. @throws the system's error */
export async function writeGeneration(lists: string, name: string, {accepted, lists: counts, files}: Content): Promise<void> {
  const folder = join(lists, temporaryOf(name));
  const digests = [...files].map(([file, text]) => [file, digestOf(text)] as const);
  await checkLevels(folder);
  try {
    await mkdir(folder, 0o700);
    for (const [file, text] of files) await writeNew(join(folder, file), text);
    const kept = {generation: version, accepted, lists: counts, files: Object.fromEntries(digests)} as const;
    await writeNew(join(folder, keptFile), keptText(kept));
    await syncFolder(folder);
    await rename(folder, join(lists, name));
  } catch (error) {
    // A full disk needs the room.
    await removeTemporary(lists, temporaryOf(name)).catch(() => {});
    throw error;
  }
  await syncFolder(lists);
}

/** Notes that a generation was accepted. @throws the system's error */
export async function noteAccepted({folder, kept}: BackupGeneration): Promise<void> {
  if (kept?.accepted === false) await writeWhole(join(folder, keptFile), keptText({...kept, accepted: true}));
}

/** Removes a generation, which holds nothing else. One that is removed in part is no generation. @throws the system's error */
export async function removeGeneration(lists: string, name: string): Promise<void> {
  const temporary = temporaryOf(name);
  await checkLevels(join(lists, name));
  await rename(join(lists, name), join(lists, temporary));
  await removeTemporary(lists, temporary);
}

/** Removes what a run left that was killed. @throws the system's error, for a folder with a folder in it, too */
export async function removeTemporary(lists: string, name: string): Promise<void> {
  const folder = join(lists, name);
  await checkLevels(folder);
  for (const file of await readdir(folder)) await unlink(join(folder, file));
  await rmdir(folder);
}

export function damagedFailure({folder, damage}: Pick<BackupGeneration, 'damage' | 'folder'>): Failure {
  return new Failure('local', `${folder} is damaged: ${damage.join(', ')}`);
}
