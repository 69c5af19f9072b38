/** Finds the target that an input object names. Its members show its kind, and the table of kinds says where such an object has the target. */
import {anyOf, type Kind, type NamedKind} from '../../api/kind.js';
import {kinds} from '../../api/kinds.js';
import {isObject, membersOf, once} from '../../api/schema.js';
import {sourceText} from '../../json/exact.js';
import {at} from '../../json/path.js';
import {shorten} from '../../json/text.js';
import {isPlainDomain} from '../../operations/domains.js';
import type {ExpectedId} from '../../operations/expected-ids.js';

/** What an item names. */
interface NamedItem {
  readonly value: string;
  /** Whether the members of an object named it: not a bare id, a word or a result. */
  readonly isTold?: boolean | undefined;
  /** How it is blocked where it was listed. */
  readonly severity?: string | undefined;
  /** The id that the account has on the server that printed it, which may be another than the one acted on. */
  readonly expected?: ExpectedId | undefined;
  /** Of somebody who is registered, the id of the account: the user that is found has to have it. */
  readonly profile?: string | undefined;
  /** Of a post, the object that shows it. */
  readonly told?: unknown;
}

/** Why an item names nothing that can be used. */
interface Mistaken {
  /** Completes a sentence that begins with the item. */
  readonly mistake: string;
  readonly advice?: string | undefined;
}

type ReadItem = Mistaken | NamedItem;

/** What a list is read for. */
export interface WantedKind {
  readonly kind: Kind;
  /** Whether the action cannot be undone: an id alone is then not enough, because it could be of anything. */
  readonly mustBeCertain?: boolean;
  /** The column or member that names it, whatever the rest looks like. */
  readonly column?: string | undefined;
}

/** Where objects with the same members name what is wanted. */
interface Found {
  readonly kind: Kind;
  readonly places: readonly string[];
  /** The first place that is there counts: else all have to name the same. */
  readonly isFirst: boolean;
}

const every: readonly Kind[] = Object.values(kinds);

/** Members that say how a domain is blocked where it was listed. */
const severities = ['severity', '#severity'];

/** The members that lists print. */
const known = once(
  () =>
    new Set([
      'id',
      'item',
      ...every.flatMap(({marks, names, shapes = []}) => [
        ...[marks, names].flat().filter(Boolean),
        ...shapes.flatMap((shape) => Object.keys(shape().shape)),
      ]),
    ]),
);

const outermost = (name: string): string => name.split('.', 1)[0] ?? '';

/** Members that objects of any kind may have: by these alone, no kind is recognized. */
const ofAnyKind: readonly string[] = ['id', 'url', 'created_at'];

/** The kinds that an object with these members may have. @param own the kind that the command acts on, which the table may lack */
export function kindsWith(names: readonly string[], own: Kind): readonly Kind[] {
  const all = [...new Set([own, ...every])];
  const marked = all.filter(({marks}) => marks.some((name) => names.includes(name)));
  if (marked.length > 0) return marked;
  const isShown = ({jointMarks = [], loneMembers = []}: Kind): boolean =>
    jointMarks.some((joint) => joint.every((name) => names.includes(name))) ||
    (names.some((name) => loneMembers.includes(name)) && names.every((name) => loneMembers.includes(name) || ofAnyKind.includes(name)));
  return all.filter(isShown);
}

/** Members that a message names, and the characters of each. */
const maxNames = 5;
const maxNameLength = 40;

const shownNames = (names: readonly string[]): string =>
  names
    .slice(0, maxNames)
    .map((name) => shorten(name, maxNameLength))
    .join(', ');

export function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : sourceText(value);
}

const textAt = (item: object, path: string): string => wordOf(at(item, path.split('.')).value) ?? '';

const severityOf = (item: object): string | undefined => severities.map((name) => textAt(item, name)).find((text) => text !== '');

/** With `--fields`, `account.id` is one name: the object that it was in. */
function unfoldItem(item: object): object {
  const entries = Object.entries<unknown>({...item});
  if (!entries.some(([name]) => name.includes('.'))) return item;
  const whole = new Map<string, unknown>();
  for (const [name, value] of entries) {
    const [outer = '', ...inner] = name.split('.');
    const before = whole.get(outer);
    if (inner.length > 0) whole.set(outer, {...membersOf(before), [inner.join('.')]: value});
    else if (before === undefined || before === null) whole.set(name, value);
  }
  return Object.fromEntries(whole);
}

/** The host of a profile's URL; empty where there is none. */
function hostIn(url: string): string {
  return /^https?:/i.test(url) ? (URL.parse(url)?.host ?? '') : '';
}

