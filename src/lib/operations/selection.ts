/** Items of a list that are chosen from what was read, because servers cannot be asked for them. One for each list that is read. */
export interface Selection {
  readonly keeps: (item: unknown) => boolean;
  /** Whether no item is expected any more. Called with all items of each page, in order. */
  readonly isOver: (items: readonly unknown[]) => boolean;
  /** What there is to say of what was left out. */
  readonly note: string | undefined;
}
