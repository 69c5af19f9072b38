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
  /** Account names by id, which people see in place of bare ids. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

export interface ItemSetting extends Setting {
  /** The columns for people; undefined: every field. */
  readonly view?: View | undefined;
  /** The endpoint that documents the fields, for the header of an empty list; undefined: the header has the columns for people. */
  readonly documented?: Pick<Endpoint, 'output' | 'rows' | 'view'> | undefined;
  /** The header of an empty list, where it differs from the documented fields. */
  readonly emptyFields?: readonly string[] | undefined;
  /** Whether the items belong to a list; otherwise there is one item, the answer itself. */
  readonly isList: boolean;
  /** Whether more items follow for as long as someone watches: a table then prints rows at once. */
  readonly isEndless?: boolean | undefined;
  /** Only these fields of each item are printed, in this order; undefined: all that it has. */
  readonly fields?: readonly string[] | undefined;
  /** Members that tables, CSV, TSV and YAML leave out, at any depth, unless `fields` names them. */
  readonly hides?: readonly string[] | undefined;
  /** Whether CSV and TSV begin with the names of the columns; true by default. */
  readonly header?: boolean | undefined;
  readonly spreadsheetSafe?: boolean | undefined;
}

/**
 * `data` is printed unmodified, except at a terminal. `painted` is for people: the texts of servers in it are inert, and the only
 * escape sequences are our own colours.
 */
export type Nature = 'data' | 'painted';

export interface Ending {
  readonly stderr?: string;
  /** Headings of columns that a terminal is too narrow for. */
  readonly notShown?: readonly string[];
  /** Says what is missing from the output, whatever the format. */
  readonly warning?: string;
  readonly failure?: string | undefined;
  /** The item on which the filter failed, or a list of such items. */
  readonly failedOn?: unknown;
}

/** Output that may be long: standard output in pieces, then notes and errors. */
export interface FormattedOutput {
  readonly nature: Nature;
  readonly pieces: Generator<string, Ending, undefined>;
}

/** Formats items as they arrive. Its memory does not grow with them, unless the format has to see all of them first. */
export interface ItemWriter {
  readonly nature: Nature;
  /** @param items with every digit of their numbers @returns the next part of standard output; a format may hold text back */
  items(items: readonly unknown[]): string;
  /** Headings of columns that a terminal is too narrow for, known before the end in a list that may never end. */
  readonly notShown?: readonly string[] | undefined;
  /** Returns the rest of the output. It is called once, after a failure, too, so that the output is a whole document. */
  end(): Ending & {readonly stdout: Text};
}

export interface Sink {
  readonly isReaderGone: boolean;
  /** Resolves when the text was taken. @throws Failure `local` when it cannot be written */
  write(text: string, nature: Nature): Promise<void>;
}
