/** What sets the members of a set apart from those that should be in it: blocked domains, blocked and muted accounts. */
import {compareText, type Location} from './location.js';

export interface SetRules<Wanted> {
  /** By name, in the form that names are compared in. */
  readonly wanted: ReadonlyMap<string, Wanted>;
  readonly mustNot: ReadonlyMap<string, Location>;
  /** Where it says that nothing else may be there; undefined: it does not. */
  readonly only: Location | undefined;
}

interface Unwanted {
  readonly name: string;
  readonly location: Location;
}

export interface SetDifference<Wanted> {
  readonly missing: readonly Wanted[];
  readonly forbidden: readonly Unwanted[];
  /** There, and the policy says that nothing else may be. */
  readonly surplus: readonly Unwanted[];
}

/** @param there the members, by name */
export function setDifference<Wanted>(
  {wanted, mustNot, only}: SetRules<Wanted>,
  there: ReadonlyMap<string, unknown>,
): SetDifference<Wanted> {
  const forbidden = [...mustNot].filter(([name]) => there.has(name)).map(([name, location]) => ({name, location}));
  const isSurplus = (name: string) => !wanted.has(name) && !mustNot.has(name);
  return {
    missing: [...wanted].filter(([name]) => !there.has(name)).map(([, one]) => one),
    forbidden: forbidden.sort((one, other) => compareText(one.name, other.name)),
    surplus: only === undefined ? [] : [...there.keys()].filter(isSurplus).map((name) => ({name, location: only})),
  };
}
