/** What an earlier apply of a policy made and the policy no longer names: plan removes it, audit reports it. */
import {shownHandle} from '../operations/handles.js';
import {accountChange, accountParts, type Change, domainBlockChange, type Grounds} from './change.js';
import type {AccountKind, Circumstances} from './compare.js';
import {type Difference, type Skipped, unread} from './difference.js';
import {filterRemoval} from './filters.js';
import type {Forbidden} from './lists/merge.js';
import {locationText} from './location.js';
import type {Owned} from './ownership.js';
import {knownHandle, liveFilters, type State, valueOf} from './state.js';
import type {Wanted} from './wanted.js';

/** The name of the rule that findings about leftovers have: no line of the policy is one. */
export const leftoverRule = 'no_longer_named';

const abandoned = {
  reason: 'no_longer_named',
  because: 'an earlier apply of this policy made it, and the policy no longer names it',
} as const;

/** @param allowed where a list of `must_not` names it */
function groundsFor(allowed: Forbidden | undefined): Grounds {
  if (allowed === undefined) return abandoned;
  return {
    ...abandoned,
    because: `an earlier apply of this policy made it, and domain_blocks.must_not allows it: ${locationText(allowed.location)}`,
  };
}

/** Blocks that an apply did not make, and that a list of `must_not` names: lists alone do not remove them. */
export function keptBlocks({domains}: Wanted, state: State, owned: Owned): Skipped[] {
  if (domains === undefined || domains.only !== undefined) return [];
  const made = new Set(owned.domainBlocks);
  return [...(valueOf(state.domainBlocks)?.keys() ?? [])].flatMap((domain): Skipped[] => {
    const forbidden = domains.mustNot.get(domain);
    if (forbidden?.list !== 'holds back' || made.has(domain)) return [];
    const why = `a list of must_not names it (${forbidden.location.file}), and no apply of this policy made the block; to unblock it, set remove: true for that list`;
    return [
      {kind: 'domain_block', subject: domain, why, heldBy: {rule: 'domain_blocks.must_not', source: forbidden.location, how: 'kept'}},
    ];
  });
}

export interface Past {
  readonly state: State;
  readonly owned: Owned;
  /** Ids of the filters that rules are about. */
  readonly matched: ReadonlySet<string>;
}

/** @param asked what the rules of the policy ask for: what they change already is no leftover */
export function leftovers(
  {policy, domains}: Wanted,
  asked: readonly Change[],
  {state, owned, matched}: Past,
  {now, advice: {suggest}}: Circumstances,
): (Difference & {readonly change: Change})[] {
  const {host} = state;
  const about = {rule: leftoverRule, source: {file: policy.file, line: 1}};
  const listed = {mute: {wanted: 'not muted', actual: 'muted'}, other: {wanted: 'not blocked', actual: 'blocked'}};
  const subjects = (kind: Change['kind']) => asked.filter((change) => change.kind === kind).map(({subject}) => subject);
  const left = (names: readonly string[], there: ReadonlyMap<string, unknown> | undefined, named: () => ReadonlySet<string>) => {
    const known = names.length === 0 ? new Set<string>() : named();
    return names.filter((name) => there?.has(name) === true && !known.has(name));
  };
  const blocked = valueOf(state.domainBlocks);
  const namedDomains = () => new Set([...(domains?.wanted.keys() ?? []), ...subjects('domain_block')]);
  const accounts = (kind: AccountKind) => {
    const part = accountParts[kind];
    const there = valueOf(state[part]);
    const named = () =>
      new Set([...(policy[part]?.must.map(({value}) => value) ?? []), ...subjects(kind)].map((name) => knownHandle(there, name, host)));
    return left(owned[part], there, named).map((handle) => {
      const subject = shownHandle(handle, host);
      const fix = suggest([part, 'remove'], {args: [`@${subject}`]});
      const change = accountChange('remove', {kind, subject, id: there?.get(handle)?.id}, abandoned);
      return {...about, kind, subject, ...listed[kind === 'mute' ? 'mute' : 'other'], fix, change};
    });
  };
  const asksFor = new Set(asked.flatMap((one) => (one.kind === 'filter' && one.action !== 'add' ? one.details.id : [])));
  const ownFilters = new Set(owned.filters.map(({id}) => id));
  return [
    ...left(owned.domainBlocks, blocked, namedDomains).map((domain) => ({
      ...about,
      kind: 'domain_block' as const,
      subject: domain,
      ...listed.other,
      fix: suggest(['domain-blocks', 'remove'], {args: [domain]}),
      change: domainBlockChange('remove', {domain, stored: blocked?.get(domain)}, groundsFor(domains?.mustNot.get(domain))),
    })),
    ...accounts('block'),
    ...accounts('mute'),
    ...liveFilters(valueOf(state.filters) ?? [], now)
      .filter(({id}) => ownFilters.has(id) && !matched.has(id) && !asksFor.has(id))
      .map((filter) => ({
        ...about,
        kind: 'filter' as const,
        subject: filter.title,
        wanted: 'not there',
        actual: 'there',
        fix: suggest(['filters', 'delete'], {args: [filter.id]}),
        change: filterRemoval(filter, abandoned),
      })),
  ];
}

const partsThatChange = {domain_block: 'domainBlocks', block: 'blocks', mute: 'mutes', filter: 'filters'} as const;

/** Parts that were read only for what an earlier apply made, and could not be. @param skipped what the rules say of the parts */
export function unreadOwned(skipped: readonly Skipped[], state: State): Skipped[] {
  return (['domain_block', 'block', 'mute', 'filter'] as const).flatMap((kind) => {
    const part = state[partsThatChange[kind]];
    const isReported = skipped.some((one) => one.kind === kind && one.failure !== undefined);
    return part !== undefined && 'failure' in part && !isReported ? [unread(kind, part.failure)] : [];
  });
}
