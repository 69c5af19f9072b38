/** The changes that a plan consists of: one write each. */
import * as z from 'zod/mini';
import {once} from '../../api/schema.js';
import {type ByHand, byHandField} from './by-hand.js';
import {withoutPrivate} from './domain-facts.js';
import type {ChangeJson} from './documents.js';
import type {Changes} from './section-types.js';

const maybe = z.optional;

/** Removals that no rule asks for by name, `lists`, `only` and `no_longer_named`, are guarded. `until` names what it removes. */
export const reasons = ['forbidden', 'lists', 'must', 'no_longer_named', 'only', 'undo', 'until'] as const;
const reason = once(() => z.enum(reasons));

/** A change in a plan file. @param details what is to be known besides what it is about */
export function changeSchema<Action extends z.ZodMiniType, Kind extends string, Details extends z.ZodMiniType>(
  action: Action,
  kind: Kind,
  details: Details,
) {
  return z.strictObject({
    action,
    kind: z.literal(kind),
    subject: z.string(),
    details,
    reason: reason(),
    because: z.string(),
    until: maybe(z.string()),
    by_hand: byHandField(),
  });
}

export type Change = Changes[keyof Changes];
export type Reason = (typeof reasons)[number];
/** Why a change is made: in a word for programs, and in words for people. */
export interface Grounds {
  readonly because: string;
  readonly reason: Reason;
  /** The last day on which the policy asks for it, where it has one. */
  readonly until?: string;
  /** Set where it takes back what somebody did. */
  readonly by_hand?: ByHand;
}

/** Of the changes that revert an apply. */
export const undone = {reason: 'undo', because: 'as it was before the last apply'} as const satisfies Grounds;

/** A change in JSON, for programs and people. */
export function changeJson({action, kind, subject, details, because, by_hand}: Change, showsPrivate: boolean): ChangeJson {
  return {action, kind, subject, details: showsPrivate ? details : withoutPrivate(details), because, ...(by_hand && {by_hand})};
}
