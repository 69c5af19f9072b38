/** Long lists: the memory beside that of a short one, the time beside that of a bare undici loop over the same pages. */
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {root} from '../root.js';
import {bin} from '../sandbox.js';
import {inTurns} from './measured.js';

const warmUps = 1;
const listAll = [bin, 'dm', 'list', '--limit', '40', '--all', '-o', 'ndjson'];

/**
 * @param env without the settings of the user
 * @returns what the bare loop and lists of 100,000 and 1,000 rows used, as {@link inTurns} does
 */
export async function benchLists(rounds, env) {
  const servers = await Promise.all([100_000, 1000].map(startServer));
  const [long, short] = servers.map(({port}) => ({...env, PIXELCTL_SERVER: `http://127.0.0.1:${port}`}));
  const ways = {
    bare: {lines: 100_000, args: [join(root, 'scripts/bench/bare-list.js')], env: long},
    long: {lines: 100_000, args: listAll, env: long},
    short: {lines: 1000, args: listAll, env: short},
  };
  try {
    return await inTurns(ways, rounds, warmUps);
  } finally {
    for (const {server} of servers) server.disconnect();
  }
}

async function startServer(rows) {
  const server = fork(join(root, 'scripts/bench/list-server.js'), [String(rows)]);
  const [port] = await once(server, 'message');
  return {server, port};
}
