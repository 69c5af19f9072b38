import {defineConfig} from 'vitest/config';

/** Milliseconds. */
const maxTestTime = 600_000;

export default defineConfig({
  test: {
    // One project: a process takes the next file only where that is of the same project, and else another process is started. The
    // layers of CONTRIBUTING are folders.
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/run-folder.ts'],
    setupFiles: ['test/setup.ts'],
    // A process for each of 400 files, with all modules read again, took as long as a third of the tests. CONTRIBUTING says what follows.
    isolate: false,
    // What was built is loaded by Node, so that oclif and the tests get the same modules.
    server: {deps: {external: [/\/dist\/lib\//]}},
    // This parser imports JSON in a way that only bundlers understand.
    deps: {optimizer: {ssr: {enabled: true, include: ['@actions/workflow-parser', '@actions/workflow-parser/actions/index']}}},
    // Only what vitest itself loads is counted: not what runs in `dist/` and `bundle/`, as most end-to-end tests have it.
    coverage: {include: ['src/**/*.ts'], reporter: ['text', 'html']},
    reporters: ['default', './test/closing-line-reporter.js'],
    // As a small machine has cores: each further process compiles the program once more.
    maxWorkers: 2,
    // Runs in a process leave much behind that is short-lived: with the usual 16 MB it is collected twice as often.
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=64'],
    // Not a bound on how long a test takes: it ends one that hangs, on the busiest machine only then.
    testTimeout: maxTestTime,
    hookTimeout: maxTestTime,
    // Nothing depends on the order of files and tests: each run has another one, and says which.
    sequence: {shuffle: true},
  },
});
