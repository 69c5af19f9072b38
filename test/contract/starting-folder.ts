/** A folder that is as it was before each of many runs, which change little in it. */
import {cpSync, lstatSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';

/** Differs when a file was written or replaced. Of a folder only the mode counts: its files are looked at themselves. */
function printOf(path: string): string {
  const found = lstatSync(path, {bigint: true});
  const {ino, mode, mtimeNs, size} = found;
  return found.isDirectory() ? `folder ${mode}` : `${ino} ${mode} ${mtimeNs} ${size}`;
}

const printsIn = (folder: string): Map<string, string> =>
  new Map(readdirSync(folder, {recursive: true, encoding: 'utf8'}).map((name) => [name, printOf(join(folder, name))]));

export class StartingFolder {
  readonly #before: string;
  readonly #prints: Map<string, string>;

  /** Keeps a copy of the folder as it is now. */
  constructor(readonly folder: string) {
    this.#before = `${folder}-before`;
    cpSync(folder, this.#before, {recursive: true, preserveTimestamps: true});
    this.#prints = printsIn(folder);
  }

  /** Only what changed: copying everything would take longer than a run. */
  restore(): void {
    const now = printsIn(this.folder);
    const isChanged = (name: string) => now.get(name) !== this.#prints.get(name);
    for (const name of [...now.keys()].filter(isChanged)) rmSync(join(this.folder, name), {recursive: true, force: true});
    for (const name of [...this.#prints.keys()].filter(isChanged)) {
      cpSync(join(this.#before, name), join(this.folder, name), {recursive: true, preserveTimestamps: true});
      this.#prints.set(name, printOf(join(this.folder, name)));
    }
  }
}
