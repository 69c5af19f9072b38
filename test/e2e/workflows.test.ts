/** The files that CI reads: whether they are in the form that GitHub accepts, and name what there is. */
import {spawnSync} from 'node:child_process';
import {accessSync, constants, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import {workflowMistakes} from '../ci/schemas.js';

const root = join(import.meta.dirname, '../..');
const text = (...path: readonly string[]): string => readFileSync(join(root, ...path), 'utf8');

interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      {readonly strategy?: {readonly matrix: {readonly node: readonly number[]}}; readonly steps: readonly {readonly run?: string}[]}
    >
  >;
}

const workflows = readdirSync(join(root, '.github/workflows')).map((file) => {
  const workflow: Workflow = parse(text('.github/workflows', file));
  return {file, workflow, runs: Object.values(workflow.jobs).flatMap(({steps}) => steps.flatMap(({run}) => run ?? []))};
});
const {scripts, engines}: {readonly scripts: Readonly<Record<string, string>>; readonly engines: {readonly node: string}} = JSON.parse(
  text('package.json'),
);

describe.each(workflows)('$file', ({file, runs}) => {
  test('the file has the form of a workflow', () => {
    expect(workflowMistakes(text('.github/workflows', file))).toEqual([]);
  });

  test('runs scripts that there are', () => {
    const used = runs.flatMap((run) =>
      [...run.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(test)\b)/g)].map(([, name, other]) => name ?? other ?? ''),
    );
    expect(used.filter((name) => scripts[name] === undefined)).toEqual([]);
    for (const [file] of runs.flatMap((run) => [...run.matchAll(/^\.ci\/\S+/gm)])) accessSync(join(root, file), constants.X_OK);
  });

  test('puts no expression into a shell script', () => {
    expect(runs.filter((run) => run.includes('${{'))).toEqual([]);
  });
});

test('the oldest Node that is supported is tested', () => {
  const tested = workflows.flatMap(({workflow}) => Object.values(workflow.jobs)).flatMap(({strategy}) => strategy?.matrix.node ?? []);
  expect(Math.min(...tested)).toBe(parseInt(engines.node.replace('>=', ''), 10));
});

describe('.ci/run', () => {
  let tools: string;
  beforeEach(() => {
    tools = mkdtempSync(join(tmpdir(), 'pixelctl-tools-'));
    for (const name of ['bash', 'dirname', 'env', 'id', 'timeout'])
      symlinkSync(spawnSync('which', [name], {encoding: 'utf8'}).stdout.trim(), join(tools, name));
    tool('npm', 'echo "npm $*"; exit 5');
    tool('sudo', 'shift; exec "$@"');
  });
  afterEach(() => rmSync(tools, {recursive: true}));

  const tool = (name: string, script: string) => writeFileSync(join(tools, name), `#!${join(tools, 'bash')}\n${script}\n`, {mode: 0o755});
  const run = () => {
    const {stdout, stderr, status} = spawnSync(join(root, '.ci/run'), {env: {PATH: tools}, encoding: 'utf8'});
    const installed = spawnSync('cat', [join(tools, 'log')], {encoding: 'utf8'}).stdout.split('\n');
    return {
      stdout,
      stderr,
      status,
      installed: installed.filter((line) => line.startsWith('install')).map((line) => line.split(' ').at(-1)),
    };
  };

  test('runs the tests, and ends as they do', () => {
    expect(run()).toEqual({stdout: 'npm test\n', stderr: '', status: 5, installed: []});
  });

  test('installs the programs that are missing, one by one', () => {
    tool('apt-get', `echo "$*" >>'${join(tools, 'log')}'; case $* in *fish) exit 1;; esac`);
    for (const name of ['chromium', 'jq', 'script']) tool(name, '');
    const packages = ['zsh', 'fish', 'curl', 'shellcheck', 'dbus-daemon', 'gnome-keyring'];
    expect(run()).toEqual({stdout: 'npm test\n', stderr: '', status: 5, installed: packages});
  });
});
