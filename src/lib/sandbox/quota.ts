interface Window {
  used: number;
  readonly endsAt: number;
}

/** So many uses in so many seconds, for each key; the time runs from the first use. */
export class Quota {
  readonly #windows = new Map<string, Window>();

  constructor(
    readonly limit: number,
    readonly seconds: number,
  ) {}

  /** Uses that are left now. */
  left(key: string): number {
    return Math.max(0, this.limit - (this.#window(key)?.used ?? 0));
  }

  /** Counts one use. */
  use(key: string): void {
    const window = this.#window(key);
    if (window) window.used += 1;
    else this.#windows.set(key, {used: 1, endsAt: Date.now() + this.seconds * 1000});
  }

  /** When all uses are there again, in milliseconds since 1970. */
  resetsAt(key: string): number {
    return this.#window(key)?.endsAt ?? Date.now();
  }

  #window(key: string): Window | undefined {
    const window = this.#windows.get(key);
    return window && window.endsAt > Date.now() ? window : undefined;
  }
}
