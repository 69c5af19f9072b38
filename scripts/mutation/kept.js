/** What runs have found, in `.mutation`: the next run goes on from there. */
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from '../root.js';

export const hashOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);

const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);

function writeJson(path, value) {
  writeFileSync(`${path}.new`, JSON.stringify(value));
  renameSync(`${path}.new`, path);
}

const folder = join(root, '.mutation');

export class Kept {
  #reachedFolder;
  /** By room, and by key. */
  #results;
  /** The keys of mutants by their numbers, of the sources that a measurement was made with. */
  #keys = new Map();

  constructor(rooms) {
    this.#reachedFolder = join(folder, `reached-${rooms.join('-')}`);
    mkdirSync(this.#reachedFolder, {recursive: true});
    this.#results = Object.fromEntries(rooms.map((room) => [room, readJson(this.#resultsPath(room)) ?? {}]));
  }

  #resultsPath = (room) => join(folder, `${room}.json`);

  forget() {
    rmSync(this.#reachedFolder, {recursive: true, force: true});
    mkdirSync(this.#reachedFolder, {recursive: true});
    for (const room of Object.keys(this.#results)) this.#results[room] = {};
  }

  /** @param source the text of the mutant's file: with another the mutant is tried anew */
  result({room, key}, source) {
    const found = this.#results[room][key];
    return found?.source === hashOf(source) ? found : undefined;
  }

  keepResult({room, key}, source, result) {
    this.#results[room][key] = {...result, source: hashOf(source)};
    writeJson(this.#resultsPath(room), this.#results[room]);
  }

  #reachedPath = (file) => join(this.#reachedFolder, `${file.replaceAll('/', '+')}.json`);

  /**
   * @param hash of the file of tests
   * @param mutants as they are now: those that the measurement did not know are reached by what reaches anything in their file
   */
  reached(file, hash, mutants) {
    const found = readJson(this.#reachedPath(file));
    if (found?.hash !== hash) return undefined;
    const keys = this.#keysOf(found.keys);
    if (keys === undefined) return undefined;
    const idsByKey = new Map(mutants.map(({key, id}) => [key, id]));
    const known = new Set(keys);
    const unknown = Map.groupBy(
      mutants.filter(({key}) => !known.has(key)),
      (mutant) => mutant.file,
    );
    const translated = (ids) => {
      const old = ids.map((id) => keys[id]);
      const files = unknown.size === 0 ? [] : new Set(old.map((key) => JSON.parse(key)[0]));
      const now = old.map((key) => idsByKey.get(key)).filter((id) => id !== undefined);
      return [...now, ...[...files].flatMap((name) => (unknown.get(name) ?? []).map(({id}) => id))];
    };
    return {...found, reaches: translated(found.reaches), tests: found.tests.map((test) => ({...test, reaches: translated(test.reaches)}))};
  }

  #keysOf(hash) {
    if (!this.#keys.has(hash)) this.#keys.set(hash, readJson(join(this.#reachedFolder, `keys-${hash}.json`)));
    return this.#keys.get(hash);
  }

  keepReached(file, found, mutants) {
    const keys = mutants.map(({key}) => key);
    const hash = hashOf(JSON.stringify(keys));
    if (this.#keysOf(hash) === undefined) {
      writeJson(join(this.#reachedFolder, `keys-${hash}.json`), keys);
      this.#keys.set(hash, keys);
    }
    writeJson(this.#reachedPath(file), {...found, keys: hash});
  }
}
