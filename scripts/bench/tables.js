/** A table of 40 rows beside the same rows in JSON. */
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {executableFor, hostPlatform} from '../binaries/platforms.js';
import {root} from '../root.js';
import {bin} from '../sandbox.js';
import {timesInTurns} from './start.js';

const account = (index) => ({
  id: String(1_000_000_000 + index),
  username: `user${index}`,
  acct: `user${index}@far-${index}.example`,
  display_name: `Ben of the Harbour ${index}`,
  avatar: 'https://far.example/storage/avatars/42.jpg',
  followers_count: index * 3,
  following_count: index,
  statuses_count: index * 7,
  note: '<p>Photos of harbours</p>',
  local: false,
  locked: false,
  created_at: '2023-05-01T10:00:00.000Z',
  url: `https://far-${index}.example/user${index}`,
});

/** @returns what {@link timesInTurns} does, each table after the JSON that it is compared with; without an executable those of Node alone */
export async function benchTables(rounds, env, inRound) {
  const rows = JSON.stringify(Array.from({length: 40}, (_, index) => account(index)));
  const server = fork(join(root, 'scripts/bench/server.js'), [rows]);
  const [port] = await once(server, 'message');
  const program = executableFor(hostPlatform());
  const programs = {pixelctl: {args: [bin]}, ...(existsSync(program) && {executable: {file: program, args: []}})};
  const runs = Object.entries(programs).flatMap(([name, {args, ...how}]) => {
    const list = [...args, 'blocks', 'list'];
    return [
      {...how, name: `${name} blocks list --json, 40 rows`, args: [...list, '--json']},
      {...how, name: `${name} blocks list, 40 rows`, args: list, beside: `${name} blocks list --json, 40 rows`},
    ];
  });
  try {
    return await timesInTurns(
      runs.map((run) => ({...run, status: 0})),
      rounds,
      {env: {...env, PIXELCTL_SERVER: `http://127.0.0.1:${port}`}},
      inRound,
    );
  } finally {
    server.disconnect();
  }
}
