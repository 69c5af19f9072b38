import {serverBlock} from '../admin-entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {idText, membersOf, once} from '../schema.js';

export const domainKind: ObjectKind = {
  one: 'domain',
  several: 'domains',
  article: 'a',
  title: (item) => idText(membersOf(item)['severity']),
  // Exports of Mastodon have the same names with a mark.
  members: once(() => membersIn(serverBlock)().flatMap((name) => [name, `#${name}`])),
  named: ['domain', '#domain'],
  elsewhere: 'the same',
  contains: {},
  listIn: blocksIn,
};

/** The blocked domains in the document in which admins of Pixelfed servers export other servers; undefined for another document. */
export function blocksIn(document: unknown): readonly unknown[] | undefined {
  const {banned, unlisted} = membersOf(document);
  if (!Array.isArray(banned) && !Array.isArray(unlisted)) return undefined;
  const entries = (list: unknown, severity: string): unknown[] =>
    Array.isArray(list) ? list.map((name: unknown) => (typeof name === 'string' ? {domain: name, severity} : name)) : [];
  return [...entries(banned, 'suspend'), ...entries(unlisted, 'silence')];
}
