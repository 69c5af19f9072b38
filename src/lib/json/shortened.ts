/** As much of a text as there is room for; what is left out is an ellipsis. @param most code units */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
}
