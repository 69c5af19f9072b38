/** The modules with records, entities and kinds of objects, each with the file in which people find it. */
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {root} from './root.js';

const api = 'lib/api';

async function modulesIn(folder) {
  const files = readdirSync(join(root, 'dist', folder)).filter((file) => file.endsWith('.js') && file !== 'index.js');
  return Promise.all(
    files.map(async (file) => ({
      file: `src/${folder}/${file.replace(/js$/, 'ts')}`,
      exported: await import(pathToFileURL(join(root, 'dist', folder, file)).href),
    })),
  );
}

export const apiModules = await modulesIn(api);
export const kindModules = await modulesIn(`${api}/kinds`);

/** Every record, internal ones too, with the name under which its file exports it. */
export const exportedRecords = apiModules
  .flatMap(exportsOf)
  .flatMap(({file, name, value}) => (isRecord(value) ? [{file, name, record: value}] : []));

/** What a module exports, each with its file. */
export function exportsOf({file, exported}) {
  return Object.entries(exported).map(([name, value]) => ({file, name, value}));
}

function isRecord(value) {
  return typeof value === 'object' && value !== null && 'pathFields' in value && 'method' in value;
}

/** As the client's records are named: `list blocks` is `listBlocks`. */
export function exportName(record) {
  return record.replaceAll(/ (\w)/g, (_, letter) => letter.toUpperCase());
}

/** The file of the record with a name. */
export function fileOf(name) {
  return exportedRecords.find(({record}) => record.name === name)?.file;
}
