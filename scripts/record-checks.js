/** Checks what would make generated files wrong, although all of it compiles. Errors name the file and say what to do. */
import {exportedRecords, exportName, fileOf} from './api-modules.js';

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
  const home = 'export its shape from src/lib/api/entities.ts, or beside its kind in src/lib/api/kinds, with a name that ends in Shape';
  return file === undefined ? home : `it is the answer of "${record}" in ${file}; ${home}`;
}
