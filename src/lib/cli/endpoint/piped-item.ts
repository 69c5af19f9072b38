/** Reads what an input object names: it is taken for what its members show it to be. */
import {anyOf, type ObjectKind} from '../../api/kind.js';
import {kinds} from '../../api/kinds/index.js';
import type {KindName} from '../../api/kind-name.js';
import {isObject, membersOf, once} from '../../api/schema.js';
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
  readonly kind: KindName;
  /** Whether an object is taken only where it can be nothing else: what is done to it cannot be taken back. */
  readonly mustBeCertain?: boolean;
  /** The column or member that names it, whatever the rest looks like. */
  readonly column?: string | undefined;
}

/** Members by which an account is found. */
const ofAccounts = ['id', 'acct', 'Account address', 'username', 'url', 'profile_id'];

/** Members that say how a domain is blocked where it was listed. */
const severities = ['severity', '#severity'];

const known = once(() => new Set(Object.values(kinds).flatMap(({members}) => members())));

/** Where objects name what they are about, whatever that is. */
const standing = once(() => new Set(Object.values(kinds).flatMap(({standsFor = []}) => standsFor)));

/** Whether any kind of object has a member of this name. */
const isKnownMember = (name: string): boolean => name === 'id' || known().has(name);

const outermost = (name: string): string => name.split('.', 1)[0] ?? '';

/** Whether a column has the name of something that lists print. */
export const isColumn = (name: string): boolean => name === 'item' || isKnownMember(outermost(name)) || isKnownMember(name);

/**
 * The kinds of which an object may be: those that know most of its members. Several, where they tell no more.
 * @param names of its members
 * @returns none where no kind knows any but `id`, which all have
 */
export function kindsWith(names: readonly string[]): readonly ObjectKind[] {
  const telling = names.filter((name) => name !== 'id');
  let most = 1;
  let best: ObjectKind[] = [];
  for (const kind of Object.values(kinds)) {
    if (kind.marks?.some((name) => names.includes(name)) === false) continue;
    const own = new Set(kind.members());
    const count = telling.filter((name) => own.has(name)).length;
    if (count > most) best = [];
    if (count >= most) best.push(kind);
    most = Math.max(most, count);
  }
  return best;
}

/** Members that a message names, and the characters of each. */
const maxNames = 5;
const maxNameLength = 40;

const shownNames = (names: readonly string[]): string =>
  names
    .slice(0, maxNames)
    .map((name) => shortened(name, maxNameLength))
    .join(', ');

export function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() : sourceText(value);
}

const textAt = (item: object, path: string): string => wordOf(at(item, path.split('.')).value) ?? '';

const severityOf = (item: object): string | undefined => severities.map((name) => textAt(item, name)).find((text) => text !== '');

