/** Lists whose items move while they are read: from one page to another, where one that was read before is left out. */

/** Readings of one list, at most. */
export const maxReadings = 5;

/**
 * Reads a list until one reading shows that nothing moved.
 * @param read gives what it reads, and at its end whether nothing moved. @param reading from 1
 * @returns whether there was such a reading; if not, items may be missing
 */
export async function* readUntilStill<Part>(
  read: (reading: number) => AsyncGenerator<Part, boolean, undefined>,
): AsyncGenerator<Part, boolean, undefined> {
  for (let reading = 1; reading <= maxReadings; reading += 1) if (yield* read(reading)) return true;
  return false;
}
