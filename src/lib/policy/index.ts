/**
 * Moderation as code: what a policy is, how it is read, compared and carried out, and what is printed of it. Other rooms import from
 * here alone; what only some runs need, they import late, from its own file.
 */

// What a policy has rules for.
export {kinds, pathsOf, sectionKeys, writesOf} from './sections/index.js';
export type {Kind, Row} from './sections/policy-kind.js';
export {endTolerance} from './model/time.js';

// Reading a policy and its lists.
export {
  countWanted,
  isPolicy,
  notesOf,
  type PolicyWithLists,
  readGivenList,
  readPolicy,
  refuseLargeFetched,
  sourceFiles,
} from './reading/read-policy.js';
export {refuseOtherAccount, refuseOtherServer} from './reading/policy-file.js';
export {mustRulesIn} from './reading/must-only.js';
export {type PlacedFailure, refuseUnusable} from './source/mistakes.js';
export type {PrivateComments} from './model/domain-facts.js';
export type {ListAccess} from './lists/load-lists.js';
export type {RemoteListOptions} from './lists/remote-list.js';
export type {List} from './lists/list.js';

// Whom it is compared with, and its states.
export {aboutOf, adviceOf, fullName, readerOf, type Target, undoCommand, whoseText} from './rows/target.js';
export {openStates, readStates, sectionsMeant} from './rows/states.js';
export {compareAccount, type States} from './rows/compare.js';

// Audits and plans.
export {auditDocument, auditOf, type AuditReport, failedAudit, findingJson, type Unusable} from './rows/audit.js';
export {reportFormats} from './reports/formats/index.js';
export type {ListedFormat} from './reports/report-format.js';
export {sinceText} from './reports/report-text.js';
export {checkExpected, planDigest, refuseNoDigest} from './rows/digest.js';
export {flagsToAllow, guardTexts, refuseFollowed, refuseGuarded} from './rows/guards.js';
export {
  type AccountPlan,
  countsText,
  doneText,
  type Lines,
  type Plan,
  planClosing,
  planDocument,
  planOf,
  plansText,
  summaryText,
} from './rows/plan.js';
export {heldTexts, kindsText, listNames, rowJson, rowName, shownName, shownRow} from './rows/row-text.js';
export {explain, pathsFor} from './rows/explain.js';
export {diff, type DiffSide, diffSides, differenceFailure} from './rows/diff.js';
export {policyViews} from './rows/views.js';

// Carrying it out, and taking it back.
export {applyRows, prepareRows, type Recorder, timeAfter} from './rows/apply.js';
export {undoOf, undoRows} from './rows/undo.js';
export {adoptionsOf, adoptItems, forgetItems, listItems, Names} from './rows/owning.js';

// Exporting.
export {
  exportAccount,
  type ExportChoice,
  type Exported,
  exportList,
  exportLists,
  exportWanted,
  policyText,
  type ReadSections,
  readSections,
  refuseOthersThanDomains,
  sectionsToExport,
  whyNothingPrivate,
} from './rows/export-policy.js';
export {isDomainTableFormat, listFormats} from './lists/write-list.js';

// What commands print as JSON.
export {type ManagedItemJson, policySchemas} from './model/documents.js';
