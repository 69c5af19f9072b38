/** A word of characters that mean nothing to a shell, including zsh, needs no quotes. */
const plainWord = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function shellWord(text: string): string {
  return plainWord.test(text) ? text : singleQuoted(text);
}
