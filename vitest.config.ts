import {configDefaults, defineConfig} from 'vitest/config';

/** Tests of the library that start processes of what was built: end to end, wherever the file is. */
const processTests = [
  'test/lib/run/kill.test.ts',
  'test/lib/client/suggest.test.ts',
  'test/lib/cli/completion/model.test.ts',
  'test/lib/files/lock.test.ts',
  'test/lib/files/read-file.test.ts',
  'test/lib/files/whole-file.test.ts',
  'test/lib/auth/keyring.test.ts',
  'test/lib/auth/profile-store-crash.test.ts',
  'test/scripts/bootstrap.test.ts',
  'test/scripts/build.test.ts',
  'test/scripts/workflows.test.ts',
];
const guideTests = ['test/docs.test.ts', 'test/guides.test.ts'];

const layer = (name: string, include: readonly string[], exclude: readonly string[] = []) => ({
  extends: true as const,
  test: {name, include: [...include], exclude: [...configDefaults.exclude, ...exclude]},
});

export default defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    reporters: ['default', './scripts/closing-line-reporter.js'],
    // Many tests start child processes: more at a time than a small machine has cores only makes them late.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      layer('unit', ['test/*.test.ts', 'test/{lib,commands,scripts}/**/*.test.ts'], [...processTests, ...guideTests]),
      layer('contract', ['test/contract/**/*.test.ts']),
      layer('e2e', ['test/{e2e,bin,ci}/**/*.test.ts', ...processTests]),
      layer('guides', guideTests),
    ],
  },
});
