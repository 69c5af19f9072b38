/** Reads lists whose items move between pages while they are read: an item that moves to a page read before is missed. */

export const maxReadings = 5;

/**
 * Reads a list until one reading shows that nothing moved.
 * @param read yields what it reads, and returns whether nothing moved. Its parameter counts the readings from 1
 * @returns whether nothing moved in the last reading; if not, items may be missing
 */
export async function* readUntilStill<Part>(
  read: (reading: number) => AsyncGenerator<Part, boolean, undefined>,
): AsyncGenerator<Part, boolean, undefined> {
  for (let reading = 1; reading <= maxReadings; reading += 1) if (yield* read(reading)) return true;
  return false;
}
