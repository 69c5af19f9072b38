/** The digest of a plan: what is added, updated and removed in all accounts of a run. Whoever has read a plan names it by this. */
import {createHash} from 'node:crypto';
import {Failure, guardFailure} from '../../client/failure.js';
import {areEqual, canonical} from '../model/canonical.js';
import {isFilter, type Value} from '../model/value.js';
import {keyOf} from '../sections/policy-kind.js';
import {type Comparison, isChange, settleStates} from './compare.js';
import {fullName} from './target.js';

/** One change: whose, which, from what, to what. */
type Entry = readonly [of: string, key: string, has: string, want: string];

/** Without the times that servers give: how long from now a policy writes is in it. */
function timeless(value: Value | null, kept?: Value | null): Value | null {
  if (!isFilter(value) || value.expires === undefined || !/^\d{4}-\d\d-\d\dT/.test(value.expires)) return value;
  const isAsIs = kept === undefined || (isFilter(kept) && kept.expires === value.expires);
  return isAsIs ? {...value, expires: 'time'} : value;
}

const entryOf = (of: string, key: string, has: Value | null, want: Value | null): Entry => [
  of,
  key,
  canonical(timeless(has)),
  canonical(timeless(want, has)),
];

/** Whose rows there are: an account's, and a server's. */
const ownersOf = ({about, target}: Comparison) => ({account: fullName(about), server: target.server.host});

/** The changes of one owner. */
function entriesOf(comparison: Comparison, of: string): Entry[] {
  const owners = ownersOf(comparison);
  const own = comparison.kinds.filter(({kind}) => owners[kind.owner] === of);
  return own.flatMap(({rows}) => rows.filter(isChange).map(({kind, name, has, want}) => entryOf(of, keyOf(kind, name), has, want)));
}

/** One owner after the other, because many accounts may have very many changes. */
function digestOf(owners: Iterable<string>, entries: (of: string) => readonly Entry[]): string {
  const hash = createHash('sha256');
  for (const of of [...new Set(owners)].sort())
    for (const line of entries(of)
      .map((entry) => JSON.stringify(entry))
      .sort())
      hash.update(`${line}\n`);
  return hash.digest('hex');
}

const digestOfAll = (entries: readonly Entry[]): string =>
  digestOf(
    entries.map(([of]) => of),
    (of) => entries.filter(([owner]) => owner === of),
  );

/** @param comparisons of all accounts; with one that could not be read there is none */
export const planDigest = (comparisons: readonly Comparison[]): string =>
  digestOf(
    comparisons.flatMap((one) => Object.values(ownersOf(one))),
    (of) => comparisons.flatMap((one) => entriesOf(one, of)),
  );

/**
 * Whether the plans are the one that somebody has read. What an earlier run that expected it did counts: it and what is left are the plan.
 * @param plan the command that shows it
 * @returns whether all of it is done
 * @throws Failure `refused` when it is another plan: nothing is sent
 */
export function checkExpected(expected: string, all: readonly Comparison[], plan: string): 'done' | 'left' {
  const left = all.flatMap((one) => [...new Set(Object.values(ownersOf(one)))].flatMap((of) => entriesOf(one, of)));
  if (digestOfAll(left) === expected) return left.length === 0 ? 'done' : 'left';
  // What was open is settled, whatever becomes of it.
  const begun = all.flatMap(settleStates).flatMap((state) => {
    const taken = state.expectedBy(expected);
    return taken === undefined ? [] : {of: state.of.replace(/^@/, ''), taken: taken.filter(({was, set}) => !areEqual(was, set))};
  });
  const done = begun.flatMap(({of, taken}) => taken.map(({key, was, set}) => entryOf(of, key, was, set)));
  const names = new Set(done.map(([of, key]) => JSON.stringify([of, key])));
  // A key that is done and differs again makes this another plan.
  const isRepeated = left.some(([of, key]) => names.has(JSON.stringify([of, key])));
  if (!isRepeated && digestOfAll([...left, ...done]) === expected) return left.length === 0 ? 'done' : 'left';
  const found = begun.length > 0 ? 'what is done and what is left of it are another plan' : `the plan is ${digestOfAll(left)} by now`;
  throw guardFailure(`The plan is not ${expected}: ${found}: nothing was sent`, `read the plan again, and pass its digest: ${plan}`);
}

/** @throws Failure `usage` for a text that is no digest */
export function refuseNoDigest(text: string): void {
  if (!/^[\da-f]{64}$/.test(text))
    throw new Failure('usage', '--expect takes the digest that `pixelctl plan` prints: 64 hexadecimal digits');
}
