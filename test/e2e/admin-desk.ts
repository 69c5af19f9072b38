/** The desk of an admin: the demo, what is sent to it, and a folder for files. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {run, type Setting} from './in-process.js';
import {newFolder, type Ended} from './program.js';
import {recordedSandbox, type Around} from './server.js';

const action = 'POST /api/admin/users/action';

/** An admin at the demo, in a folder of their own. */
export async function desk(around?: Around) {
  const server = await recordedSandbox({limitsRate: false}, around);
  const {admins} = server.sandbox.tokens;
  const env = {...server.env, PIXELCTL_TOKEN: admins['admin'] ?? ''};
  const folder = newFolder();
  const path = (name: string) => join(folder, name);
  return {
    server,
    env,
    folder,
    path,
    run: (args: readonly string[], setting: Setting = {}) => run(args, {env, folder, ...setting}),
    /** What was sent that is no question: `260 cw` */
    acts: () =>
      server.exchanges.flatMap(({received: {method, target, body}}) => {
        if (`${method} ${target}` !== action) return [];
        const {id, action: what}: {readonly id: string; readonly action: string} = JSON.parse(body.toString());
        return `${id} ${what}`;
      }),
    lines: (name: string): readonly Record<string, unknown>[] =>
      readFileSync(path(name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** How a run failed, whoever it is told to. */
export const failed = ({status, stderr}: Ended) => ({status, error: stderr});

export type Desk = Awaited<ReturnType<typeof desk>>;

/** The flags of a person. */
export async function moderation({run: ask}: Desk, name: string): Promise<unknown> {
  return JSON.parse((await ask(['users', 'get', name, '--json'])).stdout).meta.moderation;
}
