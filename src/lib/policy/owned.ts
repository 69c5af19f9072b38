/** What earlier applies of a policy made, and what it may therefore remove again. */
export interface Owned {
  readonly domainBlocks: readonly string[];
  /** Handles, `user@host`. */
  readonly blocks: readonly string[];
  readonly mutes: readonly string[];
  readonly filters: readonly {readonly id: string; readonly title: string}[];
}

export const nothingOwned: Owned = {domainBlocks: [], blocks: [], mutes: [], filters: []};
