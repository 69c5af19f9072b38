/** Keeps a plan from removing much by mistake: by a list that came empty, by a rule that lost its lines. */
import {Failure} from '../client/failure.js';
import type {Change} from './change.js';

/** Removals that nobody asked for by name. */
export interface Guard {
  readonly removals: number;
  /** Why they need to be allowed; undefined when they do not. */
  readonly why?: string | undefined;
}

const mostUnasked = 20;
const fewestThatCount = 5;
const largestShare = 0.1;
const words = {block: 'blocks', domain_block: 'domain blocks', filter: 'filters', mute: 'mutes'} as const;

/** @param present how many of each kind the server has */
export function guardOf(changes: readonly Change[], present: Readonly<Partial<Record<Change['kind'], number>>>): Guard {
  const removals = changes.filter(({action, reason}) => action === 'remove' && (reason === 'only' || reason === 'no_longer_named'));
  if (removals.length > mostUnasked)
    return {removals: removals.length, why: `it removes ${removals.length} that no rule names, which is more than ${mostUnasked}`};
  for (const kind of ['domain_block', 'filter', 'block', 'mute'] as const) {
    const some = removals.filter((change) => change.kind === kind).length;
    const all = present[kind] ?? 0;
    if (some >= fewestThatCount && some > all * largestShare) {
      return {removals: removals.length, why: `it removes ${some} of ${all} ${words[kind]} that no rule names, which is more than 10 %`};
    }
  }
  return {removals: removals.length};
}

/**
 * @param allowed how many such removals are allowed; undefined: as many as need no leave
 * @throws Failure `usage` when there are more
 */
export function refuseRemovals({removals, why}: Guard, allowed: number | undefined): void {
  if (why === undefined || (allowed !== undefined && removals <= allowed)) return;
  throw new Failure('usage', `The plan is not carried out: ${why}`, {hint: `if that is meant, allow it with --allow-removals ${removals}`});
}
