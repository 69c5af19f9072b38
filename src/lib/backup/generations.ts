/** The generations of a backup: which there are, which one counts, and which are kept. */
import {lstat, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {moveAside} from '../archive/index.js';
import {Failure, localFailure} from '../client/failure.js';
import {makeFolder} from '../files/folder.js';
import {day} from '../files/kept.js';
import {readText} from '../files/read-file.js';
import {absent, isAbsent} from '../files/system-error.js';
import {writeWhole} from '../files/whole-file.js';
import {firstOf} from '../json/text.js';
import {
  damagedFailure,
  type BackupGeneration,
  isGeneration,
  isTemporary,
  momentOf,
  nameAt,
  noteAccepted,
  readGeneration,
  removeGeneration,
  removeTemporary,
} from './generation.js';

/** In a backup. */
export const listsFolder = 'lists';

/** Names the newest generation that was accepted. */
export const latestFile = 'latest';

const second = 1000;

/** What became of those that are not kept. */
export interface Pruned {
  readonly removed: readonly string[];
  /** Why others are still there. */
  readonly warnings: readonly string[];
}

export class Generations {
  /** Of all of them. */
  readonly folder: string;
  /** The oldest first. */
  readonly #names: string[];
  /** The last name that anything in the folder has. */
  readonly #lastUsed: string | undefined;
  readonly #read = new Map<string, Promise<BackupGeneration>>();

  private constructor(folder: string, names: string[], lastUsed: string | undefined) {
    this.folder = folder;
    this.#names = names;
    this.#lastUsed = lastUsed;
  }

  /**
   * @param backup its folder
   * @throws Failure `local` when it cannot be read
   */
  static async in(backup: string): Promise<Generations> {
    const folder = join(backup, listsFolder);
    const present = await readdir(folder, {withFileTypes: true}).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw localFailure(`Cannot read the folder ${folder}`, error);
    });
    const named = present.filter(({name}) => isGeneration(name));
    const namesOf = (some: typeof named) => some.map(({name}) => name).sort();
    return new Generations(folder, namesOf(named.filter((one) => one.isDirectory())), namesOf(named).at(-1));
  }

  /** The oldest first. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** @throws Failure `local` when its folder cannot be read */
  read(name: string): Promise<BackupGeneration> {
    const read =
      this.#read.get(name) ??
      readGeneration(this.folder, name).catch((error: unknown) => {
        throw localFailure(`Cannot read ${join(this.folder, name)}`, error);
      });
    this.#read.set(name, read);
    return read;
  }

  /** The one that was written last. */
  async newest(): Promise<BackupGeneration | undefined> {
    const name = this.#names.at(-1);
    return name === undefined ? undefined : this.read(name);
  }

  /**
   * The last one that was accepted.
   * @param until leaves out later ones
   * @throws Failure `local` for one of which it is not known whether it was
   */
  async accepted(until?: Date): Promise<BackupGeneration | undefined> {
    for (const name of this.#names.toReversed()) {
      const moment = momentOf(name);
      if (until !== undefined && moment !== undefined && moment > until) continue;
      const found = await this.read(name);
      if (found.kept === undefined) throw damagedFailure(found);
      if (found.kept.accepted) return found;
    }
    return undefined;
  }

  /** The text of `latest`; undefined where there is none. @throws Failure `local` */
  async #latestText(): Promise<string | undefined> {
    const path = join(this.folder, latestFile);
    return (
      await readText(path).catch((error: unknown) => {
        if (!isAbsent(error)) throw localFailure(`Cannot read ${path}`, error);
        return undefined;
      })
    )?.trim();
  }

  /**
   * The newest one that was accepted: `latest` names it. A run that was killed before it wrote that file left what it accepted.
   * @returns undefined where there are no generations
   * @throws Failure `local` when it is not known which one it is
   */
  async latest(): Promise<BackupGeneration | undefined> {
    const path = join(this.folder, latestFile);
    const name = await this.#latestText();
    if (name === undefined) {
      if (this.#names.length === 0) return undefined;
      const accepted = await this.accepted();
      if (accepted !== undefined) return accepted;
      throw new Failure('local', `${path} is missing, and no generation in ${this.folder} was accepted`);
    }
    if (!isGeneration(name)) throw new Failure('local', `${path} is damaged: it does not name a generation`);
    if (!this.#names.includes(name)) throw new Failure('local', `${path} names ${name}, which is not in ${this.folder}`);
    return this.read(name);
  }

  /** A name that is later than all before, whatever the clock says: no name is used twice. @throws Failure `local` after the year 9999 */
  async nextName(now: Date): Promise<string> {
    const latest = await this.#latestText().catch(() => undefined);
    const used = [this.#lastUsed, this.#names.at(-1), latest].flatMap((name) => momentOf(name ?? '')?.getTime() ?? []);
    const name = nameAt(new Date(Math.max(now.getTime(), ...used.map((time) => time + second))));
    if (isGeneration(name)) return name;
    throw new Failure('local', `${this.folder} has lists of the last second that a name can have`, {
      hint: 'remove them, and check the clock',
    });
  }

  /** Makes the folder, and removes what a run left that was killed. @returns what could not be removed @throws the system's error */
  async clear(): Promise<string[]> {
    await makeFolder(this.folder);
    const warnings: string[] = [];
    for (const name of (await readdir(this.folder)).filter(isTemporary))
      await removeTemporary(this.folder, name).catch((error: unknown) => {
        warnings.push(localFailure(`Cannot remove ${join(this.folder, name)}`, error).message);
      });
    return warnings;
  }

  /** Notes that it was written. */
  add(name: string): void {
    this.#names.push(name);
  }

  /** Makes it the latest one. @throws the system's error */
  async accept(name: string): Promise<void> {
    await noteAccepted(await this.read(name));
    const text = await this.#latestText().catch(() => undefined);
    if (text === name) return;
    const path = join(this.folder, latestFile);
    const there = await lstat(path).catch(absent);
    if (there?.isFile() === false) await moveAside(this.folder, latestFile, name);
    await writeWhole(path, `${name}\n`);
  }

  /**
   * Removes what is not kept: of what is older than some days, all but the last one of each month that was accepted. The latest one stays, and
   * what was written after it. So does what is damaged, or holds anything else.
   * @param latest the name of the latest one
   */
  async prune(latest: string, days: number, now: Date): Promise<Pruned> {
    const isOld = (name: string) => name < latest && now.getTime() - (momentOf(name)?.getTime() ?? 0) > days * day;
    const removed: string[] = [];
    const warnings: string[] = [];
    for (const names of Map.groupBy(this.#names.filter(isOld), (name) => name.slice(0, 'yyyy-mm'.length)).values()) {
      // Where there is one, nothing is to be removed: it need not be read.
      if (names.length === 1) continue;
      try {
        const {kept, others, unfit} = await this.#choose(names);
        for (const {folder, damage, others: more} of unfit)
          warnings.push(`${folder} is not removed: ${damage.length > 0 ? damage.join(', ') : `it holds ${firstOf(more, 3)}`}`);
        for (const name of others) {
          if (name === kept) continue;
          await removeGeneration(this.folder, name);
          removed.push(name);
        }
      } catch (error) {
        const {message} = error instanceof Failure ? error : localFailure(`Cannot remove old lists from ${this.folder}`, error);
        warnings.push(message);
      }
    }
    return {removed, warnings};
  }

  /** Of the generations of a month. */
  async #choose(names: readonly string[]) {
    const all = await Promise.all(names.map((name) => this.read(name)));
    const isFit = ({damage, others}: BackupGeneration) => damage.length === 0 && others.length === 0;
    const fit = all.filter(isFit);
    const kept = (fit.findLast((one) => one.kept?.accepted) ?? fit.at(-1))?.name;
    return {kept, others: fit.map(({name}) => name), unfit: all.filter((one) => !isFit(one))};
  }
}
