/** What a run changes in the records of state files, step by step: each step is a line of a log, and at its end the files are written. */
import type {Change} from '../model/change.js';
import {type Edit, RecordDraft} from './draft.js';
import {areNamedById, type NewId} from './ownership.js';
import {aboutIn, type Records} from './records.js';
import type {OwnershipRecord, StateFile} from './state-file.js';

interface Recorded {
  readonly file: StateFile;
  readonly draft: RecordDraft;
}

export class Recording {
  readonly #all: readonly Recorded[];

  private constructor(all: readonly Recorded[]) {
    this.#all = all;
  }

  /**
   * Writes the records as they are before the first step.
   * @param first the change that is sent first, if that is known
   * @throws Failure `local`
   */
  static async begin(records: Records, first?: Change): Promise<Recording> {
    const all = records.all.map(({file, record}) => ({file, draft: new RecordDraft(record)}));
    for (const {draft} of all) if (first !== undefined && isAbout(draft, first)) draft.sent(first);
    for (const {file, draft} of all) await file.begin(draft);
    return new Recording(all);
  }

  /** A change is about to be sent. @throws Failure `local`: it must not be */
  sending(change: Change): Promise<void> {
    return this.#note([change], (draft) => draft.sent(change));
  }

  /**
   * A change was made.
   * @param createdId of what it made, where that has one
   * @param next the change that is sent next, if that is known: it is noted with this one
   * @throws Failure `local`: nothing more must be sent
   */
  made(change: Change, createdId: string | undefined, next?: Change): Promise<void> {
    return this.#note([change, next], (draft, one) => (one === change ? draft.done(one, createdId) : draft.sent(one)));
  }

  /** Somebody else had made a change by then. @throws Failure `local`: nothing more must be sent */
  stood(change: Change, next?: Change): Promise<void> {
    return this.#note([change, next], (draft, one) => (one === change ? draft.refused([one]) : draft.sent(one)));
  }

  /**
   * An undo made a change.
   * @param newIds of what it made again
   * @throws Failure `local`: nothing more must be sent
   */
  async reverted(change: Change, newIds: readonly NewId[]): Promise<void> {
    for (const {file, draft} of this.#all) {
      const edits = isAbout(draft, change) ? draft.reverted(change) : [];
      await file.note(draft, [...edits, ...draft.madeAgain(newIds)], newIds.length > 0);
    }
  }

  /** Writes the records as they are after the last step. @throws Failure `local`: the next run goes on from the logs */
  async end(ended: (reached: RecordDraft) => OwnershipRecord): Promise<void> {
    for (const {file, draft} of this.#all) await file.end(draft, ended(draft));
  }

  async #note(changes: readonly (Change | undefined)[], edits: (draft: RecordDraft, change: Change) => readonly Edit[]): Promise<void> {
    for (const {file, draft} of this.#all) {
      const own = changes.filter((change) => change !== undefined && isAbout(draft, change)).filter((change) => change !== undefined);
      // What has an id of its own can hardly be found again without it.
      const isDurable = own.some(({kind}) => areNamedById(kind));
      await file.note(
        draft,
        own.flatMap((change) => edits(draft, change)),
        isDurable,
      );
    }
  }
}

const isAbout = ({owner}: RecordDraft, change: Change): boolean => aboutIn(owner, [change]).length > 0;
