/** Folders with policies, where commands run in this process, beside a server of this process. */
import nock from 'nock';
import {adminServer, deskWith} from '../../policy-desk.js';
import {SkippingClock} from '../../loopback-server.js';
import {runCommand} from '../../run-command.js';
import type {SandboxOptions} from '../../sandbox/start.js';
import {runInFolder} from '../../working-folder.js';

interface Place {
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Standard input. */
  readonly stdin?: string;
}

const nowhere = {PIXELCTL_SERVER: undefined, PIXELCTL_TOKEN: undefined};

/** Waits between requests are over at once. There is no server but one that is given. */
export function run(words: readonly string[], {env, folder, stdin}: Place) {
  nock.restore();
  return runInFolder(folder, () => runCommand(words, {environment: {...nowhere, ...env}, input: stdin, clock: new SkippingClock()}));
}

/** Somebody's checkout, beside one server. */
export const deskAt = ({env}: Pick<Place, 'env'>, files: Readonly<Record<string, string>>) => deskWith(run, {env}, files);

export type Desk = ReturnType<typeof deskAt>;

/** The checkout of ana, an admin. */
export async function adminDesk(files: Readonly<Record<string, string>>, options: SandboxOptions) {
  const at = await adminServer(options);
  return {...deskAt(at, files), ...at};
}
