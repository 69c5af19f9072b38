/** Bounds the memory of what is large; everything else starts and runs faster without. */
import {setFlagsFromString} from 'node:v8';

/** Characters or bytes of a text that is large enough to care about memory. */
const large = 1_000_000;

/**
 * Keeps the young generation of the heap small for the rest of the run, so that garbage is freed at once.
 * @param size of the text that comes, in characters or bytes; nothing is done for small ones
 */
export function keepMemoryFlat(size: number): void {
  if (size > large) setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * The same for JSON that is parsed next, or for much that is kept while texts are made of it: collects garbage each time that the
 * heap has grown by 30 %, because both leave several times as much garbage as values.
 */
export function keepParsingFlat(size: number): void {
  keepMemoryFlat(size);
  if (size > large) setFlagsFromString('--heap-growing-percent=30');
}
