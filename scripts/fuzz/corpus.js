/** The inputs that are kept: good ones, and those of former crashes. */
import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from '../root.js';

const folderOf = (parser) => join(root, 'test/fixtures/fuzz', parser);

/** @returns {{name: string, bytes: Buffer}[]} */
export function corpusOf(parser) {
  const folder = folderOf(parser);
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({name, bytes: readFileSync(join(folder, name))}));
}

/** The good input of a parser that is named first. */
export function goodInput(parser, name) {
  return readFileSync(join(folderOf(parser), name), 'utf8');
}

/** @returns the path of the file, in the project */
export function keepCrash(parser, bytes) {
  const name = `crash-${createHash('sha256').update(bytes).digest('hex').slice(0, 10)}`;
  mkdirSync(folderOf(parser), {recursive: true});
  writeFileSync(join(folderOf(parser), name), bytes);
  return join('test/fixtures/fuzz', parser, name);
}
