import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {NoTurn, Pace, type PaceOptions} from '../../../src/lib/client/pace.js';

const start = Date.UTC(2026, 0, 1);

beforeEach(() => void vi.useFakeTimers({now: start}));
afterEach(() => void vi.useRealTimers());

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const fine: Reply = {status: 200, headers: {}};

function paceOf(options: Partial<PaceOptions> = {}): Pace {
  return new Pace({maxWait: 120_000, ...options});
}

/** Sends many requests with so many at a time; a 429 pauses and is sent again. Says when each one reached the server. */
function sending(pace: Pace, count: number, concurrency: number, serve: () => Reply = () => fine, latency = 10) {
  const arrived: number[] = [];
  let next = 0;
  async function worker(): Promise<void> {
    while (next < count) {
      next += 1;
      for (let isResent = false; ; isResent = true) {
        await pace.turn(isResent);
        arrived.push(Date.now() - start);
        const reply = serve();
        await new Promise((resolve) => setTimeout(resolve, latency));
        pace.answered(reply);
        if (reply.status !== 429) break;
        pace.pause(Number(reply.headers['retry-after']) * 1000);
      }
    }
  }
  const over = Promise.all(Array.from({length: concurrency}, worker));
  return {arrived, over};
}

async function sent(...given: Parameters<typeof sending>): Promise<number[]> {
  const {arrived, over} = sending(...given);
  void over.catch(() => {});
  await vi.advanceTimersByTimeAsync(3_600_000);
  await over;
  return arrived;
}

/** As the servers' own framework counts: so many in a window that begins with its first request. */
function fixedWindow(limit: number, seconds: number, tells: boolean) {
  let used = 0;
  let endsAt = 0;
  let refused = 0;
  return {
    refused: () => refused,
    serve(): Reply {
      if (Date.now() >= endsAt) [used, endsAt] = [0, Date.now() + seconds * 1000];
      const reset = String(Math.ceil(endsAt / 1000));
      const retryAfter = String(Math.ceil((endsAt - Date.now()) / 1000));
      if (used === limit) {
        refused += 1;
        return {status: 429, headers: {'retry-after': retryAfter}};
      }
      used += 1;
      const left = {'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': String(limit - used)};
      return {status: 200, headers: tells ? {...left, 'x-ratelimit-reset': reset} : {}};
    },
  };
}

test('requests do not wait while no limit is known', async () => {
  const arrived = await sent(paceOf(), 100, 10, () => fine, 10);
  expect(Math.max(...arrived)).toBe(90);
});

test('requests do not wait while plenty remain', async () => {
  const plenty = {status: 200, headers: {'x-ratelimit-limit': '512', 'x-ratelimit-remaining': '300'}};
  expect(Math.max(...(await sent(paceOf(), 100, 10, () => plenty, 10)))).toBe(90);
});

describe('a rate', () => {
  test('a rate is reached and not exceeded', async () => {
    const arrived = await sent(paceOf({rate: 10}), 50, 8);
    expect(arrived).toEqual(Array.from({length: 50}, (_, index) => index * 100));
  });

  test('a rate holds in every second', async () => {
    const runs = fc.asyncProperty(
      fc.integer({min: 1, max: 400}),
      fc.integer({min: 1, max: 20}),
      fc.nat({max: 300}),
      async (rate, concurrency, latency) => {
        vi.setSystemTime(start);
        const arrived = await sent(paceOf({rate}), 60, concurrency, () => fine, latency);
        // A timer that is late is made up for, by five milliseconds at most.
        const most = Math.ceil(rate * 1.005) + 1;
        for (const [index, time] of arrived.entries()) {
          const inSecond = arrived.slice(index).filter((other) => other < time + 1000).length;
          expect(inSecond).toBeLessThanOrEqual(most);
        }
      },
    );
    await fc.assert(runs, {numRuns: 30});
  });

  test('a rate does not count as waiting', async () => {
    expect(await sent(paceOf({rate: 1, maxWait: 0}), 10, 2)).toHaveLength(10);
  });

  test('a rate is reported in the state', () => {
    expect(paceOf({rate: 4}).state).toEqual({pausedFor: undefined, rate: 4});
  });
});

