/** The digest of a plan covers all that a run adds, updates and removes. With it, `apply --expect` names the plan that somebody read. */
import {createHash} from 'node:crypto';
import {guardFailure} from '../../client/failure.js';
import {areEqual, canonical} from '../model/canonical.js';
import {isFilter, type Value} from '../model/value.js';
import {compareText} from '../source/location.js';
import {type Comparison, isChange} from './compare.js';
import {kindName} from '../sections/policy-kind.js';
import {filesIn} from './states.js';
import {fullName} from './target.js';

/** A value without the time at which a filter ends on the server: only an end that the policy changes counts. */
function timeless(value: Value | null, kept?: Value | null): Value | null {
  if (!isFilter(value) || value.expires === undefined || !/^\d{4}-\d\d-\d\dT/.test(value.expires)) return value;
  const isAsIs = kept === undefined || (isFilter(kept) && kept.expires === value.expires);
  return isAsIs ? {...value, expires: 'time'} : value;
}

interface Change {
  readonly name: string;
  readonly has: Value | null;
  readonly want: Value | null;
}

/** Changes of one kind. */
interface Part {
  /** The account or the server, and the kind: `ana@pix.example domain_block`. */
  readonly of: string;
  readonly changes: readonly Change[];
}

const partsOf = (all: readonly Comparison[]): Part[] =>
  all.flatMap((one) => {
    const owners = {account: fullName(one), server: one.host};
    return one.kinds.map(({kind, rows}) => ({of: `${owners[kind.owner]} ${kindName(kind)}`, changes: rows.filter(isChange)}));
  });

function digestOf(parts: readonly Part[]): string {
  const hash = createHash('sha256');
  for (const [of, same] of [...Map.groupBy(parts, (part) => part.of)].sort(([one], [other]) => compareText(one, other))) {
    const changes = same.flatMap((part) => part.changes).sort((one, other) => compareText(one.name, other.name));
    const lineOf = ({name, has, want}: Change) =>
      `${of} ${JSON.stringify(name)} ${canonical(timeless(has))} ${canonical(timeless(want, has))}\n`;
    // A line at a time takes ten times as long.
    for (let at = 0; at < changes.length; at += 1000)
      hash.update(
        changes
          .slice(at, at + 1000)
          .map(lineOf)
          .join(''),
      );
  }
  return hash.digest('hex');
}

/** @param all the comparisons of all accounts of the run @returns undefined if an account or a state could not be read */
export const planDigest = (all: readonly Comparison[]): string | undefined =>
  all.some(({states}) => states === undefined) ? undefined : digestOf(partsOf(all));

/**
 * Checks that the plan is the one that somebody has read. Changes that an earlier run with the same digest made count as part of it.
 * @param plan the command that shows the plan
 * @returns whether all of the plan is done
 * @throws Failure `refused` when it is another plan: nothing is sent
 */
export function checkExpected(expected: string, all: readonly Comparison[], plan: string): boolean {
  const left = partsOf(all);
  const isDone = left.every(({changes}) => changes.length === 0);
  const digest = digestOf(left);
  if (digest === expected) return isDone;
  // Writes with an unknown outcome count with the outcome that the comparison found.
  const begun = all
    .flatMap(({states = {}}) => filesIn(states))
    .flatMap(({state}) => (state.expectedBy(expected) ?? []).map((taken) => ({...taken, owner: state.of.replace(/^@/, '')})));
  const done = begun.flatMap(({owner, key, was, set}) => {
    const [kind = ''] = key.split(' ', 1);
    const change = {name: key.slice(kind.length + 1), has: was, want: set};
    return areEqual(was, set) ? [] : {of: `${owner} ${kind}`, changes: [change]};
  });
  const items = new Set(done.flatMap(({of, changes}) => changes.map(({name}) => `${of} ${name}`)));
  // An item that was changed and differs again makes this another plan.
  const isAgain = left.some(({of, changes}) => changes.some(({name}) => items.has(`${of} ${name}`)));
  if (!isAgain && digestOf([...left, ...done]) === expected) return isDone;
  const found = begun.length > 0 ? 'what is done and what is left of it are another plan' : `the plan is ${digest} by now`;
  throw guardFailure(`The plan is not ${expected}: ${found}: nothing was sent`, `read the plan again, and pass its digest: ${plan}`);
}
