/** Words of a POSIX shell: the one place that quotes. */

/** Nothing that a shell, zsh included, gives a meaning to. */
const plainWord = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

/** The text in single quotes. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The text as one word, quoted where it has to be. */
export function shellWord(text: string): string {
  return plainWord.test(text) ? text : singleQuoted(text);
}
