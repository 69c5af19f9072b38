/**
 * Moderation as code: what a policy is, how it is read, compared and carried out, and what is printed of it. Other rooms import from
 * here alone; what only some runs need, they import late, from its own file.
 */

import type * as since from './reports/since.js';

// The kinds of items that policies have rules for.
export {kinds, pathsOf, sectionKeys, writesOf} from './sections/index.js';
export type {Kind} from './sections/policy-kind.js';
export {endTolerance} from './model/time.js';

// Reading a policy and its lists.
export {
  countWanted,
  isPolicy,
  notesOf,
  type PolicyWithLists,
  readGivenList,
  readEach,
  readPolicy,
  refuseLargeFetched,
  sourceFiles,
} from './reading/read-policy.js';
export {refuseOthers} from './reading/policy-file.js';
export {mustRulesIn} from './reading/must-only.js';
export type {PrivateComments} from './model/domain-facts.js';
export type {ListAccess} from './lists/load-lists.js';
export type {RemoteListOptions} from './lists/remote-list.js';
export type {List} from './lists/list.js';

// Accounts and servers, and the states of policies.
export {aboutOf, adviceOf, readerOf, type Target} from './rows/target.js';
export {sectionsMeant} from './rows/states.js';
export {compareAccount, type Comparison} from './rows/compare.js';

// Views of what differs: each use gives a document and a view.
export {audit} from './reports/audits.js';
export type {KnownAccount} from './rows/audit.js';
export {plan} from './reports/plans.js';
export {type Plan, planOf, plansText} from './rows/plan.js';
export {explain} from './rows/explain.js';
export {diff, type DiffSide} from './rows/diff.js';
export {type ExportedFiles, exportPolicy, type ExportSource, policyText, readSections} from './rows/export-policy.js';
export {policyViews} from './rows/views.js';
export {listNames} from './rows/row-text.js';
export {reportFormats, reportText, type WriteReports} from './reports/formats/index.js';
export const readEarlierReport: typeof since.readEarlierReport = async (...given) =>
  (await import('./reports/since.js')).readEarlierReport(...given);

// Applying and undoing, and the items that apply made.
export {apply} from './rows/apply.js';
export type {Change} from './rows/change.js';
export type {Changes} from './rows/sending.js';
export {undo} from './rows/undo.js';
export {adoptItems, forgetItems, listItems, type Selection} from './rows/owning.js';

export {isDomainTableFormat, listFormats} from './lists/write-list.js';

export {policySchemas} from './model/documents.js';
