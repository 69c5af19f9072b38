/** What people see of an answer: the columns of a table, or the lines of one object. */

/** How a value becomes text; `text` suits every value. */
export type ColumnKind =
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
  readonly kind?: ColumnKind;
  /** Makes the text for people, where it depends on more of the row than the value. */
  readonly text?: (row: unknown) => string | undefined;
  /** Words for true and false; else `yes` and `no`. */
  readonly words?: readonly [whenTrue: string, whenFalse: string];
  /** The text for null, such as `never`; a dash by default. */
  readonly none?: string;
  /** Identifies a row, and people type it after the next command. It is never left out or cut short. */
  readonly key?: true;
  /** What people run the command for: never left out. A long text continues on further lines of a terminal. */
  readonly stays?: true;
  /** May be cut short in a narrow terminal. A column without `key`, `stays` and `flexible` is whole, or left out. */
  readonly flexible?: true;
  /** Continues on further lines of a terminal instead of being cut short. */
  readonly wraps?: true;
  /** The smallest width when it is narrowed, in characters: 10 by default, or 20 with `stays`. */
  readonly least?: number;
  /** Its width in characters while its rows are not known yet; by default, all the room that there is. */
  readonly usual?: number;
  /** In a narrow terminal the column with the highest number is left out first, and of equal ones the last. 1 by default. */
  readonly priority?: number;
}

export interface ListView {
  readonly kind: 'list';
  /** Absent: every field that a row has. */
  readonly columns?: readonly Column[];
  /** The fields that a row may have, where the first rows do not tell. */
  readonly fields?: readonly string[];
  /** Printed on standard error when the list is empty. */
  readonly empty: string;
}

export interface RecordView {
  readonly kind: 'record';
  /** Absent: every field that the object has, in the server's order. */
  readonly columns?: readonly Column[];
  /** A list in the object, or one that is made of several, shown as a table below the object. */
  readonly list?: {readonly path: string | ((object: unknown) => readonly unknown[]); readonly view: ListView};
}

export type View = ListView | RecordView;

export const column = {
  id: {header: 'id', path: 'id', key: true},
  account: {header: 'account', path: 'acct', kind: 'account', key: true},
  displayName: {header: 'name', path: 'display_name', flexible: true, priority: 3},
  followers: {header: 'followers', path: 'followers_count', kind: 'number', priority: 4},
  posts: {header: 'posts', path: 'statuses_count', kind: 'number', priority: 5},
  locked: {header: 'locked', path: 'locked', words: ['locked', 'open'], priority: 6},
  sent: {header: 'sent', path: 'created_at', kind: 'time', priority: 3},
  sender: {header: 'from', path: '', kind: 'sender', key: true, usual: 20},
  message: {header: 'message', path: '', kind: 'message', flexible: true},
  /** In a list the message gets the most room; `--fields` shows everything else. */
  messageInList: {header: 'message', path: '', kind: 'message', stays: true, least: 30},
} as const satisfies Readonly<Record<string, Column>>;
