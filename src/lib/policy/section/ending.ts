/** Entries of `must` whose last day is near. */
import type {Comparison} from '../model/difference.js';
import type {Located} from '../model/policy.js';
import type {ItemKind, SectionKey} from '../model/section-types.js';
import {type Location, locationText} from '../source/location.js';
import {durationText, timeLeft} from '../model/time.js';

/** Seconds before its end from which on it is noted, where the policy does not say when it is a difference. */
const noted = 7 * 86_400;

/** An entry as it is named for people. */
interface LastingEntry {
  readonly subject: string;
  readonly until?: string | undefined;
  readonly source: Location | undefined;
}

/** What is to be said of entries that end soon: a difference where the policy says how soon, otherwise a note. */
export function endingSoon(
  {key, kind}: {readonly key: SectionKey; readonly kind: ItemKind},
  entries: Iterable<LastingEntry>,
  {within, now}: {readonly within: Located<number> | undefined; readonly now: Date},
): Comparison {
  const differences: Comparison['differences'][number][] = [];
  const skipped: Comparison['skipped'][number][] = [];
  for (const {subject, until, source} of entries) {
    if (until === undefined || source === undefined) continue;
    if (timeLeft(until, now) >= (within?.value ?? noted) * 1000) continue;
    if (within === undefined)
      skipped.push({kind, subject, why: `its last day is ${until}`, heldBy: {rule: `${key}.must`, source, how: 'ending'}});
    else
      differences.push({
        rule: `${key}.expire_within`,
        kind,
        subject,
        wanted: `ends no sooner than in ${durationText(within.value)}`,
        actual: `last day ${until}`,
        source: within.location,
        fix: `change until in ${locationText(source)}, or drop the entry`,
      });
  }
  return {differences, skipped};
}
