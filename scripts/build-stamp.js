import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';

const stamp = '.cache/built';
const ingredients = ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts/build.js'];

/** Names what a build is made from, by content: times of files say little after a checkout, and nothing of deleted ones. */
export function sourceDigest(root) {
  return digest(root, [...ingredients, ...filesIn(root, 'src')]);
}

export function isBuilt(root) {
  const file = join(root, stamp);
  return existsSync(file) && readFileSync(file, 'utf8') === stampOf(root, sourceDigest(root));
}

export function stampBuild(root, source) {
  const file = join(root, stamp);
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, stampOf(root, source));
}

/** What was built counts too, so that a dist that lost a file is built again. */
function stampOf(root, source) {
  return `${source} ${digest(root, filesIn(root, 'dist'))}\n`;
}

function digest(root, files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}
