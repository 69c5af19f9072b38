/** A kind of object: an item of a list, or the one object of an answer, that comes back as input. */

/** Where something is in an object: members joined by dots. Empty: the object itself. */
type Places = readonly string[];

/** Whose names may be in objects of other kinds. */
export type NamedKind = 'account' | 'domain' | 'instance' | 'post';

export interface Kind {
  /** What people call one, and several: `filter`, `filters`. */
  readonly one: string;
  readonly several: string;
  /** Members that no other kind has: an object with one of them is of this kind. */
  readonly marks: readonly string[];
  /** Members that show the kind together, where an object has no mark of any. */
  readonly jointMarks?: readonly (readonly string[])[];
  /** Members that show the kind of an object that has no other members but those that any kind may have. */
  readonly loneMembers?: readonly string[];
  /** What names one for the commands that act on it, the first that is there. None: no command acts on it. */
  readonly names: Places;
  /** Where it names an object of another kind. All places name the same object. */
  readonly gives?: Readonly<Partial<Record<NamedKind, Places>>>;
  /** Its names mean the same on every server, as those of domains do: they are no ids. */
  readonly isSameEverywhere?: true;
  /** What people know one by, besides what names it: the title of a filter. @param item long numbers are texts in it */
  readonly title?: (item: unknown) => string;
  /** The shapes that servers document for it. */
  readonly shapes?: readonly (() => {readonly shape: object})[];
  /** The objects of this kind in a document that is none itself; undefined for any other document. */
  readonly listIn?: (document: Readonly<Record<string, unknown>>) => readonly unknown[] | undefined;
}

/** `a filter` */
export const anyOf = ({one}: Kind): string => `${/^[aeio]/.test(one) ? 'an' : 'a'} ${one}`;

/** The members of a result of a command with many targets, in their order. */
export const resultMembers = ['target', 'ok', 'status', 'body', 'error', 'resumed', 'unknown', 'held_back'] as const;
