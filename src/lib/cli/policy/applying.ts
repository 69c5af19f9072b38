/** Carries changes out, with the state file ahead of every step. */
import {Failure} from '../../client/failure.js';
import type {Change} from '../../policy/change.js';
import {beginApply, finishApply, recordDone, recordRefused, withPlan} from '../../policy/ownership.js';
import type {StepRun} from '../run.js';
import {carryOut} from './carry-out.js';
import type {Ready} from './intent.js';
import type {StateFile} from './state-file.js';

/** Whether what is left is to be done by running it again: then both are one apply. */
function goesOn(error: unknown): boolean {
  return error instanceof Failure && ['interrupted', 'local', 'rate_limited', 'terminated'].includes(error.code);
}

/**
 * Writes down how everything was before the first request, and what was made after each.
 * @throws Failure as {@link carryOut} does
 */
export async function applyChanges(
  {changes, kept, record: before, state}: Ready,
  {file, run}: {readonly file: StateFile; readonly run: StepRun},
): Promise<void> {
  const begun = beginApply(before, changes, state, new Date());
  let record = kept === undefined ? begun : withPlan(begun, kept);
  let [hasMade, isUnsure] = [false, false];
  const refused: Change[] = [];
  await file.write(record);
  try {
    await carryOut(changes, run, {
      async made(change, createdId) {
        hasMade = true;
        record = recordDone(record, change, createdId);
        await file.write(record);
      },
      failed(change, failure) {
        // The next run looks whether the change was made.
        if (failure.details.mayHaveActed === true) isUnsure = true;
        else refused.push(change);
      },
    });
  } catch (error) {
    // What did not end is gone on with by the next apply, which looks first; what ended without a change was none.
    record = recordRefused(record, refused);
    const left = goesOn(error) || isUnsure ? record : hasMade ? finishApply(record) : before;
    // How it ended is told already; a state file that says less is no more wrong than before.
    await file.write(left).catch(() => {});
    throw error;
  }
  await file.write(finishApply(record));
}