const withoutServer = (name: string): Mistaken => ({
  mistake: 'looks like an account of an unknown server: it has neither `url` nor a host in `acct`',
  advice: `also print its url, or write ${name === '' ? '@name' : `@${shorten(name, maxNameLength)}`} for an account of the server acted on`,
});

/** @param own the account that the item was listed for: its server is the one acted on */
function accountIn(item: object, own: string | undefined): ReadItem {
  const [id, acct, url] = [textAt(item, 'id'), textAt(item, 'acct') || textAt(item, 'Account address'), textAt(item, 'url')];
  const user = (acct || textAt(item, 'username')).replace(/^@/, '');
  // There is only an id. With a name or address the id is not used, because another server could have listed it.
  if (id !== '' && user === '' && url === '' && (own !== undefined || Object.keys(item).length === 1)) return {value: id};
  const host = hostIn(url) || (own?.replace(/^@?[^@]*@/, '') ?? '');
  const expected = id === '' || url === '' ? undefined : {id, url};
  if (user.includes('@')) return {value: `@${user}`, expected};
  if (user !== '' && host !== '') return {value: `@${user}@${host}`, expected};
  if (user === '' && url !== '') return {value: url, expected};
  if (user !== '' && acct.startsWith('@')) return {value: acct};
  return user === '' && id === '' ? {mistake: 'names no account'} : withoutServer(user);
}

/** A registered person is found by the name of the account, and has to have the id that was listed. */
function userIn(item: object): ReadItem {
  const [id, acct] = [textAt(item, 'id'), textAt(item, 'acct')];
  // For somebody without a profile it is empty.
  if (Object.hasOwn(item, 'profile_id')) return id === '' ? {mistake: 'has no `id`'} : {value: id, profile: textAt(item, 'profile_id')};
  return acct === ''
    ? {mistake: 'has no `acct`, by which a person is found'}
    : {value: `@${acct.replace(/^@/, '')}`, profile: id || undefined};
}

/** Reads items for a command that acts on things of one kind. */
export class ItemReader {
  readonly #wanted: WantedKind;
  readonly #kind: Kind;
  /** Where objects of other kinds name it. */
  readonly #name: NamedKind | undefined;
  /** What objects with the same members are. */
  readonly #known = new Map<string, Found | Mistaken>();

  constructor(wanted: WantedKind) {
    this.#wanted = wanted;
    this.#kind = wanted.kind;
    // A registered person is found by their account.
    const named = this.#kind === kinds.user ? kinds.account : this.#kind;
    this.#name = (['account', 'domain', 'instance', 'post'] as const).find((name) => kinds[name] === named);
  }

  /** Whether these columns are those of a table whose rows can be read. */
  isHeader(columns: readonly string[]): boolean {
    const {column} = this.#wanted;
    return columns.some((name) => (column === undefined ? this.isColumn(name) : name === column || name === outermost(column)));
  }

