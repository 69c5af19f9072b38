/** How many accounts of other servers a plan shuts out for everybody on a server: the suspension of many domains has to be allowed. */
import {counted} from '../../json/text.js';
import type {Change} from '../model/change.js';
import type {Target} from '../model/difference.js';
import type {ItemKind} from '../model/section-types.js';
import {reaches, shownSubject} from '../sections/index.js';
import type {Additions} from './guard.js';

/** The domain with the most known accounts. */
export interface Largest {
  readonly kind: ItemKind;
  readonly subject: string;
  readonly accounts: number;
}

export interface Reach {
  readonly additions?: Additions | undefined;
  readonly largest?: Largest | undefined;
}

const maxAdditions = 25;

/** @param isFromFile whether the changes are in a plan file: then every suspension counts, as every removal does */
export async function reachOf(changes: readonly Change[], isFromFile: boolean, read: Target['userCounts']): Promise<Reach> {
  const meant = changes.filter(reaches);
  if (meant.length === 0) return {};
  const counts = await read?.(meant.map(({subject}) => subject));
  const largest = counts && largestOf(meant, counts);
  const isCounted = ({subject}: Change) => isFromFile || counts === undefined || (counts.get(subject) ?? 0) > 0;
  const count = meant.filter(isCounted).length;
  if (count <= maxAdditions) return {largest};
  const which = isFromFile
    ? 'domains, all that are in the plan file'
    : counts === undefined
      ? 'domains, and it is unknown how many accounts the server knows there'
      : 'domains of which the server knows accounts';
  return {largest, additions: {count, why: `it suspends ${count} ${which} (limit ${maxAdditions})`}};
}

function largestOf(meant: readonly Change[], counts: ReadonlyMap<string, number>): Largest | undefined {
  let largest: Largest | undefined;
  for (const {kind, subject} of meant) {
    const accounts = counts.get(subject) ?? 0;
    if (accounts > (largest?.accounts ?? 0)) largest = {kind, subject, accounts};
  }
  return largest;
}

/** In a sentence. */
export function largestText({accounts, ...named}: Largest): string {
  return `The largest server to suspend is ${shownSubject(named)}, with ${counted(accounts, 'known account')}.`;
}
