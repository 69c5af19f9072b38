/** Whether a text is the origin of a web server: `https://pix.example`. */
export function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.parse(text)?.origin === text;
}

/** The most characters that the name of a host may have, by the standard of DNS. */
export const maxHostLength = 253;
