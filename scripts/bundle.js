/**
 * Bundles dist/ into bundle/. A few CommonJS files start much faster than hundreds of ES modules. Code that is imported late has
 * files of its own, so that most commands do not read it.
 */
import {cpSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join, relative} from 'node:path';
import {brotliCompressSync} from 'node:zlib';
import {build} from 'rolldown';
import {fileOf} from './bundle-file.js';
import {writeDeclarations} from './client/declarations.js';
import {filesIn} from './files.js';
import {withLateRequires} from './late-requires.js';
import {licensesText, packagesOf} from './licenses/index.js';
import {exportedRecords, recordLines} from './records.js';
import {root} from './root.js';
import {changedUndici, undici} from './undici.js';
import {madeOnce, UpToDate} from './up-to-date.js';

const bundle = new UpToDate('bundled', {
  inputs: ['dist', 'scripts', 'package.json', 'package-lock.json'],
  outputs: ['bundle', '.cache/modules', '.cache/bundle.json'],
});
if (bundle.holds) process.exit();

/** Native code is not in the bundle: users who want the keyring install its package beside pixelctl. */
const outside = ['@napi-rs/keyring'];

/** Files that packages read when they run, beside the bundle's files. */
const assets = {
  'jq.wasm.br': {
    source: 'jq-wasm/dist/build/jq.wasm',
    put: (from, to) => writeFileSync(to, madeOnce(readFileSync(from), '.br', brotliCompressSync)),
  },
  'xdg-open': {source: 'open/xdg-open', put: cpSync},
};

/** Replaces oclif's index, which loads all of oclif. */
const oclif = `
  export {Command} from '@oclif/core/command';
  export {Config} from '@oclif/core/config';
  export {Help, CommandHelp} from '@oclif/core/help';
  export * as Args from '@oclif/core/args';
  export * as Flags from '@oclif/core/flags';
`;

/** Replaces jq-wasm, which reads its WebAssembly as it is: a quarter of the size, compressed. */
const jq = `
  import {readFile} from 'node:fs/promises';
  import {join} from 'node:path';
  import {brotliDecompressSync} from 'node:zlib';
  import {loadJq as load} from 'jq-wasm';
  export async function loadJq() {
    return load({wasmBinary: brotliDecompressSync(await readFile(join(import.meta.dirname, 'jq.wasm.br')))});
  }
`;

/** Replaces the prompt that starts an editor, which no command uses: it brings tables of character sets. */
const editor = 'export default undefined;';

/** Replaces chalk's look at the terminal: the program decides about colours. */
const colors = 'export default {stdout: false, stderr: false};';

const replaced = new Map([
  ['@oclif/core', oclif],
  ['undici', undici],
  ['jq-wasm', jq],
  ['#supports-color', colors],
  ['@inquirer/editor', editor],
]);

const missing = (name) => `throw new Error('${name} is not in the bundle');`;

/** What these packages require and never use. */
const unused = {
  // With these oclif looks for plugins, TypeScript and colours of its own, which the program does not let it do.
  '@oclif': new Set(['cli-spinners', 'get-package-type', 'lilconfig', 'minimatch', 'tinyglobby', 'typescript']),
  // Tables have no colours of their own, and text is measured by src/lib/print/grid.ts.
  'cli-table3': new Set(['@colors/colors/safe', 'string-width']),
};

/** Called, and not only required, it says that it is missing. */
const missingWidth = `export default () => {${missing('string-width')}};`;

/** The finished tables, of completion, commands, records and routes, in the place of what makes them when it runs. */
const {completionTable} = await import('../dist/completion-table.js');
const table = JSON.stringify(await completionTable());
const commandFiles = filesIn(join(root, 'dist/commands')).filter((file) => file.endsWith('.js'));
const routeFiles = filesIn(join(root, 'dist/lib/sandbox/routes')).filter((file) => file.endsWith('.js') && file !== 'index.js');
const finished = new Map([
  [join('dist', 'completion-table.js'), `export const completionTable = async () => JSON.parse(${JSON.stringify(table)});`],
  [join('dist', 'commands.js'), `export const commands = {${commandFiles.map(loaded).join()}};`],
  [
    join('dist', 'lib', 'api', 'endpoints.js'),
    `${recordLines('import', '.')}
export const records = [${exportedRecords.map(({name}) => name).join()}];
export const endpoints = records.filter(({internal}) => !internal);`,
  ],
  [
    join('dist', 'lib', 'sandbox', 'routes', 'index.js'),
    `${routeFiles.map((file, index) => `import {routes as r${index}} from './${file}';`).join('\n')}
export const routes = [${routeFiles.map((_, index) => `...r${index}`).join()}];`,
  ],
]);
const finishedTables = {name: 'finished tables', load: (id) => finished.get(relative(root, id))};

