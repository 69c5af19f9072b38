/** The records, what would make files that are made of them wrong although all of it compiles, and the commands that send their requests. */
import {readdirSync} from 'node:fs';
import {basename, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {isDeepStrictEqual} from 'node:util';
import {endpoints} from '../dist/lib/api/endpoints.js';
import {root} from './root.js';

const folder = join(root, 'dist/lib/api');

export const apiModules = await Promise.all(
  readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map(async (file) => ({
      file: `src/lib/api/${file.replace(/js$/, 'ts')}`,
      exported: await import(pathToFileURL(join(folder, file)).href),
    })),
);

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

/** One statement for each record: `export {listBlocks} from '../api/blocks.js';` @param statement `export` or `import` @param folder of the files */
export function recordLines(statement, folder) {
  return exportedRecords.map(({file, name}) => `${statement} {${name}} from '${folder}/${basename(file, '.ts')}.js';`).join('\n');
}

/** As the client's records are named: `list blocks` is `listBlocks`. */
export function exportName(record) {
  return record.replaceAll(/ (\w)/g, (_, letter) => letter.toUpperCase());
}

/** The file of the record with a name. */
export function fileOf(name) {
  return exportedRecords.find(({record}) => record.name === name)?.file;
}

/** @throws Error for records that are not exported under their name, or have that of another one */
export function checkRecords(records = exportedRecords) {
  for (const {file, name, record} of records) {
    const wanted = exportName(record.name);
    if (name !== wanted) throw new Error(`${file}: "${record.name}" is exported as ${name}: call it ${wanted}, or change its name`);
  }
  refuseTwice(records, 'record');
}

/** @throws Error for two things of one name @param what each is: `schema` */
export function refuseTwice(things, what) {
  const files = new Map();
  for (const {file, name} of things) {
    if (files.has(name)) throw new Error(`${file}: a ${what} in ${files.get(name)} is called ${name}, too: change the name of one of them`);
    files.set(name, file);
  }
}

/** @throws Error for a `$ref` of a JSON document to what is not in it */
export function checkReferences(file, text) {
  const document = JSON.parse(text);
  for (const {ref, path} of referencesIn(document, [])) {
    if (ref.startsWith('#') && isIn(document, ref)) continue;
    throw new Error(`${file}: ${placeOf(document, path)} refers to ${ref}, which is not there: ${adviceOn(ref)}`);
  }
}

function* referencesIn(value, path) {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.$ref === 'string') yield {ref: value.$ref, path};
  for (const [name, inner] of Object.entries(value))
    if (name !== 'example' && name !== 'examples') yield* referencesIn(inner, [...path, name]);
}

function isIn(document, ref) {
  const names = ref.split('/').slice(1);
  return (
    names.reduce((value, name) => value?.[decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')], document) !== undefined
  );
}

/** The operation of an OpenAPI document, else the place as it is. */
function placeOf(document, path) {
  const [, address, method] = path;
  const operation = document.paths?.[address]?.[method];
  return operation === undefined ? path.join('.') : `${method.toUpperCase()} ${address}`;
}

function adviceOn(ref) {
  const record = ref.split('/').at(-1);
  const file = fileOf(record);
  const home = 'export its shape from src/lib/api/entities.ts, or name it in `shapes` of its kind';
  return file === undefined ? home : `it is the answer of "${record}" in ${file}; ${home}`;
}

const beyond = {title: 'Undocumented', about: 'These are not in the documented API, but servers support them.'};

/** The records by chapter of the reference, each with the command that sends its request. */
export async function chaptersOf(manifest) {
  const entries = await entriesOf(manifest);
  const titles = [...new Set(entries.flatMap(({record}) => record.section ?? []))].sort();
  return [...titles.map((title) => ({section: title, title})), {section: null, ...beyond}].map(({section, ...chapter}) => ({
    ...chapter,
    entries: entries.filter(({record}) => record.section === section).sort(byPath),
  }));
}

/** The titles of topics, which oclif reads from package.json, and their headings: from the records, else those that are there. */
export async function topicTitles(manifest, {oclif}) {
  const titles = new Map();
  for (const {record, command} of await entriesOf(manifest)) {
    const name = command.id.split(':').slice(0, -1).join(':');
    if (name === '') continue;
    const known = titles.get(name) ?? record.topic;
    if (record.topic === undefined || !isDeepStrictEqual(record.topic, known)) {
      throw new Error(`"${record.name}" has the topic ${record.topic?.title}, other commands in ${name} have ${known?.title}`);
    }
    titles.set(name, record.topic);
  }
  const above = (id) => id.split(':').map((_, index, words) => words.slice(0, index).join(':'));
  const names = new Set(Object.keys(manifest.commands).flatMap(above).filter(Boolean));
  return Object.fromEntries(
    [...names].sort().map((name) => {
      const {title, heading} = titles.get(name) ?? {};
      const description = title ?? oclif.topics[name]?.description;
      if (description === undefined)
        throw new Error(`the group of commands ${name} has no title: no record has one, and package.json neither`);
      return [name, {...oclif.topics[name], description, ...(heading && {heading})}];
    }),
  );
}

async function entriesOf(manifest) {
  const commands = await commandsByRecord(manifest);
  return endpoints.map((record) => {
    const command = commands.get(record.name);
    if (!command) throw new Error(`no command sends "${record.name}"`);
    return {record, command};
  });
}

function byPath({record: {path: one}}, {record: {path: other}}) {
  return one < other ? -1 : one > other ? 1 : 0;
}

async function commandsByRecord({commands}) {
  const {specOf} = await import(pathToFileURL(join(root, 'dist/lib/cli/endpoint/endpoint-command.js')).href);
  const found = await Promise.all(
    Object.values(commands).map(async (command) => {
      const {default: found} = await import(pathToFileURL(join(root, ...command.relativePath)).href);
      const spec = specOf(found);
      return [spec?.endpoint, spec?.instead?.endpoint].flatMap((record) => (record === undefined ? [] : [[record.name, command]]));
    }),
  );
  return new Map(found.flat());
}
