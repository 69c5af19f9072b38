/** Writes man pages in the macros of man(7), as groff and mandoc read them. */

/** Longest line in bytes: longer ones are a warning in mandoc. */
const width = 80;

const escapes = new Map(Object.entries({'\\': '\\e', '-': '\\-', "'": '\\(aq', '"': '\\(dq', '`': '\\(ga', '^': '\\(ha', '~': '\\(ti'}));

/** A text as roff prints it, character for character, anywhere but at the start of a line. */
function escaped(text) {
  return text.replaceAll(/[^\n\t\x20-\x7e]|[\\'"`^~-]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return escapes.get(character) ?? `\\[u${code}]`;
  });
}

/** A dot at the start of a line would be a macro. */
const guarded = (line) => (line.startsWith('.') ? `\\&${line}` : line);

/** Lines of at most {@link width} bytes, as far as there are blanks to break them at. */
function wrapped(text) {
  const lines = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width - '\\&'.length) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map(guarded).join('\n');
}

/** Text that is filled: white space is one blank, and what is in backticks is bold. */
export function filled(text) {
  const parts = text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .split(/`([^`]*)`/);
  return wrapped(parts.map((part, index) => (index % 2 === 1 ? bold(part) : escaped(part))).join(''));
}

/** Blanks in it break no line, so that its two ends stay on one line of the source. */
const bold = (text) => (text === '' ? '' : `\\fB${escaped(text).replaceAll(' ', '\\ ')}\\fR`);

/** Text whose lines stay as they are. */
export function verbatim(text) {
  const lines = text.split('\n').map((line) => guarded(escaped(line.trimEnd())) || '\\&');
  return ['.EX', ...lines, '.EE'].join('\n');
}

/** The arguments of a macro. */
const quoted = (texts) => texts.map((text) => `"${escaped(text)}"`).join(' ');

/** @param date such as 2026-11-21, which mandoc does not read with escapes */
export const heading = (name, number, date, ...texts) => `.TH ${quoted([name, number])} ${date} ${quoted(texts)}`;
export const section = (title, ...blocks) => [`.SH ${quoted([title])}`, ...joined(blocks)].join('\n');
export const subsection = (title, ...blocks) => [`.SS ${quoted([title])}`, ...joined(blocks)].join('\n');

/** A paragraph for each row: a term with its text indented below it. */
export const terms = (rows) => rows.map(([term, text]) => `.TP\n${filled(term)}\n${filled(text)}`).join('\n');

/** A paragraph for each part of a text between empty lines. */
export const paragraphs = (text) =>
  text
    .split(/\n{2,}/)
    .map((part) => filled(part))
    .join('\n.PP\n');

export const indented = (block) => `.RS 4\n${block}\n.RE`;

/** Blocks with space between them. The first one follows its heading, and terms bring a space of their own. */
function joined(blocks) {
  return blocks.filter(Boolean).map((block, index) => (index === 0 || /^\.(TP|SS)/.test(block) ? block : `.PP\n${block}`));
}
