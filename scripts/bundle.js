/**
 * Makes bundle/ from dist/: few CommonJS files start much faster than hundreds of modules. What the usual commands need is in few
 * of them; what others load late is in files of its own. Packages that find files of their own beside them stay outside.
 */
import {rmSync, writeFileSync} from 'node:fs';
import {basename, join, relative} from 'node:path';
import {rolldown} from 'rolldown';
import {root} from './root.js';

const outside = ['@napi-rs/keyring', 'jq-wasm', 'open'];

/** oclif's index loads all of it. */
const oclif = `
  export {Command} from '@oclif/core/command';
  export {Config} from '@oclif/core/config';
  export {Help, CommandHelp} from '@oclif/core/help';
  export * as Args from '@oclif/core/args';
  export * as Flags from '@oclif/core/flags';
`;

/** undici's index loads its fetch, caches, web sockets and mocks. These files are no public interface: the lockfile pins them. */
const undici = `
  import apiRequest from '${root}/node_modules/undici/lib/api/api-request.js';
  export {default as Agent} from '${root}/node_modules/undici/lib/dispatcher/agent.js';
  export {default as Pool} from '${root}/node_modules/undici/lib/dispatcher/pool.js';
  export {default as EnvHttpProxyAgent} from '${root}/node_modules/undici/lib/dispatcher/env-http-proxy-agent.js';
  export function request(url, {dispatcher, method = 'GET', ...options}) {
    const {origin, pathname, search} = new URL(url);
    return apiRequest.call(dispatcher, {...options, method, origin, path: pathname + search});
  }
`;

const replaced = new Map([
  ['@oclif/core', oclif],
  ['undici', undici],
]);

const slimPackages = {
  name: 'slim packages',
  resolveId: {order: 'pre', handler: (id) => (replaced.has(id) ? `\0slim:${id}` : undefined)},
  load: (id) => (id.startsWith('\0slim:') ? replaced.get(id.slice('\0slim:'.length)) : undefined),
};

/** What TypeScript makes of an import in a CommonJS module. */
const compiledImport = /^(?:const|var) (\w+) = ((?:__importDefault|__importStar)\()?require\("([^"]+)"\)\)?;$/gm;

/** oclif's modules require all that they may need at once: here they do when they use it. */
const lateRequires = {
  name: 'late requires',
  transform(code, id) {
    if (!/[\\/]@oclif[\\/]core[\\/]lib[\\/]/.test(id)) return undefined;
    const imports = [...code.matchAll(compiledImport)];
    if (imports.length === 0) return undefined;
    const getters = imports.map(([, name, wrap = '', path]) => {
      const value = `${wrap}require("${path}")${wrap === '' ? '' : ')'}`;
      return `get ${name}() { const value = ${value}; Object.defineProperty(this, "${name}", {value}); return value; }`;
    });
    let rest = code.replaceAll(compiledImport, '');
    for (const [, name] of imports) rest = rest.replaceAll(new RegExp(`(?<![\\w$.'"])${name}(?=[.\\[])`, 'g'), `late.${name}`);
    const start = rest.indexOf('Object.defineProperty(exports, "__esModule"');
    return {code: `${rest.slice(0, start)}const late = {${getters.join(', ')}};\n${rest.slice(start)}`, map: null};
  },
};

/** The files that are started or loaded by their names. */
const programs = ['main.js', 'lib/files/own-folder.js', 'lib/auth/keyring-process.js'];

const folder = join(root, 'bundle');
const bundle = await rolldown({
  input: Object.fromEntries(programs.map((file) => [basename(file, '.js'), join(root, 'dist', file)])),
  platform: 'node',
  external: outside,
  plugins: [slimPackages, lateRequires],
  checks: {ineffectiveDynamicImport: false},
});
rmSync(folder, {recursive: true, force: true});
const {output} = await bundle.write({
  dir: folder,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name].cjs',
  // Names stay: errors are told apart by those of their classes.
  minify: {compress: {keepNames: {class: true, function: true}}, mangle: false, codegen: {removeWhitespace: true}},
});

/** Which modules each file of the bundle holds, for the test of what a command loads. */
const held = output.map(({fileName, moduleIds}) => [fileName, moduleIds.map((id) => relative(root, id))]);
writeFileSync(join(root, '.cache/bundle.json'), JSON.stringify(Object.fromEntries(held), undefined, 1));
