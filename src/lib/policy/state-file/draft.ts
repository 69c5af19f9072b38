/** A record while an apply or an undo changes it, in steps that take as long for ten items as for ten thousand. */
import type {Change} from '../model/change.js';
import type {Item, OwnedItem, TouchedItem} from '../model/items.js';
import {comparedName, sectionOf} from '../sections/index.js';
import {areNamedById, itemKey, nameOfOwner, type NewId, ownedAs, sorted, watchedIn, withNewIds} from './ownership.js';
import type {Owner, OwnershipRecord, SavedApply} from './record.js';

/** What a step changes in a record. */
export type Edit =
  /** Owned, in place of the same item. */
  | {readonly owned: OwnedItem}
  /** Set and not owned, in place of the same item. */
  | {readonly watched: OwnedItem}
  | {readonly gone: Item}
  /** Touched by the last apply, in place of the same item, or of the one that had no id yet. */
  | {readonly touched: TouchedItem}
  /** Not touched by the last apply. */
  | {readonly untouched: Item}
  | NewId;

const idIn = ({details}: Change): string | undefined => ('id' in details ? details.id : undefined);

export class RecordDraft {
  readonly #base: OwnershipRecord;
  /** Whose its items are. */
  readonly #name: string;
  readonly #host: string;
  readonly #last: SavedApply | undefined;
  readonly #owned: Map<string, OwnedItem>;
  readonly #watched: Map<string, OwnedItem>;
  /** Null: not touched after all. */
  readonly #items: (TouchedItem | null)[] = [];
  /** Where an item is by its key. */
  readonly #places = new Map<string, number>();
  readonly #newIds: NewId[] = [];
  #isEdited = false;

