/** Sends many requests in one run. Other rooms import from this file only; what only some runs need, they import late, from its own file. */

// Steps, one after the other or several at a time.
export {runInOrder} from './queue.js';
export {type RunCounts, Run} from './run.js';
export type {Outcome, Step, Steps} from './step.js';
export {type Signals, type SignalSource, watchListSignals, watchSignals} from './signals.js';

// What is saved and printed about them.
export type {Journal} from './journal.js';
export {readSaved, restored, SavedChanges} from './saved-changes.js';
export {type Result, resultsNaming, resultsSchema, resultsView} from './results.js';
