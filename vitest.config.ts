import {defineConfig} from 'vitest/config';

/** A layer of the tests, as CONTRIBUTING describes them. */
const layer = (name: string, folders: string) => ({extends: true as const, test: {name, include: [`test/${folders}/**/*.test.ts`]}});

/** Milliseconds. */
const maxTestTime = 600_000;

export default defineConfig({
  test: {
    globalSetup: ['test/run-folder.ts'],
    setupFiles: ['test/setup.ts'],
    // A process for each of 400 files, with all modules read again, took as long as a third of the tests. CONTRIBUTING says what follows.
    isolate: false,
    // What was built is loaded by Node, so that oclif and the tests get the same modules.
    server: {deps: {external: [/\/dist\/lib\//]}},
    // This parser imports JSON in a way that only bundlers understand.
    deps: {optimizer: {ssr: {enabled: true, include: ['@actions/workflow-parser', '@actions/workflow-parser/actions/index']}}},
    reporters: ['default', './scripts/closing-line-reporter.js'],
    // One more than a small machine has cores: many tests wait for child processes, and for pauses of these.
    maxWorkers: 3,
    // Not a bound on how long a test takes: it ends one that hangs, on the busiest machine only then.
    testTimeout: maxTestTime,
    hookTimeout: maxTestTime,
    // Nothing depends on the order of files and tests: each run has another one, and says which.
    sequence: {shuffle: true},
    projects: [
      layer('unit', '{lib,commands,scripts}'),
      layer('contract', 'contract'),
      layer('e2e', '{e2e,bin,ci}'),
      layer('guides', 'guides'),
    ],
  },
});
