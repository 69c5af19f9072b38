import {closest, distance} from 'fastest-levenshtein';

/** How many wrong letters a word of four to eight may have. */
const slips = 2;

/** The known word that is most similar to a misspelt one. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const best = closest(word, [...known]);
  const most = word.length < 4 ? 1 : Math.max(slips, Math.floor(word.length / 3));
  return distance(word, best) <= most ? best : undefined;
}
