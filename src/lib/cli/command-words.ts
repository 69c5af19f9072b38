/** How many words of a line are the command, the longest one that fits; undefined where it begins with none. @param ids of all commands */
export function commandLength(words: readonly string[], ids: readonly string[]): number | undefined {
  const most = Math.max(...ids.map((id) => id.split(':').length));
  const counts = Array.from({length: most}, (_, index) => most - index);
  return counts.find((count) => ids.includes(words.slice(0, count).join(':')));
}
