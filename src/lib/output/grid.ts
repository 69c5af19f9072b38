/** Cells put in line. */
import CliTable from 'cli-table3';

export interface Cell {
  readonly text: string;
  /** Columns that the text takes, at most its column's width. */
  readonly width: number;
  /** Colours the text; it must not change its width. */
  readonly paint?: (text: string) => string;
}

/** Spaces between two columns. */
export const gap = 2;

export interface GridColumn {
  readonly width: number;
  readonly align: 'left' | 'right';
}

/** The table takes time that grows with the square of its rows; in blocks it does not. */
const blockSize = 50;

/** Lines of cells without borders and without spaces at their ends. */
export function grid(rows: readonly (readonly Cell[])[], columns: readonly GridColumn[]): string {
  const blocks: string[] = [];
  for (let start = 0; start < rows.length; start += blockSize) blocks.push(block(rows.slice(start, start + blockSize), columns));
  return blocks.join('\n');
}

/**
 * The table measures text by an older standard, in which many emoji have another width. It is given stand-ins of
 * the right width to put in line, which the texts then replace.
 */
const standIn = '\ue000';

function block(rows: readonly (readonly Cell[])[], columns: readonly GridColumn[]): string {
  const table = new CliTable({
    chars: noBorders,
    style: {'padding-left': 0, 'padding-right': gap, head: [], border: []},
    colWidths: columns.map(({width}) => Math.max(1, width) + gap),
    colAligns: columns.map(({align}) => align),
  });
  table.push(...rows.map((cells) => cells.map(({width}) => standIn.repeat(width))));
  const inLine = table.toString().split('\n').map((line) => line.trimEnd()).join('\n');
  const visible = rows.flat().filter(({width}) => width > 0);
  let index = 0;
  return inLine.replaceAll(/\ue000+/g, () => {
    const cell = visible[index++];
    if (!cell) return '';
    return cell.paint ? cell.paint(cell.text) : cell.text;
  });
}

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};
