/** Backups: messages as an archive, and lists as dated folders. */
import type {FolderKind} from '../archive/index.js';
import {listsFolder} from './dated.js';
import {messagesFolder} from './parts.js';

export const backupFolder: FolderKind = {
  name: 'backup',
  noun: 'a backup',
  command: 'backup',
  isTraced: (names) => names.includes(listsFolder) || names.includes(messagesFolder),
};

export {damagedLists, DatedFolders, listsFolder} from './dated.js';
export {emptyRow, type ListRow, type ReadLists, readLists, type SavedLists, saveLists} from './dated-lists.js';
export {messagesFolder, ownPart, readmeFile, serverPart} from './parts.js';
export {readmeText} from './readme.js';
