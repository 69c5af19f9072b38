/** The lists of a backup: a folder for each time when they differed, `lists/DATE`, or `lists/DATE.shrunk` where a list had lost much. */
import {hash} from 'node:crypto';
import {mkdir, readdir, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {Failure, localFailure} from '../client/failure.js';
import {checkLevels} from '../files/closed-tree.js';
import {makeFolder, syncFolder} from '../files/folder.js';
import {readBytes} from '../files/read-file.js';
import {isAbsent} from '../files/system-error.js';
import {openToWrite} from '../files/whole-file.js';

export const listsFolder = 'lists';

/** This file has the sha256 of each other file, as `sha256sum -c` reads it, and in its last line that of the lines above. */
export const sumsFile = 'SHA256SUMS';

const shrunk = '.shrunk';

/** Whether the lists in a folder lost much, and nobody has accepted that. */
export const isShrunk = (name: string): boolean => name.endsWith(shrunk);

const form = /^(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d)Z$/;
const temporary = /^\.(.+)\.temporary$/;

/** Backups have only such names. A name with a slash could lead out of the folder. */
const sumLine = /^([\da-f]{64}) {2}([a-z_]+(?:\.[a-z]+)+)$/;

const second = 1000;

/** Adds a last line, which shows whether the file was cut off. */
function sumsText(lines: readonly string[]): string {
  const text = lines.map((line) => `${line}\n`).join('');
  return `${text}# ${hash('sha256', text)}\n`;
}

const dateOf = (name: string): string => (isShrunk(name) ? name.slice(0, -shrunk.length) : name);
const nameAt = (moment: Date): string => moment.toISOString().replace(/\.\d+/, '').replaceAll(':', '');

/** When lists were written, by the name of their folder; undefined for any other name. */
function momentOf(name: string): Date | undefined {
  const moment = new Date(dateOf(name).replace(form, '$1$2:$3:$4Z'));
  return !Number.isNaN(moment.getTime()) && nameAt(moment) === dateOf(name) ? moment : undefined;
}

export const isDated = (name: string): boolean => momentOf(name) !== undefined;

export interface DatedLists {
  readonly name: string;
  readonly folder: string;
  /** The texts of undamaged files, by their names. */
  readonly files: ReadonlyMap<string, string>;
  /** What is wrong, as in `blocks.json: it differs from what was written`. */
  readonly damage: readonly string[];
}

export const damagedLists = ({folder, damage}: DatedLists): Failure =>
  new Failure('local', `${folder} is damaged: ${damage.join(', ')}`, {
    reason: 'damaged',
    hint: `bring it back from a copy, or put it aside: \`mv ${folder} ${folder}.damaged\``,
  });

async function readDated(folder: string, name: string): Promise<DatedLists> {
  const files = new Map<string, string>();
  const damage: string[] = [];
  const read = (file: string): Promise<Buffer | undefined> =>
    readBytes(join(folder, file)).catch((error: unknown) => {
      damage.push(localFailure(file, error).message);
      return undefined;
    });
  const sums = (await read(sumsFile))?.toString('utf8') ?? '';
  const lines = sums.split('\n').filter((line) => sumLine.test(line));
  if (damage.length === 0 && sumsText(lines) !== sums) damage.push(`${sumsFile}: it differs from what was written`);
  for (const line of lines) {
    const [, digest, file] = sumLine.exec(line) ?? [];
    const bytes = file === undefined ? undefined : await read(file);
    if (file === undefined || bytes === undefined) continue;
    if (hash('sha256', bytes) === digest) files.set(file, bytes.toString('utf8'));
    else damage.push(`${file}: it differs from what was written`);
  }
  return {name, folder, files, damage};
}

export class DatedFolders {
  readonly folder: string;
  /** The oldest first. */
  readonly names: string[];

  private constructor(folder: string, names: string[]) {
    this.folder = folder;
    this.names = names;
  }

  /** @throws Failure `local` when the folder cannot be read */
  static async in(backup: string): Promise<DatedFolders> {
    const folder = join(backup, listsFolder);
    const names = await readdir(folder).catch((error: unknown): string[] => {
      if (isAbsent(error)) return [];
      throw localFailure(`Cannot read the folder ${folder}`, error);
    });
    return new DatedFolders(folder, names.filter(isDated).sort());
  }

  read(name: string): Promise<DatedLists> {
    return readDated(join(this.folder, name), name);
  }

  /** Accepts a loss: if the newest folder is shrunk, makes it the latest. @returns its name; undefined if it is not shrunk @throws the system's error */
  async accept(): Promise<string | undefined> {
    const name = this.names.at(-1);
    if (name === undefined || !isShrunk(name)) return undefined;
    await rename(join(this.folder, name), join(this.folder, dateOf(name)));
    await syncFolder(this.folder);
    this.names.splice(-1, 1, dateOf(name));
    return dateOf(name);
  }

  /**
   * Writes a folder. It gets its name when everything is on the disk, so that a killed run leaves no incomplete folder. The name is later
   * than all before, whatever the clock says.
   * @returns the name @throws Failure `local` after the year 9999; the system's error
   */
  async write(files: ReadonlyMap<string, string>, {now, hasLost}: {readonly now: Date; readonly hasLost: boolean}): Promise<string> {
    const last = momentOf(this.names.at(-1) ?? '')?.getTime() ?? 0;
    const date = nameAt(new Date(Math.max(now.getTime(), last + second)));
    if (!isDated(date))
      throw new Failure('local', `${this.folder} has lists of the last second that a name can have`, {hint: 'check the clock'});
    const name = hasLost ? `${date}${shrunk}` : date;
    await makeFolder(this.folder);
    for (const left of await readdir(this.folder)) if (temporary.test(left)) await this.#remove(left);
    const aside = `.${name}.temporary`;
    const folder = join(this.folder, aside);
    try {
      await checkLevels(folder);
      await mkdir(folder, 0o700);
      for (const [file, text] of files) await writeNew(join(folder, file), text);
      await writeNew(join(folder, sumsFile), sumsText([...files].map(([file, text]) => `${hash('sha256', text)}  ${file}`)));
      await syncFolder(folder);
      await rename(folder, join(this.folder, name));
    } catch (error) {
      // This is removed at once, because a full disk needs the room.
      await this.#remove(aside).catch(() => {});
      throw error;
    }
    await syncFolder(this.folder);
    this.names.push(name);
    return name;
  }

  async #remove(name: string): Promise<void> {
    const folder = join(this.folder, name);
    await checkLevels(folder);
    await rm(folder, {recursive: true, force: true});
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  await using file = await openToWrite(path, 'new');
  await file.writeFile(text);
  await file.sync();
}
