/** Records after single steps of an apply. */
import type {Change} from '../../../src/lib/policy/model/change.js';
import {type Edit, RecordDraft} from '../../../src/lib/policy/state-file/draft.js';
import type {OwnershipRecord} from '../../../src/lib/policy/state-file/record.js';

function after(record: OwnershipRecord, step: (draft: RecordDraft) => readonly Edit[]): OwnershipRecord {
  const draft = new RecordDraft(record);
  step(draft);
  return draft.record;
}

export const withSent = (record: OwnershipRecord, change: Change): OwnershipRecord => after(record, (draft) => draft.sent(change));

export const recordDone = (record: OwnershipRecord, change: Change, createdId?: string): OwnershipRecord =>
  after(record, (draft) => draft.done(change, createdId));

export const recordRefused = (record: OwnershipRecord, changes: readonly Change[]): OwnershipRecord =>
  after(record, (draft) => draft.refused(changes));
