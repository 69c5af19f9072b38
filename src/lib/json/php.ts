/** JSON as PHP writes it, which Pixelfed servers are made with. */

/** How one part of a server writes its JSON. */
export interface JsonStyle {
  /** Slashes as they are; else `\/`. */
  readonly plainSlashes?: boolean;
  /** Indented by four spaces. */
  readonly pretty?: boolean;
}

/**
 * JSON as PHP writes it: everything beyond ASCII is escaped, and slashes too unless the style says otherwise.
 * A bigint becomes a number of any size, which `JSON.stringify` cannot write.
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
