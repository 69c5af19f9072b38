import {closest, distance} from 'fastest-levenshtein';

const sorted = (word: string): string => [...word].sort().join('');

/** How many wrong letters a word may have: a short one with two is another word, unless two letters changed places. */
function slipsIn(word: string, meant: string): number {
  const isShort = word.length < 6 && sorted(word) !== sorted(meant);
  return isShort ? 1 : Math.max(2, Math.floor(word.length / 3));
}

/** The known word that is most similar to a misspelt one. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const best = closest(word, [...known]);
  return distance(word, best) <= slipsIn(word, best) ? best : undefined;
}
