/** The digest of a plan covers all that a run adds, updates and removes. With it, `apply --expect` names the plan that somebody read. */
import {createHash} from 'node:crypto';
import {Failure, guardFailure} from '../../client/failure.js';
import {areEqual, canonical} from '../model/canonical.js';
import {isFilter, type Value} from '../model/value.js';
import {keyOf, type Row} from '../sections/policy-kind.js';
import {type Comparison, isChange} from './compare.js';
import {filesIn} from './states.js';
import {fullName} from './target.js';

/** A value without the time at which a filter ends on the server: only an end that the policy changes counts. */
function timeless(value: Value | null, kept?: Value | null): Value | null {
  if (!isFilter(value) || value.expires === undefined || !/^\d{4}-\d\d-\d\dT/.test(value.expires)) return value;
  const isAsIs = kept === undefined || (isFilter(kept) && kept.expires === value.expires);
  return isAsIs ? {...value, expires: 'time'} : value;
}

const itemOf = (of: string, key: string): string => `${of} ${JSON.stringify(key)}`;

/** A line of what a digest covers: an item of an account or a server, and its values before and after. */
const lineOf = (item: string, was: Value | null, set: Value | null): string =>
  `${item} ${canonical(timeless(was))} ${canonical(timeless(set, was))}\n`;

function* changesIn(all: readonly Comparison[]): Generator<{readonly item: string; readonly row: Row}> {
  for (const one of all) {
    const owners = {account: fullName(one), server: one.host};
    for (const row of one.findings) if (isChange(row)) yield {item: itemOf(owners[row.kind.owner], keyOf(row.kind, row.name)), row};
  }
}

const linesIn = (all: readonly Comparison[]): string[] => Array.from(changesIn(all), ({item, row}) => lineOf(item, row.has, row.want));

function digestOf(lines: string[]): string {
  const hash = createHash('sha256');
  lines.sort();
  // A line at a time takes ten times as long.
  for (let at = 0; at < lines.length; at += 1000) hash.update(lines.slice(at, at + 1000).join(''));
  return hash.digest('hex');
}

/** @param all the comparisons of all accounts of the run @returns undefined if an account or a state could not be read */
export const planDigest = (all: readonly Comparison[]): string | undefined =>
  all.some(({states}) => states === undefined) ? undefined : digestOf(linesIn(all));

/**
 * Checks that the plan is the one that somebody has read. Changes that an earlier run with the same digest made count as part of it.
 * @param plan the command that shows the plan
 * @returns whether all of the plan is done
 * @throws Failure `refused` when it is another plan: nothing is sent
 */
export function checkExpected(expected: string, all: readonly Comparison[], plan: string): boolean {
  const left = linesIn(all);
  const digest = digestOf(left);
  if (digest === expected) return left.length === 0;
  // Writes with an unknown outcome count with the outcome that the comparison found.
  const begun = all
    .flatMap(({states = {}}) => filesIn(states))
    .flatMap(
      ({state}) => state.expectedBy(expected)?.map((taken) => ({...taken, item: itemOf(state.of.replace(/^@/, ''), taken.key)})) ?? [],
    );
  const done = begun.filter(({was, set}) => !areEqual(was, set));
  const items = new Set(done.map(({item}) => item));
  // An item that was changed and differs again makes this another plan.
  const isAgain = changesIn(all).some(({item}) => items.has(item));
  if (!isAgain && digestOf([...left, ...done.map(({item, was, set}) => lineOf(item, was, set))]) === expected) return left.length === 0;
  const found = begun.length > 0 ? 'what is done and what is left of it are another plan' : `the plan is ${digest} by now`;
  throw guardFailure(`The plan is not ${expected}: ${found}: nothing was sent`, `read the plan again, and pass its digest: ${plan}`);
}

/** @throws Failure `usage` for a text that is no digest */
export function refuseNoDigest(text: string): void {
  if (!/^[\da-f]{64}$/.test(text))
    throw new Failure('usage', '--expect takes the digest that `pixelctl plan` prints: 64 hexadecimal digits');
}
