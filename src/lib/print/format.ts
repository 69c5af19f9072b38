/** What formats are given and what they return. */
import type {Endpoint} from '../api/endpoint.js';
import type {View} from '../api/view.js';
import type {Text} from '../files/whole-file.js';

export interface Terminal {
  readonly isTerminal: boolean;
  /** In columns. */
  readonly width: number;
  readonly color: boolean;
}

export interface Setting {
  readonly terminal: Terminal;
  /** The time of day, for relative times such as `3 min ago`. */
  readonly now: () => Date;
  /** Account names by id, for items that contain only the id; for people. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

export interface ItemSetting extends Setting {
  /** The columns for people; undefined: every field. */
  readonly view?: View | undefined;
  /** What documents the fields of the items, for the header of an empty list; undefined: the columns for people tell them. */
  readonly documented?: Pick<Endpoint, 'output' | 'rows' | 'view'> | undefined;
  /** The header of an empty list, where it differs from the documented fields. */
  readonly emptyFields?: readonly string[] | undefined;
  /** Whether the items belong to a list; otherwise there is one item, the answer itself. */
  readonly isList: boolean;
  /** Whether all items are there at once, as they are in an answer. */
  readonly isWhole?: boolean | undefined;
  /** Whether a format was asked for: a table is then printed as one. */
  readonly isFormatChosen?: boolean | undefined;
  /** Whether more items follow for as long as someone watches: a table then prints rows at once. */
  readonly isEndless?: boolean | undefined;
  /** Only these fields of each item, in this order; undefined: the fields that it has. */
  readonly fields?: readonly string[] | undefined;
  /** Members that formats for people, spreadsheets and settings leave out, wherever they are, unless fields name them. */
  readonly hides?: readonly string[] | undefined;
  /** Whether CSV and TSV begin with the names of the columns; true by default. */
  readonly header?: boolean | undefined;
  /** Whether CSV and TSV escape formulas that a spreadsheet would run. */
  readonly spreadsheetSafe?: boolean | undefined;
}

/**
 * `data` is printed unmodified, except at a terminal. `painted` is for people: the texts of servers in it are inert, and the only
 * escape sequences are our own colours.
 */
export type Nature = 'data' | 'painted';

/** What there is to say after everything is printed. */
export interface Ending {
  /** A note for people. */
  readonly stderr?: string;
  /** Headings of columns that a terminal is too narrow for. */
  readonly notShown?: readonly string[];
  /** What is missing from the output; said in every format. */
  readonly warning?: string;
  /** Why the run failed. */
  readonly failure?: string | undefined;
  /** The item on which it failed, or a list of them. */
  readonly failedOn?: unknown;
}

export interface Printed extends Ending {
  readonly stdout: Text;
  readonly nature: Nature;
}

/** Output that may be long: standard output in pieces, then what there is to say. */
export interface FormattedOutput {
  readonly nature: Nature;
  readonly pieces: Generator<string, Ending, undefined>;
}

/** Formats items as they arrive. Its memory does not grow with them, unless the format has to see all of them first. */
export interface ItemWriter {
  readonly nature: Nature;
  /** @param items with every digit of their numbers @returns the next part of standard output; a format may hold text back */
  items(items: readonly unknown[]): string;
  /** Headings of columns that a terminal is too narrow for, where the first items choose the columns, and others may follow for ever. */
  readonly notShown?: readonly string[] | undefined;
  /** What remains to be printed. Called once, after a failure too, so that the output is a whole document. */
  end(): Ending & {readonly stdout: Text};
}

/** Standard output. */
export interface Sink {
  /** Whether the reader closed it. */
  readonly isReaderGone: boolean;
  /** Resolves when the text was taken. @throws Failure `local` when it cannot be written */
  write(text: string, nature: Nature): Promise<void>;
}
