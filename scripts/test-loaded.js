/**
 * Runs the tests several times on a busy machine, in another order each time:
 *
 *     npm run test:loaded -- [--rounds N] [--busy N] [FILE...]
 *
 * Ten processes are busy beside them: eight compute, two write to the disk. They end with this one, however it ends.
 */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {parseArgs} from 'node:util';
import {root} from './root.js';

const {values, positionals: files} = parseArgs({
  allowPositionals: true,
  options: {rounds: {type: 'string', default: '3'}, busy: {type: 'string', default: '10'}},
});

/** One of so many processes writes to the disk. */
const computingPerWriting = 4;

const folder = mkdtempSync(join(tmpdir(), 'pixelctl-loaded-'));

/** Busy for a moment, again and again, for as long as its parent is there. */
const busy = (work) => `
  import {closeSync, fsyncSync, openSync, writeSync} from 'node:fs';
  const parent = process.ppid;
  const turn = () => {
    ${work}
    if (process.ppid === parent) setImmediate(turn);
    else process.exit();
  };
  turn();`;
const computing = busy('for (let count = 0; count < 1e7; count += 1) Math.sqrt(count);');
const writing = (file) =>
  busy(`
    const opened = openSync(${JSON.stringify(file)}, 'w');
    for (let part = 0; part < 16; part += 1) writeSync(opened, Buffer.alloc(1 << 20, part));
    fsyncSync(opened);
    closeSync(opened);`);

const others = Array.from({length: Number(values.busy)}, (_, index) => {
  const code = index % (computingPerWriting + 1) === computingPerWriting ? writing(join(folder, String(index))) : computing;
  return spawn(process.execPath, ['--input-type=module', '--eval', code], {stdio: 'inherit'});
});
let vitest;
process.on('exit', () => {
  vitest?.kill();
  for (const other of others) other.kill('SIGKILL');
  rmSync(folder, {recursive: true, force: true});
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** The names of the tests that failed, and of the files that could not be run. */
function failuresIn(report) {
  return report.testResults.flatMap(({name, status, assertionResults}) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed').map(({fullName}) => `${file}: ${fullName}`);
    return failed.length > 0 || status === 'passed' ? failed : [file];
  });
}

async function run(round) {
  const output = join(folder, `${round}.json`);
  const seed = Math.floor(Math.random() * 1_000_000);
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${output}`];
  vitest = spawn('vitest', ['run', `--sequence.seed=${seed}`, ...reporters, ...files], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const [status] = await once(vitest, 'close');
  const report = JSON.parse(readFileSync(output, 'utf8'));
  const failed = failuresIn(report);
  // An error outside of all tests is in no report.
  if (status !== 0 && failed.length === 0) failed.push(`no test, but the run ended with status ${status}`);
  return {seed, passed: report.numPassedTests, failed};
}

const rounds = [];
for (let round = 1; round <= Number(values.rounds); round += 1) {
  rounds.push(await run(round));
  const text = rounds.map(({seed, passed, failed}, index) =>
    [`Round ${index + 1}, --sequence.seed=${seed}: ${passed} passed, ${failed.length} failed`, ...failed.map((name) => `  ${name}`)].join(
      '\n',
    ),
  );
  process.stdout.write(`\n${text.join('\n')}\n`);
}
process.exit(rounds.every(({failed}) => failed.length === 0) ? 0 : 1);