/** With `--fields`, `account.id` is one name: the object that it was in. */
function unfolded(item: object): object {
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

const withoutServer: Mistaken = {
  mistake: 'looks like an account of an unknown server: it has neither `url` nor a host in `acct`',
  advice: 'also print its url, or only its id with --fields id',
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

/** @param own as of {@link accountIn} */
function userIn(item: object, own: string | undefined): ReadItem {
  const [profile, id, acct] = [textAt(item, 'profile_id'), textAt(item, 'id'), textAt(item, 'acct')];
  // Of somebody without a profile it is empty, which is that of nobody else.
  if (profile !== '' || (id !== '' && Object.hasOwn(item, 'profile_id'))) return {value: id, profile};
  // Whoever has that id has that name, on whichever server it was listed.
  if (id !== '' && acct !== '') return {value: `@${acct}`, profile: id};
  const account = accountIn(item, own);
  return 'mistake' in account ? account : {value: account.value, profile: id || undefined};
}

/** Whether several members of an object together name it. */
const isWhole = ({elsewhere}: ObjectKind): boolean => elsewhere === 'by handle' || elsewhere === 'by account';

/** Reads items for a command that acts on things of one kind. */
export class ItemReader {
  readonly #wanted: WantedKind;
  readonly #kind: ObjectKind;
  /** Members whose values are read. */
  readonly #read: ReadonlySet<string>;
  /** What objects with the same members are. */
  readonly #known = new Map<string, Mistaken | readonly string[]>();

  constructor(wanted: WantedKind) {
    this.#wanted = wanted;
    this.#kind = kinds[wanted.kind];
    const places = Object.values(kinds).flatMap((kind) => this.#placesIn(kind) ?? []);
    this.#read = new Set(['account', 'item', ...ofAccounts, ...severities, ...[...places, wanted.column ?? 'id'].map(outermost)]);
  }

  /** Whether the values of a column matter, not only its name. */
  isRead(name: string): boolean {
    return name === this.#wanted.column || this.#read.has(outermost(name));
  }

  /** Whether these columns are those of a table whose rows can be read. */
  isHeader(columns: readonly string[]): boolean {
    const {column} = this.#wanted;
    return column === undefined ? columns.some(isColumn) : columns.includes(column) || columns.includes(outermost(column));
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
    return !['account', 'item'].includes(outermost(column)) && this.#kind.elsewhere !== 'the same' && names.every(isColumn);
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
    if (Array.isArray(item)) return this.#nothing;
    const {column} = this.#wanted;
    if (column !== undefined) return this.#inColumn(column, item, own);
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
      // An empty cell of a table is a member that is not there.
      if (value === '') continue;
      // Plans and profiles name the account that they are for. A column of handles is a list of its own.
      if (present && path === 'account' && typeof value === 'string' && !(names.length === 1 && /.@/.test(value)))
        return {mistake: 'only names its owner, in `account`'};
      if (!present) continue;
      const told = this.#wanted.kind === 'post' ? at(whole, path.split('.').slice(0, -1)).value : undefined;
      return {...this.#named(value, own), isTold: !standing().has(path), severity: severityOf(whole), told};
    }
    return this.#nothing;
  }

  get #nothing(): Mistaken {
    return {mistake: `names no ${this.#kind.one}`};
  }

  #inColumn(column: string, item: unknown, own: string | undefined): ReadItem {
    const mistake = `has no column or member ${JSON.stringify(shortened(column, maxNameLength))}`;
    if (!isObject(item))
      return {
        mistake,
        advice: `the first line names the columns: ${JSON.stringify(shortened(wordOf(item) ?? '', maxNameLength))}`,
      };
    const {present, value} = Object.hasOwn(item, column) ? {present: true, value: item[column]} : at(unfolded(item), column.split('.'));
    if (present) return {...this.#named(value, own), isTold: true, severity: severityOf(item)};
    return {mistake, advice: `its members are ${shownNames(Object.keys(item)) || 'none'}`};
  }

  #named(value: unknown, own: string | undefined): ReadItem {
    const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
    const {elsewhere, several} = this.#kind;
    if (Array.isArray(one) && one.length > 1)
      return {mistake: `names ${one.length} ${several}, not one`, advice: this.#advice(['participants[].id'])};
    if (elsewhere === 'by handle' && isObject(one)) return accountIn(one, own);
    if (elsewhere === 'by account' && isObject(one)) return userIn(one, own);
    const text = wordOf(one) ?? '';
    // Servers may take a domain for the id that it begins with.
    if (elsewhere === 'nothing' && isPlainDomain(text))
      return {mistake: `looks like a domain, not ${anyOf(this.#kind)}`, advice: this.#advice()};
    return text === '' ? this.#nothing : {value: text};
  }

  /** Where an object of a kind names what is wanted; undefined where it does not, or where that is not obvious. */
  #placesIn(kind: ObjectKind): readonly string[] | undefined {
    if (kind.standsFor !== undefined) return kind.standsFor;
    if (kind !== this.#kind) return kind.contains[this.#wanted.kind];
    return isWhole(kind) ? [''] : kind.named;
  }

  /** Where objects with these members name what is wanted. */
  #pathsIn(names: readonly string[]): Mistaken | readonly string[] {
    const {kind: wanted, mustBeCertain = false} = this.#wanted;
    const found = kindsWith(names);
    const [first, ...others] = found;
    if (first === undefined) {
      return names.length === 0
        ? this.#nothing
        : {mistake: `is not recognized by its members (${shownNames(names)})`, advice: this.#advice()};
    }
    const paths = this.#placesIn(first);
    if (others.every((kind) => String(this.#placesIn(kind)) === String(paths))) {
      if (paths !== undefined) return paths;
      const choices = first.choices?.[wanted] ?? [];
      const several = choices.length > 1 ? `, which has several ${this.#kind.several},` : ',';
      return {mistake: `looks like ${found.map(anyOf).join(' or ')}${several} not ${anyOf(this.#kind)}`, advice: this.#advice(choices)};
    }
    // What is named, and not only counted, cannot be taken for something else.
    const {elsewhere} = this.#kind;
    const isNamed = elsewhere === 'the same' || (elsewhere === 'by handle' && (names.includes('url') || !names.includes('id')));
    if (found.includes(this.#kind) && (isNamed || !mustBeCertain)) return this.#placesIn(this.#kind) ?? [];
    return {
      mistake: `could be ${found.map(anyOf).join(', ')} by its members (${shownNames(names)})`,
      advice: this.#advice(),
    };
  }

  #advice(choices: readonly string[] = []): string {
    const what = `name the column or member that holds ${anyOf(this.#kind)}`;
    const each = choices.filter((choice) => choice.includes('[]')).map((choice) => `--jq '.${choice}'`);
    if (each.length > 0) return `${what}, with -o ndjson ${each.join(' or ')}`;
    return `${what}: ${choices.map((choice) => `--column ${choice}`).join(' or ') || '--column NAME'}`;
  }
}
