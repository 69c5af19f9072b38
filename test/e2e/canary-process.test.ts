/** What others on the machine can see of a program that runs, and what is left of one that crashes. */
import {once} from 'node:events';
import {mkdirSync, readFileSync, readdirSync, watch} from 'node:fs';
import {createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {describe, expect, onTestFinished, test} from 'vitest';
import {Tally} from '../events.js';
import {canary, failures, filesWith, homeIn, telltale} from './canary.js';
import {isOtherProgram, isSingleFile, newFolder, preloading, start, type Running} from './program.js';
import {machineWith, profileOn} from './signing-in.js';

const [access, refresh, client] = [canary(), canary(), canary()];
const secrets = [access, refresh, client];
const secret = {accessToken: access.value, refreshToken: refresh.value, clientSecret: client.value};

/** It is asked all the same, and must not be that of who runs the tests. */
const noKeyring = {DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent'};

const contentOf = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It has ended.
    return '';
  }
};

/** Arguments and titles of a process, and of all that it started. */
function visibleOf(pid: number): string {
  const children = contentOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return [contentOf(`/proc/${pid}/cmdline`), contentOf(`/proc/${pid}/comm`), ...children.map(visibleOf)].join('\n');
}

/** All that was ever to be seen while it ran. */
async function watched(running: Running, look: (visible: string) => void = () => {}): Promise<string> {
  const seen = new Set<string>();
  while (running.child.exitCode === null && running.child.signalCode === null) {
    const visible = visibleOf(running.child.pid ?? 0);
    look(visible);
    seen.add(visible);
    await setTimeout(5);
  }
  return [...seen].join('\n');
}

describe.runIf(process.platform === 'linux')('process arguments and titles contain no secret', () => {
  const cases: readonly (readonly [line: string, stdin: string, env: Readonly<Record<string, string>>])[] = [
    ['blocks list', '', {}],
    ['auth refresh', '', {}],
    ['auth token', '', {}],
    ['auth login --with-token --profile new', access.value, {}],
    ['auth login --with-token --profile new', access.value, {PIXELCTL_STORAGE: 'keyring', ...noKeyring}],
    ['doctor', '', {}],
  ];

  test.concurrent.each(cases)('process arguments and titles contain no secret of %s', async (line, stdin, env) => {
    const looks = new Tally();
    // Whoever asks is looked at meanwhile.
    await using server = await telltale(async (response, heard) => {
      await looks.reached(looks.count + 2);
      failures['refused input']?.(response, heard, response.req);
    });
    const around = await machineWith([profileOn(server.url, {client: {id: '1'}}), secret]);
    const seen = await watched(around.start([...line.split(' '), '--retries', '0'], {stdin, env}), () => looks.add());
    expect(seen).toContain(line.replaceAll(' ', '\0'));
    for (const each of secrets) expect(each.isIn(seen)).toBe(false);
  });

  // The package that is installed to be tested has no keyring, and single executables have theirs inside.
  const testOfClone = isOtherProgram ? test.skip : test.concurrent;
  testOfClone('process arguments and titles contain no secret of the keyring process', async () => {
    await using server = await telltale(
      (response) => void response.writeHead(200, {'content-type': 'application/json'}).end('{"id":"1","username":"ana","acct":"ana"}'),
    );
    // A keyring that answers only when its caller was seen, however late this test gets to look.
    const sockets = new Set<Socket>();
    let wasSeen = false;
    const keyring = createServer((socket) => void (wasSeen ? socket.destroy() : sockets.add(socket)));
    const address = join(newFolder(), 'bus');
    await once(keyring.listen(address), 'listening');
    onTestFinished(() => void keyring.close());
    const around = await machineWith();
    const running = around.start(['auth', 'login', '--with-token', '--server', server.url], {
      stdin: access.value,
      env: {PIXELCTL_STORAGE: '', DBUS_SESSION_BUS_ADDRESS: `unix:path=${address}`},
    });
    const seen = await watched(running, (visible) => {
      wasSeen ||= visible.includes('keyring-process.cjs');
      if (wasSeen) for (const socket of sockets) socket.destroy();
    });
    expect(seen).toContain('keyring-process.cjs');
    expect(access.isIn(seen)).toBe(false);
  });
});

describe('a crash', () => {
  /** While it waits for an answer. */
  const crash = 'process.on("SIGUSR2", () => { throw new TypeError(`Crashed: ${process.env.PIXELCTL_TOKEN}`); })';

  test.concurrent.each([[[]], [['--json']]])('prints one message without details, with %j', async (flags) => {
    const asked = new Tally();
    await using server = await telltale(() => asked.add());
    const env = {...preloading(crash), PIXELCTL_SERVER: server.url, PIXELCTL_TOKEN: access.value};
    const running = start(['blocks', 'list', ...flags], {env});
    await asked.reached(1);
    running.child.kill('SIGUSR2');
    const {stdout, stderr, status} = await running.ended;
    expect({stdout, status}).toEqual({stdout: '', status: 1});
    expect(stderr).toContain('pixelctl failed unexpectedly (TypeError)');
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    expect(access.isIn(stderr)).toBe(false);
  });

  // Bun writes no such reports.
  test.runIf(process.platform !== 'win32' && !isSingleFile)('writes Node reports without the environment', async () => {
    const asked = new Tally();
    await using server = await telltale(() => asked.add());
    const home = newFolder();
    const [reports, homeEnv] = [join(home, 'reports'), homeIn(home)];
    mkdirSync(reports);
    const env = {
      ...homeEnv,
      NODE_OPTIONS: `--report-on-signal --report-directory="${reports}"`,
      PIXELCTL_SERVER: server.url,
      PIXELCTL_TOKEN: access.value,
    };
    const running = start(['blocks', 'list'], {env});
    await asked.reached(1);
    const watcher = watch(reports);
    const written = once(watcher, 'change').finally(() => watcher.close());
    running.child.kill('SIGUSR2');
    await written;
    running.child.kill('SIGTERM');
    await running.ended;
    expect(readdirSync(reports)).toHaveLength(1);
    expect(filesWith(home, secrets)).toEqual([]);
  });
});
