/** Where something stands in a file. */
export interface Location {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export function locationText({file, line}: Location): string {
  return `${file}:${line}`;
}

/** In the order of files and lines, so that what was read in any order is told in one. */
export function compareLocations(one: Location, other: Location): number {
  return compareText(one.file, other.file) || one.line - other.line;
}

/** The same order on every machine, whatever its language. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
