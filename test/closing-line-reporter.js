/** Ends a run with `N passed, N failed` alone on a line, for readers that are not people; before it, how to have the same order again. */
export default class ClosingLineReporter {
  #seed;

  onInit({config}) {
    this.#seed = config.sequence.seed;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const count = {passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0};
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      // A file or suite that breaks outside of its tests would else not be counted at all.
      if (module.errors().length > 0) count.failed += 1;
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) count.failed += 1;
    }
    count.failed += count.pending;
    if (count.passed + count.failed === 0) {
      process.stdout.write('No test ran.\n');
      count.failed = 1;
    }
    if (count.failed > 0) process.exitCode = 1;
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
    process.stdout.write(`The order was that of --sequence.seed=${this.#seed}\n`);
    process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`);
  }
}
