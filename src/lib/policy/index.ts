/**
 * Moderation as code: what a policy is, how it is read, compared and carried out, and what is printed of it. Other rooms import from
 * here alone; what only some runs need, they import late, from its own file.
 */

// What a policy has rules for, and what a server has of it.
export {
  holding,
  type HoldingSection,
  ofDomains,
  ownership,
  pathsOf,
  sectionKeys,
  sectionOf,
  sections,
  sharedSections,
  shownSubject,
  writesOf,
} from './sections/index.js';
export type {Limit, Section} from './section/section.js';
export type {SectionKey} from './model/section-types.js';
export {byKind, type Item, type MadeItem} from './model/items.js';
export type {Fetched, Followed, State} from './model/server-state.js';
export {readState, readWhole} from './sections/read-state.js';

// Reading a policy and its lists.
export {readWanted, wantedFor} from './reading/read-wanted.js';
export {isPolicy, refuseLargeFetched} from './reading/policy-or-list.js';
export {sourceFiles, type PlanPart, summariesIn, type Wanted, type WantedBySection} from './lists/wanted.js';
export {type PrivateComments, withoutPrivate} from './model/domain-facts.js';
export {partText, policyIn} from './reading/part.js';
export {NameSelection} from './reading/selection.js';
export {type MustRules, mustRulesIn} from './reading/must-only.js';
export {refuseOtherAccount, refuseOtherServer} from './reading/policy-file.js';
export type {ListAccess} from './lists/load-lists.js';
export type {List} from './lists/list.js';
export {readList, refuseRowMistakes} from './lists/read-list.js';
export {type ListSummary, summaryOf, type WantedDomains} from './lists/merge.js';
export {copyText} from './lists/agreement.js';
export type {RemoteListOptions} from './lists/remote-list.js';
export {locationText} from './source/location.js';
export {YamlSource} from './source/yaml-source.js';
export {dateOf, endTolerance, isDay} from './model/time.js';

// What commands print as JSON.
export {
  auditSchema,
  countsSchema,
  diffSchema,
  explainSchema,
  type FailedAccountJson,
  type ManagedItemJson,
  managedItemsSchema,
  planSchema,
} from './model/documents.js';

// Comparing: what differs, and between whom.
export {
  type Advice,
  adviceOf,
  type Difference,
  findingJson,
  fullName,
  isNamedByHost,
  policyName,
  savedName,
  type Target,
  unknownAccount,
  whoseText,
} from './model/difference.js';
export {auditAccount} from './audit.js';
export {auditDocument, type AuditReport, auditReport, findingWithStatus} from './reports/report.js';
export {reportFormats} from './reports/formats/index.js';
export {kindsText, sinceText} from './reports/text.js';
export type {ReportFile} from './reports/write.js';
export {explained, pathsFor} from './explain.js';
export {countWanted} from './counts.js';
export {diff, type DiffSide, diffSides, refuseDifferences} from './diff.js';

// Planning: what would change, and what is to be known about it.
export {planFor, type Planned, type Ready, type Remarks} from './plan/apply.js';
export {planDocument} from './plan/plan.js';
export {type Change, changeJson} from './model/change.js';
export {type AccountPlan, changeName, countsText, planClosing, plansText, shownChange, summaryText, whoText} from './plan/plan-text.js';
export {ofMany, remarkTexts, skippedTexts} from './plan/remarks-text.js';
export {flagsToAllow, guardTexts, refuseGuarded} from './plan/guard.js';
export {limitsOn} from './plan/limits.js';
export {isKeptPlan, type KeptPlan, keptPlansText, keptPlanText, readKeptPlans} from './plan/plan-file.js';
export {needsPolicy} from './plan/plan-policy.js';
export type {PlanReports} from './plan/plan-report.js';

// Carrying it out, and taking it back.
export {type Own, type PlanSource, plansSource, policySource} from './plan/sources.js';
export {applyChanges, type Witness} from './plan/apply.js';
export {type ChangeRequest, requestOf} from './plan/requests.js';
export {undoApply, undoFor} from './plan/undo.js';

// What was made, and whose it is.
export {meantIn, recordsAt, recordsOf, StateFiles} from './state-file/files.js';
export {type Meant, meantBy, sectionsOfServer} from './state-file/meant.js';
export {findLastApply, type FoundRecord, lastApplyTo, nameInState, recordsUnder, stateFileFor, stateFilesFor} from './state-file/paths.js';
export {type Owner, type OwnershipRecord, StateFile} from './state-file/state-file.js';
export type {Records} from './state-file/records.js';
export {finishApply, nameOfOwner} from './state-file/ownership.js';
export {forgettable, ownedItems, withForgotten} from './state-file/owned.js';
export {adoptable, adoptedIn, type Move, movedToAccount, movedToPolicy, refuseMove} from './plan/handing.js';

// Exporting, and columns.
export {type Exported, Exporter} from './exported.js';
export {exportList, policyText} from './export.js';
export {isDomainTableFormat, listFormats} from './lists/write-list.js';
export {policyViews, what} from './views.js';
