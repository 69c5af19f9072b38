/**
 * Makes the single executables from the modules of the bundle, each with a runtime inside: node scripts/binaries/index.js [PLATFORM]...
 * Without a platform it makes all of them. `host` is this machine's.
 */
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {pinnedPackage} from '../pinned-package.js';
import {root} from '../root.js';
import {describeExecutable} from './executable.js';
import {signAdHoc} from './macho.js';
import {executableFor, folder, hostPlatform, platforms} from './platforms.js';

const checksums = 'SHA256SUMS';

/** The files that the program reads, in the places where it looks for them. Bun keeps the paths inside a folder only. */
const inside = join(root, '.cache/inside');

/** The runtime itself. */
const bunOf = ({bun}) => join(pinnedPackage(`@oven/bun-${bun}`), 'bin', bun.startsWith('windows') ? 'bun.exe' : 'bun');

function build(name) {
  const platform = platforms[name];
  const path = executableFor(name);
  const options = {
    target: `bun-${platform.bun}`,
    format: 'cjs',
    outfile: path,
    'compile-executable-path': bunOf(platform),
    'tsconfig-override': packagesFor(name, platform),
  };
  const args = [
    // A file in the working folder must not change what the program does.
    ...['dotenv', 'bunfig', 'tsconfig', 'package-json'].map((each) => `--no-compile-autoload-${each}`),
    ...Object.entries(options).map(([option, value]) => `--${option}=${value}`),
    // Bun would fill in the folders of this machine. scripts/binaries/main.cjs knows where it is when it runs.
    '--define=__dirname=bundleFolder',
    '--define=__filename=bundleFile',
    ...readdirSync(inside).flatMap((asset) => ['--asset', join(inside, asset)]),
  ];
  // Most runs are over before compiled machine code pays: it is made eight times as late. The code is short already, and Bun would take the names of classes, by which errors are recognized.
  const compile = ['build', 'scripts/binaries/main.cjs', '--compile', '--bytecode', '--compile-jit-policy=8', ...args];
  execFileSync(bunOf(platforms[hostPlatform()]), compile, {cwd: root, stdio: ['ignore', 'ignore', 'inherit']});
  // Bun signs no executable for macOS on Intel.
  if (platform.kind.format === 'macho') writeFileSync(path, signAdHoc(readFileSync(path), 'pixelctl'));
  const found = describeExecutable(readFileSync(path));
  if (!isDeepStrictEqual(found, platform.kind)) throw new Error(`${path} is not what it is for: ${JSON.stringify(found)}`);
  process.stdout.write(`${relative(root, path)}\n`);
}

/** Where Bun finds packages that are not in the bundle. @returns a file in the format of tsconfig.json */
function packagesFor(name, {keyring}) {
  const native = join(pinnedPackage(`@napi-rs/keyring-${keyring}`), `keyring.${keyring}.node`);
  const file = join(root, `.cache/packages/${name}.json`);
  writeFileSync(file, JSON.stringify({compilerOptions: {paths: {'@napi-rs/keyring': [native]}}}));
  return file;
}

const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** A line for each executable, in the format of sha256sum. */
function writeChecksums() {
  const files = readdirSync(folder).filter((file) => file !== checksums);
  writeFileSync(join(folder, checksums), files.map((file) => `${hashOf(join(folder, file))}  ${file}\n`).join(''));
}

const words = process.argv.slice(2).map((word) => (word === 'host' ? hostPlatform() : word));
const unknown = words.find((word) => !Object.hasOwn(platforms, word));
if (unknown === undefined) {
  if (words.length === 0) rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  rmSync(inside, {recursive: true, force: true});
  for (const file of ['package.json', 'oclif.manifest.json', 'bundle/jq.wasm.br'])
    cpSync(join(root, file), join(inside, file), {recursive: true});
  for (const name of words.length > 0 ? words : Object.keys(platforms)) build(name);
  writeChecksums();
} else {
  process.stderr.write(`There is no binary for ${unknown}. The platforms are: ${Object.keys(platforms).join(', ')}\n`);
  process.exitCode = 2;
}
