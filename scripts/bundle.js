/**
 * Bundles dist/ into bundle/. A few CommonJS files start much faster than hundreds of ES modules. Code that is imported late has
 * files of its own, so that most commands do not read it.
 */
import {cpSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join, relative} from 'node:path';
import {rolldown} from 'rolldown';
import {root} from './root.js';

/** Native code is not in the bundle: users who want the keyring install its package beside pixelctl. */
const outside = ['@napi-rs/keyring'];

/** Files that packages read when they run, at the places where they look for them: beside the bundle's files. */
const assets = {'build/jq.wasm': 'jq-wasm/dist/build/jq.wasm', 'xdg-open': 'open/xdg-open'};

/** Replaces oclif's index, which loads all of oclif. */
const oclif = `
  export {Command} from '@oclif/core/command';
  export {Config} from '@oclif/core/config';
  export {Help, CommandHelp} from '@oclif/core/help';
  export * as Args from '@oclif/core/args';
  export * as Flags from '@oclif/core/flags';
`;

/** Replaces undici's index, which loads fetch, caches, web sockets and mocks. These files are not public: the lockfile pins them. */
const undici = `
  import apiRequest from 'undici/lib/api/api-request.js';
  export {default as Agent} from 'undici/lib/dispatcher/agent.js';
  export {default as Pool} from 'undici/lib/dispatcher/pool.js';
  export {default as EnvHttpProxyAgent} from 'undici/lib/dispatcher/env-http-proxy-agent.js';
  export function request(url, {dispatcher, method = 'GET', ...options}) {
    const {origin, pathname, search} = new URL(url);
    return apiRequest.call(dispatcher, {...options, method, origin, path: pathname + search});
  }
`;

/** Replaces the prompt that starts an editor, which no command uses: it brings tables of character sets. */
const editor = 'export default undefined;';

const replaced = new Map([
  ['@oclif/core', oclif],
  ['undici', undici],
  ['@inquirer/editor', editor],
]);

const slimPackages = {
  name: 'slim packages',
  resolveId: {order: 'pre', handler: (id) => (replaced.has(id) ? `\0slim:${id}` : undefined)},
  load: (id) => (id.startsWith('\0slim:') ? replaced.get(id.slice('\0slim:'.length)) : undefined),
};

/** The form in which TypeScript compiles an import to CommonJS. */
const compiledImport = /^(?:const|var) (\w+) = ((?:__importDefault|__importStar)\()?require\(["']([^"']+)["']\)\)?;$/gm;

/** Makes oclif's modules load their imports on first use. */
const lateRequires = {
  name: 'late requires',
  transform(code, id) {
    if (!/[\\/]@oclif[\\/]core[\\/]lib[\\/]/.test(id)) return undefined;
    const imports = [...code.matchAll(compiledImport)];
    const others = code.replaceAll(compiledImport, '').match(/^(?:const|let|var) .*\brequire\(.*$/m);
    if (others !== null) throw new Error(`${id} imports in a form that compiledImport does not match: ${others[0]}`);
    if (imports.length === 0) return undefined;
    const getters = imports.map(([, name, wrap = '', path]) => {
      const value = `${wrap}require("${path}")${wrap === '' ? '' : ')'}`;
      return `get ${name}() { const value = ${value}; Object.defineProperty(this, "${name}", {value}); return value; }`;
    });
    let rest = code.replaceAll(compiledImport, '');
    for (const [, name] of imports) rest = rest.replaceAll(new RegExp(`(?<![\\w$.'"])${name}(?=[.[(])`, 'g'), `late.${name}`);
    const start = rest.indexOf('Object.defineProperty(exports, "__esModule"');
    return {code: `${rest.slice(0, start)}const late = {${getters.join(', ')}};\n${rest.slice(start)}`, map: null};
  },
};

/** Files that others run or load by name. */
const programs = ['main.js', 'lib/files/own-folder.js', 'lib/auth/keyring-process.js'];

const folder = join(root, 'bundle');
const bundle = await rolldown({
  input: Object.fromEntries(programs.map((file) => [basename(file, '.js'), join(root, 'dist', file)])),
  platform: 'node',
  external: outside,
  // undici leaves out its second HTTP parser, an experiment, where this name is defined, as in Node's own copy.
  transform: {define: {esbuildDetection: 'true'}},
  plugins: [slimPackages, lateRequires],
  checks: {ineffectiveDynamicImport: false},
});
rmSync(folder, {recursive: true, force: true});
const {output} = await bundle.write({
  dir: folder,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name].cjs',
  // The names of classes stay, because errors are recognized by them.
  minify: {
    compress: {keepNames: {class: true, function: true}},
    mangle: {keepNames: {class: true, function: true}},
    codegen: {removeWhitespace: true},
  },
});

for (const [place, source] of Object.entries(assets)) cpSync(join(root, 'node_modules', source), join(folder, place));

/** The modules in each file of the bundle, for the test of what a command loads. */
const held = output.map(({fileName, moduleIds}) => [fileName, moduleIds.map((id) => relative(root, id))]);
writeFileSync(join(root, '.cache/bundle.json'), JSON.stringify(Object.fromEntries(held), undefined, 1));
