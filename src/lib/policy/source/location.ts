export interface Location {
  readonly file: string;
  /** Lines and columns are counted from 1. */
  readonly line: number;
  readonly column?: number | undefined;
}

export function locationText({file, line}: Location): string {
  return `${file}:${line}`;
}

export function compareLocations(one: Location, other: Location): number {
  return compareText(one.file, other.file) || one.line - other.line;
}

/** Orders text the same on every machine, whatever its locale. */
export function compareText(one: string, other: string): number {
  if (one < other) return -1;
  return one === other ? 0 : 1;
}

/** The file and line of a place such as `p.yml:3`; undefined for any other text. */
export function locationIn(place: string): Location | undefined {
  const [, file, line] = /^(.+):(\d+)$/s.exec(place) ?? [];
  return file === undefined ? undefined : {file, line: Number(line)};
}
