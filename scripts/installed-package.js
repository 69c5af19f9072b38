/** Packs what was built and installs it in an empty folder, with --global as most users do, without a network. */
import {execFileSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {root} from './root.js';

const options = {encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], shell: process.platform === 'win32'};

/**
 * @param folder an empty folder: the prefix of npm, with `bin/pixelctl` in it afterwards
 * @returns what npm says of the package: its files and sizes
 */
export function installPackage(folder) {
  // What prepack makes is there already: npm run build made it.
  const pack = ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', pack, {...options, cwd: root}));
  mkdirSync(join(folder, 'empty'));
  const install = ['install', '--global', '--prefix', folder, '--offline', '--silent', '--cache', join(folder, 'empty')];
  execFileSync('npm', [...install, `./${packed.filename}`], {...options, cwd: folder});
  return packed;
}
