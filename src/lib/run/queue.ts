/** Works on several items at a time, and returns the results in the order of the items. */

/** How many results may wait for an earlier one, as a multiple of the concurrency, before no further item is begun. */
const lookAhead = 4;

interface QueueOptions {
  /** How many items are worked on at a time, 1 or more. */
  readonly concurrency: number;
  /** After an abort no further item is begun, and those that were begun are finished. */
  readonly stop: AbortSignal;
}

type Source<Item> = AsyncIterable<Item> | Iterable<Item>;
type Outcome<Result> = {readonly result: Result} | {readonly error: unknown};

function iteratorOf<Item>(source: Source<Item>): AsyncIterator<Item> | Iterator<Item> {
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
}

/**
 * Takes an item from the source when its work can begin, so that memory does not grow with the number of items. Work that returns
 * undefined has no result. When the reader of the results stops, no further item is begun, and those that were begun are finished.
 * @throws the errors of the source and of the work, after the results before them
 */
export async function* runInOrder<Item, Result>(
  source: Source<Item>,
  work: (item: Item) => Promise<Result | undefined>,
  {concurrency, stop}: QueueOptions,
): AsyncGenerator<Result, void, undefined> {
  const items = iteratorOf(source);
  const started: Promise<Outcome<Result | undefined>>[] = [];
  let running = 0;
  let isOver = stop.aborted;
  let isFilling = false;
  let notice = (): void => {};

  async function finish(item: Item): Promise<Outcome<Result | undefined>> {
    try {
      return {result: await work(item)};
    } catch (error) {
      return {error};
    } finally {
      running -= 1;
      void fill();
    }
  }

  async function fill(): Promise<void> {
    if (isFilling) return;
    isFilling = true;
    try {
      while (!isOver && running < concurrency && started.length < concurrency * lookAhead) {
        const next = await items.next();
        if (next.done === true) isOver = true;
        if (next.done === true || isOver) break;
        running += 1;
        started.push(finish(next.value));
        notice();
      }
    } catch (error) {
      isOver = true;
      started.push(Promise.resolve({error}));
    }
    isFilling = false;
    notice();
  }

  const end = (): void => {
    isOver = true;
    notice();
  };
  stop.addEventListener('abort', end);
  try {
    for (;;) {
      void fill();
      while (started.length === 0 && !isOver) await new Promise<void>((resolve) => (notice = resolve));
      const outcome = await started[0];
      void started.shift();
      if (outcome === undefined) return;
      if ('error' in outcome) throw outcome.error;
      if (outcome.result !== undefined) yield outcome.result;
    }
  } finally {
    end();
    await Promise.all(started);
    // Not awaited, because a source that is waiting for its next item would answer only after that.
    void Promise.resolve(items.return?.()).catch(() => {});
  }
}
