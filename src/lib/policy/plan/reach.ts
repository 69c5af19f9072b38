/** How many accounts of other servers a plan shuts out for everybody on a server: the suspension of many domains has to be allowed. */
import {commandText} from '../../files/command-text.js';
import {counted, firstOf} from '../../json/text.js';
import {isTopLevel, parentsOf} from '../../operations/domains.js';
import type {Measures} from '../../operations/measures.js';
import type {UserCounts} from '../../operations/user-counts.js';
import type {Change} from '../model/change.js';
import type {Target} from '../model/difference.js';
import type {ItemKind} from '../model/section-types.js';
import {reaches, shownSubject} from '../sections/index.js';
import type {Additions} from './guard.js';

/** The domain with the most known accounts. */
interface Largest {
  readonly kind: ItemKind;
  readonly subject: string;
  readonly accounts: number;
}

/** What is known of the accounts on the domains that a plan shuts out. */
export interface KnownReach {
  readonly largest?: Largest | undefined;
  /** The domains that may have known accounts, which the server has not counted; undefined: none, or it does not tell of any. */
  readonly uncounted?: readonly string[] | undefined;
  /** What is on all of them together, and ends with them, where the server ends follows and tells. */
  readonly ends?: Measures | undefined;
}

export interface Reach extends KnownReach {
  readonly additions?: Additions | undefined;
}

const maxAdditions = 25;

/** Domains that a reason names. */
const maxNamed = 5;

/** Domains that the command which has them counted names. */
const maxToCount = 20;

export interface Counting {
  readonly read: Target['userCounts'];
  readonly measures?: Target['measures'];
  /** The domains that the server only knows because an apply blocked them. */
  readonly introduced: ReadonlySet<string>;
  readonly peers?: Target['peers'];
}

/** How many known servers whole top-level domains cover; undefined where nobody knows, and where there are no such domains. */
async function coveredBy(domains: readonly string[], peers: Target['peers']): Promise<number | undefined> {
  if (domains.length === 0) return undefined;
  const [whole, known] = [new Set(domains), await peers?.()];
  return known?.filter((one) => parentsOf(one).some((parent) => whole.has(parent))).length;
}

/** @param isFromFile whether the changes are in a plan file: then every suspension counts, as every removal does */
export async function reachOf(
  changes: readonly Change[],
  isFromFile: boolean,
  {read, measures, introduced, peers}: Counting,
): Promise<Reach> {
  const meant = changes.filter(reaches);
  if (meant.length === 0) return {};
  const counts = await read?.(meant.map(({subject}) => subject));
  const isUncounted = ({subject}: Change) => counts?.get(subject) === null && !introduced.has(subject);
  const uncounted = meant.filter(isUncounted).map(({subject}) => subject);
  const largest = counts && largestOf(meant, counts);
  const measured = counts && (await measures?.(meant.map(({subject}) => subject)));
  const ends = measured && sumOf([...measured.values()]);
  const known = {...(largest && {largest}), ...(uncounted.length > 0 && {uncounted}), ...(ends && {ends})};
  const isCounted = (change: Change) => isFromFile || counts === undefined || (counts.get(change.subject) ?? 0) > 0 || isUncounted(change);
  const whole = meant.map(({subject}) => subject).filter(isTopLevel);
  const covered = await coveredBy(whole, peers);
  const count = meant.filter(isCounted).length + (covered ?? 0);
  if (whole.length > 0 && count > (covered === undefined ? 0 : maxAdditions))
    return {...known, additions: {count, why: wholeText(whole, {count, covered})}};
  if (count <= maxAdditions) return known;
  const which = isFromFile
    ? 'domains, all that are in the plan file'
    : counts === undefined
      ? 'domains, and the number of accounts there is unknown'
      : uncounted.length === 0
        ? 'domains with accounts known to the server'
        : `domains with accounts known to the server, or has not counted them yet (${uncounted.length})`;
  return {...known, additions: {count, why: `it suspends ${count} ${which} (limit ${maxAdditions})`}};
}

function sumOf(all: readonly Measures[]): Measures {
  const sum = (name: keyof Measures) => all.reduce((total, one) => total + one[name], 0);
  return {accounts: sum('accounts'), follows: sum('follows'), followers: sum('followers')};
}

/** Why the suspension of whole top-level domains has to be allowed. */
function wholeText(whole: readonly string[], {count, covered}: {readonly count: number; readonly covered: number | undefined}): string {
  const named = `the whole of ${firstOf(whole, maxNamed)}`;
  if (covered === undefined) return `it suspends ${named}, and it is unknown how many servers are known there`;
  return `it suspends ${count} domains and servers, with ${counted(covered, 'known server')} in ${named} (limit ${maxAdditions})`;
}

function largestOf(meant: readonly Change[], counts: UserCounts): Largest | undefined {
  let largest: Largest | undefined;
  for (const {kind, subject} of meant) {
    const accounts = counts.get(subject) ?? 0;
    if (accounts > (largest?.accounts ?? 0)) largest = {kind, subject, accounts};
  }
  return largest;
}

/** As `plan --json` has it. */
export const reachJson = ({uncounted, ...reach}: KnownReach) => ({...reach, ...(uncounted && {uncounted: uncounted.length})});

/** What is not counted, and the command that has the server count it. */
function uncountedText(domains: readonly string[]): string {
  const named = domains.slice(0, maxToCount);
  const command = commandText('instances refresh', {args: named});
  const which = named.length < domains.length ? `the first ${named.length}` : domains.length === 1 ? 'it' : 'them';
  return `For ${counted(domains.length, 'server')} to suspend, the number of known accounts is unknown: it has not been counted yet. \`${command}\` has the server count ${which}.`;
}

/** In sentences. */
export function reachTexts({largest, uncounted, ends}: KnownReach): string[] {
  return [
    ...(largest === undefined
      ? []
      : [`The largest server to suspend is ${shownSubject(largest)}, with ${counted(largest.accounts, 'known account')}.`]),
    ...(ends === undefined
      ? []
      : [
          `There are ${counted(ends.accounts, 'known account')} on the domains to suspend, with ${counted(ends.follows, 'follow')} from here and ${counted(ends.followers, 'follow')} of people here, which end.`,
        ]),
    ...(uncounted === undefined ? [] : [uncountedText(uncounted)]),
  ];
}
