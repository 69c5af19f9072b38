/** Makes an input smaller as long as the same goes wrong. */

/** Tries, and milliseconds, for one input. */
const most = {tries: 3000, time: 20_000};

/** What stays the same of a complaint when its input gets smaller. */
export const gist = (complaint) =>
  complaint
    ?.split(':', 2)
    .join()
    .replaceAll(/"[^"]*(?:"|$)|\d+|\/\S+/g, '')
    .slice(0, 60);

/**
 * @param {Buffer} bytes
 * @param {(bytes: Buffer) => Promise<string | undefined>} complaintOf
 * @returns {Promise<Buffer>}
 */
export async function minimised(bytes, complaintOf) {
  const wanted = gist(await complaintOf(bytes));
  if (wanted === undefined) return bytes;
  const end = performance.now() + most.time;
  let best = bytes;
  let tries = 0;
  for (let size = Math.ceil(best.length / 2); size >= 1 && tries < most.tries; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.length && tries < most.tries && performance.now() < end;) {
      tries += 1;
      const smaller = Buffer.concat([best.subarray(0, at), best.subarray(at + size)]);
      if (gist(await complaintOf(smaller)) === wanted) best = smaller;
      else at += size;
    }
  }
  return best;
}
