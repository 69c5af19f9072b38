/** The tests of a copy: which there are, which mutants each can reach, and running some of them. */
import {fork} from 'node:child_process';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

/** These copy the project or install it, or read the sources as they are. */
export const ofCleanProject = /^test\/(e2e\/(recipes|build|package|release|bootstrap)|scripts\/)/;

/** These run for minutes, and see nothing that others do not see. */
const slow = /^test\/(contract\/odd-|e2e\/completion-install)/;

/** What is looked at first: a mutant that its own room's tests kill needs no others. */
const tiersFor = (rooms) => [
  new RegExp(`^test/lib/(${rooms.join('|')})/`),
  /^test\/(lib|commands)\//,
  /^test\/contract\//,
  /^test\/(e2e|bin|ci|guides)\//,
];

/** A file takes this long before its first test: imports, and a process of its own. */
const secondsToLoad = 1;

/** A run that takes longer than it may was hung by its mutant. The machine may be busy. */
const secondsAllowed = (expected) => 20 + 5 * expected;

class TimedOut extends Error {}

export class Tests {
  #copy;
  #host;
  #workers;
  /** By file: what `measure` found. */
  #measured = new Map();
  #kept;
  #filter;
  files;

  /** @param kept what was measured before; `filter`: a regular expression for the paths of the files that are used */
  constructor(copy, {workers, kept, filter}) {
    this.#copy = copy;
    this.#workers = workers;
    this.#kept = kept;
    this.#filter = filter;
  }

  async start() {
    this.#host = fork(join(this.#copy.folder, 'scripts/mutation/host.js'), [String(this.#workers)], {
      cwd: this.#copy.folder,
      detached: true,
      stdio: ['ignore', 'ignore', process.env['MUTATION_DEBUG'] ? 'inherit' : 'ignore', 'ipc'],
    });
    const {files} = await this.#next(300);
    this.files = files.filter((file) => !ofCleanProject.test(file) && !slow.test(file) && this.#filter.test(file));
  }

  #next(seconds) {
    return new Promise((resolve, reject) => {
      const settle = (end, value) => {
        clearTimeout(timer);
        this.#host.off('exit', died);
        this.#host.off('message', heard);
        end(value);
      };
      const timer = setTimeout(() => settle(reject, new TimedOut('The tests did not end')), seconds * 1000);
      const died = () => settle(reject, new TimedOut('The tests ended their own process'));
      const heard = (message) => settle(resolve, message);
      this.#host.once('exit', died);
      this.#host.once('message', heard);
    });
  }

  /** Ends the host, with all that its tests have started. */
  stop() {
    if (this.#host === undefined) return;
    try {
      process.kill(-this.#host.pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
    this.#host = undefined;
  }

  async #run(runs, {isTrial, expected}) {
    if (this.#host === undefined) await this.start();
    this.#host.send({runs, isTrial});
    try {
      return await this.#next(secondsAllowed(expected));
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  hashOf(file) {
    return createHash('sha256')
      .update(readFileSync(join(this.#copy.folder, file)))
      .digest('hex')
      .slice(0, 16);
  }

  /** Files in the order in which a room is tried, in groups. */
  tiers(rooms) {
    const rest = new Set(this.files);
    return tiersFor(rooms).map((pattern) => {
      const tier = [...rest].filter((file) => pattern.test(file)).sort();
      for (const file of tier) rest.delete(file);
      return tier;
    });
  }

  /** @returns of a file: its good tests with their time, and the numbers of the mutants that each reaches, and that all reach */
  async measure(file) {
    const hash = this.hashOf(file);
    const known = this.#measured.get(file) ?? this.#kept.reached(file, hash, this.#copy.mutants);
    const found = known ?? {hash, ...(await this.#measureNow(file))};
    this.#measured.set(file, found);
    if (known === undefined) this.#kept.keepReached(file, found, this.#copy.mutants);
    return found;
  }

  async #measureNow(file) {
    this.#copy.record();
    try {
      const {modules, errors, seconds} = await this.#run([{file}], {isTrial: false, expected: 60});
      const {tests, broken} = modules[0] ?? {tests: [], broken: []};
      const problems = [...broken, ...errors];
      const good = problems.length > 0 ? [] : tests.filter(({state}) => state === 'passed');
      const byTest = this.#copy.recorded();
      const reachedBy = (test) => [...(byTest.get(test) ?? [])];
      return {
        seconds,
        problems: [...problems, ...tests.filter(({state}) => state === 'failed').map(({name}) => name)],
        hasAll: good.length === tests.length,
        tests: good.map(({id, seconds: own}) => ({id, seconds: own, reaches: reachedBy(id)})),
        reaches: reachedBy('*'),
      };
    } catch (error) {
      if (!(error instanceof TimedOut)) throw error;
      return {seconds: 0, problems: [error.message], hasAll: false, tests: [], reaches: []};
    } finally {
      this.#copy.activate('none');
    }
  }

  /** @returns how to run the tests of a measured file that reach a mutant; undefined: none does */
  runFor(mutant, file) {
    const {tests, reaches, hasAll} = this.#measured.get(file);
    const isWhole = reaches.includes(mutant.id);
    const chosen = isWhole ? tests : tests.filter((test) => test.reaches.includes(mutant.id));
    if (chosen.length === 0) return undefined;
    const seconds = secondsToLoad + chosen.reduce((sum, test) => sum + test.seconds, 0);
    return {file, seconds, ...(isWhole && hasAll ? {} : {ids: chosen.map(({id}) => id)})};
  }

  /** @returns what failed when the mutant was active: a test, or that the run did not end; undefined: nothing */
  async tryMutant(mutant, runs) {
    this.#copy.activate(mutant.id);
    const expected = runs.reduce((sum, {seconds}) => sum + seconds, 0);
    try {
      const {modules, errors, failed} = await this.#run(runs, {isTrial: true, expected});
      const broken = modules.flatMap((module) => module.broken.map((message) => `${module.file}: ${message}`));
      return failed ?? broken[0] ?? errors[0];
    } catch (error) {
      if (error instanceof TimedOut) return error.message;
      throw error;
    } finally {
      this.#copy.activate('none');
    }
  }
}
