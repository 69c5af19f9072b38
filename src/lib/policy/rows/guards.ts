/** Guards: apply needs a flag for many removals that no rule names, and for suspending many servers for everybody. */
import {guardFailure} from '../../client/failure.js';
import {countNoun, firstOf} from '../../json/text.js';
import {isTopLevel} from '../../operations/domains.js';
import {isMilder, isThere} from '../model/value.js';
import {holdFollowed} from '../sections/domain-blocks.js';
import type {Row} from '../sections/policy-kind.js';
import {type Comparison, isNewBlock} from './compare.js';
import type {Target} from './target.js';

/** Why apply refuses a plan without a flag. */
export interface Guard {
  readonly why: string;
  readonly flag: 'allow-additions' | 'allow-removals';
  /** The number that the flag needs at least. */
  readonly count: number;
}

/** What the flags allow. */
export type Allowed = Partial<Readonly<Record<Guard['flag'], number | undefined>>>;

const maxUnasked = 20;
const minThatCount = 5;
const maxShare = 0.1;
const maxAdditions = 25;
/** The most top-level domains that a reason names. */
const maxNamed = 5;

/** Whether a row removes or weakens an item, and no rule of the policy itself asks for it. */
function isUnaskedRemoval(row: Row): boolean {
  if (row.action === 'remove') return !row.isAsked;
  return row.action === 'update' && row.has !== null && row.want !== null && isMilder(row.want, row.has) && !row.why.rule.endsWith('.must');
}

export const guardsOf = ({kinds, findings}: Pick<Comparison, 'findings' | 'kinds'>): Guard[] =>
  [removalsIn(findings, kinds), additionsIn(findings)].filter((one) => one !== undefined);

function removalsIn(rows: readonly Row[], kinds: Comparison['kinds']): Guard | undefined {
  const lost = rows.filter(isUnaskedRemoval);
  const count = lost.length;
  const limit = count > maxUnasked ? ` (limit ${maxUnasked})` : shareText(lost, kinds);
  // A suspension that becomes a silence counts as well.
  const does = lost.every(({action}) => action === 'remove') ? 'removes' : 'removes or weakens';
  return limit === undefined ? undefined : {why: `it ${does} ${count} items that no rule names${limit}`, flag: 'allow-removals', count};
}

/** The share of the first kind that loses too large a part; undefined: none does. */
function shareText(lost: readonly Row[], kinds: Comparison['kinds']): string | undefined {
  for (const {kind, actual} of lost.length < minThatCount ? [] : kinds) {
    const some = lost.filter((row) => row.kind === kind).length;
    const all = [...actual.items.values()].filter(({value}) => isThere(value)).length;
    if (some >= minThatCount && some > all * maxShare) return `, ${some} of ${all} ${kind.item}s among them (limit 10 %)`;
  }
  return undefined;
}

function additionsIn(rows: readonly Row[]): Guard | undefined {
  const suspended = rows.flatMap((row) => (row.kind.owner === 'server' && isNewBlock(row) ? row.name : []));
  const count = suspended.length;
  const whole = suspended.filter(isTopLevel);
  const what =
    whole.length > 0
      ? `${countNoun(count, 'domain')}, with the whole of ${firstOf(whole, maxNamed)}`
      : `${count} domains (limit ${maxAdditions})`;
  return whole.length > 0 || count > maxAdditions ? {why: `it suspends ${what}`, flag: 'allow-additions', count} : undefined;
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

/** Says which flag apply needs. */
export const guardText = ({why, flag, count}: Guard): string => `${why}: apply needs --${flag} ${count}`;

/** The flags with which apply accepts all of several plans. */
export function flagsToAllow(guards: readonly Guard[]): Allowed {
  const counts = new Map<string, number>();
  for (const {flag, count} of guards) counts.set(flag, Math.max(count, counts.get(flag) ?? 0));
  return Object.fromEntries(counts);
}

/**
 * @param account the account to name, if there are several
 * @throws Failure `refused` when there are more removals or suspensions than are allowed
 */
export function refuseGuarded(guards: readonly Guard[], allowed: Allowed, account?: string): void {
  for (const {why, flag, count} of guards)
    if (count > (allowed[flag] ?? -1)) throw guardFailure(`${refusedText(account)}${why}`, `if this is intended, pass --${flag} ${count}`);
}
