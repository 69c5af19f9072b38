/** The platforms that there are single executables for, and where these are. */
import {join} from 'node:path';
import {root} from '../root.js';

/** The folder of the executables. */
export const folder = join(root, 'dist-binaries');

const elf = (architecture, linker) => ({format: 'elf', architecture, linker});
const macho = (architecture) => ({format: 'macho', architecture, isSigned: true});

/** What each platform is called by Bun and by the package of its keyring, and what its executable has to be. */
export const platforms = {
  'linux-x64': {bun: 'linux-x64', keyring: 'linux-x64-gnu', kind: elf('x64', '/lib64/ld-linux-x86-64.so.2')},
  'linux-arm64': {bun: 'linux-aarch64', keyring: 'linux-arm64-gnu', kind: elf('arm64', '/lib/ld-linux-aarch64.so.1')},
  'linux-x64-musl': {bun: 'linux-x64-musl', keyring: 'linux-x64-musl', kind: elf('x64', '/lib/ld-musl-x86_64.so.1')},
  'linux-arm64-musl': {bun: 'linux-aarch64-musl', keyring: 'linux-arm64-musl', kind: elf('arm64', '/lib/ld-musl-aarch64.so.1')},
  'macos-x64': {bun: 'darwin-x64', keyring: 'darwin-x64', kind: macho('x64')},
  'macos-arm64': {bun: 'darwin-aarch64', keyring: 'darwin-arm64', kind: macho('arm64')},
  'windows-x64': {bun: 'windows-x64', keyring: 'win32-x64-msvc', kind: {format: 'pe', architecture: 'x64'}},
};

/** The name of this machine's platform; others than those above have no executable. */
export function hostPlatform() {
  const system = {darwin: 'macos', win32: 'windows'}[process.platform] ?? process.platform;
  const isMusl = system === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
  return `${system}-${process.arch}${isMusl ? '-musl' : ''}`;
}

/** The path of a platform's executable. */
export const executableFor = (name) => join(folder, `pixelctl-${name}${name.startsWith('windows') ? '.exe' : ''}`);