  /** Whether a column has the name of something that lists print. */
  isColumn(name: string): boolean {
    const own = [...this.#kind.marks, ...this.#kind.names].filter(Boolean);
    return [name, outermost(name)].some((one) => known().has(one) || own.includes(one));
  }

  /** Whether a column names what is wanted. */
  get readsColumn(): boolean {
    return this.#wanted.column !== undefined;
  }

  /**
   * Whether the member `account`, which comes first in a list of several accounts, says whose an item is. In a table of somebody else, of
   * which one column is named, it does not, nor where it makes no difference.
   * @param names of the members
   */
  readsAccounts(names: readonly string[]): boolean {
    const {column} = this.#wanted;
    if (column === undefined) return true;
    return (
      !['account', 'item'].includes(outermost(column)) && this.#kind.isSameEverywhere !== true && names.every((name) => this.isColumn(name))
    );
  }

  /** The items in a document that lists them; undefined for any other document. */
  listIn(document: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
    return this.#kind.listIn?.(document);
  }

  /**
   * What an item names, where it names one thing of the kind.
   * @param own the account that it was listed for, where it carries that: the one acted on
   */
  read(item: unknown, own?: string): ReadItem {
    const {column, mustBeCertain} = this.#wanted;
    if (Array.isArray(item)) return this.#nothing;
    if (column !== undefined) return this.#inColumn(column, item, own);
    if (!isObject(item)) return this.#named(item, own);
    const whole = unfoldItem(item);
    const names = Object.keys(whole);
    const key = JSON.stringify(names);
    // Somebody who prints only ids has chosen them for this command.
    if (key === '["id"]' && mustBeCertain !== true) return this.#named(textAt(whole, 'id'), own);
    if (key === '["id"]') return {mistake: 'has only an `id`, which could be of anything', advice: this.#advice('id')};
    const found = this.#known.get(key) ?? this.#foundIn(names);
    this.#known.set(key, found);
    return 'mistake' in found ? found : this.#taken(whole, found, own);
  }

  get #nothing(): Mistaken {
    return {mistake: `names no ${this.#kind.one}`};
  }

  /** Where objects with these members name what is wanted. */
  #foundIn(names: readonly string[]): Found | Mistaken {
    const [kind, ...others] = kindsWith(names, this.#kind);
    if (kind === undefined && names.length === 0) return this.#nothing;
    const shown = `its members (${shownNames(names)})`;
    if (kind === undefined) return {mistake: `is not recognized by ${shown}`, advice: this.#advice()};
    if (others.length > 0) return {mistake: `could be ${[kind, ...others].map(anyOf).join(' or ')} by ${shown}`, advice: this.#advice()};
    if (kind === this.#kind || kind === kinds.result) return {kind, places: kind.names, isFirst: true};
    const places = this.#kind === kinds.user && kind === kinds.account ? [''] : this.#name && kind.gives?.[this.#name];
    return places === undefined
      ? {mistake: `looks like ${anyOf(kind)}, not ${anyOf(this.#kind)}`, advice: this.#advice()}
      : {kind, places, isFirst: false};
  }

  #taken(whole: object, {kind, places, isFirst}: Found, own: string | undefined): ReadItem {
    const there = places.flatMap((path) => {
      const {present, value} = path === '' ? {present: true, value: whole} : at(whole, path.split('.'));
      // An empty cell of a table is a member that is not there.
      return present && value !== '' && value !== null ? [{path, value}] : [];
    });
    const [first, ...others] = there;
    if (first === undefined) return this.#nothing;
    const {path, value} = first;
    if (path === 'account' && typeof value === 'string')
      return {mistake: 'only names its owner, in `account`', advice: this.#advice('account')};
    const list = Array.isArray(value) ? value : [value];
    if (list.length > 1) {
      const choice = `name one with -o ndjson --jq '.${path}[].id'`;
      return {mistake: `names ${list.length} ${this.#kind.several}, not one`, advice: choice};
    }
    // The id of an account is not that of the person whose account it is.
    if (this.#kind === kinds.user && kind !== kinds.result && !isObject(list[0])) return this.#nothing;
    const read = this.#named(list[0], own);
    if ('mistake' in read) return read;
    const isOther = (one: unknown): boolean => {
      const other = this.#named(one, own);
      return 'mistake' in other || other.value !== read.value;
    };
    if (!isFirst && others.some((other) => isOther(other.value)))
      return {
        mistake: `is ${anyOf(kind)} with several ${this.#kind.several}`,
        advice: this.#advice(...there.map((one) => one.path)),
      };
    const told = this.#kind === kinds.post ? at(whole, path.split('.').slice(0, -1)).value : undefined;
    return {...read, isTold: kind !== kinds.result, severity: severityOf(whole), told};
  }

  #inColumn(column: string, item: unknown, own: string | undefined): ReadItem {
    const mistake = `has no column or member ${JSON.stringify(shorten(column, maxNameLength))}`;
    if (!isObject(item))
      return {
        mistake,
        advice: `the first line names the columns: ${JSON.stringify(shorten(wordOf(item) ?? '', maxNameLength))}`,
      };
    const {present, value} = Object.hasOwn(item, column) ? {present: true, value: item[column]} : at(unfoldItem(item), column.split('.'));
    if (!present) return {mistake, advice: `its members are ${shownNames(Object.keys(item)) || 'none'}`};
    const list = Array.isArray(value) ? value : [value];
    if (list.length > 1) return {mistake: `names ${list.length} ${this.#kind.several}, not one`, advice: this.#advice()};
    return {...this.#named(list[0], own), isTold: true, severity: severityOf(item)};
  }

  #named(value: unknown, own: string | undefined): ReadItem {
    if (isObject(value) && this.#kind === kinds.account) return accountIn(value, own);
    if (this.#kind === kinds.user && isObject(value)) return userIn(value);
    const text = wordOf(value) ?? '';
    const isId = this.#kind.isSameEverywhere !== true && this.#kind.names[0] !== '';
    // Servers may take a domain for the id that it begins with.
    if (isId && isPlainDomain(text)) return {mistake: `looks like a domain, not ${anyOf(this.#kind)}`, advice: this.#advice()};
    return text === '' ? this.#nothing : {value: text};
  }

  #advice(...columns: readonly string[]): string {
    const named = columns.length === 0 ? ['NAME'] : columns;
    return `name the column or member that holds ${anyOf(this.#kind)}: ${named.map((name) => `--column ${name}`).join(' or ')}`;
  }
}
