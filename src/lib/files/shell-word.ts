/** Only characters without a meaning in a shell, including zsh. */
const plainWord = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function shellWord(text: string): string {
  return plainWord.test(text) ? text : singleQuoted(text);
}
