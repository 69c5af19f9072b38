/** Packs what was built and installs it in an empty folder, as users do, without a network. */
import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from './root.js';

const options = {encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], shell: process.platform === 'win32'};

/**
 * @param folder an empty folder: the package is in its node_modules afterwards
 * @returns what npm says of the package: its files and sizes
 */
export function installPackage(folder) {
  // What prepack makes is there already: npm run build made it.
  const pack = ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', pack, {...options, cwd: root}));
  const project = {name: 'somebody', private: true, type: 'module'};
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  mkdirSync(join(folder, 'empty'));
  const install = ['install', '--offline', '--silent', '--cache', join(folder, 'empty'), `./${packed.filename}`];
  execFileSync('npm', install, {...options, cwd: folder});
  return packed;
}