function loaded(file) {
  return `${JSON.stringify(file.slice(0, -'.js'.length).replaceAll('/', ':'))}: () => import('./commands/${file}')`;
}

const slim = (name) => `\0slim:${name}`;

const slimPackages = {
  name: 'slim packages',
  resolveId: {
    order: 'pre',
    handler(id, importer = '') {
      const isReplaced = replaced.has(id) && importer !== slim(id);
      const isUnused = Object.entries(unused).some(([name, ids]) => ids.has(id) && importer.includes(name));
      return isReplaced || isUnused ? slim(id) : undefined;
    },
  },
  load(id) {
    if (!id.startsWith(slim(''))) return undefined;
    const name = id.slice(slim('').length);
    return replaced.get(name) ?? (name === 'string-width' ? missingWidth : missing(name));
  },
};

/** What is compiled from `src`. */
const own = new RegExp(`^${RegExp.escape(join(root, 'dist'))}`);

/** The packages whose modules require each other when they are loaded. */
const eager = /[\\/]node_modules[\\/](@oclif[\\/]core|undici)[\\/]lib[\\/].*\.js$/;

const lateRequires = {
  name: 'late requires',
  transform: (code, id) => (eager.test(id) ? {code: withLateRequires(code), map: null} : undefined),
  renderChunk: (code, chunk, {format}) => (format === 'cjs' ? {code: withLateRequires(code), map: null} : undefined),
};

const folder = join(root, 'bundle');

/** What `--version` and completion need as well. */
const start = 'main.cjs';

/** What most commands need. */
const common = 'cli.cjs';