describe('a rate limit in response headers', () => {
  test.each([1, 4, 16])('a rate limit in response headers is never run into, with %i at a time', async (concurrency) => {
    const server = fixedWindow(100, 60, true);
    const arrived = await sent(paceOf(), 1000, concurrency, () => server.serve(), 50);
    expect(server.refused()).toBe(0);
    // Ten windows and no more: what there is gets used.
    expect(Math.max(...arrived)).toBeLessThan(10 * 62_000);
  });

  test('a rate limit in response headers is reported as a rate', async () => {
    const pace = paceOf();
    await pace.turn(false);
    pace.answered({status: 200, headers: {'x-ratelimit-limit': '512', 'x-ratelimit-remaining': '120'}});
    expect(pace.state).toEqual({pausedFor: undefined, rate: 2});
  });

  test('makes all requests wait once none remain', async () => {
    const pace = paceOf();
    await pace.turn(false);
    pace.answered({status: 200, headers: {'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(start / 1000 + 7)}});
    expect(pace.state.pausedFor).toBe(7000);
    expect(await sent(pace, 1, 1)).toEqual([7000]);
  });

  test('a rate limit in response headers counts as a wait when its end is only assumed', async () => {
    const pace = paceOf();
    await pace.turn(false);
    pace.answered({status: 200, headers: {'x-ratelimit-limit': '512', 'x-ratelimit-remaining': '0'}});
    expect(pace.state).toEqual({pausedFor: 60_000, rate: undefined});
    expect(await sent(pace, 1, 1)).toEqual([60_000]);
    expect(() => pace.pause(60_001)).toThrow(NoTurn);
  });

  test('a rate limit in response headers is not waited for when its end is assumed and beyond the maximum wait', async () => {
    const pace = paceOf({maxWait: 10_000});
    await pace.turn(false);
    pace.answered({status: 200, headers: {'x-ratelimit-limit': '512', 'x-ratelimit-remaining': '0'}});
    expect(pace.state.pausedFor).toBeUndefined();
    expect(await sent(pace, 2, 1)).toEqual([0, 10]);
  });

  test('fails at once when its end is beyond the maximum wait', async () => {
    const pace = paceOf({maxWait: 6000});
    await pace.turn(false);
    pace.answered({status: 200, headers: {'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(start / 1000 + 7)}});
    await expect(pace.turn(false)).rejects.toMatchObject({tooLong: 7000});
  });

  test('a rate limit in response headers is not spread over more than the maximum wait', async () => {
    const hour = {status: 200, headers: {'x-ratelimit-remaining': '5', 'x-ratelimit-reset': String(start / 1000 + 3600)}};
    expect(await sent(paceOf(), 3, 1, () => hour)).toEqual([0, 10, 20]);
  });
});

describe('a 429', () => {
  test('pauses all requests', async () => {
    const pace = paceOf();
    await pace.turn(false);
    pace.answered({status: 429, headers: {}});
    pace.pause(5000);
    expect(pace.state.pausedFor).toBe(5000);
    const arrived = await sent(pace, 20, 5);
    expect(Math.min(...arrived)).toBe(5000);
  });

  test('a 429 is followed by one request, then by more as responses arrive', async () => {
    const pace = paceOf();
    await pace.turn(false);
    pace.answered({status: 429, headers: {}});
    pace.pause(1000);
    const arrived = await sent(pace, 7, 7, () => fine, 10);
    expect(arrived).toEqual([1000, 1010, 1010, 1020, 1020, 1030, 1030]);
  });

  test('a 429 is not repeated by each of many concurrent requests', async () => {
    const server = fixedWindow(10, 1, false);
    const arrived = await sent(paceOf(), 200, 16, () => server.serve(), 20);
    expect(arrived.length - server.refused()).toBe(200);
    // In the first window as many as are under way; later few.
    expect(server.refused()).toBeLessThan(16 + 20 * 5);
  });

  test('sends requests that were limited before new ones', async () => {
    const pace = paceOf();
    await pace.turn(false);
    pace.answered({status: 429, headers: {}});
    pace.pause(1000);
    const order: string[] = [];
    const going = [pace.turn(false).then(() => order.push('new')), pace.turn(true).then(() => order.push('sent back'))];
    await vi.advanceTimersByTimeAsync(1000);
    pace.answered(fine);
    await Promise.all(going);
    expect(order).toEqual(['sent back', 'new']);
  });
});

describe('the total wait', () => {
  test('the total wait counts concurrent waits once', async () => {
    const pace = paceOf({maxWait: 1500});
    const waits = [pace.wait(1000), pace.wait(1000), pace.wait(1000)];
    await vi.advanceTimersByTimeAsync(500);
    waits.push(pace.wait(1000));
    await vi.advanceTimersByTimeAsync(1000);
    await Promise.all(waits);
    expect(() => pace.wait(1)).toThrow(NoTurn);
  });

  test('the total wait is the time that was waited, however waits overlap', () => {
    const wait = fc.record({from: fc.nat({max: 500}), milliseconds: fc.integer({min: 1, max: 1000})});
    fc.assert(
      fc.property(fc.array(wait, {minLength: 1, maxLength: 20}), (waits) => {
        vi.setSystemTime(start);
        const covered = new Set<number>();
        const waited = () => covered.size;
        const pace = paceOf({maxWait: 5000});
        for (const {from, milliseconds} of waits) {
          vi.advanceTimersByTime(from);
          const before = waited();
          const mine = Array.from({length: milliseconds}, (_, index) => Date.now() + index);
          const more = mine.filter((moment) => !covered.has(moment)).length;
          if (before + more > 5000) expect(() => pace.pause(milliseconds)).toThrow(NoTurn);
          else {
            pace.pause(milliseconds);
            for (const moment of mine) covered.add(moment);
          }
        }
      }),
    );
  });

  test('the total wait is checked before a wait begins', () => {
    const pace = paceOf({maxWait: 1000});
    expect(() => pace.pause(1001)).toThrow(NoTurn);
    expect(pace.state.pausedFor).toBeUndefined();
  });
});

test.each([-3_600_000, 3_600_000])('a clock that is set by %i ms changes nothing about waits', async (milliseconds) => {
  const pace = paceOf({rate: 1});
  pace.pause(5000);
  const arrived: number[] = [];
  const going = Array.from({length: 3}, () => pace.turn(false).then(() => arrived.push(performance.now())));
  const begun = performance.now();
  await vi.advanceTimersByTimeAsync(2000);
  vi.setSystemTime(Date.now() + milliseconds);
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all(going);
  expect(arrived.map((moment) => moment - begun)).toEqual([5000, 6000, 7000]);
});

describe('an abort', () => {
  test('stops new requests', async () => {
    await expect(paceOf({signal: AbortSignal.abort()}).turn(false)).rejects.toMatchObject({tooLong: undefined});
  });

  test('an abort ends all waits', async () => {
    const controller = new AbortController();
    const pace = paceOf({signal: controller.signal});
    pace.pause(60_000);
    const turns = [pace.turn(false), pace.turn(true), pace.keepTurn(), pace.wait(10_000)];
    controller.abort();
    for (const {status} of await Promise.allSettled(turns)) expect(status).toBe('rejected');
    expect(Date.now()).toBe(start);
  });
});

describe('a kept turn', () => {
  test('a kept turn is used by the next request', async () => {
    const pace = paceOf({rate: 1});
    await pace.keepTurn();
    await pace.turn(false);
    expect(Date.now()).toBe(start);
    expect(await sent(pace, 1, 1)).toEqual([1000]);
  });

  test('a kept turn is returned when nothing was sent', async () => {
    const pace = paceOf();
    await pace.turn(false);
    pace.answered({status: 429, headers: {}});
    const giveBack = await pace.keepTurn();
    giveBack();
    await pace.keepTurn();
    expect(Date.now()).toBe(start);
  });

  test('waits for a pause that began meanwhile', async () => {
    const pace = paceOf();
    await pace.keepTurn();
    pace.pause(2000);
    expect(await sent(pace, 1, 1)).toEqual([2000]);
  });
});

describe('what is waited for is told', () => {
  function told(options: Partial<PaceOptions> = {}) {
    const log: string[] = [];
    const pace = paceOf({
      ...options,
      pausing({why, left}) {
        log.push(`${why} ${Math.round(left() / 1000)} s`);
        return () => log.push('over');
      },
    });
    return {pace, log};
  }

  test.each<[string, Partial<PaceOptions>, (pace: Pace) => Promise<void> | void, readonly string[]]>([
    ['a pause that the server asks for', {}, (pace) => pace.pause(12_000), ['limit 12 s', 'over']],
    ['a retry', {}, (pace) => pace.wait(3000), ['retry 3 s', 'over']],
    ['the distance between requests', {rate: 0.1}, (pace) => pace.turn(false), ['rate 10 s', 'over']],
  ])('%s', async (_, options, slow, expected) => {
    const {pace, log} = told(options);
    const over = Promise.resolve(slow(pace)).then(() => pace.turn(false));
    await vi.advanceTimersByTimeAsync(60_000);
    await over;
    expect(log).toEqual(expected);
  });

  test('nothing is told of a request that need not wait', async () => {
    const {pace, log} = told();
    await pace.turn(false);
    expect(log).toEqual([]);
  });

  test('an abort ends what is told', async () => {
    const abort = new AbortController();
    const {pace, log} = told({signal: abort.signal});
    pace.pause(12_000);
    const turn = expect(pace.turn(false)).rejects.toThrow(NoTurn);
    abort.abort();
    await turn;
    expect(log).toEqual(['limit 12 s', 'over']);
  });
});
