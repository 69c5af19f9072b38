/** Places in files, as reports and messages name them. */

export interface Location {
  readonly file: string;
  /** Lines and columns are counted from 1. */
  readonly line: number;
  readonly column?: number | undefined;
}

/** `p.yml:3` */
export const locationText = ({file, line}: Location): string => `${file}:${line}`;

/** The file and line of a place such as `p.yml:3`; undefined for any other text. */
export function locationIn(place: string): Location | undefined {
  const [, file, line] = /^(.+):(\d+)$/s.exec(place) ?? [];
  return file === undefined ? undefined : {file, line: Number(line)};
}

/** Orders text the same on every machine, whatever its locale. */
export function compareText(one: string, other: string): number {
  if (one < other) return -1;
  return one === other ? 0 : 1;
}
