/** One vitest in a process of its own, which runs the test files that it is told, many times. It is killed when a mutant hangs it. */
import {join} from 'node:path';
import {createVitest} from 'vitest/node';

const folder = process.cwd();

let bail = false;
let failed;
let ended;
let vitest;

const reporter = {
  onTestCaseResult(test) {
    if (test.result().state !== 'failed') return;
    failed ??= test.fullName;
    if (bail) void vitest.cancelCurrentRun('test-failure');
  },
  // What `runTestSpecifications` returns has the files of earlier runs, too.
  onTestRunEnd(modules, unhandledErrors) {
    ended = {modules: modules.map(reportOf), errors: unhandledErrors.map((error) => String(error?.message ?? error))};
  },
};

vitest = await createVitest(
  'test',
  {
    root: folder,
    config: join(folder, 'vitest.config.ts'),
    watch: false,
    run: true,
    reporters: [reporter],
    maxWorkers: Number(process.argv[2]),
    // A mutant can be in what a module does when it is loaded.
    isolate: true,
  },
  {logLevel: 'silent'},
);
const all = await vitest.globTestSpecifications();
const byFile = new Map(all.map((specification) => [specification.moduleId.slice(folder.length + 1), specification]));

function specificationOf({file, ids}) {
  const whole = byFile.get(file);
  return ids === undefined ? whole : whole.project.createSpecification(whole.moduleId, {testIds: ids});
}

/** What happened in a file: its tests, and whether it broke outside of them. */
function reportOf(module) {
  const tests = [...module.children.allTests()].map((test) => {
    return {id: test.id, name: test.fullName, state: test.result().state, seconds: (test.diagnostic()?.duration ?? 0) / 1000};
  });
  const suites = [...module.children.allSuites()];
  const broken = [module, ...suites].flatMap((each) => each.errors().map(({message}) => message));
  return {file: module.moduleId.slice(folder.length + 1), tests, broken};
}

process.on('message', async ({runs, isTrial}) => {
  [bail, failed] = [isTrial, undefined];
  const begun = Date.now();
  await vitest.runTestSpecifications(runs.map(specificationOf), false);
  process.send({...ended, failed, seconds: (Date.now() - begun) / 1000});
});

process.on('disconnect', () => process.exit());
process.send({files: [...byFile.keys()]});
