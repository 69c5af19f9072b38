/** Turns values of answers into text for people. */
import {isObject, type Members} from '../api/schema.js';
import type {Column, ColumnKind} from '../api/view.js';
import {sourceText} from '../json/exact.js';
import {countNoun, shorten} from '../json/text.js';
import type {Setting} from './format.js';
import {inert} from './inert.js';

/** The largest number of characters of one text in a table: measuring more is slow. */
const maxTextLength = 20_000;

/** Makes a text inert, shortens it and puts it on one line. */
export function oneLine(text: string): string {
  return inert(shorten(text, maxTextLength)).replaceAll(/\s+/g, ' ').trim();
}

/** Makes a text inert and shortens it. Line breaks stay. */
export function inLines(text: string): string {
  return inert(shorten(text, maxTextLength), {keepLines: true}).trim();
}

export interface Layout extends Omit<Setting, 'terminal'> {
  /** Columns of the terminal; Infinity where nothing is truncated. */
  readonly width: number;
  readonly color: boolean;
}

/** Nothing is truncated in a pipe or a file. */
export function layoutOf({terminal: {isTerminal, width, color}, now, names}: Setting): Layout {
  return {width: isTerminal ? width : Number.POSITIVE_INFINITY, color, now, names};
}

/** Whether a person reads it at a terminal; scripts read pipes and files. */
export function isForTerminal({width}: Layout): boolean {
  return Number.isFinite(width);
}

export const nothing = '–';

export function isNothing(text: string): boolean {
  return text === '' || text === nothing;
}

/** The value at a path of names joined by dots; undefined where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value;
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  const dot = path.indexOf('.');
  if (dot === -1 || !Object.hasOwn(value, path.slice(0, dot))) return undefined;
  return valueAt(value[path.slice(0, dot)], path.slice(dot + 1));
}

/** The text of a column in a row, not yet inert. */
export function columnText(row: unknown, column: Column, layout: Layout): string {
  const text = column.text?.(row);
  if (text !== undefined) return text;
  const value = valueAt(row, column.path);
  if (value === null) return column.none ?? nothing;
  if (typeof value === 'boolean' && column.words) return column.words[value ? 0 : 1];
  const special = kinds[column.kind ?? 'text'](value, layout);
  return special ?? plain(value);
}

/** The text of any value. Lists of plain values are joined, nested ones are counted. */
export function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return listText(value);
  if (isObject(value)) return countNoun(Object.keys(value).length, 'field');
  return sourceText(value) ?? nothing;
}

/** Returns undefined where the value is not of that kind; it is then shown as plain text. */
type ToText = (value: unknown, layout: Layout) => string | undefined;

const kinds: Readonly<Record<ColumnKind, ToText>> = {
  account: (value) => (typeof value === 'string' && value !== '' ? `@${value}` : undefined),
  accounts: (value) => joinValues(value, (account) => atSign(valueAt(account, 'acct'))),
  count: (value) => (Array.isArray(value) ? String(value.length) : undefined),
  flags: (value) => ['muted', 'hidden'].filter((flag) => valueAt(value, flag) === true).join(', '),
  html: (value) => (typeof value === 'string' ? plainText(value) : undefined),
  keywords: (value) => joinValues(value, (keyword) => plain(valueAt(keyword, 'keyword'))),
  message: messageText,
  number: () => undefined,
  outcome: outcomeText,
  sender: (value, {names}) => {
    const isOwn = valueAt(value, 'is_author') ?? valueAt(value, 'isAuthor');
    if (isOwn === true) return 'you';
    const id = plain(valueAt(value, 'sender_id') ?? 'them');
    return names?.get(id) ?? id;
  },
  status: (value) => (isObject(value) ? statusText(value) : undefined),
  text: () => undefined,
  time(value, layout) {
    if (typeof value !== 'string') return undefined;
    return isForTerminal(layout) ? relativeTime(value, layout.now()) : exactTime(value);
  },
};

function outcomeText(value: unknown): string | undefined {
  const ok = valueAt(value, 'ok');
  if (typeof ok !== 'boolean') return undefined;
  if (ok) return 'ok';
  if (valueAt(value, 'held_back') !== undefined) return 'held back';
  return valueAt(value, 'unknown') === true || valueAt(value, 'error.fate') === 'unknown' ? 'unknown' : 'failed';
}

/** The text of a message, and in brackets its attachment: `look at this [photo]`. */
function messageText(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const {text, type} = value;
  const said = typeof text === 'string' ? text : '';
  const isWordsOnly = type === 'text' || type === 'emoji' || type === 'link' || typeof type !== 'string';
  return isWordsOnly ? said : `${said} [${type}]`.trimStart();
}

function statusText(status: Members): string {
  const said = typeof status['content'] === 'string' ? plainText(status['content']) : '';
  return said === '' ? plain(status['url']) : said;
}

function joinValues(value: unknown, toText: (item: unknown) => string): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.map(toText).join(', ');
}

function atSign(acct: unknown): string {
  return typeof acct === 'string' ? `@${acct}` : nothing;
}

function listText(list: readonly unknown[]): string {
  if (list.length === 0) return nothing;
  if (list.some((item) => isObject(item) || Array.isArray(item))) return countNoun(list.length, 'item');
  return list.map(plain).join(', ');
}

const named: Readonly<Record<string, string>> = {amp: '&', apos: "'", gt: '>', lt: '<', nbsp: ' ', quot: '"'};

/** Turns HTML of posts and profiles into text: without tags, with line breaks for paragraphs, and with entities decoded. */
export function plainText(html: string): string {
  return html
    .replaceAll(/<br\b[^<>]*>|<\/(?:p|div|li)>/gi, '\n')
    .replaceAll(/<\/?[a-z!][^<>]*>/gi, '')
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, entity)
    .trim();
}

function entity(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const far = 30 * day;

const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d|$)/;

const parseTime = (iso: string): number => (isoTime.test(iso) ? Date.parse(iso) : Number.NaN);

/** In UTC, to the second: `2026-11-20T11:57:00Z`. A date, and text that is not a time, is returned unchanged. */
export function exactTime(iso: string): string {
  const time = parseTime(iso);
  return Number.isNaN(time) || iso.length === 'YYYY-MM-DD'.length ? iso : new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** `3 min ago`, `in 2 days`, or the date (UTC) when it is more than 30 days away. Text that is not a time is returned unchanged. */
export function relativeTime(iso: string, now: Date): string {
  const time = parseTime(iso);
  if (Number.isNaN(time)) return iso;
  const distance = Math.abs(time - now.getTime());
  if (distance >= far) return new Date(time).toISOString().slice(0, 10);
  if (distance < minute) return 'just now';
  return time > now.getTime() ? `in ${duration(distance)}` : `${duration(distance)} ago`;
}

/** Rounded to the nearest unit: seven days less a second are seven days. */
function duration(milliseconds: number): string {
  const minutes = Math.round(milliseconds / minute);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(milliseconds / hour);
  if (hours < 24) return `${hours} h`;
  const days = Math.round(milliseconds / day);
  return days === 1 ? '1 day' : `${days} days`;
}
