/** A table to which rows are added for as long as someone watches: its columns are settled with the first ones. */
import type {Column} from '../api/view.js';
import {parseExact} from '../json/exact.js';
import type {ItemSetting, ItemWriter} from './format.js';
import {cellTexts, columnsFor, columnsNamed, Grid, layoutOf} from './table.js';

export function openRollingTable(setting: ItemSetting): ItemWriter {
  const {view, fields} = setting;
  let columns: readonly Column[] | undefined = fields ? columnsNamed(fields) : view?.kind === 'list' ? view.columns : undefined;
  let grid: Grid | undefined;

  return {
    nature: 'painted',
    items(texts) {
      if (texts.length === 0) return '';
      const rows = texts.map(parseExact);
      const known = (columns ??= columnsFor(rows));
      const layout = {...layoutOf(setting), now: new Date()};
      const cells = rows.map((row) => cellTexts(row, known, layout));
      const header = grid === undefined;
      const settled = (grid ??= new Grid(known, cells, layout, true));
      return (header ? settled.header() : '') + cells.map((row) => settled.row(row)).join('');
    },
    end: () => ({stdout: ''}),
  };
}
