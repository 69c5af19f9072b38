import {Flags} from '@oclif/core';
import {type GivenFlags, repeatable} from '../flags.js';
import {maxExpiry} from '../../api/entities.js';
import {Failure} from '../../client/failure.js';
import {isIdentifier} from '../../client/request.js';
import {secondsIn, type FilterEnd, type KeywordChange, type KeywordChanges} from '../../operations/filters.js';

/** Lets one flag take several values, for values that cannot contain a comma. */
const withCommas = {delimiter: ','} as const;

export const keywordFlags = {
  keyword: repeatable('keyword to add; may contain a comma', 'TEXT'),
  'whole-word': Flags.boolean({description: 'added keywords match whole words only (default)', allowNo: true}),
};

export const keywordChangeFlags = {
  'remove-keyword': repeatable('keyword to remove', 'KEYWORD_ID', withCommas),
  'rename-keyword': repeatable('new text for a keyword', 'KEYWORD_ID=TEXT'),
  'whole-word-of': repeatable('whether a keyword matches whole words only: true or false', 'KEYWORD_ID=BOOLEAN', withCommas),
};

export const expiryFlag = Flags.string({
  description: 'when the filter ends: seconds, or 30m, 12h, 7d, never',
  helpValue: 'TIME',
});

type KeywordFlags = GivenFlags<typeof keywordChangeFlags & typeof keywordFlags>;

function seconds(text: string): number {
  const [, count, unit] = /^(\d+)([smhd]?)$/.exec(text) ?? [];
  const total = Number(count) * Number(secondsIn[unit || 's']);
  if (total <= maxExpiry) return total;
  throw new Failure('usage', `Invalid value "${text}" for --expires-in`, {
    hint: `seconds up to ${maxExpiry}, or 30m, 12h, 7d, never; two years at most`,
  });
}

/** When the filter ends; undefined when that was not given. @throws Failure `usage` */
export function endOf(text: string | undefined): FilterEnd | undefined {
  return text === undefined || text === 'never' ? text : seconds(text);
}

/** The keywords to add, after those of `--input`. */
export function addedKeywords(entries: unknown, {keyword: keywords = []}: KeywordFlags): KeywordChanges {
  if (entries !== undefined && !Array.isArray(entries)) throw new Failure('usage', 'keywords_attributes of the input must be an array');
  return {entries, add: keywords.map((keyword) => ({keyword}))};
}

function keywordId(text: string, flag: string): number {
  const id = Number(text);
  if (!isIdentifier(text, 'digits') || !Number.isSafeInteger(id)) {
    throw new Failure('usage', `--${flag} takes the id of a keyword, a number`, {
      hint: '`pixelctl filters get ID` shows the ids',
    });
  }
  return id;
}

function pair(text: string, flag: string): [id: number, value: string] {
  const at = text.indexOf('=');
  if (at === -1) throw new Failure('usage', `--${flag} takes KEYWORD_ID=VALUE`);
  return [keywordId(text.slice(0, at), flag), text.slice(at + 1)];
}

function truth(text: string): boolean {
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw new Failure('usage', '--whole-word-of takes KEYWORD_ID=true or KEYWORD_ID=false');
}

/** All changes to the keywords of a filter. @throws Failure `usage` */
export function changedKeywords(entries: unknown, flags: KeywordFlags): KeywordChanges {
  const {'remove-keyword': removals = [], 'rename-keyword': renames = [], 'whole-word-of': wholeWords = []} = flags;
  const removed = new Set(removals.map((text) => keywordId(text, 'remove-keyword')));
  const changed = new Map<number, KeywordChange>();
  const change = (id: number, what: Omit<KeywordChange, 'id'>) => {
    if (removed.has(id)) throw new Failure('usage', `Keyword ${id} cannot be removed and changed in one update`);
    changed.set(id, {id, ...changed.get(id), ...what});
  };
  for (const text of renames) {
    const [id, keyword] = pair(text, 'rename-keyword');
    if (keyword.trim() === '') throw new Failure('usage', `Keyword ${id} cannot become empty`);
    change(id, {keyword});
  }
  for (const text of wholeWords) {
    const [id, value] = pair(text, 'whole-word-of');
    change(id, {whole_word: truth(value)});
  }
  return {remove: [...removed], change: [...changed.values()], ...addedKeywords(entries, flags)};
}
