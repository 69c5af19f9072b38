/** Chooses items of a list that was read, because servers cannot filter by this. Each reading has a selection of its own. */
export interface Selection {
  readonly keeps: (item: unknown) => boolean;
  /** Whether no item is expected any more. Called with all items of each page, in order. */
  readonly isOver: (items: readonly unknown[]) => boolean;
  /** Tells people what was left out. */
  readonly note: string | undefined;
}
