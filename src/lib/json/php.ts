/** Writes JSON like PHP, the language of Pixelfed servers. */

export interface JsonStyle {
  /** Whether slashes stay as they are; otherwise they become `\/`. */
  readonly plainSlashes?: boolean;
  /** Whether to indent by four spaces. */
  readonly pretty?: boolean;
}

/**
 * Escapes everything beyond ASCII, and slashes unless the style says otherwise.
 * Writes a bigint as a number of any size, which `JSON.stringify` cannot do.
 */
export function toJson(value: unknown, style: JsonStyle = {}): string {
  return write(value, style, '\n');
}

function write(value: unknown, style: JsonStyle, lineBreak: string): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return writeText(value, style);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const writeNested = (item: unknown): string => write(item, style, `${lineBreak}    `);
  if (Array.isArray(value)) return `[${join(value.map(writeNested), style, lineBreak)}]`;
  const colon = style.pretty ? ': ' : ':';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => writeText(name, style) + colon + writeNested(member));
  return `{${join(members, style, lineBreak)}}`;
}

function writeText(text: string, {plainSlashes = false}: JsonStyle): string {
  const ascii = JSON.stringify(text).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return plainSlashes ? ascii : ascii.replaceAll('/', String.raw`\/`);
}

function join(parts: readonly string[], {pretty = false}: JsonStyle, lineBreak: string): string {
  if (parts.length === 0 || !pretty) return parts.join(',');
  return `${lineBreak}    ${parts.join(`,${lineBreak}    `)}${lineBreak}`;
}
