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
