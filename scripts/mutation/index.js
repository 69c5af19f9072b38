/**
 * Changes the source of a room in one small way after the other, and looks whether a test fails:
 *
 *     npm run mutation client -- --sample 150 --seed 7
 *
 * Without `--sample` all mutants are tried. Several rooms share one look at which tests reach what; without a name it is six of them. What was
 * found is kept in `.mutation`: a run that was stopped goes on there, and after a change only mutants in changed source, and survivors with
 * changed tests, are tried again. At the end the sections of the rooms in docs/mutation.md are written; survivors that change nothing get a
 * reason in `test/mutation/ROOM.yaml`: `{src/lib/ROOM/x.ts: [{code, mutation, reason}]}`, with `nth` where there are several.
 *
 * - `--file pace.ts`: only mutants of files whose path contains this; the page is not written.
 * - `--groups 2`: only so many groups of tests, of four: the room's own, those of other modules and commands, contract, end to end and guides.
 *   Measuring which mutants the last one reaches takes as long as running it.
 * - `--tests 'e2e/auth|lib/auth'`: only test files whose path matches this regular expression.
 * - `--seconds 60`: a mutant whose tests take longer is a survivor after this time. As measured, not by the clock.
 * - `--fresh` forgets what was kept. `--list` shows what survived so far, writes the page, and tries nothing.
 *
 * Each run has a copy of the project of its own, so that several can run at once, in one worktree, too, for different rooms.
 */
import {createHash} from 'node:crypto';
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {root} from '../root.js';
import {MutatedCopy} from './copy.js';
import {Kept} from './kept.js';
import {writeSection} from './report.js';
import {Tests} from './tests.js';
import {Trial} from './trial.js';

/** Those that are tried when none is named. */
const usual = ['client', 'operations', 'run', 'print', 'auth', 'policy'];
const rooms = readdirSync(join(root, 'src/lib'));

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    sample: {type: 'string'},
    seed: {type: 'string', default: '1'},
    file: {type: 'string'},
    groups: {type: 'string', default: '4'},
    tests: {type: 'string', default: ''},
    seconds: {type: 'string', default: '60'},
    workers: {type: 'string', default: '2'},
    fresh: {type: 'boolean', default: false},
    list: {type: 'boolean', default: false},
  },
});

const begun = Date.now();
const say = (text) => process.stdout.write(`${String(Math.round((Date.now() - begun) / 1000)).padStart(5)} s  ${text}\n`);

/**
 * Draws by a hash of each mutant, so that most stay the same ones when the source changes. They are tried in this order, so that what a
 * stopped run has tried is a sample, too.
 */
function drawn(mutants) {
  const {sample, seed, file} = values;
  const rank = ({key}) => createHash('sha256').update(`${seed} ${key}`).digest('hex');
  const ranked = mutants.map((mutant) => [rank(mutant), mutant]).sort(([one], [other]) => (one < other ? -1 : 1));
  const chosen = ranked.slice(0, sample === undefined ? undefined : Number(sample)).map(([, mutant]) => mutant);
  return chosen.filter((mutant) => mutant.file.includes(file ?? ''));
}

/** Of a room: what survived is shown, and its section is written. */
function conclude(room, copy, drawn, trial) {
  const mutants = drawn.filter((mutant) => trial.isTried(mutant)).sort((one, other) => one.id - other.id);
  const survivors = mutants.flatMap((mutant) => {
    const {by, reached = false} = trial.resultOf(mutant);
    return by === undefined ? [{mutant, isReached: reached}] : [];
  });
  for (const {mutant, isReached} of survivors) {
    const {file, line, code, mutation} = mutant;
    const isRun = isReached ? '' : ' (no test runs it)';
    process.stdout.write(`${file}:${line}${isRun}\n  - ${code.slice(0, 160)}\n  + ${mutation.slice(0, 160)}\n`);
  }
  const killed = mutants.length - survivors.length;
  say(`${room}: ${killed} of ${mutants.length} killed, ${((100 * killed) / mutants.length).toFixed(1)} %`);
  if (values.file !== undefined || mutants.length === 0) return;
  const all = copy.mutants.filter((mutant) => mutant.room === room).length;
  writeSection(room, {all, drawn: mutants.length, killed, seed: values.seed, groups: Number(values.groups)}, survivors);
}

async function runRooms(rooms) {
  const kept = new Kept(rooms);
  if (values.fresh) kept.forget();
  const copy = new MutatedCopy(rooms);
  const tests = new Tests(copy, {workers: Number(values.workers), kept, filter: new RegExp(values.tests)});
  const end = () => {
    tests.stop();
    copy.remove();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      end();
      process.exit(1);
    });
  }
  try {
    const mutants = rooms.map((room) => drawn(copy.mutants.filter((mutant) => mutant.room === room)));
    for (const [index, room] of rooms.entries()) say(`${room}: ${mutants[index].length} mutants are tried`);
    const options = {seconds: Number(values.seconds), tiers: Number(values.groups)};
    const trial = new Trial({rooms, tests, kept, copy, options, say});
    if (!values.list) {
      await tests.start();
      const most = Math.max(...mutants.map(({length}) => length));
      // The rooms in turn, so that each has a sample when the run is stopped.
      await trial.run(Array.from({length: most}, (_, index) => mutants.flatMap((drawnOf) => drawnOf[index] ?? [])).flat());
    }
    for (const [index, room] of rooms.entries()) conclude(room, copy, mutants[index], trial);
  } finally {
    end();
  }
}

const unknown = positionals.find((room) => !rooms.includes(room));
if (unknown !== undefined) throw new Error(`${unknown} is no room: there are ${rooms.join(', ')}`);
await runRooms(positionals.length === 0 ? usual : positionals);
