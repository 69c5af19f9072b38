/** Backups that have their lists beside everything else, as the first ones had: they become a generation. */
import {lstat, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {Failure} from '../client/failure.js';
import {readText} from '../files/read-file.js';
import {absent} from '../files/system-error.js';
import {itemTexts} from '../json/slices.js';
import {type Content, nameAt, writeGeneration} from './generation.js';
import {Generations} from './generations.js';
import {filesOf, listFiles, parts} from './parts.js';

/** How many entries a list has. @throws where it is no list */
function countOf(text: string): number {
  if (!Array.isArray(JSON.parse(text))) throw new TypeError('No list');
  return itemTexts(text).length;
}

/**
 * Moves the lists into a generation, which is the first one. They are there until it is written: a run that is killed loses nothing, and the
 * next one does the rest.
 * @throws Failure `local` for what is no list: nothing is moved; the system's error
 */
export async function moveFlatLists(backup: string): Promise<void> {
  const files = new Map<string, string>();
  for (const file of listFiles) {
    const text = await readText(join(backup, file)).catch(absent);
    if (text !== undefined) files.set(file, text);
  }
  if (files.size === 0) return;
  const generations = await Generations.in(backup);
  const [oldest] = generations.names;
  const first = oldest === undefined ? await makeFirst(backup, generations, files) : await generations.read(oldest);
  for (const [file, text] of files) if (first.files.get(file) === text) await unlink(join(backup, file));
}

async function makeFirst(backup: string, generations: Generations, files: ReadonlyMap<string, string>) {
  const times = await Promise.all([...files.keys()].map(async (file) => (await lstat(join(backup, file))).mtimeMs));
  const name = nameAt(new Date(Math.max(...times)));
  const lists: Record<string, Content['lists'][string]> = {};
  for (const {key, json} of parts.flatMap(({sections}) => sections.map((section) => ({key: section.key, ...filesOf(section)})))) {
    const text = files.get(json);
    if (text === undefined) continue;
    try {
      lists[key] = {items: countOf(text), read: name};
    } catch (error) {
      const path = join(backup, json);
      throw new Failure('local', `${path} is damaged: it is not a list`, {cause: error, hint: `move ${path} away, then run this again`});
    }
  }
  await generations.clear();
  await writeGeneration(generations.folder, name, {accepted: true, lists, files});
  generations.add(name);
  await generations.accept(name);
  return generations.read(name);
}
