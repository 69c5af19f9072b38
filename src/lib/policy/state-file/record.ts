/** What a state file records of an account, or of a server, under a policy. */
import type {OwnedItem, Touched} from '../model/items.js';

export interface SavedApply {
  readonly at: string;
  readonly isFinished: boolean;
  readonly plan?: string | undefined;
  readonly owned: readonly OwnedItem[];
  readonly items: Touched;
}

/** Whose record it is: that of one account on one server, or of the server itself, under one policy. */
export interface Owner {
  readonly server: string;
  /** Undefined: the record is of what all accounts of the server share. */
  readonly account?: string | undefined;
  /** The name of the policy, the same in every checkout. */
  readonly policy: string;
}

export interface OwnershipRecord extends Owner {
  readonly owned: readonly OwnedItem[];
  readonly applies: readonly SavedApply[];
  /** What applies set and the record does not own: settings, what others made, what somebody lifted. It only tells what people did. */
  readonly watched?: readonly OwnedItem[] | undefined;
}

export interface OwnershipFile {
  readonly version: 2;
  /** Where in the log that goes with the file its lines begin that are not in it; undefined: all is in the file. */
  readonly log?: string | undefined;
  readonly records: readonly OwnershipRecord[];
}
