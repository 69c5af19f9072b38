/** Reverts the last apply: from how everything was before it, and how it is now. */
import type {Change} from '../model/change.js';
import type {Target} from '../model/difference.js';
import {byKind} from '../model/items.js';
import {driftIn, stricterText} from './by-hand.js';
import {afterUndo, itemKey, type NewId, withNewIds, withUnrecorded} from '../state-file/ownership.js';
import {Recording} from '../state-file/recording.js';
import {readState} from '../sections/read-state.js';
import {inPlans, sections} from '../sections/index.js';
import type {MadeAgain, Undo} from '../section/section.js';
import type {ItemKind, SectionKey} from '../model/section-types.js';
import type {Records} from '../state-file/records.js';
import {lastApply, type SavedApply} from '../state-file/state-file.js';
import {fetchedValue, type State} from '../model/server-state.js';

/** The sections of the state that an undo needs: settings are not restored. */
export function undoneParts({items}: Pick<SavedApply, 'items'>): ReadonlySet<SectionKey> {
  const itemsOf = byKind(items);
  return new Set(sections.flatMap(({key, kind, holding}) => (holding !== undefined && itemsOf(kind).length > 0 ? key : [])));
}

/** The undo of all sections. */
interface WholeUndo extends Required<Undo> {
  readonly lost: readonly (Undo['lost'][number] & {readonly kind: ItemKind})[];
}

/** An undo that can be carried out. */
interface ReadyUndo extends WholeUndo {
  readonly records: Records;
  /** What the server has now. */
  readonly state: State;
  /** When the apply was made. */
  readonly at: string;
}

const lastOf = ({all}: Records): SavedApply[] => all.flatMap(({record}) => lastApply(record) ?? []);

/**
 * The undo of the last apply in records, by what the server has now.
 * @throws Failure when a part that it needs cannot be read
 */
export async function undoFor(saved: Records, {client, server, own, now: clock}: Target): Promise<ReadyUndo> {
  const parts = lastOf(saved).map(undoneParts);
  const state = await readState(client, server.origin, new Set(parts.flatMap((some) => [...some])), own);
  const now = clock();
  const records = saved.changed((record) => withUnrecorded(record, state, now));
  const last = lastOf(records);
  const drifts = driftIn([...records.owned, ...records.watched], state, now).filter(({how}) => how === 'stricter');
  const stricter = new Map(drifts.map((drift) => [itemKey(drift.item), `${stricterText(drift)}, and it stays so`]));
  const touched = last.flatMap((apply) => apply.items);
  const undo = makeUndo({items: touched.filter((item) => !stricter.has(itemKey(item)))}, state, now);
  const lost = touched.flatMap((item) => {
    const why = stricter.get(itemKey(item));
    return why === undefined ? [] : [{kind: item.kind, subject: item.subject, why}];
  });
  return {...undo, lost: [...undo.lost, ...lost], records, state, at: last[0]?.at ?? ''};
}

/** @throws Failure when a section that it needs could not be read */
export function makeUndo(apply: Pick<SavedApply, 'items'>, state: State, now: Date): WholeUndo {
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

/** The new ids of what was made again. @param idOf undefined where it is not made yet */
export function newIdsOf(again: readonly MadeAgain[], idOf: (as: MadeAgain['as']) => string | undefined): NewId[] {
  return again.flatMap(({kind, hadId, as}) => {
    const id = idOf(as);
    return id === undefined ? [] : {kind, hadId, id};
  });
}

/**
 * Records after each change what it reverted and made again, and at the end that the apply is reverted.
 * @param carryOut sends the changes
 * @throws Failure as `carryOut` does
 */
export async function undoApply(
  {changes, again, records}: ReadyUndo,
  carryOut: (changes: readonly Change[], made: (change: Change, createdId: string | undefined) => Promise<void>) => Promise<void>,
): Promise<void> {
  const known = newIdsOf(again, (as) => (typeof as === 'string' ? as : undefined));
  const left = records.changed((record) => withNewIds(record, known));
  if (changes.length === 0) return left.changed(afterUndo).write();
  const asked = Map.groupBy(again, ({as}) => as);
  const recording = await Recording.begin(left);
  try {
    await carryOut(changes, (change, createdId) =>
      recording.reverted(
        change,
        newIdsOf(asked.get(change) ?? [], () => createdId),
      ),
    );
  } catch (error) {
    // The run has failed for another reason; what cannot be written now is in the log.
    await recording.end(({record}) => record).catch(() => {});
    throw error;
  }
  await recording.end(({record}) => afterUndo(record));
}
