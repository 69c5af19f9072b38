/** Text measured in columns of a terminal, and cut between what people see as characters. */
import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, {granularity: 'grapheme'});
const ellipsis = '…';

/** Letters and punctuation that take one column each: most of all text is of these, and measuring takes long. */
const narrow = /^[\x20-\x7e\xa1-\xa8\xaa-\xac\xaf-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u203b]*$/;

/** The columns that the text takes. */
export function columnsOf(text: string): number {
  return narrow.test(text) ? text.length : stringWidth(text);
}

/** The text, cut short with `…` when it is wider. @param keep which end of it stays */
export function truncate(text: string, width: number, keep: 'end' | 'start' = 'start'): string {
  if (columnsOf(text) <= width) return text;
  if (keep === 'end') return `${ellipsis}${tail(text, width - 1).trimStart()}`;
  return `${head(text, width - 1).replace(endOfCut, '')}${ellipsis}`;
}

/** Spaces, and joiners that join nothing any more. */
const endOfCut = /[\s\u200c\u200d]+$/;

/** The text in lines that are no wider, broken at spaces where there are some; its own line breaks are kept, spaces at ends are not. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width).map((part) => part.replace(endOfCut, '')));
}

/** What is copied has to stay on one line: a command in backticks, or behind a colon at the end. */
const unbroken = /(?:`[^`]*`|(?<=: )pixelctl .*|[^ ])+/g;

/** Sentences in lines that are no wider, broken between words only: words and commands that are wider keep a line to themselves. */
export function wrapWords(text: string, width: number): string {
  const lines = text.split('\n').map((line) => {
    let [wrapped, current] = ['', ''];
    for (const [word] of line.matchAll(unbroken)) {
      const extended = current === '' ? word : `${current} ${word}`;
      if (current === '' || columnsOf(extended) <= width) {
        current = extended;
        continue;
      }
      wrapped += `${current}\n`;
      current = word;
    }
    return wrapped + current;
  });
  return lines.join('\n');
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

/** The longest end that is no wider. */
function tail(text: string, width: number): string {
  let start = text.length;
  let taken = 0;
  for (const {segment, index} of [...graphemes.segment(text)].toReversed()) {
    taken += columnsOf(segment);
    if (taken > width) break;
    start = index;
  }
  return text.slice(start);
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
