/** What state files have items of: whose, what, and how it was before an apply. */
import type {ItemKind} from './section-types.js';

/** Something of a section that is there or not. */
export interface Item {
  readonly kind: ItemKind;
  /** A domain, a handle or a title. */
  readonly subject: string;
  /** Where the section has ids, the item; else what the subject was known by. */
  readonly id?: string | undefined;
}

/** What an apply made, and may therefore remove again, or what it only changed. */
export interface MadeItem<Was = unknown> extends Item {
  /** How it was before an apply changed it, which goes back to that; undefined: an apply made it. */
  readonly was?: Was | undefined;
  /** How an apply set it; undefined in state files that do not have that. */
  readonly made?: unknown;
  /** When an apply set it last, in ISO 8601; undefined: it was adopted. */
  readonly at?: string | undefined;
}

/** An item that an apply made or changed, with whose it is. */
export interface OwnedItem extends MadeItem {
  /** An account, as `ana@pix.example`, or the host of a server. */
  readonly owner: string;
}

/** What an apply touched; `was` is null where it was not there. */
export interface TouchedItem<Was = unknown> extends Omit<OwnedItem, 'at' | 'made' | 'was'> {
  readonly was: Was | null;
  /** Whether it was to get another value; otherwise it was to be added or removed. */
  readonly updated?: true | undefined;
  /** Whether the request that changes it was not sent yet: what becomes of it until then is somebody else's doing. */
  readonly unsent?: true | undefined;
}

/** The items that an apply touched, in its order. */
export type Touched<Was = unknown> = readonly TouchedItem<Was>[];

/** Things by their kinds, in their order. */
export function byKind<One extends {readonly kind: string}>(all: Iterable<One>): (kind: ItemKind) => readonly One[] {
  const kinds = Map.groupBy<string, One>(all, ({kind}) => kind);
  return (kind) => kinds.get(kind) ?? [];
}
