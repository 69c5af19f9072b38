/** Text from a server, made harmless for a terminal. */

/** Controls (C0, DEL, C1), direction marks, overrides and isolates, line separators, and lone surrogates. */
const active = String.raw`\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069`;
const activeText = new RegExp(String.raw`\r\n|[${active}]`, 'gu');
const activeJson = new RegExp(String.raw`[[${active}]--[\t\n\r]]`, 'gv');

/**
 * The text with every character that could steer a terminal shown instead of sent: escape as `␛`, an override as `\u202e`.
 * Tabs and line breaks become spaces.
 * @param options.keepLines leaves line breaks as they are
 */
export function inert(text: string, {keepLines = false}: {readonly keepLines?: boolean} = {}): string {
  return text.replaceAll(activeText, (found) => {
    if (found === '\n' || found === '\r\n') return keepLines ? '\n' : ' ';
    return found === '\t' ? ' ' : shown(found);
  });
}

/** The same JSON value, with such characters in its strings written as escapes. */
export function inertJson(text: string): string {
  return text.replaceAll(activeJson, escaped);
}

const symbolForNull = 0x24_00;
const symbolForDelete = '\u2421';

function shown(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(symbolForNull + code);
  if (code === 0x7f) return symbolForDelete;
  return character.isWellFormed() ? escaped(character) : '\ufffd';
}

function escaped(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
