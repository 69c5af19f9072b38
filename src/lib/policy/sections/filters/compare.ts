/** Compares the filters of a policy with those that an account has. */
import {commandText} from '../../../files/command-text.js';
import type {Doing} from '../../model/by-hand.js';
import type {Grounds} from '../../model/change.js';
import type {MadeItem} from '../../model/items.js';
import {asking, type Circumstances, type Comparison, type Difference, ending, type Skipped} from '../../model/difference.js';
import {
  canBeSent,
  deltaOf,
  endText,
  filterAddition,
  filterRemoval,
  filterText,
  updateOfFilter,
  isDifferent,
  keywordsText,
  type FilterDelta,
  wantedLike,
} from './delta.js';
import {asStrictAs, losesBy, madeTitle} from './made.js';
import type {Location} from '../../source/location.js';
import {type Mistake, mistakesFailure} from '../../source/mistakes.js';
import type {Ended, FilterRules, WantedFilter} from '../../model/policy.js';
import {type FilterState, liveFilters, type State, valueOf} from '../../model/server-state.js';
import type {Wanted} from '../../lists/wanted.js';
import {expiryAt, expiryText} from '../../model/time.js';
import {noteEndingSoon} from '../../section/ending.js';

const kind = 'filter';

const needsKeyword = 'give it a keyword, because servers change no filter without one';

/** @throws Failure `usage` when filters have the same title and no id */
export function compareFilters({policy, onlyAdds, takesNothing}: Wanted, state: State, circumstances: Circumstances): Comparison {
  const {
    now,
    advice: {account, onPolicy},
    owned = [],
    watched = [],
    people,
  } = circumstances;
  const {filters: rules} = policy;
  if (rules === undefined) throw new Error('The policy says nothing about filters');
  const apply = onPolicy('apply', policy.file);
  const live = liveFilters(valueOf(state.filters) ?? [], now);
  const {only} = rules;
  const isLapsed = ({expires}: WantedFilter) => expires?.kind === 'date' && expires.at <= now;
  const current = rules.must.filter((wanted) => !isLapsed(wanted));
  const matches = onlyAdds ? matchByContent(current, live, now) : match(current, live, [...owned, ...watched]);
  const differences: Difference[] = [];
  /** What is left to people who changed it. */
  const left: Skipped[] = [];

  for (const wanted of current) {
    const actual = matches.get(wanted);
    const grounds: Grounds = {reason: 'must', ...asking('filters.must', [wanted.location], wanted.until)};
    const about = {rule: 'filters.must', kind, subject: wanted.title, source: wanted.location, fix: apply} as const;
    const doing = people?.did({kind, subject: wanted.title, id: actual?.id});
    const byHand = doing?.left === undefined ? doing?.byHand : undefined;
    const why = {...grounds, ...(byHand && {by_hand: byHand})};
    const leave = (reason: string) =>
      left.push({kind, subject: wanted.title, why: reason, heldBy: {rule: about.rule, source: wanted.location, how: 'kept'}});
    if (actual === undefined) {
      if (doing?.left !== undefined) leave(doing.left);
      else differences.push({...about, wanted: filterText(wanted), actual: 'not there', byHand, change: filterAddition(wanted, why)});
      continue;
    }
    if (takesNothing === true && losesBy(wanted, actual, deltaOf(wanted, actual, now))) {
      leave('the filter of this title does more than the policy asks for, and apply without a state file takes nothing away');
      continue;
    }
    // When it ends is still the policy's.
    const asked = doing?.left === undefined ? wanted : leftAsIs(wanted, actual, doing);
    if (doing?.left !== undefined && isDifferent({...deltaOf(wanted, actual, now), expires: false})) leave(doing.left);
    const delta = deltaOf(asked, actual, now);
    const isByHand = isDifferent({...delta, expires: false});
    const update = updateOfFilter(asked, actual, delta, isByHand ? why : grounds);
    const change = isDifferent(delta) && canBeSent(update) ? update : undefined;
    const fix = change === undefined ? needsKeyword : apply;
    for (const {isTime, ...texts} of deltaTexts(asked, actual, delta))
      differences.push({...about, ...texts, fix, ...(!isTime && {byHand}), change});
  }

  const matched = new Set([...matches.values()].map(({id}) => id));
  const forbidden = new Map(rules.mustNot.map(({value, location}) => [value, location]));
  const unwanted = (filter: FilterState, rule: 'must_not' | 'only', source: Location) => {
    const end = rule === 'only' ? lastDayOf(filter, rules) : undefined;
    const grounds: Grounds = end
      ? ending('filters', end, source)
      : {reason: rule === 'only' ? 'only' : 'forbidden', ...asking(`filters.${rule}`, [source], undefined)};
    differences.push({
      rule: `filters.${rule}`,
      kind,
      subject: filter.title,
      wanted: 'not there',
      actual: 'there',
      source,
      fix: commandText('filters delete', {args: [filter.id], flags: account}),
      change: filterRemoval(filter, grounds),
    });
  };
  for (const filter of live) {
    const location = forbidden.get(filter.title.trim());
    if (!matched.has(filter.id) && location) unwanted(filter, 'must_not', location);
    else if (!matched.has(filter.id) && only) unwanted(filter, 'only', only);
  }
  const lasting = rules.must.map(({title: subject, until, location: source}) => ({subject, until, source}));
  const soon = noteEndingSoon({key: 'filters', kind}, lasting, now);
  const lapsed = rules.must.filter(isLapsed).map(({title, expires}): Skipped => ({
    kind,
    subject: title,
    why: `its date has passed${expires ? ` (${expiryText(expires)})` : ''}: the rule has no effect`,
  }));
  return {differences, skipped: [...lapsed, ...left, ...soon], matched};
}

