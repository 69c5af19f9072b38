/** Finds the target that an input object names. Its members show its kind, and the table of kinds says where such an object has the target. */
import {anyOf, type Kind, type NamedKind} from '../../api/kind.js';
import {kinds} from '../../api/kinds.js';
import {isObject, membersOf, once} from '../../api/schema.js';
import {sourceText} from '../../json/exact.js';
import {at} from '../../json/path.js';
import {shorten} from '../../json/text.js';
import {isPlainDomain} from '../../operations/domains.js';
import type {ExpectedId} from '../../operations/expected-ids.js';

export interface Named {
  readonly value: string;
  /** The account that the item was listed for, in a list of several accounts: `ana@pix.example`. */
  readonly account?: string | undefined;
  /** Whether an object named it in a member of its own, and not a bare id, a word or a result of this program. */
  readonly isTold?: boolean | undefined;
  /** The severity of its block where it was listed. */
  readonly severity?: string | undefined;
  /** The id of the account on the server that listed it, which may be another than the server acted on. */
  readonly expected?: ExpectedId | undefined;
  /** For a registered person, the id of the account, which the user that is found has to have. */
  readonly profile?: string | undefined;
  /** For a post, the listed object that has its id. */
  readonly told?: unknown;
}

export interface Mistaken {
  /** Completes a sentence that begins with the item. */
  readonly mistake: string;
  readonly advice?: string | undefined;
}

/** The kind of targets that a list is read for. */
export interface WantedKind {
  readonly kind: Kind;
  /** Whether the action cannot be undone: then a bare id is not enough, because it could be the id of anything. */
  readonly mustBeCertain?: boolean;
  /** The column or member that has the target, given with `--column`. */
  readonly column?: string | undefined;
}

/** The places at which objects with certain members have the target. */
interface Found {
  readonly kind: Kind;
  readonly places: readonly string[];
}

const every: readonly Kind[] = Object.values(kinds);

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

/** How many members a message names, and the most characters of each. */
const maxNames = 5;
const maxNameLength = 40;

const shortened = (name: string): string => shorten(name, maxNameLength);
const listNames = (names: readonly string[]): string => names.slice(0, maxNames).map(shortened).join(', ');

const wordOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : (sourceText(value) ?? ''));
const textAt = (item: object, path: string): string => wordOf(at(item, path.split('.')).value);

/** The severity of a domain that is blocked where it was listed. */
const severityOf = (item: object): string | undefined => (textAt(item, 'severity') || textAt(item, '#severity')).toLowerCase() || undefined;

/** Restores objects within an item: with `--fields`, a member such as `account.id` is printed under one name. */
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
const hostIn = (url: string): string => (/^https?:/i.test(url) ? (URL.parse(url)?.host ?? '') : '');

/** @param own the account that the item was listed for: its server is the one acted on */
function accountIn(item: object, own: string | undefined): Mistaken | Named {
  const [id, acct, url] = [textAt(item, 'id'), textAt(item, 'acct') || textAt(item, 'Account address'), textAt(item, 'url')];
  const user = (acct || textAt(item, 'username')).replace(/^@/, '');
  // The id counts only if there is no name or address, because another server could have listed it.
  if (id !== '' && user === '' && url === '' && (own !== undefined || Object.keys(item).length === 1)) return {value: id};
  const host = hostIn(url) || (own?.replace(/^@?[^@]*@/, '') ?? '');
  const expected = id === '' || url === '' ? undefined : {id, url};
  if (user.includes('@')) return {value: `@${user}`, expected};
  if (user !== '' && host !== '') return {value: `@${user}@${host}`, expected};
  if (user === '' && url !== '') return {value: url, expected};
  if (user !== '' && acct.startsWith('@')) return {value: acct};
  if (user === '' && id === '') return {mistake: 'names no account'};
  return {
    mistake: 'looks like an account of an unknown server: it has neither `url` nor a host in `acct`',
    advice: `also print its url, or write ${user === '' ? '@name' : `@${shortened(user)}`} for an account of the server acted on`,
  };
}

/** A registered person is found by the name of the account, and has to have the id that was listed. */
function userIn(item: object): Mistaken | Named {
  const [id, acct] = [textAt(item, 'id'), textAt(item, 'acct')];
  // It is empty for a person without a profile.
  if (Object.hasOwn(item, 'profile_id')) return id === '' ? {mistake: 'has no `id`'} : {value: id, profile: textAt(item, 'profile_id')};
  if (acct === '') return {mistake: 'has no `acct`, by which a person is found'};
  return {value: `@${acct.replace(/^@/, '')}`, profile: id || undefined};
}

/** Reads items for a command that acts on things of one kind. */
export class ItemReader {
  readonly kind: Kind;
  readonly #wanted: WantedKind;
  /** The name under which other kinds say where their objects have it. A registered person is found by their account. */
  readonly #name: NamedKind | undefined;
  /** What was found out about objects with the same members, by the names of these. */
  readonly #known = new Map<string, Found | Mistaken>();

  constructor(wanted: WantedKind) {
    const {kind} = wanted;
    this.kind = kind;
    this.#wanted = wanted;
    this.#name =
      kind === kinds.user ? 'account' : (['account', 'domain', 'instance', 'post'] as const).find((name) => kinds[name] === kind);
  }

  /** Whether `--column` was given. */
  get readsColumn(): boolean {
    return this.#wanted.column !== undefined;
  }

  /** Whether these columns are those of a table whose rows can be read. */
  isHeader(columns: readonly string[]): boolean {
    const {column} = this.#wanted;
    return columns.some((name) => (column === undefined ? this.isColumn(name) : name === column || name === outermost(column)));
  }

