/** What of a plan has to be allowed: many removals that nobody asks for by name, and the suspension of many servers for everybody. */
import type * as z from 'zod/mini';
import {guarded} from '../../client/failure.js';
import type {Change, Reason} from '../model/change.js';
import type {Present} from './limits.js';
import type {guardSchema} from '../model/documents.js';
import {counted, firstOf} from '../../json/text.js';
import {isTopLevel} from '../../operations/domains.js';
import {holding, isRemoval, reaches} from '../sections/index.js';

export type Guard = Readonly<z.infer<ReturnType<typeof guardSchema>>>;

/** How many are allowed by the flags; undefined: as many as always. */
export interface Allowed {
  readonly removals?: number | undefined;
  readonly additions?: number | undefined;
}

export const isGuarded = ({why, unprotected, additions}: Guard): boolean =>
  why !== undefined || unprotected !== undefined || additions !== undefined;

const maxUnasked = 20;
const minThatCount = 5;
const maxShare = 0.1;
const maxAdditions = 25;

/** Top-level domains that a reason names. */
const maxNamed = 5;

const unasked: readonly Reason[] = ['lists', 'no_longer_named', 'only'];

/** What goes, and what stays with less than it has now, as a suspension that becomes a silence. @param which said of what goes */
function lossText(removed: number, weaker: number, which: string): string {
  if (weaker === 0) return `it removes ${removed} items${which}`;
  return removed === 0 ? `it makes ${weaker} items weaker` : `it removes ${removed} items${which}, and makes ${weaker} weaker`;
}

/**
 * @param present how many of each kind the server has
 * @param isFromFile whether the changes are in a plan file, where anybody may have written the reasons: then every removal counts
 */
export function guardOf(changes: readonly Change[], present: Present, isFromFile: boolean): Guard {
  const additions = additionsIn(changes);
  return {...removalsIn(changes, present, isFromFile), ...(additions && {additions})};
}

function additionsIn(changes: readonly Change[]): Guard['additions'] {
  const suspended = changes.filter(reaches).map(({subject}) => subject);
  const count = suspended.length;
  const whole = suspended.filter(isTopLevel);
  if (whole.length > 0) return {count, why: `it suspends ${counted(count, 'domain')}, with the whole of ${firstOf(whole, maxNamed)}`};
  return count > maxAdditions ? {count, why: `it suspends ${count} domains (limit ${maxAdditions})`} : undefined;
}

function removalsIn(changes: readonly Change[], present: Present, isFromFile: boolean): Guard {
  const removals = changes.filter((change) => isRemoval(change) && (isFromFile || unasked.includes(change.reason)));
  const count = removals.length;
  const removed = removals.filter(({action}) => action === 'remove').length;
  const which = isFromFile ? ' from a plan file' : ' that no rule names';
  const what = lossText(removed, count - removed, which);
  if (count > maxUnasked) return {removals: count, why: `${what} (limit ${maxUnasked})`};
  const isMost = (some: number, all: number) => some >= minThatCount && some > all * maxShare;
  const all = [...present.values()].reduce((sum, some) => sum + some, 0);
  if (isMost(count, all)) {
    const share = isFromFile ? which : ', which no rule names';
    const why = removed === count ? `it removes ${count} of ${all} items${share}` : `${what}, ${count} of ${all} in all`;
    return {removals: count, why: `${why} (limit 10 %)`};
  }
  // What is most of one kind must not be hidden by many of another.
  for (const {kind, words} of holding) {
    const [some, ofKind] = [removals.filter((change) => change.kind === kind).length, present.get(kind) ?? 0];
    if (isMost(some, ofKind)) return {removals: count, why: `${what}, ${some} of ${ofKind} ${words.item}s among them (limit 10 %)`};
  }
  return {removals: count};
}

/** In JSON, and in plan files. */
export function guardJson({removals, why, unprotected, additions}: Guard): Guard {
  return {removals, ...(why !== undefined && {why}), ...(unprotected !== undefined && {unprotected}), ...(additions && {additions})};
}

/** In words: what apply needs, or why it refuses. */
export function guardTexts({removals, why, unprotected, additions}: Guard): string[] {
  return [
    ...(why === undefined ? [] : [`${why}: apply needs --allow-removals ${removals}`]),
    ...(additions === undefined ? [] : [`${additions.why}: apply needs --allow-additions ${additions.count}`]),
    ...(unprotected === undefined ? [] : [`${unprotected}: apply refuses this plan`]),
  ];
}

/** The flags that are needed to apply plans with these guards. */
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
 * @param account that the plan is for, where there are several
 * @throws Failure `refused` when there are more removals or suspensions than are allowed, or without the protection that the policy asks for
 */
export function refuseGuarded({removals, why, unprotected, additions}: Guard, allowed: Allowed, account?: string): void {
  const refused = `The plan was not applied: ${account === undefined ? '' : `${account}: `}`;
  if (unprotected !== undefined)
    throw guarded(
      `${refused}${unprotected}`,
      'run it again when the server responds, apply the rest with --only, or remove protect_followed from the policy; a saved plan must be made again',
    );
  if (why !== undefined && removals > (allowed.removals ?? -1))
    throw guarded(`${refused}${why}`, `if this is intended, pass --allow-removals ${removals}`);
  if (additions !== undefined && additions.count > (allowed.additions ?? -1))
    throw guarded(`${refused}${additions.why}`, `if this is intended, pass --allow-additions ${additions.count}`);
}
