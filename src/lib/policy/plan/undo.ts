/** Reverts the last apply: from how everything was before it, and how it is now. */
import type {Target} from '../model/difference.js';
import {byKind} from '../model/items.js';
import {withUnrecorded} from '../state-file/ownership.js';
import {readState} from '../sections/read-state.js';
import {inPlans, sections} from '../sections/index.js';
import type {Undo} from '../section/section.js';
import type {SectionKey} from '../model/section-types.js';
import {lastApply, type OwnershipRecord, type SavedApply, type StateFile} from '../state-file/state-file.js';
import {fetchedValue, type State} from '../model/server-state.js';

/** The sections of the state that an undo needs: settings are not restored. */
export function undoneParts({items}: SavedApply): ReadonlySet<SectionKey> {
  const itemsOf = byKind(items);
  return new Set(sections.flatMap(({key, kind, holding}) => (holding !== undefined && itemsOf(kind).length > 0 ? key : [])));
}

/**
 * The undo of the last apply of a policy to an account, by what the server has now.
 * @param policy as the state file names it
 * @throws Failure when a part that it needs cannot be read
 */
export async function undoFor(
  policy: string,
  file: StateFile,
  {client, server, account, now: clock}: Target,
): Promise<Undo & {readonly record: OwnershipRecord; readonly at: string}> {
  const saved = file.recordOf({server: server.origin, account, policy});
  const begun = lastApply(saved);
  const state = await readState(client, server.origin, begun ? undoneParts(begun) : new Set());
  const now = clock();
  const record = withUnrecorded(saved, state, now);
  const last = lastApply(record);
  return {...(last ? makeUndo(last, state, now) : {changes: [], lost: []}), record, at: last?.at ?? ''};
}

/** @throws Failure when a section that it needs could not be read */
export function makeUndo(apply: SavedApply, state: State, now: Date): Undo {
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
    lost: [...undone.values()].flatMap(({lost}) => lost),
  };
}
