/** What is between words. A shell takes other white space, such as a space that breaks no line, for a part of a word. */
const blank = /[ \t\n]/;

/** A part of a word: quoted, or plain with backslashes. */
const piece = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|((?:[^ \t\n'"\\|&;<>()`$]|\\[^])+)/y;

/**
 * The words of a line as a POSIX shell splits it; the inverse of `shellWord`. Expands nothing.
 * @throws Error for an open quote, an operator or an expansion
 */
export function wordsOfShell(line: string): string[] {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    while (blank.test(line.charAt(at))) at += 1;
    if (at === line.length) return words;
    let word = '';
    const begin = at;
    while (at < line.length && !blank.test(line.charAt(at))) {
      piece.lastIndex = at;
      const found = piece.exec(line);
      if (found === null) throw new Error(/['"]/.test(line.charAt(at)) ? 'a quote is not closed' : `${line.charAt(at)} has to be quoted`);
      const [whole, single, double, plain] = found;
      if (double !== undefined && /(?<!\\)(\\\\)*[$`]/.test(double)) throw new Error('$ and ` have to stand in single quotes');
      word += single ?? double?.replaceAll(/\\([$`"\\])/g, '$1') ?? plain?.replaceAll(/\\([^])/g, '$1') ?? '';
      at += whole.length;
    }
    if (at > begin) words.push(word);
  }
}
