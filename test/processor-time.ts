/** Tells from processor time whether work grows in proportion to its size. Other work of the machine adds little to that time. */
import {expect} from 'vitest';

/** Milliseconds: shorter times are too short to be compared. */
const shortest = 4;

/** The least of up to three runs, in milliseconds: other work only adds to it. Stops at one below the limit. */
async function leastTime(work: () => unknown, limit = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3 && least >= limit; turn += 1) {
    const begun = process.cpuUsage();
    await work();
    const {user, system} = process.cpuUsage(begun);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** @param make makes the input, of this size and of an eighth of it; only `work` is measured */
export async function expectInProportion<Input>(
  size: number,
  make: (size: number) => Input,
  work: (input: Input) => unknown,
): Promise<void> {
  const [few, many] = [make(size / 8), make(size)];
  // Eight times as much: with its square it would be sixty-four times as long.
  const limit = Math.max(await leastTime(() => work(few)), shortest) * 24;
  expect(await leastTime(() => work(many), limit)).toBeLessThan(limit);
}
