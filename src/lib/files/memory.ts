/** Bounds the memory of large work. Small work starts and runs faster without it. */
import {setFlagsFromString} from 'node:v8';

/** Work on more characters or bytes than this is large. */
const large = 1_000_000;

/** How many characters or bytes the run has read and printed so far. */
let seen = 0;

/**
 * Keeps the young generation of the heap small for the rest of a run that reads and prints much, so that garbage is freed at once. With
 * this flag V8 neither uses nor stores compiled code, so a run that reads and prints little does without it.
 * @param size of the text that comes, in characters or bytes
 */
export function keepMemoryFlat(size: number): void {
  if (seen > large) return;
  seen += size;
  if (seen > large) setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Keeps the heap small where JSON is parsed next, or where much is in memory while texts are made of it: collects garbage each time that the
 * heap has grown by 30 %, because both leave several times as much garbage as values.
 */
export function keepParsingFlat(size: number): void {
  keepMemoryFlat(size);
  if (size > large) setFlagsFromString('--heap-growing-percent=30');
}
