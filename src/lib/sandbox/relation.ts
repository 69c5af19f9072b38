/** Who stands in some relation to whom, such as "blocks" or "follows"; remembers the order. */
export class Relation {
  readonly #targets = new Map<string, Set<string>>();

  add(from: string, to: string): void {
    const targets = this.#targets.get(from) ?? new Set();
    this.#targets.set(from, targets.add(to));
  }

  /** Whether there was something to delete. */
  delete(from: string, to: string): boolean {
    return this.#targets.get(from)?.delete(to) ?? false;
  }

  has(from: string, to: string): boolean {
    return this.#targets.get(from)?.has(to) ?? false;
  }

  /** All targets, newest first. */
  of(from: string): readonly string[] {
    return [...(this.#targets.get(from) ?? [])].reverse();
  }

  /** How many have this target. */
  countTo(to: string): number {
    return [...this.#targets.values()].filter((targets) => targets.has(to)).length;
  }
}
