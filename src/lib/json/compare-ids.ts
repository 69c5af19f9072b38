/** Compares two ids as numbers, which may be too long for JavaScript. */
export function compareIds(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : Number(one > other));
}
