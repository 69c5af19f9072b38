/** Kinds of objects that commands print, as items of a list or alone, and that other commands take as input. */

/** Paths into an object: members joined by dots. An empty path is the object itself. */
type Places = readonly string[];

/** The kinds whose names may be in objects of other kinds. */
export type NamedKind = 'account' | 'domain' | 'instance' | 'post';

export interface Kind {
  /** What people call one object, and several: `filter`, `filters`. */
  readonly one: string;
  readonly several: string;
  /** Members that no other kind has: an object with one of them is of this kind. */
  readonly marks: readonly string[];
  /** Groups of members that show the kind together, in an object that has no mark of any kind. */
  readonly jointMarks?: readonly (readonly string[])[];
  /** Members that show the kind of an object when all its other members are such as any kind may have. */
  readonly loneMembers?: readonly string[];
  /** Where the object has the name that commands take: the first path that it has counts. None: no command acts on it. */
  readonly names: Places;
  /** Where it names an object of another kind. All paths for one kind lead to the same object. */
  readonly gives?: Readonly<Partial<Record<NamedKind, Places>>>;
  /** Its names mean the same on every server, as domains do. Ids do not. */
  readonly isSameEverywhere?: true;
  /** What people recognize an object by, besides its name: the title of a filter. @param item has long numbers as texts */
  readonly title?: (item: unknown) => string;
  /** The shapes that servers document for it. */
  readonly shapes?: readonly (() => {readonly shape: object})[];
  /** The objects of this kind that a document of another kind contains; undefined for a document that contains none. */
  readonly listIn?: (document: Readonly<Record<string, unknown>>) => readonly unknown[] | undefined;
}

/** The kind with its article: `a filter`. */
export const anyOf = ({one}: Kind): string => `${/^[aeio]/.test(one) ? 'an' : 'a'} ${one}`;

/** The members of a result of a command with many targets, in their order. */
export const resultMembers = ['target', 'ok', 'status', 'body', 'error', 'resumed', 'unknown', 'held_back'] as const;