/** Where the policy wants a filter until a day that is over. */
export function lastDayOf({id, title}: FilterState, {ended = []}: FilterRules): Ended | undefined {
  const found = ended.find((one) => (one.id === undefined ? one.title === title.trim() : one.id === id));
  return found?.until === undefined ? undefined : {value: title, location: found.location, until: found.until};
}

/** A filter that somebody changed, where that stays. */
function leftAsIs(wanted: WantedFilter, actual: FilterState, {how}: Doing): WantedFilter {
  if (how === 'stricter') return asStrictAs(wanted, actual);
  const {expires} = wanted;
  return {...wantedLike(actual), expires};
}

type Texts = Pick<Difference, 'actual' | 'wanted'> & {
  /** Whether it is about when the filter ends. */
  readonly isTime?: true;
};

/** Everything in which a filter differs, each in words. */
function deltaTexts(wanted: WantedFilter, actual: FilterState, delta: FilterDelta): Texts[] {
  const {missing, surplus, wholeWord} = delta;
  const hasOtherKeywords = missing.length + surplus.length + wholeWord.length > 0;
  return [
    ...(delta.title ? [{wanted: `called "${wanted.title}"`, actual: `called "${actual.title}"`}] : []),
    ...(delta.context ? [{wanted: `in ${wanted.context.join(', ')}`, actual: `in ${actual.context.join(', ')}`}] : []),
    ...(delta.action ? [{wanted: wanted.action ?? '', actual: actual.action}] : []),
    ...(delta.expires && wanted.expires
      ? [{wanted: endText(wanted.expires), actual: endText(expiryAt(actual.expiresAt)), isTime: true as const}]
      : []),
    ...(hasOtherKeywords
      ? [{wanted: keywordsText(wanted.keywords) + (wanted.exactly ? '' : ', among others'), actual: keywordsText(actual.keywords)}]
      : []),
  ];
}

/**
 * Which filter each rule is about: the one with its id, else the one with its title, else the one to which an apply gave that title.
 * @param made by applies
 */
function match(wanted: readonly WantedFilter[], live: readonly FilterState[], made: readonly MadeItem[]): Map<WantedFilter, FilterState> {
  const byId = new Map(live.map((filter) => [filter.id, filter]));
  const matches = new Map<WantedFilter, FilterState>();
  for (const one of wanted) {
    const filter = one.id === undefined ? undefined : byId.get(one.id);
    if (filter) matches.set(one, filter);
  }
  const claimed = new Set(matches.values());
  const unclear: Mistake[] = [];
  for (const one of wanted) {
    if (matches.has(one)) continue;
    const candidates = live.filter((filter) => !claimed.has(filter) && filter.title.trim() === one.title);
    const twins = wanted.filter((other) => other.title === one.title && !matches.has(other));
    const [first] = candidates;
    if (candidates.length > 1 || (twins.length > 1 && one.id !== undefined))
      unclear.push({...one.location, message: unclearText(one, candidates)});
    else if (first) matches.set(one, first);
  }
  const titles = new Set(wanted.map(({title}) => title));
  const renamed = made.flatMap((item) => {
    const filter = item.kind === kind && item.id !== undefined ? byId.get(item.id) : undefined;
    return filter === undefined || titles.has(filter.title.trim()) ? [] : {filter, title: madeTitle(item)};
  });
  for (const one of wanted) {
    const found = matches.has(one) ? undefined : renamed.find(({title}) => title === one.title);
    if (found) matches.set(one, found.filter);
  }
  const [first] = unclear;
  if (first !== undefined)
    throw mistakesFailure(first.file, unclear).with({
      hint: `name each by \`id:\`; \`${commandText('filters list')}\` shows the ids`,
    });
  return matches;
}

/**
 * Which filter each rule is about, whichever server the rules are from, where ids mean other filters: one that is the same, else one with
 * the same title.
 */
function matchByContent(wanted: readonly WantedFilter[], live: readonly FilterState[], now: Date): Map<WantedFilter, FilterState> {
  const matches = new Map<WantedFilter, FilterState>();
  const free = new Set(live);
  const claim = (isMeant: (one: WantedFilter, filter: FilterState) => boolean) => {
    for (const one of wanted) {
      const found = matches.has(one) ? undefined : [...free].find((filter) => filter.title.trim() === one.title && isMeant(one, filter));
      if (found === undefined) continue;
      matches.set(one, found);
      free.delete(found);
    }
  };
  claim((one, filter) => !isDifferent(deltaOf(one, filter, now)));
  claim(() => true);
  return matches;
}

function unclearText({title, id}: WantedFilter, candidates: readonly FilterState[]): string {
  const ids = candidates.map((one) => one.id).join(', ');
  if (id !== undefined && candidates.length < 2) return `there is no filter ${id}, and several rules are about filters titled "${title}"`;
  return `${candidates.length} filters are titled "${title}" (${ids}); name one with \`id:\``;
}
