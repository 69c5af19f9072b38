import {closest, distance} from 'fastest-levenshtein';

/**
 * The known word that a wrong one was probably meant to be.
 * @param slips how many letters may be wrong in a word of four to eight
 */
export function nearest(word: string, known: readonly string[], slips = 2): string | undefined {
  if (known.length === 0) return undefined;
  const best = closest(word, [...known]);
  // Of a short word, one wrong letter is much.
  const most = word.length < 4 ? 1 : Math.max(slips, Math.floor(word.length / 3));
  return distance(word, best) <= most ? best : undefined;
}