/** The packages that only some commands need, and the folders of such commands' code: each is in a file of its own with what belongs to it. */
const files = [
  [start, /dist\/(main|lib\/(cli\/(io|shell\/version)|files\/(runtime|system-error|text)|json\/path))\.js|^\0rolldown/],
  ['completion.cjs', /dist\/(completion-table\.js|lib\/cli\/completion\/)/],
  ['archive.cjs', /dist\/lib\/(archive\/|cli\/archive)/],
  ['http.cjs', /node_modules\/undici\//],
  ['policy.cjs', /node_modules\/yaml\/|dist\/lib\/policy\//],
  ['sandbox.cjs', /node_modules\/(hono|@hono)\/|dist\/lib\/sandbox\//],
  ['prompts.cjs', /node_modules\/@?inquirer\//],
  ['sign-in.cjs', /node_modules\/(oauth4webapi|open)\//],
  ['jq.cjs', /node_modules\/jq-wasm\/|^\0slim:jq-wasm$/],
];

/** Modules of their own for what their importers seldom use, or late. Without these, they run with the modules that import them. */
const seldomUsed = [
  // Measures characters that are not Latin: its regular expressions take as long as a table.
  {
    name: 'string-width',
    test: /^(?!.*node_modules.*node_modules).*node_modules[\\/](string-width|strip-ansi|ansi-regex|get-east-asian-width)[\\/]/,
  },
  // Schemas take as long to make as what they are for.
  {name: 'domains-schema', test: /dist[\\/]lib[\\/]policy[\\/]sections[\\/]domains[\\/]schema\.js$/},
  {name: 'filters-schema', test: /dist[\\/]lib[\\/]policy[\\/]sections[\\/]filters[\\/]schema\.js$/},
  {name: 'filter-changes', test: /dist[\\/]lib[\\/]policy[\\/]sections[\\/]filters[\\/]changes\.js$/},
  {name: 'plan-file-schema', test: /dist[\\/]lib[\\/]policy[\\/]plan[\\/]plan-file-schema\.js$/},
  {name: 'state-schema', test: /dist[\\/]lib[\\/]policy[\\/]state-file[\\/]schema\.js$/},
  {name: 'journal', test: /dist[\\/]lib[\\/]run[\\/]journal\.js$/},
  // Only messages, tables and help have colours, and only at a terminal.
  {name: 'palette', test: /dist[\\/]lib[\\/]print[\\/]palette\.js$/},
  {name: 'chalk', test: /node_modules[\\/]chalk[\\/]/},
];

/** The names of classes stay, because errors are recognized by them. */
const minify = {
  compress: {keepNames: {class: true, function: true}},
  mangle: {keepNames: {class: true, function: true}},
};

function bundled(input, output, plugins = []) {
  return build({
    input,
    platform: 'node',
    // Groups without what they import, below, need it.
    preserveEntrySignatures: 'allow-extension',
    external: outside,
    // undici leaves out its second HTTP parser, an experiment, where this name is defined, as in Node's own copy.
    transform: {define: {esbuildDetection: 'true'}},
    // Our modules do nothing when they are loaded: of a door, only what is behind the names that are imported is loaded.
    treeshake: {moduleSideEffects: [{test: own, sideEffects: false}]},
    plugins: [slimPackages, finishedTables, ...plugins, lateRequires],
    checks: {bundlerTimings: false, ineffectiveDynamicImport: false},
    write: false,
    output: {
      format: 'cjs',
      // bin/load.js offers no import().
      dynamicImportInCjs: false,
      codeSplitting: {groups: seldomUsed, includeDependenciesRecursively: false},
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name].cjs',
      minify: {...minify, codegen: {removeWhitespace: true}},
      ...output,
    },
  });
}

rmSync(folder, {recursive: true, force: true});
mkdirSync(folder);

// What Node runs without bin/load.js.
for (const file of ['lib/files/own-folder.js', 'lib/auth/keyring-process.js']) {
  const {output} = await bundled(join(root, 'dist', file), {codeSplitting: false});
  writeFileSync(join(folder, `${basename(file, '.js')}.cjs`), output[0].code);
}

const {output: modules} = await bundled(join(root, 'dist/main.js'), {}, [changedUndici]);
const fileFor = ({moduleIds}) => files.find(([, what]) => moduleIds.some((id) => what.test(id)))?.[0] ?? common;
const byFile = Map.groupBy(modules, fileFor);
const others = Object.fromEntries(modules.map((module) => [module.fileName, fileFor(module)]).filter(([, file]) => file !== start));
for (const [file, held] of byFile) writeFileSync(join(folder, file), fileOf(held, file === start ? others : undefined));

for (const [place, {source, put}] of Object.entries(assets)) put(join(root, 'node_modules', source), join(folder, place));

// The same modules as files of their own, which single executables are made from: scripts/binaries.
rmSync(join(root, '.cache/modules'), {recursive: true, force: true});
mkdirSync(join(root, '.cache/modules'));
for (const {fileName, code} of modules) writeFileSync(join(root, '.cache/modules', fileName), code);

/** `pixelctl/client`: one file with all records, and its types. It keeps its lines, because Node prints the whole line of an uncaught error. */
const entry = join(root, 'dist/lib/operations/index.js');
const withRecords = `${recordLines('export', '../api')}\n`;
const {output: client} = await bundled(
  entry,
  {format: 'esm', codeSplitting: false, minify: {...minify, codegen: {removeWhitespace: false}}},
  [{name: 'records', transform: (code, id) => (id === entry ? {code: code + withRecords, map: null} : undefined)}],
);
writeFileSync(join(folder, 'client.mjs'), client[0].code);
writeDeclarations(join(root, 'dist/lib'), 'operations/index.d.ts', join(folder, 'types'), {'operations/index.d.ts': withRecords});

const held = [...modules, ...client]
  .flatMap(({moduleIds}) => moduleIds)
  .concat(Object.values(assets).map(({source}) => join(root, 'node_modules', source)));
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licensesText(packagesOf(held)));

/** What each module of the bundle was made of, for the test of what a command loads. */
const sources = modules.map(({fileName, moduleIds}) => [fileName, moduleIds.map((id) => relative(root, id))]);
writeFileSync(join(root, '.cache/bundle.json'), JSON.stringify(Object.fromEntries(sources), undefined, 1));
bundle.keep();
