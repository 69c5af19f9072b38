/** Whether what a script makes is still what it made from the same files: then nothing has to be made again. */
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {root} from './root.js';

/** @param names of files and folders below the root, whole */
function digestOf(names) {
  const hash = createHash('sha256');
  const add = (name) => {
    const place = join(root, name);
    if (!existsSync(place)) hash.update(`${name}\0missing\0`);
    else if (statSync(place).isDirectory()) for (const entry of readdirSync(place).sort()) add(`${name}/${entry}`);
    else hash.update(`${name}\0`).update(createHash('sha256').update(readFileSync(place)).digest());
  };
  for (const name of names) add(name);
  return hash.digest('hex');
}

/** @param name of the note that is kept in `.cache` */
export class UpToDate {
  constructor(name, {inputs, outputs}) {
    this.note = join(root, '.cache', name);
    this.inputs = digestOf(inputs);
    this.outputs = outputs;
  }

  get holds() {
    return existsSync(this.note) && readFileSync(this.note, 'utf8') === this.#text();
  }

  /** To be called when everything was made. */
  keep() {
    mkdirSync(dirname(this.note), {recursive: true});
    writeFileSync(this.note, this.#text());
  }

  #text() {
    return `${this.inputs}\n${digestOf(this.outputs)}\n`;
  }
}

/** What is made from this content, from an earlier time if it was made before. It is kept beside the packages, which all copies of the project share. */
export function madeOnce(content, extension, make) {
  const folder = join(root, 'node_modules/.cache/pixelctl');
  const file = join(folder, createHash('sha256').update(content).digest('hex') + extension);
  if (existsSync(file)) return readFileSync(file);
  const made = make(content);
  mkdirSync(folder, {recursive: true});
  // Another copy may be at it, too.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, made);
  renameSync(unfinished, file);
  return made;
}
