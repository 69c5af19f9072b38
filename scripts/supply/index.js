/**
 * Checks what comes in and what goes out: npm run check:supply -- [--all] [signatures|licenses|published|scripts|lockfiles|actions|release]...
 * It ends with 0 when nothing is wrong, with 1 when something is, and with 3 when nothing is wrong, --all was asked for, and a check could not run.
 */
import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {bundledPackages} from '../licenses/index.js';
import {lockfiles} from '../pinned-package.js';
import {root} from '../root.js';
import {actionProblems, licenseProblems, lockfileProblems, publishedProblems, scriptProblems} from './files.js';
import {releaseTwice} from './rebuild.js';
import {signatureResult} from './signatures.js';

const text = (file) => readFileSync(join(root, file), 'utf8');
const json = (file) => JSON.parse(text(file));
const options = {cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, shell: process.platform === 'win32'};
const inFile = (file) => (problem) => `${file}: ${problem}`;

/** Where actions are named. */
const withActions = ['.github', 'action.yml', 'ci', 'docs', 'README.md'];

/** Each returns the problems, and `notRun` where something could not be checked. */
const checks = {
  signatures: {
    title: 'the registry signed what is installed',
    run() {
      const {stdout, stderr} = spawnSync('npm', ['audit', 'signatures', '--json', '--loglevel=silent'], options);
      try {
        return signatureResult(JSON.parse(stdout));
      } catch {
        return {problems: [], notRun: `npm audit signatures printed no JSON: ${stderr.trim() || stdout.trim() || '(nothing)'}`};
      }
    },
  },
  licenses: {
    title: 'all that is bundled has a licence of the list',
    run: () => ({problems: licenseProblems(bundledPackages())}),
  },
  published: {
    title: 'what is published runs no script when it is installed',
    run() {
      const [{files}] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--silent', '--ignore-scripts'], options));
      const paths = files.map(({path}) => path);
      return {problems: publishedProblems(json('package.json'), paths)};
    },
  },
  scripts: {
    title: 'only packages in allowScripts have install scripts',
    run: () => ({problems: scriptProblems(json('package-lock.json'), json('package.json').allowScripts)}),
  },
  lockfiles: {
    title: 'each package of the lockfiles has a checksum and no address',
    run: () => ({problems: lockfiles.flatMap((file) => lockfileProblems(json(file)).map(inFile(file)))}),
  },
  actions: {
    title: 'actions are pinned by their digests',
    run() {
      const files = execFileSync('git', ['ls-files', ...withActions], {...options, shell: false})
        .trim()
        .split('\n');
      return {problems: files.flatMap((file) => actionProblems(text(file)).map(inFile(file)))};
    },
  },
  release: {
    title: 'a release made twice is the same byte for byte',
    run() {
      const {problems, files, left, version} = releaseTwice();
      say(`        ${files} files of ${version} compared`);
      return {problems, notRun: left && `the executables were not made: ${left}`};
    },
  },
};

const say = (line) => process.stdout.write(`${line}\n`);

function check(names, isAll) {
  let [isWrong, isWhole] = [false, true];
  for (const name of names) {
    const {problems, notRun} = checks[name].run();
    const verdict = problems.length > 0 ? 'not ok' : notRun === undefined ? 'ok' : 'not run';
    say(`${verdict.padEnd(7)} ${name}: ${checks[name].title}${notRun === undefined ? '' : ` (not checked: ${notRun})`}`);
    for (const problem of problems) say(`        ${problem}`);
    isWrong ||= problems.length > 0;
    isWhole &&= notRun === undefined;
  }
  if (isWrong) return 1;
  return isAll && !isWhole ? 3 : 0;
}

try {
  const {values, positionals} = parseArgs({allowPositionals: true, options: {all: {type: 'boolean', default: false}}});
  const unknown = positionals.find((name) => !Object.hasOwn(checks, name));
  if (unknown !== undefined) throw new Error(`there is no check ${unknown}: there are ${Object.keys(checks).join(', ')}`);
  process.exitCode = check(positionals.length > 0 ? positionals : Object.keys(checks), values.all);
} catch (error) {
  process.stderr.write(`Supply: ${error.message}\n`);
  process.exitCode = 2;
}
