/** HTML of posts and profiles, reduced to what it says. */

const named: Readonly<Record<string, string>> = {amp: '&', apos: "'", gt: '>', lt: '<', nbsp: ' ', quot: '"'};

/** Tags taken away, paragraphs and breaks as line breaks, entities as the characters they stand for. */
export function plainText(html: string): string {
  return html
    .replaceAll(/<br\b[^<>]*>|<\/(?:p|div|li)>/gi, '\n')
    .replaceAll(/<\/?[a-z!][^<>]*>/gi, '')
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, entity)
    .trim();
}

function entity(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
}
