/** What may be uploaded, decided by what is in a file and not by what it calls itself. */

/** In the words of the configuration. */
export const supportedMimeTypes: readonly string[] = ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp', 'video/mp4'];

/** Kilobytes in one photo or video. */
export const fileKilobytes = 15_000;

/** Bytes in one request; more is 413. */
export const requestBytes = 16 * 1024 * 1024;

const signatures: readonly (readonly [string, RegExp])[] = [
  ['image/jpeg', /^\u00ff\u00d8\u00ff/],
  ['image/png', /^\u0089PNG/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['video/mp4', /^[^]{4}ftyp/],
];

/** The supported type of a file; null when it is none. */
export async function mimeOf(file: File): Promise<string | null> {
  const start = Buffer.from(await file.slice(0, 12).arrayBuffer()).toString('latin1');
  return signatures.find(([, signature]) => signature.test(start))?.[0] ?? null;
}
