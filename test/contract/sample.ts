/**
 * A part of a matrix of cases that takes seconds instead of minutes. Every pair that a test names stays in it: each command with each
 * form, each fault with each kind of command, and so on. `npm run test:matrix` tries all cases.
 */
import {createHash} from 'node:crypto';

/** Whether all cases are tried. */
export const isWhole = process.env['MODE'] === 'matrix';
/** Other samples, and other random values, for another one. */
export const seed = process.env['PIXELCTL_TEST_SEED'] ?? '1';

/** Which cases were left out, and how to try others. For the message of a test that fails. */
export const sampledBy = isWhole ? 'the whole matrix' : `a sample with PIXELCTL_TEST_SEED=${seed}; npm run test:matrix tries everything`;

const rank = (name: string): string => createHash('sha1').update(`${seed} ${name}`).digest('hex');

/**
 * Takes cases until every pair was in one of them. Those with the most new pairs come first, so that few cases are enough. What one sampler
 * has taken counts for all cases it is asked about later.
 * @returns a function that picks from cases; `pairsOf` names the pairs of a case
 */
export function pairwiseSampler<Case>(pairsOf: (one: Case) => readonly string[]): (cases: readonly Case[]) => readonly Case[] {
  const covered = new Set<string>();
  return (cases) => {
    if (isWhole) return cases;
    const taken: Case[] = [];
    let left = cases
      .map((one) => ({one, pairs: new Set(pairsOf(one))}))
      .map((each) => ({...each, rank: rank([...each.pairs].join(' '))}))
      .toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
    for (let wanted = Math.max(0, ...left.map(({pairs}) => pairs.size)); wanted > 0; wanted -= 1) {
      left = left.filter(({one, pairs}) => {
        const fresh = pairs.difference(covered);
        if (fresh.size < wanted) return fresh.size > 0;
        for (const pair of fresh) covered.add(pair);
        taken.push(one);
        return false;
      });
    }
    return taken;
  };
}

/** Any of the cases that have no order, such as formats. Each seed takes others, and so does each name. */
export function someOf<Case>(cases: readonly Case[], count: number, name: string): readonly Case[] {
  if (isWhole) return cases;
  const ranked = cases.map((one, index) => ({one, rank: rank(`${name} ${index}`)}));
  return ranked
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({one}) => one);
}

/**
 * Some of the cases that follow each other, such as the writes at which a run is killed: the first and the last, and as many of those
 * between as make `count`; the first alone, where that is one. Each seed takes others, and so does each name.
 */
export function someInTurn<Case>(cases: readonly Case[], count: number, name = 'case'): readonly Case[] {
  if (isWhole || cases.length <= count) return cases;
  if (count === 1) return cases.slice(0, 1);
  const ranks = cases.map((_, index) => rank(`${name} ${index}`));
  ranks[0] = ranks[cases.length - 1] = '';
  const highest = ranks.toSorted()[count - 1] ?? '';
  return cases.filter((_, index) => (ranks[index] ?? '') <= highest);
}
