/** Tries the mutants of rooms, one by one, with the tests that reach them: those of the room first, and the quick ones before slow ones. */

/** Files that run at once; more and more, because a mutant that the first ones did not kill may survive. */
const maxFilesAtOnce = 8;

export class Trial {
  #rooms;
  #tests;
  #kept;
  #copy;
  #options;
  #say;

  /**
   * @param options `seconds`: how long the tests of one mutant may take, by the times that were measured, before it counts as a survivor;
   * `tiers`: how many groups of tests are tried
   */
  constructor({rooms, tests, kept, copy, options, say}) {
    this.#rooms = rooms;
    this.#tests = tests;
    this.#kept = kept;
    this.#copy = copy;
    this.#options = options;
    this.#say = say;
  }

  /** Each group of tests is measured once the mutants are known that those before it did not kill. */
  async run(mutants) {
    let left = mutants;
    const tiers = this.#tests.tiers(this.#rooms).slice(0, this.#options.tiers);
    for (const [at, files] of tiers.entries()) {
      const open = left.filter((mutant) => this.#isOpen(mutant, files));
      if (open.length === 0) continue;
      this.#say(`Tests, group ${at + 1} of ${tiers.length}: ${files.length} files for ${open.length} mutants`);
      for (const [index, file] of files.entries()) {
        const {problems} = await this.#tests.measure(file);
        if (problems.length > 0) this.#say(`${file} is used without what fails unmutated: ${problems.slice(0, 2).join(', ')}`);
        if (index % 20 === 19) this.#say(`${index + 1} files measured`);
      }
      for (const [index, mutant] of open.entries()) {
        const {by} = await this.#try(mutant, files);
        this.#say(`${index + 1}/${open.length} ${mutant.file}:${mutant.line} ${by === undefined ? 'survives' : 'is killed'}`);
      }
      left = left.filter((mutant) => this.resultOf(mutant).by === undefined);
    }
  }

  resultOf(mutant) {
    return this.#known(mutant) ?? {survived: {}};
  }

  isTried(mutant) {
    return this.#known(mutant) !== undefined;
  }

  #known(mutant) {
    return this.#kept.result(mutant, this.#copy.sources.get(mutant.file));
  }

  /** Whether there is a test that a mutant has not survived as it is now. */
  #isOpen(mutant, files) {
    const {by, survived} = this.resultOf(mutant);
    return by === undefined && files.some((file) => survived[file] !== this.#tests.hashOf(file));
  }

  async #try(mutant, files) {
    const {survived, reached = false} = this.resultOf(mutant);
    // Each run has all of the time, so that tests that were added since are run.
    const result = {survived: {...survived}, seconds: 0, reached};
    const isNew = (file) => survived[file] !== this.#tests.hashOf(file);
    const runs = files.filter(isNew).map((file) => [file, this.#tests.runFor(mutant, file)]);
    for (const [file, run] of runs) if (run === undefined) result.survived[file] = this.#tests.hashOf(file);
    const wanted = runs.flatMap(([, run]) => run ?? []).sort((one, other) => one.seconds - other.seconds);
    if (wanted.length > 0) result.reached = true;
    for (
      let count = 1;
      wanted.length > 0 && result.by === undefined && result.seconds < this.#options.seconds;
      count = Math.min(2 * count, maxFilesAtOnce)
    ) {
      const now = wanted.splice(0, count);
      result.by = await this.#tests.tryMutant(mutant, now);
      result.seconds += now.reduce((sum, {seconds: own}) => sum + own, 0);
      if (result.by === undefined) for (const {file} of now) result.survived[file] = this.#tests.hashOf(file);
    }
    this.#kept.keepResult(mutant, this.#copy.sources.get(mutant.file), result);
    return result;
  }
}
