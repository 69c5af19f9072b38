/** Guards: apply needs a flag for many removals that no rule names, and for suspending many servers for everybody. */
import {guardFailure} from '../../client/failure.js';
import {countNoun, firstOf} from '../../json/text.js';
import {isTopLevel} from '../../operations/domains.js';
import {isMilder, isThere} from '../model/value.js';
import {holdFollowed} from '../sections/domain-blocks.js';
import type {Row} from '../sections/policy-kind.js';
import {isSuspension} from '../sections/server-blocks.js';
import type {Comparison} from './compare.js';
import type {Target} from './target.js';

export interface Guard {
  readonly removals: number;
  readonly why?: string | undefined;
  readonly additions?: {readonly count: number; readonly why: string} | undefined;
}

/** What the flags allow; undefined: the usual limits apply. */
export interface Allowed {
  readonly removals?: number | undefined;
  readonly additions?: number | undefined;
}

const maxUnasked = 20;
const minThatCount = 5;
const maxShare = 0.1;
const maxAdditions = 25;
/** The most top-level domains that a reason names. */
const maxNamed = 5;

export const isGuarded = ({why, additions}: Guard): boolean => why !== undefined || additions !== undefined;

/** Whether a row removes or weakens an item, and no rule of the policy itself asks for it. */
function isUnaskedRemoval({action, isAsked, has, want, why}: Row): boolean {
  if (action === 'remove') return !isAsked;
  return action === 'update' && has !== null && want !== null && isMilder(want, has) && !why.rule.endsWith('.must');
}

export function guardOf({kinds, findings}: Pick<Comparison, 'findings' | 'kinds'>): Guard {
  const lost = findings.filter(isUnaskedRemoval);
  const removals = lost.length;
  const additions = additionsIn(findings);
  const limit = removals > maxUnasked ? ` (limit ${maxUnasked})` : shareText(kinds);
  // A suspension that becomes a silence counts as well.
  const does = lost.every(({action}) => action === 'remove') ? 'removes' : 'removes or weakens';
  return {
    removals,
    ...(limit !== undefined && {why: `it ${does} ${removals} items that no rule names${limit}`}),
    ...(additions && {additions}),
  };
}

/** The share of the first kind that loses too large a part; undefined: none does. */
function shareText(kinds: Comparison['kinds']): string | undefined {
  for (const {kind, actual, rows} of kinds) {
    const some = rows.filter(isUnaskedRemoval).length;
    const all = [...actual.items.values()].filter(({value}) => isThere(value)).length;
    if (some >= minThatCount && some > all * maxShare) return `, ${some} of ${all} ${kind.item}s among them (limit 10 %)`;
  }
  return undefined;
}

function additionsIn(rows: readonly Row[]): Guard['additions'] {
  const suspended = rows.filter(isSuspension).map(({name}) => name);
  const count = suspended.length;
  const whole = suspended.filter(isTopLevel);
  if (whole.length > 0) return {count, why: `it suspends ${countNoun(count, 'domain')}, with the whole of ${firstOf(whole, maxNamed)}`};
  return count > maxAdditions ? {count, why: `it suspends ${count} domains (limit ${maxAdditions})`} : undefined;
}

/**
 * Reads the followed accounts again, right before anything is sent.
 * @throws Failure `refused` when a domain has become protected since it was planned; also when they cannot be read
 */
export async function refuseFollowed({kinds, label}: Comparison, read: Target['readFollowedAccounts']): Promise<void> {
  for (const {desired, actual, rows} of kinds) {
    const added = rows.filter(({action}) => action === 'add');
    if (added.length === 0) continue;
    const hold = await holdFollowed(desired, actual, () => read(true));
    const held = added.flatMap(({name}) => {
      const one = desired.want.get(name);
      const found = one && hold?.(name, one, null);
      return found === undefined ? [] : [{name, ...found}];
    });
    const [first] = held;
    if (first === undefined) continue;
    const named = `${first.name} is protected by now (${first.why.where}): ${first.says}`;
    const more = held.length === 1 ? '' : `, and ${held.length - 1} more`;
    throw guardFailure(`${refusedText(label)}${named}${more}`, 'read the plan again, and apply that');
  }
}

const refusedText = (account: string | undefined): string => `The plan was not applied: ${account === undefined ? '' : `${account}: `}`;

/** Says which flags apply needs. */
export function guardTexts({removals, why, additions}: Guard): string[] {
  return [
    ...(why === undefined ? [] : [`${why}: apply needs --allow-removals ${removals}`]),
    ...(additions === undefined ? [] : [`${additions.why}: apply needs --allow-additions ${additions.count}`]),
  ];
}

export function flagsToAllow(guards: readonly Guard[]): {
  readonly 'allow-removals': number | undefined;
  readonly 'allow-additions': number | undefined;
} {
  const most = (counts: readonly number[]) => (counts.length === 0 ? undefined : Math.max(...counts));
  return {
    'allow-removals': most(guards.flatMap(({removals, why}) => (why === undefined ? [] : removals))),
    'allow-additions': most(guards.flatMap(({additions}) => additions?.count ?? [])),
  };
}

/**
 * @param account the account to name, if there are several
 * @throws Failure `refused` when there are more removals or suspensions than are allowed
 */
export function refuseGuarded({removals, why, additions}: Guard, allowed: Allowed, account?: string): void {
  const refused = refusedText(account);
  if (why !== undefined && removals > (allowed.removals ?? -1))
    throw guardFailure(`${refused}${why}`, `if this is intended, pass --allow-removals ${removals}`);
  if (additions !== undefined && additions.count > (allowed.additions ?? -1))
    throw guardFailure(`${refused}${additions.why}`, `if this is intended, pass --allow-additions ${additions.count}`);
}
