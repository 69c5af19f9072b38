/** Reads what an input object names: it is taken for what its members show it to be. */
import {isKnownMember, isResult, shapesWith, type Shape} from '../../api/items.js';
import {isObject, membersOf, type ItemKind} from '../../api/schema.js';
import {sourceText} from '../../json/exact.js';
import {at} from '../../json/path.js';
import {shortened} from '../../json/text.js';
import {isPlainDomain} from '../../operations/domains.js';
import type {ExpectedId} from '../../operations/expected-ids.js';

/** What an item names. */
interface NamedItem {
  readonly value: string;
  /** Whether its members were what named it, not a bare id, a word or a result. */
  readonly isTold?: boolean | undefined;
  /** How it is blocked where it was listed. */
  readonly severity?: string | undefined;
  /** The id that the account has on the server that printed it, which may be another than the one acted on. */
  readonly expected?: ExpectedId | undefined;
}

/** Why an item names nothing that can be used. */
interface Mistaken {
  /** Completes a sentence that begins with the item. */
  readonly mistake: string;
  readonly advice?: string | undefined;
}

type ReadItem = Mistaken | NamedItem;

const titles: Readonly<Record<ItemKind, string>> = {
  account: 'an account',
  conversation: 'a conversation',
  domain: 'a domain',
  filter: 'a filter',
  instance: 'a server',
  message: 'a message',
  notification: 'a notification',
  report: 'a report',
  setting: 'a setting',
};

/** What has ids alone: servers may take a domain among them for the id that it begins with. */
const hasOnlyIds = new Set<ItemKind>(['conversation', 'filter', 'message', 'notification', 'report']);

/** Members whose values are read. */
const telling = new Set(
  ['account', 'Account address', 'acct', 'conversation_id', 'domain', '#domain', 'id', 'item', 'participants'].concat([
    'reportId',
    'sender_id',
    'severity',
    '#severity',
    'target',
    'url',
    'username',
  ]),
);

/** Members that a message names, and the characters of each. */
const maxNames = 5;
const maxNameLength = 40;

const shownNames = (names: readonly string[]): string =>
  names
    .slice(0, maxNames)
    .map((name) => shortened(name, maxNameLength))
    .join(', ');

export const outermost = (name: string): string => name.split('.', 1)[0] ?? '';

/** Whether the values of a column matter, not only its name. */
export const isRead = (name: string): boolean => telling.has(outermost(name));

/** Whether a column has the name of something that lists print. */
export const isColumn = (name: string): boolean => name === 'item' || isKnownMember(outermost(name)) || isKnownMember(name);

export function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : sourceText(value);
}

const textAt = (item: object, path: string): string => wordOf(at(item, path.split('.')).value) ?? '';

/** With `--fields`, `account.id` is one name: the object that it was in. */
function unfolded(item: object): object {
  const entries = Object.entries(item);
  if (!entries.some(([name]) => name.includes('.'))) return item;
  const whole: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) {
    const [outer = '', ...inner] = name.split('.');
    const before = whole[outer];
    if (inner.length === 0) whole[name] ??= value;
    else whole[outer] = {...membersOf(before), [inner.join('.')]: value};
  }
  return whole;
}

/** The host of a profile's URL; empty where there is none. */
function hostIn(url: string): string {
  return /^https?:/i.test(url) ? (URL.parse(url)?.host ?? '') : '';
}

const withoutServer: Mistaken = {
  mistake: 'looks like an account of an unknown server: it has neither `url` nor a host in `acct`',
  advice: 'print its url too, or its id alone with --fields id',
};

/** @param own the account that the item was listed for: its server is the one acted on */
function accountIn(item: object, own: string | undefined): ReadItem {
  const [id, acct, url] = [textAt(item, 'id'), textAt(item, 'acct') || textAt(item, 'Account address'), textAt(item, 'url')];
  const user = (acct || textAt(item, 'username')).replace(/^@/, '');
  // Nothing but an id. Any server can name the account acted on: what it tells of a person is compared with that server.
  if (id !== '' && user === '' && url === '' && (own !== undefined || Object.keys(item).length === 1)) return {value: id};
  const host = hostIn(url) || (own?.replace(/^@?[^@]*@/, '') ?? '');
  const expected = id === '' || url === '' ? undefined : {id, url};
  if (user.includes('@')) return {value: `@${user}`, expected};
  if (user !== '' && host !== '') return {value: `@${user}@${host}`, expected};
  if (user === '' && url !== '') return {value: url, expected};
  return user === '' && id === '' ? {mistake: 'names no account'} : withoutServer;
}

