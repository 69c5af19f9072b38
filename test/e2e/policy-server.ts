/** Folders with policies, where the built program runs, also in a process that is killed. */
import {expect} from 'vitest';
import {adminServer, deskWith, type Moment, type WatchedSandbox} from '../policy-desk.js';
import type {SandboxOptions} from '../sandbox/start.js';
import {run} from './in-process.js';
import {start} from './program.js';

export {everyKind, ownedIn, stateLines, watchedSandbox, type WatchedSandbox} from '../policy-desk.js';

/** Has a run killed around a write of its server; nothing of what is killed before reaches it. */
export async function killAt(
  server: WatchedSandbox,
  {child, ended}: ReturnType<typeof start>,
  {moment, step}: {readonly moment: Moment; readonly step: number},
): Promise<void> {
  server.stepIn = (when, count) => {
    if (when !== moment || count !== step) return undefined;
    child.kill('SIGKILL');
    return 'swallow';
  };
  expect(await ended).toMatchObject({signal: 'SIGKILL'});
  server.stepIn = () => undefined;
}

/** Somebody's checkout, beside one server. */
export function deskAt({env}: Pick<WatchedSandbox, 'env'>, files: Readonly<Record<string, string>>) {
  const desk = deskWith(run, {env}, files);
  return {...desk, start: (...args: readonly string[]) => start(args, {env, folder: desk.folder})};
}

export type Desk = ReturnType<typeof deskAt>;

/** The checkout of ana, an admin, unless another one is named. */
export async function adminDesk(files: Readonly<Record<string, string>>, options: SandboxOptions, who?: string) {
  const at = await adminServer(options, who);
  return {...deskAt(at, files), ...at};
}
