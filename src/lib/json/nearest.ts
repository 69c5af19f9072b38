import {closest, distance} from 'fastest-levenshtein';

/**
 * The known word that is most similar to a misspelt one.
 * @param slips the number of wrong letters allowed in a word of four to eight
 */
export function nearest(word: string, known: readonly string[], slips = 2): string | undefined {
  if (known.length === 0) return undefined;
  const best = closest(word, [...known]);
  const most = word.length < 4 ? 1 : Math.max(slips, Math.floor(word.length / 3));
  return distance(word, best) <= most ? best : undefined;
}
