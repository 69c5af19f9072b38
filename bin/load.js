/**
 * Loads the bundle. Each of its files holds modules, and only those that are used are compiled and run. The compile cache keeps what V8 has
 * compiled of each, so that a run reads no more than it needs. Node's own cache would not do: it keeps a file as it is before its functions
 * are called and compiled.
 */
const {closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync} = require('node:fs');
const {getCompileCacheDir} = require('node:module');
const {join, sep} = require('node:path');
const {Script} = require('node:vm');

const folder = join(__dirname, '../bundle');

/** A name is put behind it. `join` reads each character of a path. */
const inFolder = folder + sep;
const cache = getCompileCacheDir();

/** The digits of a hash with which a file of the bundle starts, in a comment. */
const hashLength = 16;

/** The files that were read. */
const files = [];

/** Where the text of each module is: its file, start and end. */
const found = new Map();

/** The file of each module that is not found yet. */
const elsewhere = new Map();

/** Exports by name. */
const ran = new Map();

/** What V8 calls itself and its flags at the start of the run. */
let tag;

/**
 * Runs a module, once.
 * @param name of a module of the bundle, such as `main.cjs`
 * @returns its exports
 */
exports.load = function load(name) {
  const known = ran.get(name);
  if (known !== undefined) return known.exports;
  if (!found.has(name)) open(elsewhere.get(name) ?? name);
  const {file, start, end} = found.get(name);
  const cachedData = file.codeOf(name);
  const script = new Script(file.source.slice(start, end), {filename: inFolder + name, cachedData});
  file.scripts.set(name, script);
  file.hasNew ||= cachedData === undefined || script.cachedDataRejected;
  const module = {exports: {}};
  ran.set(name, module);
  script.runInThisContext()(module.exports, requireFromBundle, module, inFolder + name, folder);
  return module.exports;
};

/** Node's own modules need none of what `require` does to find a file. */
function requireFromBundle(name) {
  if (name.startsWith('./')) return exports.load(name.slice(2));
  return process.getBuiltinModule(name) ?? require(name);
}

/** @throws Error `MODULE_NOT_FOUND` */
function open(name) {
  const source = readText(inFolder + name);
  const end = source.indexOf('\n');
  const kept = cache && join(cache, `${name}-${source.slice(2, 2 + hashLength)}`);
  const {data, about} = (kept && readKept(kept)) ?? {};
  if (kept) tag ??= about?.tag ?? require('node:v8').cachedDataVersionTag();
  const codeOf = (module) => about?.modules[module] && data.subarray(...about.modules[module]);
  const file = {source, kept, modules: about?.modules ?? {}, codeOf, scripts: new Map(), hasNew: false};
  files.push(file);
  const index = JSON.parse(source.slice(2 + hashLength, end - 2));
  for (const [module, [from, to]] of Object.entries(index.modules)) found.set(module, {file, start: end + from, end: end + to});
  for (const [module, other] of Object.entries(index.files ?? {})) elsewhere.set(module, other);
}

function readText(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    throw Object.assign(new Error(`${path} is missing`), {code: 'MODULE_NOT_FOUND'});
  }
}

/** What earlier runs kept: compiled code of modules, then as JSON where that of each is and V8's tag, then the length of that JSON. */
function readKept(path) {
  try {
    const data = readFileSync(path);
    const end = data.length - 4;
    return {data, about: JSON.parse(data.latin1Slice(end - data.readUInt32LE(end), end))};
  } catch {
    // It does not exist yet, or is damaged.
    return undefined;
  }
}

process.on('exit', () => {
  for (const file of files) if (file.kept !== undefined && file.hasNew) keep(file);
});

/** Nothing is kept after V8's flags have changed, because the next run starts without the change. */
function keep({kept, modules, codeOf, scripts}) {
  if (require('node:v8').cachedDataVersionTag() !== tag) return;
  const about = {modules: {}, tag};
  const parts = [];
  let length = 0;
  for (const name of new Set([...Object.keys(modules), ...scripts.keys()])) {
    const code = scripts.get(name)?.createCachedData() ?? codeOf(name);
    about.modules[name] = [length, length + code.length];
    // V8 would copy what is not aligned.
    const padding = Buffer.alloc(-code.length & 7);
    parts.push(code, padding);
    length += code.length + padding.length;
  }
  const text = Buffer.from(JSON.stringify(about));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  const temporary = `${kept}.${process.pid}`;
  try {
    // V8 does not notice damaged code, so it has to be on the disk whole.
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, Buffer.concat([...parts, text, size]));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, kept);
  } catch {
    rmSync(temporary, {force: true});
  }
}
