/** Opens a backup that is to be restored: somebody else may have edited its folder. */
import {join} from 'node:path';
import {accountFoldersIn, backupFolder, oneOf, ownerOf, refuseLinks} from '../archive/archive-folder.js';
import {Failure, localFailure} from '../client/failure.js';
import {readText} from '../files/read-file.js';
import {isPolicy} from '../policy/reading/policy-or-list.js';
import {mustRulesIn} from '../policy/reading/must-only.js';
import type {SectionKey} from '../policy/model/section-types.js';
import {keysOf, ownPart, type Part, parts, serverPart} from './parts.js';

/** A policy to restore. */
export interface Restored {
  readonly file: string;
  readonly text: string;
  /** The sections that are meant; undefined: all. */
  readonly only: SectionKey[] | undefined;
}

/** What of a backup can be restored together. */
export const restorable = parts.flatMap(keysOf);

/** @throws Failure `usage` for what cannot be restored together */
function partOf(only: readonly SectionKey[] | undefined): Part {
  const names = (part: Part): boolean => keysOf(part).some((key) => only?.includes(key));
  if (!names(serverPart)) return ownPart;
  if (!names(ownPart)) return serverPart;
  throw new Failure('usage', `${keysOf(serverPart).join(', ')} is restored by itself: nothing was sent`, {
    hint: 'restore the other lists in a run of their own',
  });
}

/** @throws Failure `usage` for a folder that is no backup */
async function refuseOthers(folder: string): Promise<void> {
  const names = await refuseLinks(folder, backupFolder).catch((error: unknown) => {
    throw error instanceof Failure ? error : localFailure(`Cannot read the folder ${folder}`, error, 'name the folder of a backup');
  });
  if ((await ownerOf(folder, backupFolder)) !== undefined) return;
  const inside = await accountFoldersIn(
    folder,
    names.map(({name}) => name),
    backupFolder,
  );
  throw new Failure('usage', `${folder} is no backup: nothing was sent`, {
    hint: inside.length === 0 ? 'make one with `pixelctl backup`' : oneOf(folder, inside),
  });
}

/**
 * Reads the policy of a backup. It says what must be there, and nothing else.
 * @param only the lists that are meant; undefined: those of the account
 * @throws Failure `usage` for anything that a backup does not have, `local` when it cannot be read
 */
export async function openBackup(folder: string, only: readonly SectionKey[] | undefined): Promise<Restored> {
  const part = partOf(only);
  await refuseOthers(folder);
  const file = join(folder, part.policy);
  const text = await readText(file).catch((error: unknown) => {
    throw localFailure(
      `Cannot read the policy ${file}`,
      error,
      part === serverPart ? 'back up with --admin' : 'run `pixelctl backup` again',
    );
  });
  const there = mustRulesIn(text, file, {keys: keysOf(part), hasServer: part.isOfServer});
  // A file that is none, or empty, is refused for that when it is read as a policy.
  const missing = isPolicy(text) ? only?.find((key) => there[key] === undefined) : undefined;
  if (missing !== undefined) throw new Failure('usage', `${folder} has no ${missing}: nothing was sent`);
  return {file, text, only: only && keysOf(part).filter((key) => only.includes(key))};
}
