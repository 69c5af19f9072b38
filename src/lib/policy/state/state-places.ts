/** Where states are: a file for each account, and one for the blocks of each server. Its name says which policy it is of. */
import {mkdir, readdir} from 'node:fs/promises';
import {existsSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {Failure, localFailure} from '../../client/failure.js';
import {absent} from '../../files/system-error.js';
import {compareText} from '../source/location.js';

const fileEnding = '.state.ndjson';

/** Writes any character but letters, digits and `._@-` as its bytes, so that different names get different files. */
function inFileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._@-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

/** The account or the server of a state: `ana@pix.example`, or `@pix.example`. */
export type StateName = string;

export const nameOfServer = (host: string): StateName => `@${host}`;

const isFile = (chosen: string | undefined): chosen is string => chosen?.endsWith('.ndjson') === true;

/** @param chosen the value of `--state` */
export function stateAt(policy: string, name: StateName, chosen: string | undefined): string {
  if (isFile(chosen)) return chosen;
  const file = `${policy === '-' ? 'policy' : basename(policy)}.${inFileName(name)}${fileEnding}`;
  return chosen === undefined ? join(dirname(policy), file) : join(chosen, file);
}

/** @throws Failure `usage` when `--state` names one file for several states */
export function refuseOneFile(names: readonly StateName[], chosen: string | undefined): void {
  if (!isFile(chosen) || names.length < 2) return;
  throw new Failure(
    'usage',
    `--state ${chosen} is one file, and this run has ${names.length} states (${names.join(', ')}): nothing was sent`,
    {
      hint: 'name a folder with --state',
    },
  );
}

/** Makes the folder that `--state` names. @throws Failure `local` when it cannot be made */
export async function makeStateFolder(chosen: string | undefined): Promise<void> {
  if (chosen === undefined || isFile(chosen) || existsSync(chosen)) return;
  await mkdir(chosen, {recursive: true, mode: 0o700}).catch((error: unknown) => {
    throw localFailure(`Cannot make the folder ${chosen}`, error);
  });
}

/** The existing state files of a policy. @throws Failure `local` when the folder cannot be read */
export async function statesOf(policy: string, chosen: string | undefined): Promise<string[]> {
  if (isFile(chosen)) return existsSync(chosen) ? [chosen] : [];
  const folder = chosen ?? dirname(policy);
  const names = await readdir(folder)
    .catch(absent)
    .catch((error: unknown) => {
      throw localFailure(`Cannot look for states in ${folder}`, error);
    });
  const prefix = `${policy === '-' ? 'policy' : basename(policy)}.`;
  return (names ?? [])
    .filter((name) => name.startsWith(prefix) && name.endsWith(fileEnding) && name.includes('@'))
    .sort(compareText)
    .map((name) => join(folder, name));
}
