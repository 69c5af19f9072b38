/** What a kind of object is: an item of a list, or the one object of an answer, that comes back as input. */
import type {KindName} from './kind-name.js';
import {idText, isObject, once} from './schema.js';

/** Where something is in an object: members joined by dots, the first that is there. Empty: the object itself. */
type Places = readonly string[];

/** One kind of object. Each has a file of its own in `kinds`. */
export interface ObjectKind {
  /** What people call one, and several: `filter`, `filters`. */
  readonly one: string;
  readonly several: string;
  readonly article: 'a' | 'an';
  /**
   * What people know one by, besides what names it: the title of a filter, the handle of an account. Empty where that is nothing.
   * @param item long numbers are texts in it
   */
  readonly title: (item: unknown) => string;
  /** The members that objects of this kind have, in any form in which they are printed. */
  readonly members: () => readonly string[];
  /** Members of which one at least has to be there, where the others say little. */
  readonly marks?: readonly string[];
  /** The members that name it for commands, the first that is there. Empty: no command acts on it. */
  readonly named: readonly string[];
  /** What commands call one, where none of its members is that. */
  readonly called?: (item: unknown) => string;
  /**
   * What its names mean on another server. `nothing`: they are ids of one server. `the same`: they are domains. `by handle`: its id is of one
   * server, and it is found on another by its handle. `by account`: as `nothing`, and the id of its account shows whether it is the one that was listed.
   */
  readonly elsewhere: 'by account' | 'by handle' | 'nothing' | 'the same';
  /** Where it contains or names a thing of another kind. Only where it is obvious which. */
  readonly contains: Partial<Readonly<Record<KindName, Places>>>;
  /** Where it contains several things of a kind, of which one has to be chosen. `[]` stands for each item of a list. */
  readonly choices?: Partial<Readonly<Record<KindName, readonly string[]>>>;
  /** Where it names what it is about, whatever that is. */
  readonly standsFor?: Places;
  /** The objects of this kind in a document that is none itself; undefined for any other document. */
  readonly listIn?: (document: Readonly<Record<string, unknown>>) => readonly unknown[] | undefined;
}

/** `a filter` */
export const anyOf = ({article, one}: ObjectKind): string => `${article} ${one}`;

/** The members of documented shapes. */
export const membersIn = (...shapes: readonly (() => {readonly shape: object})[]): (() => readonly string[]) =>
  once(() => [...new Set(shapes.flatMap((shape) => Object.keys(shape().shape)))]);

/** What names an item for commands; empty where nothing does. @param item long numbers are texts in it */
export function nameIn({named, called}: ObjectKind, item: unknown): string {
  if (!isObject(item)) return idText(item);
  if (called !== undefined) return called(item);
  return named.map((name) => idText(item[name])).find((text) => text !== '') ?? '';
}
