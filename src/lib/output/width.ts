/** Text measured in columns of a terminal, and cut between what people see as characters. */
import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, {granularity: 'grapheme'});
const ellipsis = '…';

/** The columns that the text takes. */
export function columnsOf(text: string): number {
  return stringWidth(text);
}

/** The text, cut short with `…` when it is wider. */
export function truncate(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  return `${head(text, width - 1).trimEnd()}${ellipsis}`;
}

/** The text in lines that are no wider, broken at spaces where there are some; its own line breaks are kept, spaces at ends are not. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width).map((part) => part.trimEnd()));
}

function wrapLine(line: string, width: number): string[] {
  if (columnsOf(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    const extended = current === '' ? word : `${current} ${word}`;
    if (columnsOf(extended) <= width) {
      current = extended;
      continue;
    }
    if (current !== '') lines.push(current);
    const pieces = breakWord(word, width);
    current = pieces.pop() ?? '';
    for (const piece of pieces) lines.push(piece);
  }
  return [...lines, current];
}

function breakWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let taken = 0;
  for (const {segment} of graphemes.segment(word)) {
    const columns = columnsOf(segment);
    if (taken + columns > width && piece !== '') {
      pieces.push(piece);
      piece = '';
      taken = 0;
    }
    // A character that is wider than the line has no place on any.
    const fitting = columns > width ? ellipsis : segment;
    piece += fitting;
    taken += columnsOf(fitting);
  }
  return [...pieces, piece];
}

/** The longest beginning that is no wider. */
function head(text: string, width: number): string {
  let end = 0;
  let taken = 0;
  for (const {segment, index} of graphemes.segment(text)) {
    taken += columnsOf(segment);
    if (taken > width) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
