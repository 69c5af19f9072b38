/** Reverts the last apply: from how everything was before it, and how it is now. */
import type {Change} from '../model/change.js';
import type {Target} from '../model/difference.js';
import {byKind} from '../model/items.js';
import {afterUndo, withNewId, withUnrecorded} from '../state-file/ownership.js';
import {readState} from '../sections/read-state.js';
import {inPlans, sections} from '../sections/index.js';
import type {MadeAgain, Undo} from '../section/section.js';
import type {ItemKind, SectionKey} from '../model/section-types.js';
import {lastApply, type OwnershipRecord, type SavedApply, type StateFile} from '../state-file/state-file.js';
import {fetchedValue, type State} from '../model/server-state.js';

/** The sections of the state that an undo needs: settings are not restored. */
export function undoneParts({items}: SavedApply): ReadonlySet<SectionKey> {
  const itemsOf = byKind(items);
  return new Set(sections.flatMap(({key, kind, holding}) => (holding !== undefined && itemsOf(kind).length > 0 ? key : [])));
}

/** The undo of all sections. */
interface WholeUndo extends Required<Undo> {
  readonly lost: readonly (Undo['lost'][number] & {readonly kind: ItemKind})[];
}

/** An undo that can be carried out. */
export interface ReadyUndo extends WholeUndo {
  readonly record: OwnershipRecord;
  /** When the apply was made. */
  readonly at: string;
}

/**
 * The undo of the last apply of a policy to an account, by what the server has now.
 * @param policy as the state file names it
 * @throws Failure when a part that it needs cannot be read
 */
export async function undoFor(policy: string, file: StateFile, {client, server, account, own, now: clock}: Target): Promise<ReadyUndo> {
  const saved = file.recordOf({server: server.origin, account, policy});
  const begun = lastApply(saved);
  const state = await readState(client, server.origin, begun ? undoneParts(begun) : new Set(), own);
  const now = clock();
  const record = withUnrecorded(saved, state, now);
  const last = lastApply(record);
  return {...(last ? makeUndo(last, state, now) : {changes: [], lost: [], again: []}), record, at: last?.at ?? ''};
}

/** @throws Failure when a section that it needs could not be read */
export function makeUndo(apply: SavedApply, state: State, now: Date): WholeUndo {
  const itemsOf = byKind(apply.items);
  for (const key of undoneParts(apply)) {
    const part = state[key];
    if (part === undefined) throw new Error(`What the server has of ${key} was not read, and an undo needs it`);
    fetchedValue<unknown>(part);
  }
  const undone = new Map(
    sections.flatMap(({kind, changing}) => {
      const items = itemsOf(kind);
      return changing === undefined || items.length === 0 ? [] : [[kind, changing.undo(items, state, now)] as const];
    }),
  );
  return {
    changes: inPlans.flatMap(({kind}) => undone.get(kind)?.changes ?? []),
    lost: [...undone].flatMap(([kind, {lost}]) => lost.map((one) => ({kind, ...one}))),
    again: [...undone.values()].flatMap(({again = []}) => again),
  };
}

/** The record with the new ids of what was made again. @param idOf undefined where it is not made yet */
export function withMadeAgain(
  record: OwnershipRecord,
  again: readonly MadeAgain[],
  idOf: (as: MadeAgain['as']) => string | undefined,
): OwnershipRecord {
  return again.reduce((known, {kind, hadId, as}) => {
    const id = idOf(as);
    return id === undefined ? known : withNewId(known, kind, {hadId, id});
  }, record);
}

/**
 * Records what was made again after each change, and at the end that the apply is reverted.
 * @param carryOut sends the changes
 * @throws Failure as `carryOut` does
 */
export async function undoApply(
  {changes, again, record: before}: ReadyUndo,
  file: StateFile,
  carryOut: (changes: readonly Change[], made: (change: Change, createdId: string | undefined) => Promise<void>) => Promise<void>,
): Promise<void> {
  let record = withMadeAgain(before, again, (as) => (typeof as === 'string' ? as : undefined));
  if (changes.length > 0)
    await carryOut(changes, async (change, createdId) => {
      record = withMadeAgain(record, again, (as) => (as === change ? createdId : undefined));
      await file.write(record);
    });
  await file.write(afterUndo(record));
}
