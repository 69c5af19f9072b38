/** Characters of one text that people are shown: nobody reads more in a table, and measuring it takes long. */
export const longestText = 20_000;

/** What the rendering of a table or record depends on. */
export interface Layout {
  /** Columns of the terminal; Infinity where nothing is cut off. */
  readonly width: number;
  readonly color: boolean;
  readonly now: Date;
  /** What accounts are called of which rows have the ids. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}
