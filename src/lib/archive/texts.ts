/** Parts of what an archive keeps as JSON texts, with every digit of their numbers. */
import {isObject, membersOf} from '../api/schema.js';
import {parseExact} from '../json/exact.js';
import {identifierAt, itemsAt} from '../json/path.js';

/** The items of the list at a path; undefined where there is none. */
export const itemTextsAt = (text: string, path: readonly string[]): string[] | undefined =>
  itemsAt(parseExact(text), path)?.map((item) => JSON.stringify(item));

/** The object that is a member of an object; undefined where there is none. */
export function memberText(text: string, name: string): string | undefined {
  const member = membersOf(parseExact(text))[name];
  return isObject(member) ? JSON.stringify(member) : undefined;
}

/** An object with some of its members. */
export const textWith = (text: string, isWanted: (name: string, value: unknown) => boolean): string =>
  JSON.stringify(Object.fromEntries(Object.entries(membersOf(parseExact(text))).filter(([name, value]) => isWanted(name, value))));

export const identifierIn = (text: string, path: readonly string[]): string | undefined => identifierAt(parseExact(text), path);
