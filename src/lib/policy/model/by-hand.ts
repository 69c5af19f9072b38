/** What people did to what a policy set: in words, in JSON, and where comparisons ask for it. */
import * as z from 'zod/mini';
import {once} from '../../api/schema.js';
import type {Item} from './items.js';

/** Somebody lifted what a policy set, or made it weaker. */
const byHand = once(() =>
  z.strictObject({
    /** How the policy had it. */
    set: z.string(),
    /** Null: it is not there any more. */
    found: z.nullable(z.string()),
    /** When an apply set it last; undefined where it was adopted. */
    since: z.optional(z.string()),
  }),
);
export const byHandField = once(() => z.optional(byHand()));
export type ByHand = z.infer<ReturnType<typeof byHand>>;

/** `made weaker by hand (suspend → silence) since the apply of 2026-11-20` */
export function byHandText({set, found, since}: ByHand): string {
  const how = found === null ? 'lifted by hand' : `made weaker by hand (${set} → ${found})`;
  return since === undefined ? how : `${how} since the apply of ${since.slice(0, 10)}`;
}

/** What people changed by hand, in words, from the JSON of it; undefined where that says nothing. */
export function byHandTextIn(value: unknown): string | undefined {
  const {data} = z.safeParse(byHandField(), value);
  return data && byHandText(data);
}

/** What somebody did to an item that a policy set. */
export interface Doing extends Pick<Item, 'id' | 'kind' | 'subject'> {
  readonly how: 'lifted' | 'stricter' | 'weaker';
  readonly byHand: ByHand;
  /** Why it stays as it is, where it is left to whoever did it. */
  readonly left: string | undefined;
}

/** What people did to what a policy set. */
export interface People {
  /** @param item named as its section compares names, and by its id where it has one; what is lifted by its name alone */
  did(item: Item): Doing | undefined;
  readonly all: readonly Doing[];
}
