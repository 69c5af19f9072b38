/** Opens a backup that is to be restored: somebody else may have edited its folder. */
import {commandText} from '../files/command-text.js';
import {join} from 'node:path';
import {accountFoldersIn, makeHint, nameOneOf, ownerOf, refuseLinks} from '../archive/index.js';
import {Failure, localFailure} from '../client/failure.js';
import {readText} from '../files/read-file.js';
import {itemTexts} from '../json/slices.js';
import {counted} from '../json/text.js';
import {dateOf, isDay, isPolicy, type MustRules, mustRulesIn, type SectionKey, YamlSource} from '../policy/index.js';
import {backupFolder} from './backup-folder.js';
import {damagedFailure, type BackupGeneration, isGeneration, keptFile} from './generation.js';
import {Generations} from './generations.js';
import {jsonOf, keysOf, ownPart, type Part, parts, readmeFile, restoreState, serverPart} from './parts.js';

/** A list of a backup that a restore does not look at. */
export interface UnseenList {
  readonly key: SectionKey;
  readonly items: number;
  /** With their number: `2 server blocks`. */
  readonly text: string;
}

/** A policy to restore. */
interface Restored {
  readonly file: string;
  readonly text: string;
  /** The sections that are meant; undefined: all. */
  readonly only: SectionKey[] | undefined;
  /** Under which name what was made is kept, whichever generation it is from. */
  readonly policy: string;
  /** Where that is kept. */
  readonly state: string;
  /** What a restore of everything does not look at, because it is the server's. */
  readonly unseen: readonly UnseenList[];
  /** For people. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
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
export async function refuseNoBackup(folder: string): Promise<void> {
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
    hint: inside.length === 0 ? makeHint(backupFolder, folder) : nameOneOf(folder, inside),
  });
}

/** Which lists are meant. */
interface Chosen {
  /** Undefined: those of the account. */
  readonly only?: readonly SectionKey[] | undefined;
  /** The name of a generation, a date or a time; undefined: the latest one. */
  readonly at?: string | undefined;
}

/**
 * Reads the policy of a backup. It says what must be there, and nothing else.
 * @throws Failure `usage` for anything that a backup does not have, `not_found` when it has no lists of that time, `local` when they cannot
 * be read or are damaged
 */
export async function openBackup(folder: string, {only, at}: Chosen = {}): Promise<Restored> {
  const part = partOf(only);
  const choose = at === undefined ? undefined : chooserOf(at, folder);
  await refuseNoBackup(folder);
  const generations = await Generations.in(folder);
  try {
    const generation = await (choose?.(generations) ?? generations.latest());
    const {file, text} = generation === undefined ? await readPolicy(folder, part, folder) : await policyIn(generation, part, folder);
    const there = rulesIn(text, file, part);
    // A file that is none, or empty, is refused for that when it is read as a policy.
    const missing = isPolicy(text) ? only?.find((key) => there[key] === undefined) : undefined;
    if (missing !== undefined) throw new Failure('usage', `${folder} has no ${missing}: nothing was sent`);
    const kept = {policy: join(folder, part.policy), state: join(folder, restoreState)};
    const notes = generation === undefined ? noNotes : notesOn(generation, {generations, isLatest: at === undefined});
    const unseen = only === undefined ? await unseenIn(folder, generation) : [];
    return {file, text, only: only && keysOf(part).filter((key) => only.includes(key)), unseen, ...kept, ...notes};
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'local') throw error;
    const other = await lastWhole(generations, part);
    const flags = {only: only?.join(','), at: other};
    if (other === undefined) throw error.with({hint: againHint(folder, part)});
    throw error.saying('', {hint: `restore other lists: \`${commandText('restore', {args: [folder], flags})}\``});
  }
}

/** The lists of the server that are not empty. */
async function unseenIn(folder: string, generation: BackupGeneration | undefined): Promise<UnseenList[]> {
  const found = serverPart.sections.map(async ({key, words}) => {
    const text = generation === undefined ? await readText(join(folder, jsonOf(key))).catch(() => '[]') : undefined;
    const items = text === undefined ? (generation?.kept?.lists[key]?.items ?? 0) : itemTexts(text).length;
    return {key, items, text: counted(items, ...words.counted)};
  });
  return (await Promise.all(found)).filter(({items}) => items > 0);
}

