import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {runInOrder} from '../../../src/lib/run/queue.js';

const never = new AbortController().signal;
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

async function all<Result>(results: AsyncIterable<Result>): Promise<Result[]> {
  const list: Result[] = [];
  for await (const result of results) list.push(result);
  return list;
}

function* numbers(count: number): Generator<number> {
  for (let number = 0; number < count; number++) yield number;
}

async function* slowNumbers(count: number): AsyncGenerator<number> {
  for (const number of numbers(count)) {
    await turns(number % 3);
    yield number;
  }
}

describe('results', () => {
  test('results come in the order of the items, with no more items at a time than the concurrency', async () => {
    const times = fc.array(fc.nat({max: 6}), {maxLength: 60});
    const runs = fc.asyncProperty(times, fc.integer({min: 1, max: 9}), fc.boolean(), async (latencies, concurrency, isSlow) => {
      let atWork = 0;
      let most = 0;
      const source = isSlow ? slowNumbers(latencies.length) : numbers(latencies.length);
      const work = async (item: number) => {
        most = Math.max(most, (atWork += 1));
        await turns(latencies[item] ?? 0);
        atWork -= 1;
        return item;
      };
      expect(await all(runInOrder(source, work, {concurrency, stop: never}))).toEqual([...latencies.keys()]);
      expect(most).toBeLessThanOrEqual(concurrency);
    });
    await fc.assert(runs, {numRuns: 30});
  });

  test('use the whole concurrency', async () => {
    let atWork = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, (atWork += 1));
      await turns(2);
      atWork -= 1;
      return true;
    };
    await all(runInOrder(numbers(50), work, {concurrency: 7, stop: never}));
    expect(most).toBe(7);
  });

  test('results are returned as soon as they and the earlier ones are there', async () => {
    const second = Promise.withResolvers<void>();
    const results = runInOrder(numbers(2), async (item) => (item === 1 ? second.promise.then(() => item) : item), {
      concurrency: 2,
      stop: never,
    });
    expect(await results.next()).toEqual({done: false, value: 0});
    second.resolve();
    expect(await results.next()).toEqual({done: false, value: 1});
    expect(await results.next()).toEqual({done: true, value: undefined});
  });

  test('results of work that returns undefined are left out', async () => {
    const work = async (item: number) => (item % 2 === 0 ? item : undefined);
    expect(await all(runInOrder(numbers(5), work, {concurrency: 2, stop: never}))).toEqual([0, 2, 4]);
  });
});

describe('begun work', () => {
  test('begun work is not far ahead of what was read', async () => {
    let begun = 0;
    const results = runInOrder(numbers(1000), async (item) => ((begun += 1), item), {concurrency: 5, stop: never});
    await results.next();
    await turns(50);
    expect(begun).toBeLessThanOrEqual(1 + 5 * 4);
    await results.return();
  });

  test('begun work is not far ahead of a slow one at the head of the line', async () => {
    const head = Promise.withResolvers<void>();
    let begun = 0;
    const work = async (item: number) => {
      begun += 1;
      if (item === 0) await head.promise;
      return item;
    };
    const results = runInOrder(numbers(1000), work, {concurrency: 5, stop: never});
    const first = results.next();
    await turns(50);
    expect(begun).toBe(20);
    head.resolve();
    await first;
    expect(await all(results)).toHaveLength(999);
  });

  test('begun work is finished when the reader stops, and nothing new begins', async () => {
    const begun: number[] = [];
    const finished: number[] = [];
    const work = async (item: number) => {
      begun.push(item);
      await turns(5);
      finished.push(item);
      return item;
    };
    for await (const result of runInOrder(numbers(1000), work, {concurrency: 4, stop: never})) if (result === 10) break;
    expect(finished).toEqual(begun);
    const before = begun.length;
    await turns(20);
    expect(begun).toHaveLength(before);
  });
});

describe('a stop', () => {
  test('a stop begins nothing new, and returns the results of begun work', async () => {
    const points = fc.asyncProperty(fc.nat({max: 40}), fc.integer({min: 1, max: 8}), async (last, concurrency) => {
      const controller = new AbortController();
      let begun = 0;
      const work = async (item: number) => {
        expect(controller.signal.aborted).toBe(false);
        begun += 1;
        await turns(item % 4);
        if (item === last) controller.abort();
        return item;
      };
      const results = await all(runInOrder(numbers(100), work, {concurrency, stop: controller.signal}));
      expect(results).toEqual([...numbers(begun)]);
    });
    await fc.assert(points, {numRuns: 20});
  });

  test('a stop before the start begins nothing', async () => {
    expect(await all(runInOrder(numbers(5), async (item) => item, {concurrency: 2, stop: AbortSignal.abort()}))).toEqual([]);
  });

  test('a stop does not wait for a source that waits', async () => {
    const controller = new AbortController();
    async function* stuck(): AsyncGenerator<number> {
      yield 0;
      await new Promise(() => {});
    }
    const results = runInOrder(stuck(), async (item) => item, {concurrency: 2, stop: controller.signal});
    expect((await results.next()).value).toBe(0);
    setImmediate(() => controller.abort());
    expect((await results.next()).done).toBe(true);
  });
});

describe('an error', () => {
  test('an error of the source is thrown after the results before it', async () => {
    function* broken(): Generator<number> {
      yield* numbers(3);
      throw new Error('line 4');
    }
    const results = runInOrder(broken(), async (item) => (await turns(3), item), {concurrency: 2, stop: never});
    const seen: number[] = [];
    await expect(
      (async () => {
        for await (const result of results) seen.push(result);
      })(),
    ).rejects.toThrow('line 4');
    expect(seen).toEqual([0, 1, 2]);
  });

  test('an error of the work is thrown in its place, and ends the queue', async () => {
    const work = async (item: number) => {
      if (item === 2) throw new Error('item 2');
      return item;
    };
    const results = runInOrder(numbers(100), work, {concurrency: 2, stop: never});
    expect((await results.next()).value).toBe(0);
    expect((await results.next()).value).toBe(1);
    await expect(results.next()).rejects.toThrow('item 2');
  });
});
