/**
 * Prints what the running Node offers: the globals with their members, and what the modules of Node export.
 * The tests take away what the oldest supported Node does not have. When package.json names another oldest one, run this with that one:
 * node test/builtins.js > test/fixtures/oldest-node.json
 */
import {builtinModules} from 'node:module';

export const nameOf = (key) => (typeof key === 'symbol' ? key.description : key);

/** Symbols that the language does not know are Node's own. */
const isOffered = (key) => typeof key === 'string' || Symbol[key.description?.replace(/^Symbol\./, '')] === key;

/** Each place with members, as its name, its value and their keys: the globals, their prototypes, and what only a value of one leads to. */
export function* places() {
  const keysOf = (value) => Reflect.ownKeys(value).filter(isOffered);
  // What has a small letter may be of the program that runs.
  const globals = keysOf(globalThis).filter((key) => typeof key === 'string' && /^[A-Z]/.test(key));
  yield ['globalThis', globalThis, globals];
  for (const name of globals) {
    const value = globalThis[name];
    if (Object(value) !== value) continue;
    yield [name, value, keysOf(value)];
    if (value.prototype) yield [`${name}.prototype`, value.prototype, keysOf(value.prototype)];
  }
  const generator = Object.getPrototypeOf(async function* () {}).prototype;
  const iterator = Object.getPrototypeOf(generator);
  yield ['AsyncGenerator.prototype', generator, keysOf(generator)];
  yield ['AsyncIterator.prototype', iterator, keysOf(iterator)];
}

if (process.argv[1] === import.meta.filename) {
  const inventory = (entries) => Object.fromEntries(entries.map(([name, keys]) => [name, keys.map(nameOf).sort().join(' ')]));
  const members = inventory([...places()].map(([place, , keys]) => [place, keys]));
  const modules = builtinModules.filter((name) => !name.startsWith('_') && !name.startsWith('node:'));
  const exported = inventory(modules.map((name) => [name, Object.keys(process.getBuiltinModule(name))]));
  process.stdout.write(`${JSON.stringify({version: process.versions.node, members, modules: exported}, null, 1)}\n`);
}