/** Reads items for a command that acts on things of one kind. */
export class ItemReader {
  readonly #wanted: ItemKind;
  /** What objects with the same members are. */
  readonly #known = new Map<string, Mistaken | readonly string[]>();

  constructor(wanted: ItemKind) {
    this.#wanted = wanted;
  }

  /**
   * What an item names, where it names one thing of the kind.
   * @param own the account that it was listed for, where it carries that: the one acted on
   */
  read(item: unknown, own?: string): ReadItem {
    if (Array.isArray(item)) return {mistake: `names no ${this.#wanted}`};
    if (!isObject(item)) return this.#named(item, own);
    const whole = unfolded(item);
    const names = Object.keys(whole);
    // Whoever prints ids alone says what they are.
    if (names.length === 1 && names[0] === 'id') return this.#named(textAt(whole, 'id'), own);
    const key = JSON.stringify(names);
    const paths = this.#known.get(key) ?? this.#pathsIn(names);
    this.#known.set(key, paths);
    if ('mistake' in paths) return paths;
    for (const path of paths) {
      const {present, value} = path === '' ? {present: true, value: whole} : at(whole, path.split('.'));
      // Plans and profiles name the account that they are for. A column of handles is a list of its own.
      if (present && path === 'account' && typeof value === 'string' && !(names.length === 1 && /.@/.test(value)))
        return {mistake: 'names whose it is in `account`, and no one else'};
      const severity = textAt(whole, 'severity') || textAt(whole, '#severity') || undefined;
      if (present) return {...this.#named(value, own), isTold: path !== 'target', severity};
    }
    return this.#named(undefined, own);
  }

  #named(value: unknown, own: string | undefined): ReadItem {
    const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
    if (Array.isArray(one) && one.length > 1)
      return {mistake: `names ${one.length} ${this.#wanted}s, not one`, advice: this.#advice(['.participants[].id'])};
    if (this.#wanted === 'account' && isObject(one)) return accountIn(one, own);
    const text = wordOf(one) ?? '';
    if (hasOnlyIds.has(this.#wanted) && isPlainDomain(text))
      return {mistake: `looks like a domain, not ${titles[this.#wanted]}`, advice: this.#advice()};
    return text === '' ? {mistake: `names no ${this.#wanted}`} : {value: text};
  }

  /** Where objects with these members name what is wanted. */
  #pathsIn(names: readonly string[]): Mistaken | readonly string[] {
    const wanted = this.#wanted;
    const found = shapesWith(names);
    const [first, ...others] = found;
    if (first === undefined) {
      return names.length === 0
        ? {mistake: `names no ${wanted}`}
        : {mistake: `is not recognized by its members (${shownNames(names)})`, advice: this.#advice()};
    }
    const pathsOf = (shape: Shape) => (isResult(shape) ? ['target'] : shape.names[wanted]);
    const paths = pathsOf(first);
    if (others.every((shape) => String(pathsOf(shape)) === String(paths))) {
      if (paths !== undefined) return paths;
      const title = found.map((shape) => shape.title).join(' or ');
      return {mistake: `looks like ${title}, not ${titles[wanted]}`, advice: this.#advice(first.choices?.[wanted])};
    }
    // What is named, and not only counted, cannot be taken for something else.
    const own = found.find(({kind}) => kind === wanted);
    const isNamed = wanted === 'domain' || (wanted === 'account' && (names.includes('url') || !names.includes('id')));
    if (own !== undefined && isNamed) return pathsOf(own) ?? [];
    return {
      mistake: `could be ${found.map((shape) => shape.title).join(', ')} by its members (${shownNames(names)})`,
      advice: this.#advice(),
    };
  }

  #advice(choices: readonly string[] = []): string {
    const example = choices.map((choice) => `--jq '${choice}'`).join(' or ') || "--jq '.FIELD'";
    return `name the field that holds ${titles[this.#wanted]}, with -o ndjson ${example}`;
  }
}
