/** Entries of `must` whose last day is near. */
import type {Skipped} from '../model/difference.js';
import type {ItemKind, SectionKey} from '../model/section-types.js';
import type {Location} from '../source/location.js';
import {timeLeft} from '../model/time.js';

/** Milliseconds before its end from which on it is noted. */
const noted = 7 * 86_400_000;

/** An entry as it is named for people. */
interface LastingEntry {
  readonly subject: string;
  readonly until?: string | undefined;
  readonly source: Location | undefined;
}

export function noteEndingSoon(
  {key, kind}: {readonly key: SectionKey; readonly kind: ItemKind},
  entries: Iterable<LastingEntry>,
  now: Date,
): Skipped[] {
  const skipped: Skipped[] = [];
  for (const {subject, until, source} of entries) {
    if (until === undefined || source === undefined || timeLeft(until, now) >= noted) continue;
    skipped.push({kind, subject, why: `its last day is ${until}`, heldBy: {rule: `${key}.must`, source, how: 'ending'}});
  }
  return skipped;
}
