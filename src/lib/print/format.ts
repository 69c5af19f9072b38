/** What a format is given, and what it gives back. */
import type {View} from '../api/view.js';

export interface Terminal {
  readonly isTerminal: boolean;
  /** Its columns. */
  readonly width: number;
  readonly color: boolean;
}

/** Where and when something is printed. */
export interface Setting {
  readonly terminal: Terminal;
  readonly now: Date;
  /** What accounts are called of which items have the ids; for people. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

/** How items are written. */
export interface ItemSetting extends Setting {
  /** What people see of the items; undefined: every field. */
  readonly view?: View | undefined;
  /** Whether the items are those of a list; else there is one, the answer itself. */
  readonly isList: boolean;
  /** The fields that were asked for, which every item then has in this order; undefined: items have what they have. */
  readonly fields?: readonly string[] | undefined;
  /** Whether CSV and TSV begin with the names of the columns; true when not given. */
  readonly header?: boolean | undefined;
  /** Whether CSV and TSV are kept from having formulas that a spreadsheet would run. */
  readonly spreadsheetSafe?: boolean | undefined;
}

/** What became of one of many targets. */
export type Result =
  | {
      readonly target: string;
      readonly ok: true;
      readonly status: number;
      /** It was done in an earlier run. */
      readonly resumed?: true;
      /** The answer's own text; null when it was too long to be kept. */
      readonly body: string | null;
    }
  | {
      readonly target: string;
      readonly ok: false;
      readonly status: number | null;
      /** An earlier run may have done it: it was not sent again. */
      readonly unknown?: true;
      readonly error: {readonly message: string};
    };

/**
 * Whether text is data, which is exact but at a terminal, or for people and inert wherever it goes: then the texts of servers
 * in it are inert already, and what else steers a terminal are our own colours.
 */
export type Nature = 'data' | 'painted';

/** What there is to say once all is printed. */
export interface Ending {
  /** A note for people. */
  readonly stderr?: string;
  /** What went missing on the way, to be said in every format. */
  readonly warning?: string;
  /** Why there is less than was asked for: the run has failed. */
  readonly failure?: string;
  /** Of what there is less, as JSON. */
  readonly failedOn?: string;
}

/** Text for the two outputs: data ends in a line break, words do not. */
export interface Printed extends Ending {
  readonly stdout: string;
  readonly nature: Nature;
}

/** The same, for what may be long: standard output in pieces, and then the words. */
export interface Output {
  readonly nature: Nature;
  readonly pieces: Generator<string, Ending, undefined>;
}

/** Writes items as they come, in a memory that does not grow with them unless the format needs to see them all. */
export interface ItemWriter {
  readonly nature: Nature;
  /** The text that some more items, given as JSON, add to standard output; a format may keep it back. */
  items(texts: readonly string[]): string;
  /** What is left to print; called once, also after a failure, so that what was printed is a whole document. */
  end(): Ending & {readonly stdout: string};
}

/** What the module of a format provides. */
export interface Formatter {
  readonly open: (setting: ItemSetting) => ItemWriter | Promise<ItemWriter>;
}
