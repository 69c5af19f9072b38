/** What a person made stricter on a block that an apply of the policy made: it is the person's, until it is as the policy made it again. */
import type {Advice, Skipped} from '../model/difference.js';
import {byKind, type MadeItem} from '../model/items.js';
import {holdingInPlans} from '../sections/index.js';
import type {State} from '../model/server-state.js';

interface Stricter {
  readonly item: MadeItem;
  /** `made stricter by hand (silenced → suspended)` */
  readonly why: string;
}

/** @param owned as state files have it; what was made before they had how is not known to be stricter */
export function madeStricter(owned: readonly MadeItem[], state: State): Stricter[] {
  const ownedOf = byKind(owned);
  return holdingInPlans.flatMap(({kind, holding: {there, known, values}}) => {
    const items = values === undefined ? [] : ownedOf(kind).filter(({made}) => made !== undefined);
    const found = items.length === 0 ? undefined : there(state);
    if (values === undefined || found === undefined) return [];
    return items.flatMap((item): Stricter | readonly [] => {
      const entry = found.get(known(item.subject, state));
      const now = entry === undefined ? undefined : values.of(entry);
      if (now === undefined || !values.isLess(now, item.made) || values.isLess(item.made, now)) return [];
      return {item, why: `made stricter by hand (${values.text(item.made)} → ${values.text(now)})`};
    });
  });
}

/** What is the policy's of what it owns, and what a plan leaves to whoever made it stricter. */
export function leftToPeople(
  owned: readonly MadeItem[],
  state: State,
  {forget}: Pick<Advice, 'forget'>,
  policy: string,
): {readonly owned: readonly MadeItem[]; readonly skipped: (known: readonly Skipped[]) => Skipped[]} {
  const all = madeStricter(owned, state);
  if (all.length === 0) return {owned, skipped: (known) => [...known]};
  const left = new Set(all.map(({item}) => item));
  const keyOf = ({kind, subject = ''}: Pick<Skipped, 'kind' | 'subject'>) => `${kind} ${subject}`;
  return {
    owned: owned.filter((item) => !left.has(item)),
    skipped(known) {
      const kept = new Map(known.flatMap((one) => (one.heldBy?.how === 'kept' ? [[keyOf(one), one.heldBy]] : [])));
      const own = all.map(({item: {kind, subject}, why}): Skipped => {
        return {kind, subject, why: `${why}; to leave it for good: ${forget(subject, policy)}`, heldBy: kept.get(keyOf({kind, subject}))};
      });
      const said = new Set(own.map(keyOf));
      return [...known.filter((one) => one.heldBy?.how !== 'kept' || !said.has(keyOf(one))), ...own];
    },
  };
}
