/** Mutation tests with the tests of `test/lib`: docs/mutation.md. */
export default {
  testRunner: 'vitest',
  // Some tests change the working folder, which threads cannot.
  vitest: {pool: 'forks'},
  mutate: ['src/lib/**/*.ts'],
  // What is not there cannot be rewritten: that needs an API which TypeScript 7 does not have.
  tsconfigFile: 'none',
  // Left out of the copy in which the tests run, and with them the tests that run what was built: mutants are in `src` alone.
  ignorePatterns: [
    '/.cache',
    '/bundle',
    '/coverage',
    '/dist-binaries',
    '/man',
    '/release',
    'test/{bin,ci,commands,contract,e2e,guides,parsers,scripts}/**/*.test.ts',
  ],
  reporters: ['clear-text', 'html', 'progress-append-only'],
  clearTextReporter: {reportTests: false},
  htmlReporter: {fileName: '.stryker-tmp/report.html'},
  concurrency: 2,
};
