/**
 * Moderation as code: what a policy is, how it is read, compared and carried out, and what is printed of it. Other rooms import from
 * here alone; what only some runs need, they import late, from its own file.
 */

// The kinds of items that policies have rules for.
export {kinds, pathsOf, sectionKeys, writesOf} from './sections/index.js';
export type {Kind} from './sections/policy-kind.js';
export {countFollowed} from './sections/domain-blocks.js';
export {endTolerance} from './model/time.js';

// Reading a policy and its lists.
export {countWanted, type PolicyWithLists, readEach, readPolicy, readPolicyOrList, sourceFiles} from './reading/read-policy.js';
export {mustRulesIn, refuseOthers} from './reading/policy-file.js';

// The accounts and servers that policies are for.
export type {Accounts, Known, Target} from './rows/target.js';
export {sectionsMeant} from './rows/states.js';

// Views of what differs: each use gives a document and a view.
export {audit} from './reports/audits.js';
export {plan} from './reports/plans.js';
export {explain} from './rows/explain.js';
export {diff} from './rows/diff.js';
export {exportPolicy, policyText, readSections} from './rows/export-policy.js';
export {policyViews} from './rows/views.js';
export {writeSection} from './sections/written.js';
export {reportFormats, type WriteReports} from './reports/formats/index.js';

// Applying and undoing, and the items that apply made.
export {apply, type Change} from './rows/change.js';
export {undo} from './rows/undo.js';
export {adoptItems, forgetItems, listItems} from './rows/owning.js';

export {isDomainTableFormat, listFormats} from './lists/write-list.js';

export {policySchemas} from './model/documents.js';
