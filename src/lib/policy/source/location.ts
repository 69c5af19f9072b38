/** A line of a file. */
export interface Location {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export function locationText({file, line}: Location): string {
  return `${file}:${line}`;
}

/** Orders by file and line, whatever the order of reading. */
export function compareLocations(one: Location, other: Location): number {
  return compareText(one.file, other.file) || one.line - other.line;
}

/** Orders text the same on every machine, whatever its locale. */
export function compareText(one: string, other: string): number {
  if (one < other) return -1;
  return one === other ? 0 : 1;
}

interface Placed {
  readonly source: Location;
  readonly subject: string;
}

/** In the order of files, lines and subjects. There may be very many, so each is asked only once where it is. */
export function inOrderOfFiles<Item extends Placed>(items: readonly Item[]): Item[] {
  const files = new Map<string, number>();
  const numbers = new Uint32Array(items.length);
  const lines = new Uint32Array(items.length);
  for (const [index, {source}] of items.entries()) {
    const number = files.get(source.file) ?? files.size;
    files.set(source.file, number);
    [numbers[index], lines[index]] = [number, source.line];
  }
  const ranks = new Map([...files.keys()].sort(compareText).map((file, rank) => [files.get(file), rank]));
  const rankOf = (index: number) => ranks.get(numbers[index]) ?? 0;
  const subjectOf = (index: number) => items[index]?.subject ?? '';
  const order = new Uint32Array(items.length)
    .map((_, index) => index)
    .sort(
      (one, other) =>
        rankOf(one) - rankOf(other) || (lines[one] ?? 0) - (lines[other] ?? 0) || compareText(subjectOf(one), subjectOf(other)),
    );
  return [...order].flatMap((index) => items[index] ?? []);
}

/** The file and line of a place such as `p.yml:3`; undefined for what is none. */
export function locationIn(place: string): Location | undefined {
  const [, file, line] = /^(.+):(\d+)$/s.exec(place) ?? [];
  return file === undefined ? undefined : {file, line: Number(line)};
}
