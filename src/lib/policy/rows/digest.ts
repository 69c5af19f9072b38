/** The digest of a plan covers all that a run adds, updates and removes. With it, `apply --expect` names the plan that somebody read. */
import {createHash} from 'node:crypto';
import {Failure, guardFailure} from '../../client/failure.js';
import {areEqual, canonical} from '../model/canonical.js';
import {isFilter, type Value} from '../model/value.js';
import {keyOf} from '../sections/policy-kind.js';
import {type Comparison, isChange} from './compare.js';
import {filesIn} from './states.js';
import {fullName} from './target.js';

/** A value without the time at which a filter ends on the server: only an end that the policy changes counts. */
function timeless(value: Value | null, kept?: Value | null): Value | null {
  if (!isFilter(value) || value.expires === undefined || !/^\d{4}-\d\d-\d\dT/.test(value.expires)) return value;
  const isAsIs = kept === undefined || (isFilter(kept) && kept.expires === value.expires);
  return isAsIs ? {...value, expires: 'time'} : value;
}

/** What a digest covers: the account or server, the item, and its values before and after. */
interface Entry {
  readonly of: string;
  readonly key: string;
  readonly line: string;
}

const entryOf = (of: string, key: string, has: Value | null, want: Value | null): Entry => ({
  of,
  key,
  line: `${JSON.stringify([of, key, canonical(timeless(has)), canonical(timeless(want, has))])}\n`,
});

/** The names of the account and of the server that rows belong to. */
const ownersOf = (one: Comparison) => ({account: fullName(one), server: one.host});

function entriesOf(one: Comparison, of: string): Entry[] {
  const owners = ownersOf(one);
  const own = one.findings.filter((row) => isChange(row) && owners[row.kind.owner] === of);
  return own.map(({kind, name, has, want}) => entryOf(of, keyOf(kind, name), has, want));
}

/** Hashes the entries of one account or server at a time, because there may be very many. */
function digestOf(owners: Iterable<string>, entries: (of: string) => readonly Entry[]): string {
  const hash = createHash('sha256');
  for (const of of [...new Set(owners)].sort()) {
    const lines = entries(of)
      .map(({line}) => line)
      .sort();
    // A line at a time takes ten times as long.
    for (let at = 0; at < lines.length; at += 1000) hash.update(lines.slice(at, at + 1000).join(''));
  }
  return hash.digest('hex');
}

/** @param comparisons of all accounts of the run @returns undefined if an account or a state could not be read */
export const planDigest = (comparisons: readonly Comparison[]): string | undefined =>
  comparisons.some(({states}) => states === undefined)
    ? undefined
    : digestOf(
        comparisons.flatMap((one) => Object.values(ownersOf(one))),
        (of) => comparisons.flatMap((one) => entriesOf(one, of)),
      );

/**
 * Checks that the plan is the one that somebody has read. Changes that an earlier run with the same digest made count as part of it.
 * @param plan the command that shows the plan
 * @returns whether all of the plan is done
 * @throws Failure `refused` when it is another plan: nothing is sent
 */
export function checkExpected(expected: string, all: readonly Comparison[], plan: string): boolean {
  const left = all.flatMap((one) => [...new Set(Object.values(ownersOf(one)))].flatMap((of) => entriesOf(one, of)));
  const digestWith = (more: readonly Entry[]) => {
    const entries = Map.groupBy([...left, ...more], ({of}) => of);
    return digestOf(entries.keys(), (of) => entries.get(of) ?? []);
  };
  const digest = digestWith([]);
  if (digest === expected) return left.length === 0;
  // Writes with an unknown outcome count with the outcome that the comparison found.
  const files = all.flatMap(({states = {}}) => filesIn(states));
  const begun = files.flatMap(({state}) => {
    const taken = state.expectedBy(expected);
    return taken === undefined ? [] : {of: state.of.replace(/^@/, ''), taken: taken.filter(({was, set}) => !areEqual(was, set))};
  });
  const done = begun.flatMap(({of, taken}) => taken.map(({key, was, set}) => entryOf(of, key, was, set)));
  const idOf = ({of, key}: Entry) => JSON.stringify([of, key]);
  const names = new Set(done.map(idOf));
  // An item that was changed and differs again makes this another plan.
  if (!left.some((one) => names.has(idOf(one))) && digestWith(done) === expected) return left.length === 0;
  const found = begun.length > 0 ? 'what is done and what is left of it are another plan' : `the plan is ${digest} by now`;
  throw guardFailure(`The plan is not ${expected}: ${found}: nothing was sent`, `read the plan again, and pass its digest: ${plan}`);
}

/** @throws Failure `usage` for a text that is no digest */
export function refuseNoDigest(text: string): void {
  if (!/^[\da-f]{64}$/.test(text))
    throw new Failure('usage', '--expect takes the digest that `pixelctl plan` prints: 64 hexadecimal digits');
}
