import {fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {root} from './root.js';

export const bin = join(root, 'bin/run.js');

/** A policy that the account on the test server does not meet yet. */
export const examplePolicy = `version: 1
domain_blocks:
  must: [scam.example, spam.example]
filters:
  must:
    - title: Spoilers
      context: [home, public]
      keywords: [finale, plot twist]
`;

/**
 * Starts the local test server, and makes an environment in which the program uses it and nothing of the user's.
 * @param options of the server
 */
export async function startSandbox(options = {}) {
  const server = fork(import.meta.filename, [JSON.stringify(options)]);
  const [{url, token}] = await Promise.race([once(server, 'message'), once(server, 'exit').then(notStarted)]);
  const home = mkdtempSync(join(tmpdir(), 'pixelctl-'));
  const settings = {PIXELCTL_SERVER: url, PIXELCTL_TOKEN: token};
  const foreign = Object.keys(process.env).filter((name) => /^pixelctl_|_proxy$/i.test(name));
  return {
    settings,
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.includes(name))),
      ...settings,
      PIXELCTL_CONFIG_DIR: home,
    },
    stop() {
      server.disconnect();
      rmSync(home, {recursive: true, force: true});
    },
  };
}

function notStarted() {
  throw new Error('the local test server did not start');
}

/** In the process that is started: sends the address, and ends with its parent. */
if (process.argv[1] === import.meta.filename) {
  const sandbox = await import('../dist/lib/sandbox/sandbox-server.js');
  const {url, tokens} = await sandbox.startSandbox({port: 0, ...JSON.parse(process.argv[2])});
  process.send({url, token: tokens.all});
  process.on('disconnect', () => process.exit());
}