/** @throws Failure `usage` for what is no time */
function chooserOf(at: string, folder: string): (generations: Generations) => Promise<BackupGeneration> {
  const until = isDay(at) ? new Date(`${at}T23:59:59.999Z`) : dateOf(at);
  if (!isGeneration(at) && until === undefined) {
    throw new Failure('usage', '--at takes a date, as in 2026-01-31, a time in UTC, or the name of a folder in lists', {
      hint: `\`${commandText('backup', {flags: {to: folder, list: true}})}\` shows which there are`,
    });
  }
  return async (generations) => {
    const isNamed = generations.names.includes(at);
    const found = isNamed ? await generations.read(at) : isGeneration(at) ? undefined : await generations.accepted(until);
    if (found !== undefined) return found;
    const [oldest] = generations.names;
    throw new Failure('not_found', `${generations.folder} has no lists of ${at}: nothing was sent`, {
      hint: oldest === undefined ? againHint(folder, ownPart) : `the oldest are of ${oldest}`,
    });
  };
}

interface PolicyText {
  readonly file: string;
  readonly text: string;
}

const rulesIn = (text: string, file: string, part: Part): MustRules =>
  mustRulesIn(text, file, {keys: keysOf(part), hasServer: part.isOfServer});

/** Suggests to back up what the server has. */
const againHint = (folder: string, {isOfServer}: Part): string =>
  `back up what the server has: \`${commandText('backup', {flags: {to: folder, admin: isOfServer || undefined}})}\``;

async function readPolicy(folder: string, part: Part, backup: string): Promise<PolicyText> {
  const file = join(folder, part.policy);
  const text = await readText(file).catch((error: unknown) => {
    throw localFailure(`Cannot read the policy ${file}`, error, againHint(backup, part));
  });
  return {file, text};
}

async function policyIn(generation: BackupGeneration, part: Part, backup: string): Promise<PolicyText> {
  const {folder, files, kept, damage, others} = generation;
  const file = join(folder, part.policy);
  const text = files.get(part.policy);
  if (text !== undefined) return {file, text};
  if (kept !== undefined && kept.files[part.policy] === undefined && !others.includes(part.policy)) return readPolicy(folder, part, backup);
  // What somebody else wrote into it is told as that.
  const found = await readText(file).catch(() => undefined);
  if (found !== undefined && new YamlSource(found, file).mistakes.count === 0) rulesIn(found, file, part);
  const failure = damagedFailure({folder, damage: damage.length > 0 ? damage : [`${keptFile} does not name ${part.policy}`]});
  if (files.size === 0) throw failure;
  throw failure.with({
    hint: `the lists are in ${folder}, as the server sent them and for other programs: ${readmeFile} explains the files`,
  });
}

/** What there is to say of the lists that are restored. */
type Notes = Pick<Restored, 'notes' | 'warnings'>;

const noNotes: Notes = {notes: [], warnings: []};

function notesOn(
  generation: BackupGeneration,
  {generations, isLatest}: {readonly generations: Generations; readonly isLatest: boolean},
): Notes {
  const {name, damage} = generation;
  const newest = generations.names.at(-1) ?? name;
  const newer = isLatest && newest > name ? [`Those of ${newest} are newer, and were not accepted: --at ${newest} restores them.`] : [];
  return {notes: [`The lists are those of ${name}.`, ...newer], warnings: damage.length > 0 ? [damagedFailure(generation).message] : []};
}

/** The name of the last generation that can be restored. */
async function lastWhole(generations: Generations, {policy}: Part): Promise<string | undefined> {
  for (const name of generations.names.toReversed()) {
    const found = await generations.read(name).catch(() => undefined);
    if (found?.kept?.accepted === true && found.files.has(policy)) return name;
  }
  return undefined;
}
