/** Opens a backup that is to be restored: somebody else may have edited its folder. */
import {basename, dirname, join, resolve} from 'node:path';
import {requireOwned} from '../archive/index.js';
import {Failure} from '../client/failure.js';
import {commandText} from '../files/command-text.js';
import {itemsAt} from '../json/path.js';
import {countNoun} from '../json/text.js';
import {mustRulesIn} from '../policy/index.js';
import {damagedLists, DatedFolders, type DatedLists, isDated, isShrunk, listsFolder} from './dated.js';
import {backupFolder} from './index.js';
import {jsonOf, keysOf, ownPart, type Part, parts, restorePolicy, serverPart} from './parts.js';

/** A list of a backup that a restore does not look at. */
export interface UnseenList {
  readonly key: string;
  /** The list in words: `2 server blocks`. */
  readonly text: string;
}

interface Restored {
  readonly file: string;
  readonly text: string;
  /** The sections to restore; undefined means all. */
  readonly only: string[] | undefined;
  /** The name of the state that records what a restore made, the same for all dates. */
  readonly policy: string;
  /** Lists that a restore of everything leaves out, because they belong to the server. */
  readonly unseen: readonly UnseenList[];
  readonly notes: readonly string[];
  /** Damage of other files in the folder. The policy is not damaged. */
  readonly damage: Failure | undefined;
}

/** The keys of all lists that can be restored. */
export const restorable = parts.flatMap(keysOf);

/** @throws Failure `usage` for lists of the account together with those of the server */
function partOf(only: readonly string[] | undefined): Part {
  const names = (part: Part): boolean => keysOf(part).some((key) => only?.includes(key));
  if (!names(serverPart)) return ownPart;
  if (!names(ownPart)) return serverPart;
  throw new Failure('usage', `${keysOf(serverPart).join(', ')} is restored by itself: nothing was sent`, {
    hint: 'restore the other lists in a run of their own',
  });
}

/** The folder of a backup, and the date that a path names. @param path a backup, or the folder of a date in one */
export function backupIn(path: string): {readonly backup: string; readonly date: string | undefined} {
  const whole = resolve(path);
  const isOfDate = basename(dirname(whole)) === listsFolder && isDated(basename(whole));
  return isOfDate ? {backup: join(path, '..', '..'), date: basename(whole)} : {backup: path, date: undefined};
}

/**
 * Reads the policy of a backup, which may say only what must be there.
 * @param path a backup, or the folder of a date in one
 * @param only the lists to restore; undefined means those of the account
 * @throws Failure `usage` for anything that a backup does not have, `not_found` when it has no such lists, `local` when they cannot be read or are damaged
 */
export async function openBackup(path: string, only: readonly string[] | undefined): Promise<Restored> {
  const part = partOf(only);
  const {backup, date} = backupIn(path);
  await requireOwned(backup, backupFolder);
  const dated = await DatedFolders.in(backup);
  const newest = dated.names.at(-1);
  const name = date ?? dated.names.findLast((one) => !isShrunk(one));
  const commandFor = (lists: string): string => `\`${commandText('restore', {args: [join(dated.folder, lists)]})}\``;
  const again = `back up what the server has: \`${commandText('backup', {flags: {to: backup, admin: part.isOfServer || undefined}})}\``;
  if (name === undefined && newest !== undefined)
    throw new Failure('not_found', `All lists in ${dated.folder} had lost much, and restore passes them over: nothing was sent`, {
      hint: `to restore the newest of them all the same: ${commandFor(newest)}`,
    });
  if (name === undefined || !dated.names.includes(name))
    throw new Failure('not_found', `${dated.folder} has no lists${date === undefined ? '' : ` of ${date}`}: nothing was sent`, {
      hint: again,
    });
  const found = await dated.read(name);
  const file = join(found.folder, part.policy);
  const text = found.files.get(part.policy);
  const damage = found.damage.length > 0 ? damagedLists(found) : undefined;
  if (text === undefined) throw damage ?? new Failure('usage', `${found.folder} has no ${part.policy}: nothing was sent`, {hint: again});
  const there = mustRulesIn(text, file, {keys: keysOf(part), hasServer: part.isOfServer});
  const missing = only?.find((key) => there[key] === undefined);
  if (missing !== undefined) throw new Failure('usage', `${path} has no ${missing}: nothing was sent`);
  const isPassed = date === undefined && newest !== undefined && newest !== name;
  return {
    file,
    text,
    only: only && keysOf(part).filter((key) => only.includes(key)),
    policy: join(backup, restorePolicy),
    unseen: only === undefined ? listUnseen(found) : [],
    notes: [
      `The lists are those of ${name}.`,
      ...(isPassed ? [`Those of ${newest} had lost much: ${commandFor(newest)} restores them.`] : []),
    ],
    damage,
  };
}

function listUnseen({files}: DatedLists): UnseenList[] {
  return serverPart.sections.flatMap(({key, item}) => {
    const items = itemsAt(JSON.parse(files.get(jsonOf(key)) ?? '[]'), [])?.length ?? 0;
    return items === 0 ? [] : [{key, text: countNoun(items, item)}];
  });
}