  /** Whether a column has the name of something that lists print. */
  isColumn(name: string): boolean {
    const own = [...this.kind.marks, ...this.kind.names].filter(Boolean);
    return [name, outermost(name)].some((one) => known().has(one) || own.includes(one));
  }

  /**
   * Whether the member `account` names the account that an item was listed for, as in lists of several accounts. With `--column` it does so
   * only if lists of this program have all these members, and if the account makes a difference for the target.
   * @param names of the members
   */
  readsAccounts(names: readonly string[]): boolean {
    const {column} = this.#wanted;
    if (column === undefined) return true;
    const isOther = !['account', 'item'].includes(outermost(column));
    return isOther && this.kind.isSameEverywhere !== true && names.every((name) => this.isColumn(name));
  }

  /** The one target that an item names, or why it names none. */
  read(item: unknown): Mistaken | Named {
    const isOfAccount = isObject(item) && String(Object.keys(item).sort()) === 'account,item' && this.readsAccounts(['account', 'item']);
    const account = isOfAccount ? textAt(item, 'account') : '';
    if (!isOfAccount || account === '') return this.#read(item, undefined);
    const read = this.#read(item['item'], account);
    return 'mistake' in read ? read : {...read, account};
  }

  /** @param own the account that the item was listed for, if it says so: it is the one acted on */
  #read(item: unknown, own: string | undefined): Mistaken | Named {
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
    return {mistake: `names no ${this.kind.one}`};
  }

  /** The places at which objects with these members have the target. */
  #foundIn(names: readonly string[]): Found | Mistaken {
    const [kind, ...others] = kindsWith(names, this.kind);
    if (kind === undefined && names.length === 0) return this.#nothing;
    const shown = `its members (${listNames(names)})`;
    if (kind === undefined) return {mistake: `is not recognized by ${shown}`, advice: this.#advice()};
    if (others.length > 0) return {mistake: `could be ${[kind, ...others].map(anyOf).join(' or ')} by ${shown}`, advice: this.#advice()};
    if (kind === this.kind || kind === kinds.result) return {kind, places: kind.names};
    const places = this.kind === kinds.user && kind === kinds.account ? [''] : this.#name && kind.gives?.[this.#name];
    if (places !== undefined) return {kind, places};
    return {mistake: `looks like ${anyOf(kind)}, not ${anyOf(this.kind)}`, advice: this.#advice()};
  }

  #taken(whole: object, {kind, places}: Found, own: string | undefined): Mistaken | Named {
    const there = places.flatMap((path) => {
      const {present, value} = path === '' ? {present: true, value: whole} : at(whole, path.split('.'));
      // An empty cell of a table counts as a missing member.
      return present && value !== '' && value !== null ? [{path, value}] : [];
    });
    const [first, ...others] = there;
    if (first === undefined) return this.#nothing;
    const {path, value} = first;
    if (path === 'account' && typeof value === 'string')
      return {mistake: 'only names its owner, in `account`', advice: this.#advice('account')};
    const list = Array.isArray(value) ? value : [value];
    if (list.length > 1) return this.#several(list, `name one with -o ndjson --jq '.${path}[].id'`);
    // The id of an account is not that of the person whose account it is.
    if (this.kind === kinds.user && kind !== kinds.result && !isObject(list[0])) return this.#nothing;
    const read = this.#named(list[0], own);
    if ('mistake' in read) return read;
    const isOther = (one: unknown): boolean => {
      const other = this.#named(one, own);
      return 'mistake' in other || other.value !== read.value;
    };
    // Where it has a name of its own kind, the first one counts; objects of another kind must mean one target.
    if (kind !== this.kind && kind !== kinds.result && others.some((other) => isOther(other.value)))
      return {mistake: `is ${anyOf(kind)} with several ${this.kind.several}`, advice: this.#advice(...there.map((one) => one.path))};
    const told = this.kind === kinds.post ? at(whole, path.split('.').slice(0, -1)).value : undefined;
    return {...read, isTold: kind !== kinds.result, severity: severityOf(whole), told};
  }

  #inColumn(column: string, item: unknown, own: string | undefined): Mistaken | Named {
    const mistake = `has no column or member ${JSON.stringify(shortened(column))}`;
    if (!isObject(item)) return {mistake, advice: `the first line names the columns: ${JSON.stringify(shortened(wordOf(item)))}`};
    const {present, value} = Object.hasOwn(item, column) ? {present: true, value: item[column]} : at(unfoldItem(item), column.split('.'));
    if (!present) return {mistake, advice: `its members are ${listNames(Object.keys(item)) || 'none'}`};
    const list = Array.isArray(value) ? value : [value];
    return list.length > 1 ? this.#several(list, this.#advice()) : {...this.#named(list[0], own), isTold: true, severity: severityOf(item)};
  }

  #several({length}: readonly unknown[], advice: string): Mistaken {
    return {mistake: `names ${length} ${this.kind.several}, not one`, advice};
  }

  #named(value: unknown, own: string | undefined): Mistaken | Named {
    if (isObject(value) && this.kind === kinds.account) return accountIn(value, own);
    if (isObject(value) && this.kind === kinds.user) return userIn(value);
    const text = wordOf(value);
    const isId = this.kind.isSameEverywhere !== true && this.kind.names[0] !== '';
    // Servers may read a domain such as 4.example as the id 4.
    if (isId && isPlainDomain(text)) return {mistake: `looks like a domain, not ${anyOf(this.kind)}`, advice: this.#advice()};
    return text === '' ? this.#nothing : {value: text};
  }

  #advice(...columns: readonly string[]): string {
    const named = columns.length === 0 ? ['NAME'] : columns;
    return `name the column or member that holds ${anyOf(this.kind)}: ${named.map((name) => `--column ${name}`).join(' or ')}`;
  }
}
