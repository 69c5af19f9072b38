/** What is shown of an answer: the vocabulary that views are written in. */

/** How a value becomes text; `text` suits every value. */
export type Kind =
  | 'account'
  | 'accounts'
  | 'count'
  | 'flags'
  | 'html'
  | 'keywords'
  | 'message'
  | 'number'
  | 'outcome'
  | 'sender'
  | 'status'
  | 'text'
  | 'time';

export interface Column {
  readonly header: string;
  /** Where the value is, names joined by dots: `account.acct`. Empty: the row itself. */
  readonly path: string;
  readonly kind?: Kind;
  /** Words for true and false; else `yes` and `no`. */
  readonly words?: readonly [whenTrue: string, whenFalse: string];
  /** What null means: `never`. Else a dash. */
  readonly none?: string;
  /** May be cut short in a narrow terminal. */
  readonly flexible?: true;
  /** Which end stays when it is cut short: that of a place in a file has the number of the line. The start unless given. */
  readonly keep?: 'end';
  /** Terminal columns that must remain of it when it is cut short; 10 unless given. */
  readonly least?: number;
  /** Terminal columns that are left to it while less important columns can go. */
  readonly preferred?: number;
  /** Terminal columns that it takes while its rows are still to come; as many as there are unless given. */
  readonly usual?: number;
  /** In a narrow terminal columns of the highest number go first, of equals the last; 1 when not given. */
  readonly priority?: number;
}

export interface ListView {
  readonly kind: 'list';
  /** Absent: every field that a row has. */
  readonly columns?: readonly Column[];
  /** The fields that a row may have, where the first rows do not tell. */
  readonly fields?: readonly string[];
  /** Said on standard error when the list is empty. */
  readonly empty: string;
}

export interface RecordView {
  readonly kind: 'record';
  /** Absent: every field that the object has. */
  readonly columns?: readonly Column[];
  /** A list inside the object, shown as a table below it. */
  readonly list?: {readonly path: string; readonly view: ListView};
}

export type View = ListView | RecordView;

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