  constructor(record: OwnershipRecord) {
    this.#base = record;
    this.#name = nameOfOwner(record);
    this.#host = new URL(record.server).host;
    this.#last = record.applies.at(-1);
    this.#owned = new Map(record.owned.map((item) => [itemKey(item), item]));
    this.#watched = new Map(record.watched?.map((item) => [itemKey(item), item]));
    for (const [at, item] of (this.#last?.items ?? []).entries()) this.#put(at, item);
  }

  get owner(): Owner {
    return this.#base;
  }

  /** As it is by now. */
  get record(): OwnershipRecord {
    if (!this.#isEdited) return this.#base;
    const items = this.#items.filter((item) => item !== null);
    const applies = this.#last === undefined ? [] : [...this.#base.applies.slice(0, -1), {...this.#last, items}];
    const {owned, watched} = {owned: sorted(this.#owned.values()), watched: watchedIn(this.#watched.values())};
    return withNewIds({...this.#base, owned, watched, applies}, this.#newIds);
  }

  edit(edit: Edit): void {
    this.#isEdited = true;
    if ('owned' in edit) {
      this.#owned.set(itemKey(edit.owned), edit.owned);
      this.#watched.delete(itemKey(edit.owned));
    } else if ('watched' in edit) this.#watched.set(itemKey(edit.watched), edit.watched);
    else if ('gone' in edit) {
      this.#owned.delete(itemKey(edit.gone));
      this.#watched.delete(itemKey(edit.gone));
    } else if ('hadId' in edit) this.#newIds.push(edit);
    else if ('touched' in edit) {
      const {touched} = edit;
      const {kind, subject} = touched;
      this.#put(this.#places.get(itemKey(touched)) ?? this.#places.get(itemKey({kind, subject})) ?? this.#items.length, touched);
    } else {
      const at = this.#places.get(itemKey(edit.untouched));
      if (at !== undefined) this.#put(at, null);
    }
  }

  /** Before the request of a change is sent: until then, whatever becomes of its item is not the policy's. */
  sent(change: Change): Edit[] {
    const item = this.#touched(itemKey(this.#itemOf(change, idIn(change))));
    if (item?.unsent !== true) return [];
    const {unsent: _, ...touched} = item;
    return this.#edited({touched});
  }

  /** A change was made. @param createdId of what it made, where that has one */
  done(change: Change, createdId?: string): Edit[] {
    const sent = this.sent(change);
    const {kind, action, subject} = change;
    if (action === 'remove') return [...sent, ...this.#edited({gone: named(this.#itemOf(change, idIn(change)))})];
    if (action === 'update') return [...sent, ...this.#updated(change)];
    if (areNamedById(kind) && createdId === undefined) return sent;
    const stood = sectionOf(kind)?.holding?.values?.stood?.(change);
    const item = {...this.#itemOf(change, createdId), ...(stood !== undefined && {was: stood}), ...this.#set(change, null)};
    const edits = [...sent, ...this.#edited({owned: item})];
    if (item.id === undefined || this.#last === undefined) return edits;
    // Of several with the same title, only one is known before they have ids. An item of another kind may have the id that an earlier run got.
    const touched = this.#touched(itemKey({kind, subject}));
    const {made: _, at: _at, ...own} = item;
    return [...edits, ...this.#edited({touched: touched === undefined ? {...own, was: null} : {...touched, id: createdId}})];
  }

  /**
   * The server has refused changes: what they would have added or changed is not owned, even if it exists later, or is changed by
   * somebody else.
   */
  refused(changes: readonly Change[]): Edit[] {
    return changes.flatMap((change) => {
      const item = change.action === 'remove' ? undefined : this.#touched(itemKey(this.#itemOf(change)));
      return item === undefined || !isUntouched(item, change) ? [] : this.#edited({untouched: named(item)});
    });
  }

  /** A change that reverts the last apply was made: what becomes of its item is not people's doing. */
  reverted(change: Change): Edit[] {
    const item = this.#itemOf(change, idIn(change));
    const known = this.#owned.get(itemKey(item));
    if (change.action === 'remove' || known === undefined) return this.#edited({gone: named(item)});
    const {made: _, at: _at, ...rest} = known;
    return this.#edited({owned: rest});
  }

  /** An undo made items again. */
  madeAgain(newIds: readonly NewId[]): Edit[] {
    return newIds.flatMap((one) => this.#edited(one));
  }

  /** What a policy made stays its own; of what it only changed, the first value is kept, until it has that again. */
  #updated(change: Change): Edit[] {
    const item = this.#itemOf(change, idIn(change));
    const [known, values] = [this.#owned.get(itemKey(item)), sectionOf(change.kind)?.holding?.values];
    const set = this.#set(change, item);
    if (known === undefined && values === undefined) return set.made === undefined ? [] : this.#edited({watched: {...item, ...set}});
    if (known === undefined) return this.#edited({owned: {...item, was: values?.before(change), ...set}});
    if (values !== undefined && known.was !== undefined && values.areSame(known.was, values.after(change)))
      return this.#edited({gone: named(known)});
    return this.#edited({owned: {...known, ...set}});
  }

  /** How a change sets its item, and when. @param item null: it is made */
  #set(change: Change, item: OwnedItem | null): Pick<OwnedItem, 'at' | 'made'> {
    const [made, at] = [sectionOf(change.kind)?.made, this.#last?.at];
    if (made === undefined) return {};
    const key = item && itemKey(item);
    const known = key === null ? undefined : (this.#owned.get(key) ?? this.#watched.get(key));
    // An apply may set the same item twice.
    const isAgain = known?.made !== undefined && at !== undefined && known.at === at;
    const before = isAgain ? known.made : key === null ? null : (this.#touched(key)?.was ?? null);
    const after = made.after(change, before, known?.made);
    return after === undefined ? {} : {made: after, ...(at !== undefined && {at})};
  }

  #edited(edit: Edit): Edit[] {
    this.edit(edit);
    return [edit];
  }

  /** What a change is about, as it is owned. */
  #itemOf({kind, subject}: Change, id?: string): OwnedItem {
    return ownedAs({owner: this.#name, kind, subject: comparedName({kind, subject}, this.#host), id});
  }

  #put(at: number, item: TouchedItem | null): void {
    const before = this.#items[at] ?? null;
    if (before !== null) this.#places.delete(itemKey(before));
    this.#items[at] = item;
    if (item !== null) this.#places.set(itemKey(item), at);
  }

  #touched(key: string): TouchedItem | undefined {
    const at = this.#places.get(key);
    return at === undefined ? undefined : (this.#items[at] ?? undefined);
  }
}

const named = ({kind, subject, id}: Item): Item => ({kind, subject, ...(id !== undefined && {id})});

/** Whether a change that was refused leaves an item out of its apply. */
function isUntouched({was}: TouchedItem, change: Change): boolean {
  if (change.action === 'add') return true;
  if (change.action === 'remove' || was === null) return false;
  const values = sectionOf(change.kind)?.holding?.values;
  // What an earlier run of the same apply changed has another value by now.
  return values?.areSame(values.before(change), was) === true;
}
