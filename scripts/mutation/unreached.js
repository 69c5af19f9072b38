/**
 * Lists the parts of the source that no test of any layer runs: functions, branches and defaults.
 *
 *     npm run unreached
 *
 * In a copy of the project each part tells that it runs, in the process of the tests and in those that they start. Parts that no test can run
 * are listed in `test/mutation/unreached.yaml`: `{src/lib/x.ts: [{code, reason}]}`, from which docs/mutation.md has them.
 */
import {spawnSync} from 'node:child_process';
import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {filesIn} from '../files-in.js';
import {root} from '../root.js';
import {branchesIn} from './branches.js';
import {ChangedCopy, sourcesIn} from './copy.js';
import {heldAgainstList, writeUnreached} from './report.js';
import {withInsertions} from './source.js';
import {ofCleanProject} from './tests.js';

/** @returns the parts of the source, which tell the copy that they run, by their place in the list */
function instrumented(copy) {
  const parts = [];
  for (const file of sourcesIn('src')) {
    const source = readFileSync(join(root, file), 'utf8');
    const own = branchesIn(file, source);
    const wraps = own.map(({wrap}, index) => wrap(parts.length + index));
    copy.write(file, withInsertions(source, wraps, {name: '$ran', module: copy.moduleAt('ran.cjs')}));
    parts.push(...own);
  }
  writeFileSync(copy.place('ran'), Buffer.alloc(parts.length));
  // Some tests run the program as another user.
  chmodSync(copy.folder, 0o755);
  chmodSync(copy.place('ran'), 0o666);
  copy.bundle();
  return parts;
}

/** For vitest: with only some of the tests the page is not written. */
const chosen = process.argv.slice(2);

const isIn = (part, other) => other !== part && other.file === part.file && other.start <= part.start && part.end <= other.end;

const copy = new ChangedCopy();
try {
  const parts = instrumented(copy);
  const tests = filesIn(join(root, 'test'))
    .map((name) => `test/${name}`)
    .filter((file) => ofCleanProject.test(file));
  const left = tests.flatMap((file) => ['--exclude', file]);
  spawnSync('vitest', ['run', ...left, ...chosen], {cwd: copy.folder, stdio: 'inherit'});
  const ran = readFileSync(copy.place('ran'));
  const unreached = parts.filter((_, index) => ran[index] === 0);
  const outermost = unreached.filter((part) => !unreached.some((other) => isIn(part, other)));
  const [{unlisted}, {surplus}] = [heldAgainstList(outermost), heldAgainstList(unreached)];
  for (const {file, line, code} of unlisted) process.stdout.write(`${file}:${line}  ${code.slice(0, 160)}\n`);
  for (const {file, code} of surplus) process.stdout.write(`${file}  ${code}: it is in the list, and a test runs it\n`);
  process.stdout.write(`${unlisted.length} of ${parts.length} parts are run by no test, beside those in the list\n`);
  if (chosen.length === 0) writeUnreached({all: parts.length, left: unlisted.length});
  process.exitCode = unlisted.length + surplus.length === 0 ? 0 : 1;
} finally {
  copy.remove();
}
