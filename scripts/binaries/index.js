/**
 * Makes the single executables from the modules of the bundle, each with a runtime inside: node scripts/binaries/index.js [PLATFORM]...
 * Without a platform it makes all of them. `host` is this machine's.
 */
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {pinnedPackage} from '../pinned-package.js';
import {root} from '../root.js';
import {describeExecutable} from './executable.js';
import {signAdHoc} from './macho.js';

const folder = join(root, 'dist-binaries');
const checksums = 'SHA256SUMS';

/** The files that the program reads, in the places where it looks for them. Bun keeps the paths inside a folder only. */
const inside = join(root, '.cache/inside');

const elf = (architecture, linker) => ({format: 'elf', architecture, linker});
const macho = (architecture) => ({format: 'macho', architecture, isSigned: true});

/** What each platform is called by Bun and by the package of its keyring, and what its executable has to be. */
const platforms = {
  'linux-x64': {bun: 'linux-x64', keyring: 'linux-x64-gnu', kind: elf('x64', '/lib64/ld-linux-x86-64.so.2')},
  'linux-arm64': {bun: 'linux-aarch64', keyring: 'linux-arm64-gnu', kind: elf('arm64', '/lib/ld-linux-aarch64.so.1')},
  'linux-x64-musl': {bun: 'linux-x64-musl', keyring: 'linux-x64-musl', kind: elf('x64', '/lib/ld-musl-x86_64.so.1')},
  'linux-arm64-musl': {bun: 'linux-aarch64-musl', keyring: 'linux-arm64-musl', kind: elf('arm64', '/lib/ld-musl-aarch64.so.1')},
  'macos-x64': {bun: 'darwin-x64', keyring: 'darwin-x64', kind: macho('x64')},
  'macos-arm64': {bun: 'darwin-aarch64', keyring: 'darwin-arm64', kind: macho('arm64')},
  'windows-x64': {bun: 'windows-x64', keyring: 'win32-x64-msvc', kind: {format: 'pe', architecture: 'x64'}},
};

/** The platform of this machine. */
function hostPlatform() {
  const system = {darwin: 'macos', win32: 'windows'}[process.platform] ?? process.platform;
  const isMusl = system === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
  return `${system}-${process.arch}${isMusl ? '-musl' : ''}`;
}

const executableOf = ({bun}) => join(pinnedPackage(`@oven/bun-${bun}`), 'bin', bun.startsWith('windows') ? 'bun.exe' : 'bun');

function build(name) {
  const platform = platforms[name];
  const isWindows = platform.bun.startsWith('windows');
  const file = `pixelctl-${name}${isWindows ? '.exe' : ''}`;
  const path = join(folder, file);
  // Bun would fill in the folders of this machine. Inside an executable, the files keep their place in the folder of the project.
  const bundle = isWindows ? 'B:\\~BUN\\root\\bundle' : '/$bunfs/root/bundle';
  const defined = {__dirname: bundle, __filename: isWindows ? `${bundle}\\main.cjs` : `${bundle}/main.cjs`};
  const options = {
    target: `bun-${platform.bun}`,
    format: 'cjs',
    outfile: path,
    'compile-executable-path': executableOf(platform),
    'tsconfig-override': packagesFor(name, platform),
  };
  const args = [
    // A file in the working folder must not change what the program does.
    ...['dotenv', 'bunfig', 'tsconfig', 'package-json'].map((each) => `--no-compile-autoload-${each}`),
    ...Object.entries(options).map(([option, value]) => `--${option}=${value}`),
    ...Object.entries(defined).flatMap(([variable, value]) => ['--define', `${variable}=${JSON.stringify(value)}`]),
    ...readdirSync(inside).flatMap((asset) => ['--asset', join(inside, asset)]),
  ];
  // The code is short already, and Bun would take the names of classes, by which errors are recognized.
  const compile = ['build', 'scripts/binaries/main.cjs', '--compile', '--bytecode', ...args];
  execFileSync(executableOf(platforms[hostPlatform()]), compile, {cwd: root, stdio: ['ignore', 'ignore', 'inherit']});
  // Bun signs no executable for macOS on Intel.
  if (platform.kind.format === 'macho') writeFileSync(path, signAdHoc(readFileSync(path), 'pixelctl'));
  const found = describeExecutable(readFileSync(path));
  if (!isDeepStrictEqual(found, platform.kind)) throw new Error(`${file} is not what it is for: ${JSON.stringify(found)}`);
  process.stdout.write(`${file}\n`);
}

/** Where Bun finds packages that are not in the bundle. @returns a file in the format of tsconfig.json */
function packagesFor(name, {keyring}) {
  const native = join(pinnedPackage(`@napi-rs/keyring-${keyring}`), `keyring.${keyring}.node`);
  const file = join(root, `.cache/packages/${name}.json`);
  writeFileSync(file, JSON.stringify({compilerOptions: {paths: {'@napi-rs/keyring': [native]}}}));
  return file;
}

/** A line for each executable, in the format of sha256sum. */
function writeChecksums() {
  const files = readdirSync(folder).filter((file) => file !== checksums);
  const lines = files.map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')}  ${file}\n`,
  );
  writeFileSync(join(folder, checksums), lines.join(''));
}

const words = process.argv.slice(2).map((word) => (word === 'host' ? hostPlatform() : word));
const unknown = words.find((word) => !Object.hasOwn(platforms, word));
if (unknown === undefined) {
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder);
  rmSync(inside, {recursive: true, force: true});
  for (const file of ['package.json', 'oclif.manifest.json', 'bundle/build', 'docs/reference/openapi.json'])
    cpSync(join(root, file), join(inside, file), {recursive: true});
  for (const name of words.length > 0 ? words : Object.keys(platforms)) build(name);
  writeChecksums();
} else {
  process.stderr.write(`There is no binary for ${unknown}. The platforms are: ${Object.keys(platforms).join(', ')}\n`);
  process.exitCode = 2;
}
