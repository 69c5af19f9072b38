/** Measures text in terminal columns, and truncates and wraps it between graphemes. */
import stringWidth from 'string-width';

let segmenter: Intl.Segmenter | undefined;

/** Most tables need no segmenter, and making it takes longer than printing them. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'});
  return segmenter.segment(text);
}

const ellipsis = '…';

/** Characters that take one column each. Most text consists of these, and measuring others is slow. */
const narrow = String.raw`\x20-\x7e\xa1-\xa8\xaa-\xac\xaf-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u203b\u2400-\u2426`;

/** Kana, ideographs and their punctuation, syllables of Hangul, and the wide forms of ASCII: they take two columns each. */
const wide = String.raw`\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60`;

/** Emoji that take two columns each, without skin colours, joiners and variants, which combine several characters into one. */
const emoji = String.raw`\u{1f337}-\u{1f37c}\u{1f380}-\u{1f393}\u{1f3a0}-\u{1f3ca}\u{1f3e0}-\u{1f3f0}\u{1f400}-\u{1f43e}\u{1f442}-\u{1f4fc}\u{1f5fb}-\u{1f64f}\u{1f680}-\u{1f6c5}\u{1f90d}-\u{1f93a}\u{1f947}-\u{1f9ff}`;

const isNarrow = new RegExp(`^[${narrow}]*$`);
const complex = new RegExp(`[^${narrow}${wide}${emoji}]`, 'u');
const wideOnes = new RegExp(`[${wide}]`, 'g');

const joiner = '\u200d';
const joinedToNext = new RegExp(`[${emoji}]${joiner}(?=[${emoji}])`, 'gu');

export function columnsOf(text: string): number {
  if (isNarrow.test(text)) return text.length;
  // Joined emoji, such as families, are as wide as the last one of them alone.
  const separate = text.includes(joiner) ? text.replaceAll(joinedToNext, '') : text;
  if (complex.test(separate)) return stringWidth(text);
  // The length of an emoji is two already.
  return separate.length + (separate.match(wideOnes)?.length ?? 0);
}

export function widestWord(text: string): number {
  return /\s/.test(text) ? text.split(/\s/).reduce((most, word) => Math.max(most, columnsOf(word)), 0) : columnsOf(text);
}

/** The text, truncated with `…` if it is wider. */
export function truncate(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  return `${withoutEnd(head(text, width - 1))}${ellipsis}`;
}

/** Characters without effect at the end of a text: spaces, and joiners that no longer join anything. */
const vain = /[\s\u200c\u200d]/;

/** The text without characters that have no effect at its end. One pattern for all of them would take quadratic time on many spaces. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (vain.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The text in lines of at most this width, broken at spaces where possible. Keeps line breaks, removes trailing spaces. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width).map((part) => withoutEnd(part)));
}

/** Commands, in backticks or after a colon at the end, stay on one line, so that they can be copied. */
const unbroken = /(?:`[^`]*`|(?<=: )pixelctl .*|[^ ])+/g;

/** Sentences in lines of at most this width, broken between words only, as indented as they were. A wider word or command gets its own line. */
export function wrapWords(text: string, width: number): string {
  const lines = text.split('\n').map((line) => {
    if (columnsOf(line) <= width) return line;
    const [indent = ''] = /^ */.exec(line) ?? [];
    let [wrapped, current] = ['', indent];
    for (const [word] of line.matchAll(unbroken)) {
      const extended = current === indent ? indent + word : `${current} ${word}`;
      if (current === indent || columnsOf(extended) <= width) {
        current = extended;
        continue;
      }
      wrapped += `${current}\n`;
      current = indent + word;
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
  for (const {segment} of graphemesOf(word)) {
    const columns = columnsOf(segment);
    if (taken + columns > width && piece !== '') {
      pieces.push(piece);
      piece = '';
      taken = 0;
    }
    // A character that is wider than a line becomes an ellipsis.
    const fitting = columns > width ? ellipsis : segment;
    piece += fitting;
    taken += columnsOf(fitting);
  }
  return [...pieces, piece];
}

function head(text: string, width: number): string {
  let end = 0;
  let taken = 0;
  for (const {segment, index} of graphemesOf(text)) {
    taken += columnsOf(segment);
    if (taken > width) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
