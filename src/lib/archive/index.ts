/** Conversations archived as logs. Other rooms import from here alone; what only some runs need, they import late, from its own file. */

// Folders of archives, and the accounts that they belong to.
export {
  accountFolders,
  archiveFolder,
  type ArchiveOwner,
  type FolderKind,
  openArchive,
  openToLook,
  ownerOf,
  refuseOwned,
  requireOwned,
} from './archive-folder.js';
export {accountFiles} from './archive-places.js';

// Exporting conversations into archives.
export type {ArchiveSource} from './read-pages.js';
export {
  type ConversationResult,
  exportConversations,
  type ExportOptions,
  type ExportProgress,
  noProgress,
  nothingDone,
} from './export-conversations.js';
export {isDamage, ownFailure} from './failures.js';

// Checking archives.
export {verifyArchive} from './verify.js';
