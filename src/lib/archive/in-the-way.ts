/** What is in an archive where a run puts something else: a pipe, a folder in place of a file, a file in place of a folder. */
import type {Dirent} from 'node:fs';
import {lstat, readdir, rename} from 'node:fs/promises';
import {join, parse} from 'node:path';
import {oddKind} from '../files/closed-tree.js';
import {absent} from '../files/system-error.js';
import {accountFiles, conversationFolders, isConversationName, keptFiles, underNewName, workFiles} from './places.js';

/** What a run puts under a name; undefined: nothing. */
export type Expected = (name: string) => 'a file' | 'a folder' | undefined;

export const inAccount: Expected = (name) => {
  if (name === accountFiles.dropped) return 'a folder';
  return name === accountFiles.conversations || name === accountFiles.index ? 'a file' : undefined;
};

const filesOfConversation: ReadonlySet<string> = new Set([...Object.values(keptFiles), workFiles.reading, workFiles.damaged]);
const foldersOfConversation: ReadonlySet<string> = new Set(Object.values(conversationFolders));

export const inConversation: Expected = (name) =>
  foldersOfConversation.has(name) ? 'a folder' : filesOfConversation.has(name) ? 'a file' : undefined;

/** Folders of conversations. */
export const conversations: Expected = (name) => (isConversationName(name) ? 'a folder' : undefined);

const kindOf = (one: Dirent): string => oddKind(one) ?? (one.isDirectory() ? 'a folder' : 'a file');

const isInTheWay = (one: Dirent, expected: Expected): boolean => {
  const wanted = expected(one.name);
  return wanted !== undefined && wanted !== kindOf(one);
};

/** Says what is in the way in a folder; undefined: nothing. @param present what is in it */
export function inTheWay(folder: string, present: readonly Dirent[], expected: Expected): string | undefined {
  const found = present.find((one) => isInTheWay(one, expected));
  return found && `${join(folder, found.name)} is ${kindOf(found)}, where the archive has ${expected(found.name)}`;
}

/**
 * Gives something in a folder another name, under which no run looks for it.
 * @param stamp part of that name @returns where it is then @throws the system's error
 */
export async function moveAside(folder: string, name: string, stamp: string): Promise<string> {
  const {name: stem, ext} = parse(name.replace(/^\./, ''));
  let path = '';
  await underNewName(`${stem}.damaged-${stamp}`, async (fresh) => {
    path = join(folder, `${fresh}${ext}`);
    if ((await lstat(path).catch(absent)) !== undefined) throw Object.assign(new Error(`${path} is there`), {code: 'EEXIST'});
    await rename(join(folder, name), path);
  });
  return path;
}

/** Moves all aside that is in the way in a folder. @returns what there is to say @throws the system's error */
export async function clearWay(folder: string, expected: Expected, stamp: string): Promise<string[]> {
  const told: string[] = [];
  for (const one of await readdir(folder, {withFileTypes: true}))
    if (isInTheWay(one, expected))
      told.push(`${join(folder, one.name)} was ${kindOf(one)}: it is now ${await moveAside(folder, one.name, stamp)}`);
  return told;
}
