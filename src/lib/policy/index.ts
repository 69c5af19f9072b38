/**
 * Moderation as code: what a policy is, how it is read, compared and carried out, and what is printed of it. Other rooms import from
 * here alone; what only some runs need, they import late, from its own file.
 */

// The kinds of items that policies have rules for.
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

// Accounts and servers, and the states of policies.
export {aboutOf, adviceOf, readerOf, type Target, whoseText} from './rows/target.js';
export {isStateless, refuseUnknown, sectionsMeant} from './rows/states.js';
export {compareAccount, followTexts} from './rows/compare.js';

// Audits and plans.
export {auditDocument, auditOf, type AuditReport, auditResult, failedAudit, type KnownAccount} from './rows/audit.js';
export {reportFormats} from './reports/formats/index.js';
export {refuseNoDigest} from './rows/digest.js';
export {doneText, type Plan, planOf, planResult, plansText, summaryText} from './rows/plan.js';
export {listNames, rowNames} from './rows/row-text.js';
export {explain, pathsFor} from './rows/explain.js';
export {diff, type DiffSide, diffSides, diffView} from './rows/diff.js';
export {policyViews} from './rows/views.js';

// Applying and undoing, and the items that apply made.
export {apply} from './rows/apply.js';
export type {Change} from './rows/change.js';
export {type Changes, requestsOf} from './rows/sending.js';
export {undo} from './rows/undo.js';
export {adoptItems, compareToAdopt, forgetItems, listItems, type Selection} from './rows/owning.js';

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
} from './rows/export-policy.js';
export {isDomainTableFormat, listFormats} from './lists/write-list.js';

// What commands print as JSON.
export {type ManagedItemJson, policySchemas} from './model/documents.js';
