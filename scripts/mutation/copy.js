/** Copies of the project in which source was changed, compiled and bundled; and one whose rooms hold all of their mutants. */
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {transformSync} from 'rolldown/utils';
import {filesIn} from '../files-in.js';
import {copyProject} from '../project-copy.js';
import {root} from '../root.js';
import {placesIn, withMutants} from './mutants.js';

/** @param folder in the project @returns its files of source, as paths in the project */
export function sourcesIn(folder) {
  const sources = filesIn(join(root, folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
  return sources.map((name) => `${folder}/${name}`);
}

export class ChangedCopy {
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-mutation-'));

  /** @throws Error when the project is not compiled */
  constructor() {
    if (!existsSync(join(root, 'dist/main.js'))) throw new Error('The project is not compiled: run `npm run compile` first');
    copyProject(this.folder);
    mkdirSync(this.place(''));
  }

  /** What processes of the copy read or write beside the modules that changed source calls. */
  place = (name) => join(this.folder, 'scripts/mutation/state', name);

  /** The address of a module that changed source calls. */
  moduleAt = (name) => join(this.folder, 'scripts/mutation', name);

  /** Types are left out unchecked: they do not know of the change. An older target would want a package of helpers. */
  write(file, text) {
    writeFileSync(join(this.folder, file), text);
    const {code, errors} = transformSync(file, text, {target: 'esnext'});
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
    writeFileSync(join(this.folder, file.replace(/^src/, 'dist').replace(/\.ts$/, '.js')), code);
  }

  edit(file, change) {
    const path = join(this.folder, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  }

  bundle() {
    const {status, stdout, stderr} = spawnSync(process.execPath, ['scripts/bundle.js'], {cwd: this.folder, encoding: 'utf8'});
    if (status !== 0) throw new Error(`The changed copy cannot be bundled: ${stdout}${stderr}`);
  }

  remove() {
    rmSync(this.folder, {recursive: true, force: true, maxRetries: 3});
  }
}

export class MutatedCopy extends ChangedCopy {
  /** All mutants, each at the place that is its number. */
  mutants = [];
  /** What can be mutated in each file, by its text. */
  sources = new Map();

  /** @param rooms folders of `src/lib` */
  constructor(rooms) {
    super();
    this.activate('none');
    for (const [room, file] of rooms.flatMap((each) => sourcesIn(`src/lib/${each}`).map((name) => [each, name]))) {
      const source = readFileSync(join(root, file), 'utf8');
      this.sources.set(file, source);
      const places = placesIn(file, source);
      for (const mutant of places.flatMap(({mutants}) => mutants)) {
        this.mutants.push(Object.assign(mutant, {room, id: this.mutants.length}));
      }
      this.write(file, withMutants(source, places, this.moduleAt('switch.cjs')));
    }
    this.edit('test/setup.ts', (text) => `import '../scripts/mutation/worker.js';\n${text}`);
    this.bundle();
  }

  /** @param what the number of a mutant, `none`, or `record` */
  activate(what) {
    writeFileSync(this.place('active'), String(what));
  }

  /** From here on it is written down what is reached. */
  record() {
    writeFileSync(this.place('test'), '*');
    writeFileSync(this.place('reached'), '');
    this.activate('record');
  }

  /** @returns the numbers of the mutants that were reached, by test */
  recorded() {
    const byTest = new Map();
    for (const line of readFileSync(this.place('reached'), 'utf8').split('\n')) {
      if (line === '') continue;
      const [test, ids] = line.split(' ');
      if (!byTest.has(test)) byTest.set(test, new Set());
      for (const id of ids.split(',')) byTest.get(test).add(Number(id));
    }
    return byTest;
  }
}
