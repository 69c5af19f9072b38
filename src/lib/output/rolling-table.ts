/** A table to which rows are added for as long as someone watches. */
import {parseExact} from '../json/exact.js';
import type {Column, Layout} from './columns.js';
import {fit} from './fit.js';
import type {ItemSetting, ItemWriter} from './format.js';
import {gap} from './grid.js';
import {palette, type Palette} from './palette.js';
import {alignment, cellTexts, columnsFor, columnsNamed, leastWidth, paintOf} from './table.js';
import {views} from './views.js';
import {columnsOf, truncate} from './width.js';

interface RollingColumn {
  readonly column: Column;
  /** Whether what is wider is cut short. */
  readonly isElastic: boolean;
  /** Among all columns, of which some may not be shown. */
  readonly index: number;
  readonly width: number;
}

/**
 * How wide the columns are is settled with the first rows: at a terminal those that may be cut short take all the room
 * there is, elsewhere a cell that is wider than its column moves what follows.
 */
export function openRollingTable({view, fields, terminal}: ItemSetting): ItemWriter {
  const chosen = view && views[view];
  const named = fields ? columnsNamed(fields) : chosen?.kind === 'list' ? chosen.columns : undefined;
  const colors = palette(terminal.color);
  const width = terminal.isTerminal ? terminal.width : Number.POSITIVE_INFINITY;
  let columns: readonly Column[] | undefined = named;
  let shown: readonly RollingColumn[] | undefined;

  return {
    nature: 'painted',
    items(texts) {
      if (texts.length === 0) return '';
      const rows = texts.map(parseExact);
      columns ??= columnsFor(rows);
      const known = columns;
      const now = new Date();
      const cells = rows.map((row) => cellTexts(row, known, now));
      const isBegun = shown !== undefined;
      shown ??= settled(columns, cells, width);
      const layout = shown;
      const lines = cells.map((row) => line(layout, row, (column, text) => paintOf(column, text, colors)));
      return `${[...(isBegun ? [] : [header(layout, colors)]), ...lines].join('\n')}\n`;
    },
    end: () => ({stdout: ''}),
  };
}

function settled(columns: readonly Column[], cells: readonly (readonly string[])[], width: Layout['width']): RollingColumn[] {
  const isElastic = ({flexible}: Column) => flexible === true && Number.isFinite(width);
  const wishes = columns.map((column, index) => {
    const {header: name, priority = 1} = column;
    const widest = cells.reduce((most, row) => Math.max(most, columnsOf(row[index] ?? '')), columnsOf(name));
    return isElastic(column) ? {width, least: Math.max(leastWidth, columnsOf(name)), priority} : {width: widest, least: widest, priority};
  });
  const widths = fit(wishes, Math.max(1, width), gap);
  return columns.flatMap((column, index) => {
    const columnWidth = widths[index];
    return columnWidth === undefined ? [] : [{column, isElastic: isElastic(column), index, width: columnWidth}];
  });
}

function header(shown: readonly RollingColumn[], {heading}: Palette): string {
  const names: string[] = [];
  for (const {column, index} of shown) names[index] = column.header;
  return line(shown, names, () => heading);
}

type Paint = (column: Column, text: string) => ((text: string) => string) | undefined;

function line(shown: readonly RollingColumn[], texts: readonly string[], paint: Paint): string {
  const cells = shown.map(({column, isElastic, index, width}, place) => {
    const whole = texts[index] ?? '';
    const text = isElastic ? truncate(whole, width) : whole;
    const space = ' '.repeat(Math.max(0, width - columnsOf(text)));
    const painted = paint(column, whole)?.(text) ?? text;
    if (alignment(column) === 'right') return space + painted;
    return place === shown.length - 1 ? painted : painted + space;
  });
  return cells.join(' '.repeat(gap)).trimEnd();
}
