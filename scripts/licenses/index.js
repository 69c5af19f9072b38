/** The packages in the bundle, and their licences, which must come with every copy. */
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {basename, join} from 'node:path';
import {root} from '../root.js';

const license = /^(licen[cs]e|copying|notice)\b/i;

/**
 * @param modules paths of files
 * @returns the packages that they belong to, by name and version, each once
 */
export function packagesOf(modules) {
  const folders = new Set(modules.flatMap((module) => packageFolder(module) ?? []));
  const packages = [...folders].map((folder) => {
    const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return {id: `${name}@${version}`, name, version, license, folder};
  });
  const byId = new Map(packages.map((each) => [each.id, each]));
  return [...byId.values()].sort(({id: one}, {id: other}) => (one < other ? -1 : 1));
}

/** The packages in the bundle, of which scripts/bundle.js wrote down what it took. */
export function bundledPackages() {
  const files = Object.values(JSON.parse(readFileSync(join(root, '.cache/bundle.json'), 'utf8'))).flat();
  return packagesOf(files.map((file) => join(root, file)));
}

/** Packages with the same text share it. @throws Error for a package without a licence */
export function licensesText(packages) {
  const byText = Map.groupBy(packages, textOf);
  const parts = [...byText].map(([text, those]) => `${those.map(({id, license}) => `${id} (${license})`).join('\n')}\n\n${text}`);
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `${['pixelctl contains these packages, under these licences.', ...parts].join(rule)}\n`;
}

function textOf({id, name, folder}) {
  const own = readdirSync(folder).filter((file) => license.test(file));
  const further = join(import.meta.dirname, `${basename(name)}.txt`);
  const files = [...own.map((file) => join(folder, file)), ...(existsSync(further) ? [further] : [])];
  if (own.length === 0) throw new Error(`${id} has no licence file: write what it says to ${further}`);
  return files.map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim()).join('\n\n');
}

/** Folders inside a package may have a package.json of their own, without a name. */
function packageFolder(module) {
  const [, folder] = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(module) ?? [];
  return folder;
}
