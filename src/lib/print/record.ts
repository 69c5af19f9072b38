/** Prints one object as lines of name and value. */
import {isObject} from '../api/schema.js';
import type {Column} from '../api/view.js';
import {shorten} from '../json/text.js';
import {inert} from './inert.js';
import {palette, type Palette} from './palette.js';
import {columnText, inLines, nothing, plain, valueAt, type Layout} from './values.js';
import {columnsOf, widestWord, wrap} from './width.js';

interface Line {
  readonly name: string;
  readonly text: string;
  /** Adds a colour to the text; undefined: only a dash for a missing value is dim. */
  readonly paint?: ((text: string) => string) | undefined;
}

const gap = '  ';

/** Values that are nested more deeply are counted, not shown. */
const deepest = 8;

const maxNameLength = 200;

/**
 * Prints the columns of an object, one below the other. Without columns it prints every field, and fields of nested objects by their
 * path: `limits.media.max_album_limit`. Missing fields are left out.
 */
export function renderRecord(value: unknown, columns: readonly Column[] | undefined, layout: Layout): string {
  return drawLines(columns ? columnLines(value, columns, layout) : [...fieldLines(value, '', 0)], layout);
}

/** Draws each name with its value to the right, or below it where that fits better. */
export function drawLines(lines: readonly Line[], {width, color}: Layout): string {
  const colors = palette(color);
  // A long name has its value below it, and takes no room from the others.
  const isLong = (name: string): boolean => name !== '' && columnsOf(name) + gap.length > width / 2;
  const nameWidth = lines.reduce((most, {name}) => (isLong(name) ? most : Math.max(most, columnsOf(name))), 0);
  const room = width - nameWidth - gap.length;
  // A value with a long word, such as an address, goes below its name where the word then fits.
  const isWholeBelow = (word: number): boolean => word > room && word <= width - gap.length;
  const isBelow = ({name, text}: Line): boolean => isLong(name) || (nameWidth > 0 && isWholeBelow(widestWord(text)));
  const output = lines.flatMap((line) => (isBelow(line) ? stackLine(line, width, colors) : beside(line, nameWidth, width, colors)));
  return output.map((line) => `${line}\n`).join('');
}

function columnLines(value: unknown, columns: readonly Column[], layout: Layout): Line[] {
  return columns
    .filter(({path}) => valueAt(value, path) !== undefined)
    .flatMap((column) => {
      const field = valueAt(value, column.path);
      const isPlain = column.text !== undefined || column.kind !== undefined || !isObject(field);
      return isPlain ? [{name: column.header, text: inLines(columnText(value, column, layout))}] : [...fieldLines(field, column.header, 1)];
    });
}

function* fieldLines(value: unknown, path: string, depth: number): Generator<Line> {
  if (isObject(value) && depth < deepest && Object.keys(value).length > 0) {
    for (const [whole, field] of Object.entries(value)) {
      const name = shorten(whole, maxNameLength);
      yield* fieldLines(field, path === '' ? name : `${path}.${name}`, depth + 1);
    }
  } else if (path !== '' || !isObject(value)) {
    yield {name: inert(shorten(path, maxNameLength)).trim(), text: isObject(value) && depth < deepest ? nothing : inLines(plain(value))};
  }
}

function beside({name, text, paint}: Line, nameWidth: number, width: number, colors: Palette): string[] {
  const indent = nameWidth === 0 ? 0 : nameWidth + gap.length;
  return wrap(text, Math.max(1, width - indent)).map((line, index) => {
    const padding = ' '.repeat(indent - (index === 0 ? columnsOf(name) : 0));
    return ((index === 0 ? colors.heading(name) : '') + padding + paintValue(line, paint, colors)).trimEnd();
  });
}

function stackLine({name, text, paint}: Line, width: number, colors: Palette): string[] {
  const indent = width > 2 * gap.length ? gap : '';
  const names = wrap(name, Math.max(1, width)).map((line) => colors.heading(line));
  const values = wrap(text, Math.max(1, width - indent.length)).map((line) =>
    line === '' ? '' : indent + paintValue(line, paint, colors),
  );
  return [...names, ...values];
}

function paintValue(text: string, paint: Line['paint'], {quiet}: Palette): string {
  if (text === '') return text;
  return (paint ?? (text === nothing ? quiet : undefined))?.(text) ?? text;
}
