/** A copy of the project to which the files of a fixture are added, as a recipe in CONTRIBUTING says. */
import {spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {filesIn} from './files-in.js';
import {root} from './root.js';

/** What is not copied: it is large, or made anew. */
const left = new Set(['.git', '.cache/packages', '.mutation', 'dist-binaries', 'node_modules', 'release'].map((name) => join(root, name)));

/** Generated: free to change. */
const generated =
  /^(package\.json|oclif\.manifest\.json|README\.md|man\/.*|docs\/reference\/.*|src\/commands\.ts|src\/lib\/(api|sandbox\/routes)\/index\.ts)$/;

/** Copies the project to a folder, where it has the same dependencies. */
export function copyProject(folder) {
  cpSync(root, folder, {recursive: true, filter: (file) => !left.has(file)});
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
}

export class ProjectCopy {
  /** @param name of the fixture: `new-endpoint` */
  constructor(name) {
    const fixture = join(root, 'test/fixtures', name);
    this.folder = mkdtempSync(join(tmpdir(), `pixelctl-${name}-`));
    /** The files that are added, as paths inside the project. */
    this.added = filesIn(fixture);
    copyProject(this.folder);
    // They make such copies themselves.
    for (const test of ['new-endpoint', 'new-section']) rmSync(join(this.folder, `test/e2e/${test}.test.ts`), {force: true});
    for (const words of ['init -q', 'add -A', '-c user.name=t -c user.email=t@t.example commit -qm copy']) {
      const {status, output} = this.run('git', ...words.split(' '));
      if (status !== 0) throw new Error(output);
    }
    const clash = this.added.find((file) => existsSync(join(this.folder, file)));
    if (clash !== undefined) throw new Error(`${clash} is there already`);
    cpSync(fixture, this.folder, {recursive: true});
  }

  /** Runs npm or a program of the dependencies in the copy. */
  run(command, ...args) {
    const {status, stdout, stderr} = this.#spawn(command, args, 'pipe');
    return {status, output: stdout + stderr};
  }

  /** The same with its output shown. @returns the exit status */
  show(command, ...args) {
    return this.#spawn(command, args, 'inherit').status;
  }

  #spawn(command, args, stdio) {
    const path = [join(this.folder, 'node_modules/.bin'), process.env.PATH].join(delimiter);
    return spawnSync(command, args, {cwd: this.folder, encoding: 'utf8', stdio, maxBuffer: 2 ** 28, env: {...process.env, PATH: path}});
  }

  read(file) {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  /** Changes a file of the copy by hand. */
  replace(file, before, after) {
    const text = this.read(file);
    if (!text.includes(before)) throw new Error(`${file} does not contain ${before}`);
    writeFileSync(join(this.folder, file), text.replace(before, after));
  }

  /** Files that were changed or added, except generated ones. */
  changedByHand() {
    return this.run('git', 'status', '--porcelain', '--untracked-files=all')
      .output.split('\n')
      .flatMap((line) => (line === '' ? [] : [line.slice(3)]))
      .filter((file) => !generated.test(file))
      .sort();
  }

  remove() {
    rmSync(this.folder, {recursive: true, force: true});
  }
}
