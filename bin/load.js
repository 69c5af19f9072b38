/**
 * Loads the bundle. Each of its files holds modules as functions, and only modules that are used run. The compile cache keeps what V8 has
 * compiled of them. Node's own cache would not do: it keeps a file as it is before its functions are called and compiled.
 */
const {closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync} = require('node:fs');
const {getCompileCacheDir} = require('node:module');
const {join} = require('node:path');
const {Script} = require('node:vm');

const folder = join(__dirname, '../bundle');
const cache = getCompileCacheDir();

/** The digits of a hash with which a file of the bundle starts, in a comment. */
const hashLength = 16;

/** The files that were loaded. */
const loaded = [];

/** The functions of modules by name, each with the file that it is in. */
const found = new Map();

/** The file of each module that is not found yet. */
const elsewhere = new Map();

/** Exports by name. */
const ran = new Map();

/**
 * Runs a module, once.
 * @param name of a module of the bundle, such as `main.cjs`
 * @returns its exports
 */
exports.load = function load(name) {
  const known = ran.get(name);
  if (known !== undefined) return known.exports;
  if (!found.has(name)) open(elsewhere.get(name) ?? name);
  const {run, file} = found.get(name);
  const module = {exports: {}};
  ran.set(name, module);
  file.ran.push(name);
  run(module.exports, requireFromBundle, module, join(folder, name), folder);
  return module.exports;
};

const requireFromBundle = (name) => (name.startsWith('./') ? exports.load(name.slice(2)) : require(name));

/** @throws Error `MODULE_NOT_FOUND` */
function open(name) {
  const path = join(folder, name);
  const source = readText(path);
  const kept = cache && join(cache, `${name}-${source.slice(2, 2 + hashLength)}`);
  const {cachedData, modules = [], tag} = (kept && readKept(kept)) ?? {};
  const script = new Script(source, {filename: path, cachedData});
  const isUsed = cachedData !== undefined && script.cachedDataRejected !== true;
  const file = {
    script,
    kept,
    modules: isUsed ? modules : [],
    ran: [],
    tag: isUsed || !kept ? tag : require('node:v8').cachedDataVersionTag(),
  };
  loaded.push(file);
  const {modules: functions, files = {}} = script.runInThisContext();
  for (const [module, run] of Object.entries(functions)) found.set(module, {run, file});
  for (const [module, other] of Object.entries(files)) elsewhere.set(module, other);
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    throw Object.assign(new Error(`${path} is missing`), {code: 'MODULE_NOT_FOUND'});
  }
}

/** What an earlier run kept: compiled code, then as JSON the modules that had run and V8's tag, then the length of that JSON. */
function readKept(path) {
  try {
    const data = readFileSync(path);
    const end = data.length - 4;
    const start = end - data.readUInt32LE(end);
    return {cachedData: data.subarray(0, start), ...JSON.parse(data.toString('utf8', start, end))};
  } catch {
    // It does not exist yet, or is damaged.
    return undefined;
  }
}

process.on('exit', () => {
  for (const file of loaded) {
    const {kept, modules, ran} = file;
    if (kept !== undefined && !ran.every((name) => modules.includes(name))) keep(file);
  }
});

/** Nothing is kept after V8's flags have changed, because the next run starts without the change. */
function keep({kept, modules, ran, script, tag}) {
  if (require('node:v8').cachedDataVersionTag() !== tag) return;
  const about = Buffer.from(JSON.stringify({modules: [...new Set([...modules, ...ran])], tag}));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(about.length);
  const temporary = `${kept}.${process.pid}`;
  try {
    // V8 does not notice damaged code, so it has to be on the disk whole.
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, Buffer.concat([script.createCachedData(), about, length]));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, kept);
  } catch {
    rmSync(temporary, {force: true});
  }
}
