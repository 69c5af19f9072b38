/** The filters of a policy held against those that a server has. */
import type {Suggest} from '../client/suggest.js';
import {filterDifference, type FilterPair, hasDepartures} from './filters.js';
import type {Comparison, Finding} from './finding.js';
import type {FilterRules, WantedFilter} from './policy.js';
import type {FilterState} from './state.js';
import {durationText, expiryText} from './time.js';

const kind = 'filter';

function keywordText({keyword, wholeWord}: {readonly keyword: string; readonly wholeWord: boolean}): string {
  return wholeWord ? keyword : `${keyword} (also inside words)`;
}

function keywordsText(keywords: readonly {readonly keyword: string; readonly wholeWord: boolean}[]): string {
  return keywords.length === 0 ? 'no keywords' : `keywords: ${keywords.map(keywordText).sort().join(', ')}`;
}

export function endText(expiresAt: string | null): string {
  return expiresAt === null ? 'never ends' : `ends ${new Date(expiresAt).toISOString()}`;
}

/** A filter in one line. */
export function filterText({context, action, keywords, expires}: WantedFilter): string {
  const end = expires === undefined ? [] : [`ends ${expiryText(expires)}`];
  return [...(action === undefined ? [] : [action]), `in ${context.join(', ')}`, keywordsText(keywords), ...end].join('; ');
}

function pairFindings({wanted, actual, departures}: FilterPair, fix: string): Finding[] {
  if (!hasDepartures(departures)) return [];
  const finding = (wish: string, found: string): Finding => ({
    rule: 'filters.must',
    kind,
    subject: wanted.title,
    wanted: wish,
    actual: found,
    source: wanted.location,
    fix,
    isAppliable: true,
  });
  const {missing, surplus, wholeWord} = departures;
  return [
    ...(departures.title ? [finding(`called "${wanted.title}"`, `called "${actual.title}"`)] : []),
    ...(departures.context ? [finding(`in ${wanted.context.join(', ')}`, `in ${actual.context.join(', ')}`)] : []),
    ...(departures.action ? [finding(wanted.action ?? '', actual.action)] : []),
    ...(departures.expires && wanted.expires ? [finding(`ends ${expiryText(wanted.expires)}`, endText(actual.expiresAt))] : []),
    ...(missing.length + surplus.length + wholeWord.length > 0
      ? [finding(keywordsText(wanted.keywords) + (wanted.exactly ? '' : ', among others'), keywordsText(actual.keywords))]
      : []),
  ];
}

interface FilterCircumstances {
  readonly now: Date;
  readonly suggest: Suggest;
  /** The command that repairs most of it. */
  readonly apply: string;
}

export function compareFilters(
  rules: FilterRules,
  filters: readonly FilterState[],
  {now, suggest, apply: fix}: FilterCircumstances,
): Comparison {
  const {missing, pairs, forbidden, surplus, ending, lapsed} = filterDifference(rules, filters, now);
  const within = durationText(rules.expireWithin?.value ?? 0);
  const remove = ({id}: FilterState) => suggest(['filters', 'delete'], {args: [id]});
  return {
    findings: [
      ...missing.map((wanted): Finding => ({
        rule: 'filters.must',
        kind,
        subject: wanted.title,
        wanted: filterText(wanted),
        actual: 'not there',
        source: wanted.location,
        fix,
        isAppliable: true,
      })),
      ...pairs.flatMap((pair) => pairFindings(pair, fix)),
      ...forbidden.map(({filter, location}): Finding => ({
        rule: 'filters.must_not',
        kind,
        subject: filter.title,
        wanted: 'not there',
        actual: 'there',
        source: location,
        fix: remove(filter),
        isAppliable: true,
      })),
      ...surplus.map(({filter, location}): Finding => ({
        rule: 'filters.only',
        kind,
        subject: filter.title,
        wanted: 'not there',
        actual: 'there',
        source: location,
        fix: `${remove(filter)}, or name it in the policy`,
        isAppliable: true,
      })),
      ...ending.map(({filter, location, isRenewed}): Finding => ({
        rule: 'filters.expire_within',
        kind,
        subject: filter.title,
        wanted: `ends no sooner than in ${within}`,
        actual: endText(filter.expiresAt),
        source: location,
        fix: isRenewed ? fix : suggest(['filters', 'update'], {args: [filter.id], flags: {'expires-in': within}}),
        isAppliable: isRenewed,
      })),
    ],
    skipped: lapsed.map(({title, expires}) => ({
      kind,
      subject: title,
      why: `its date has passed${expires ? ` (${expiryText(expires)})` : ''}: the rule asks for nothing`,
    })),
  };
}
