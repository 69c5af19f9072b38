/** Works on several items at a time, and returns the results in the order of the items. */

/** How many results may wait for an earlier one, as a multiple of the concurrency, before no further item is begun. */
const lookAhead = 4;

interface QueueOptions {
  /** Items at a time, 1 or more. */
  readonly concurrency: number;
  /** After it is aborted no further item is begun. Those that were begun are finished. */
  readonly stop: AbortSignal;
}

type Source<Item> = AsyncIterable<Item> | Iterable<Item>;
type Outcome<Result> = {readonly result: Result} | {readonly error: unknown};

function iteratorOf<Item>(source: Source<Item>): AsyncIterator<Item> | Iterator<Item> {
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
}

class Queue<Item, Result> implements AsyncDisposable {
  readonly #items: AsyncIterator<Item> | Iterator<Item>;
  readonly #work: (item: Item) => Promise<Result>;
  readonly #options: QueueOptions;
  readonly #started: Promise<Outcome<Result>>[] = [];
  #running = 0;
  #isOver = false;
  #isFilling = false;
  #error: {readonly thrown: unknown} | undefined;
  #noticed: (() => void) | undefined;

  constructor(source: Source<Item>, work: (item: Item) => Promise<Result>, options: QueueOptions) {
    this.#items = iteratorOf(source);
    this.#work = work;
    this.#options = options;
    if (options.stop.aborted) this.#isOver = true;
    options.stop.addEventListener('abort', this.#stop);
  }

  /** The next result in order. */
  async next(): Promise<Outcome<Result> | undefined> {
    void this.#fill();
    while (this.#started.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => (this.#noticed = resolve));
    }
    const outcome = await this.#started[0];
    void this.#started.shift();
    if (outcome === undefined && this.#error !== undefined) return {error: this.#error.thrown};
    return outcome;
  }

  /** Begins no further item, and waits for those that were begun. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop();
    this.#options.stop.removeEventListener('abort', this.#stop);
    await Promise.all(this.#started);
    // Not awaited, because a source that is waiting for its next item would answer only after that.
    void Promise.resolve(this.#items.return?.()).catch(() => {});
  }

  #stop = (): void => {
    this.#isOver = true;
    this.#notice();
  };

  #notice(): void {
    this.#noticed?.();
    this.#noticed = undefined;
  }

  #hasRoom(): boolean {
    const {concurrency} = this.#options;
    return !this.#isOver && this.#running < concurrency && this.#started.length < concurrency * lookAhead;
  }

  async #fill(): Promise<void> {
    if (this.#isFilling) return;
    this.#isFilling = true;
    try {
      while (this.#hasRoom()) await this.#startNext();
    } catch (error) {
      this.#error = {thrown: error};
      this.#isOver = true;
    }
    this.#isFilling = false;
    this.#notice();
  }

  async #startNext(): Promise<void> {
    const next = await this.#items.next();
    if (next.done === true) this.#isOver = true;
    if (next.done === true || this.#isOver) return;
    this.#running += 1;
    this.#started.push(this.#finish(next.value));
    this.#notice();
  }

  async #finish(item: Item): Promise<Outcome<Result>> {
    try {
      return {result: await this.#work(item)};
    } catch (error) {
      return {error};
    } finally {
      this.#running -= 1;
      void this.#fill();
    }
  }
}

/**
 * Takes an item from the source when its work can begin, so that memory does not grow with the number of items. Work that returns
 * undefined has no result. When the reader of the results stops, no further item is begun, and those that were begun are finished.
 * @throws the errors of the source and of the work, after the results before them
 */
export async function* runInOrder<Item, Result>(
  source: Source<Item>,
  work: (item: Item) => Promise<Result | undefined>,
  options: QueueOptions,
): AsyncGenerator<Result, void, undefined> {
  await using queue = new Queue(source, work, options);
  for (;;) {
    const outcome = await queue.next();
    if (outcome === undefined) return;
    if ('error' in outcome) throw outcome.error;
    if (outcome.result !== undefined) yield outcome.result;
  }
}
