/** What stands between a fresh clone and the first command, in a copy of it with an npm that only notes how it is called. */
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {fileThere} from '../events.js';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';

const root = join(import.meta.dirname, '../..');

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'pixelctl bootstrap '));
  for (const file of ['bootstrap.js', 'root.js']) cpSync(join(root, 'scripts', file), join(project, 'scripts', file));
});
afterEach(() => rmSync(project, {recursive: true}));

function write(file: string, content: unknown, mode?: number): void {
  mkdirSync(dirname(join(project, file)), {recursive: true});
  writeFileSync(join(project, file), typeof content === 'string' ? content : JSON.stringify(content), {mode});
}

const environment = () => ({...process.env, PATH: [join(project, 'tools'), process.env['PATH'] ?? ''].join(delimiter)});

function bootstrap() {
  return spawnSync(process.execPath, ['scripts/bootstrap.js'], {cwd: project, env: environment(), encoding: 'utf8'});
}

describe('with an npm that notes how it is called', () => {
  const elsewhere = {version: '1.0.0', integrity: 'e', optional: true, os: ['none']};
  const hono = {version: '4.0.0', integrity: 'h'};

  /** An npm that does this; an install also leaves what npm leaves. */
  const npmThat = (does: string) => write('tools/npm', `#!/bin/sh\necho "$*" >>calls\n${does}\n`, 0o755);
  const installs = `mkdir -p node_modules/hono && cp installed node_modules/.package-lock.json`;
  const calls = () => (existsSync(join(project, 'calls')) ? readFileSync(join(project, 'calls'), 'utf8') : '');
  const ci = 'ci --include=dev --no-engine-strict --loglevel=error\n';

  beforeEach(() => {
    write('package.json', {type: 'module'});
    write('package-lock.json', {packages: {'': {}, 'node_modules/hono': hono, 'node_modules/elsewhere': elsewhere}});
    write('installed', {packages: {'node_modules/hono': hono}});
    npmThat(installs);
  });

  test('installs in a fresh clone, and then no more', () => {
    expect(bootstrap()).toMatchObject({status: 0, stdout: '', stderr: 'Installing dependencies (npm ci)\n'});
    expect(bootstrap()).toMatchObject({status: 0, stdout: '', stderr: ''});
    expect(calls()).toBe(ci);
  });

  test.each<[string, () => void]>([
    ['an install that was interrupted', () => rmSync(join(project, 'node_modules/.package-lock.json'))],
    ['a package that is gone', () => rmSync(join(project, 'node_modules/hono'), {recursive: true})],
    ['a package too many', () => write('package-lock.json', {packages: {'': {}}})],
    ['a new package', () => write('package-lock.json', {packages: {'node_modules/hono': hono, 'node_modules/zod': hono}})],
    ['another version', () => write('package-lock.json', {packages: {'node_modules/hono': {...hono, version: '4.1.0'}}})],
    ['another package of the same version', () => write('package-lock.json', {packages: {'node_modules/hono': {...hono, integrity: 'x'}}})],
  ])('installs again after %s', (_, change) => {
    write('node_modules/.package-lock.json', {packages: {'node_modules/hono': hono}});
    mkdirSync(join(project, 'node_modules/hono'));
    change();
    bootstrap();
    expect(calls()).toBe(ci);
  });

  test('says what to do when the install fails, and fails', () => {
    npmThat('echo no network >&2; exit 3');
    const failed = bootstrap();
    expect(failed).toMatchObject({status: 1, stdout: ''});
    expect(failed.stderr).toBe(
      'Installing dependencies (npm ci)\nno network\nThe install failed. Fix what npm reports above, then run the command again.\n',
    );
    npmThat(installs);
    expect(bootstrap().status).toBe(0);
  });

  test('says what to do on an old Node when npm has installed no newer one', () => {
    const old = 'data:text/javascript,Object.defineProperty(process, "versions", {value: {node: "20.1.0"}})';
    const run = () =>
      spawnSync(process.execPath, ['--import', old, 'scripts/bootstrap.js'], {cwd: project, env: environment(), encoding: 'utf8'});
    const advice = 'Node 20.1.0 is too old, and npm has not installed a newer one here. Run: npm ci --ignore-scripts=false\n';
    expect(run()).toMatchObject({status: 1, stderr: expect.stringContaining(advice)});
    expect(run()).toMatchObject({status: 1, stderr: advice});
    write('node_modules/.bin/node', '');
    expect(run()).toMatchObject({status: 0, stderr: ''});
  });

  test('runs one install at a time', async () => {
    npmThat(`mkdir busy || echo twice >>calls; node -e 0; node -e 0; ${installs}; rmdir busy`);
    const starts = Array.from({length: 3}, () =>
      spawn(process.execPath, ['scripts/bootstrap.js'], {cwd: project, env: environment(), stdio: 'ignore'}),
    );
    expect(await Promise.all(starts.map((start) => once(start, 'exit')))).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ]);
    expect(calls()).toBe(ci);
  });

  test('a command goes on after an install that was killed', async () => {
    npmThat('exec cat pipe');
    spawnSync('mkfifo', ['pipe'], {cwd: project});
    const killed = spawn(process.execPath, ['scripts/bootstrap.js'], {cwd: project, env: environment(), stdio: 'ignore', detached: true});
    await fileThere(join(project, 'calls'));
    process.kill(-(killed.pid ?? 0), 'SIGTERM');
    expect(await once(killed, 'exit')).toEqual([null, 'SIGTERM']);
    npmThat(installs);
    expect(bootstrap().status).toBe(0);
    expect(calls()).toBe(ci + ci);
  });
});
