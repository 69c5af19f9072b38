/** Where something stands in a file. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export function placeText({file, line}: Place): string {
  return `${file}:${line}`;
}

/** In the order of files and lines, so that what was read in any order is told in one. */
export function comparePlaces(one: Place, other: Place): number {
  return compareText(one.file, other.file) || one.line - other.line;
}

/** The same order on every machine, whatever its language. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
