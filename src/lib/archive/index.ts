/** Conversations kept as files. Other rooms import from here alone; what only some runs need, they import late, from its own file. */

// Where archives are, and whose.
export {
  aboutFile,
  accountFoldersIn,
  archiveFolder,
  type ArchiveOwner,
  archivesIn,
  type FolderKind,
  makeHint,
  nameOneOf,
  openArchive,
  OwnerLost,
  ownerOf,
  refuseLinks,
  refuseOwned,
} from './archive-folder.js';
export {accountFiles} from './places.js';
export {moveAside} from './in-the-way.js';

// Reading conversations into them.
export type {ArchiveSource} from './read-pages.js';
export type {WantedConversations} from './targets.js';
export {type ConversationResult, exportConversations, type ExportProgress, noProgress, type WantedMessages} from './export.js';
export type {Gone} from './merge.js';
export {ownFailure, repairHint} from './failures.js';

// Checking them.
export {checkArchive, isComplete, type VerifyResult} from './check.js';
export {verifyArchive} from './verify.js';
