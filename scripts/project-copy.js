/** A copy of the project as a checkout has it, to which the files of fixtures are added, as the recipes in CONTRIBUTING say. */
import {spawnSync} from 'node:child_process';
import {chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join, relative} from 'node:path';
import {filesIn} from './files-in.js';
import {root} from './root.js';

/** What is not copied: it is large, or made anew. */
const left = ['.git', '.cache/compiled', '.cache/packages', '.stryker-tmp', 'dist-binaries', 'node_modules', 'release'];

/** What was built, and what the build notes. */
const built = ['.cache/bundle.json', '.cache/bundled', '.cache/modules', '.cache/tsconfig.tsbuildinfo', 'bundle', 'dist', 'man'];

/** Generated: free to change. */
const generated =
  /^(package\.json|oclif\.manifest\.json|README\.md|man\/.*|skills\/.*|docs\/reference\/.*|src\/commands\.ts|src\/lib\/(api|api\/kinds|policy\/reports\/formats|sandbox\/routes)\/index\.ts|src\/lib\/api\/kind-name\.ts)$/;

/** Copies the project to a folder, where it has the same dependencies. */
export const copyProject = (folder) => copyWithout(left, folder);

function copyWithout(names, folder) {
  const places = new Set(names.map((name) => join(root, name)));
  cpSync(root, folder, {recursive: true, filter: (file) => !places.has(file)});
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  // The compiler notes where the dependencies really are, and checks everything again where that has changed.
  const cache = join(folder, '.cache');
  const place = relative(cache, join(root, 'node_modules')).replaceAll('\\', '/');
  for (const note of existsSync(cache) ? readdirSync(cache).filter((name) => name.endsWith('.tsbuildinfo')) : [])
    writeFileSync(join(cache, note), readFileSync(join(cache, note), 'utf8').replaceAll('"../node_modules/', `"${place}/`));
}

export class ProjectCopy {
  /** @param names of the fixtures: `new-endpoint` */
  constructor(...names) {
    const fixtures = names.map((name) => join(root, 'test/fixtures', name));
    this.folder = mkdtempSync(join(tmpdir(), 'pixelctl-copy-'));
    // Some tests run the program as another user.
    chmodSync(this.folder, 0o755);
    /** The files that are added, as paths inside the project. */
    this.added = fixtures.flatMap(filesIn).sort();
    copyWithout([...left, ...built], this.folder);
    // It makes such copies itself.
    rmSync(join(this.folder, 'test/e2e/recipes.test.ts'), {force: true});
    for (const words of ['init -q', '-c core.compression=0 add -A']) {
      const {status, output} = this.run('git', ...words.split(' '));
      if (status !== 0) throw new Error(output);
    }
    const clash = this.added.find((file) => existsSync(join(this.folder, file)));
    if (clash !== undefined) throw new Error(`${clash} is there already`);
    for (const fixture of fixtures) cpSync(fixture, this.folder, {recursive: true});
  }

  /** Runs npm or a program of the dependencies in the copy. */
  run(command, ...args) {
    const {status, stdout, stderr} = this.#spawn(command, args, 'pipe');
    return {status, output: stdout + stderr};
  }

  /** Runs npm or a program of the dependencies in the copy, and shows its output. @returns the exit status */
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
    return this.run('git', 'ls-files', '--modified', '--others', '--exclude-standard')
      .output.split('\n')
      .filter((file) => file !== '' && !generated.test(file))
      .sort();
  }

  remove() {
    rmSync(this.folder, {recursive: true, force: true});
  }
}
