/** What is a backup, by what is in it. */
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {archiveFolder, type FolderKind, ownerOf} from '../archive/index.js';
import {isGeneration} from './generation.js';
import {latestFile, listsFolder} from './generations.js';
import {messagesFolder} from './parts.js';

/** The owner of the messages in a backup, which are an archive. */
const ownerOfMessages = (backup: string) => ownerOf(join(backup, messagesFolder), archiveFolder).catch(() => undefined);

async function isTraced(backup: string): Promise<boolean> {
  const lists = await readdir(join(backup, listsFolder)).catch(() => []);
  return lists.some((name) => name === latestFile || isGeneration(name)) || (await ownerOfMessages(backup)) !== undefined;
}

export const backupFolder: FolderKind = {
  name: 'backup',
  noun: 'a backup',
  command: 'backup',
  isTraced,
  otherOwner: ownerOfMessages,
};
