import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {Gate, type GateOptions, NoTurn, Rate} from '../../../src/lib/client/gate.js';

const start = Date.UTC(2026, 0, 1);

beforeEach(() => void vi.useFakeTimers({now: start}));
afterEach(() => void vi.useRealTimers());

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const fine: Reply = {status: 200, headers: {}};

function gateOf(options: Partial<GateOptions> = {}): Gate {
  return new Gate({maxWait: 120_000, ...options});
}

/** Sends many requests with so many at a time; a 429 pauses and is sent again. Says when each one reached the server. */
function sending(gate: Gate, count: number, concurrency: number, serve: () => Reply = () => fine, latency = 10) {
  const arrived: number[] = [];
  let next = 0;
  async function worker(): Promise<void> {
    while (next < count) {
      next += 1;
      for (;;) {
        await gate.turn();
        arrived.push(Date.now() - start);
        const reply = serve();
        await new Promise((resolve) => setTimeout(resolve, latency));
        gate.noteAnswer(reply);
        if (reply.status !== 429) break;
        gate.pause(Number(reply.headers['retry-after']) * 1000);
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

test.each([fine, {status: 200, headers: {'x-ratelimit-limit': '512', 'x-ratelimit-remaining': '300'}}])(
  'requests do not wait while no limit is known, or plenty remain: %j',
  async (answer) => {
    expect(Math.max(...(await sent(gateOf(), 100, 10, () => answer)))).toBe(90);
  },
);

describe('a rate', () => {
  test('a rate is reached and not exceeded', async () => {
    const arrived = await sent(gateOf({rate: 10}), 50, 8);
    expect(arrived).toEqual(Array.from({length: 50}, (_, index) => index * 100));
  });

  test('a rate holds in every second', async () => {
    const runs = fc.asyncProperty(
      fc.integer({min: 1, max: 400}),
      fc.integer({min: 1, max: 20}),
      fc.nat({max: 300}),
      async (rate, concurrency, latency) => {
        vi.setSystemTime(start);
        const arrived = await sent(gateOf({rate}), 60, concurrency, () => fine, latency);
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

  test.each([
    [104, 200],
    [105, 205],
  ])('a request that is sent after %i ms is followed by one after %i ms, as a timer may be late', async (second, third) => {
    const gate = gateOf({rate: 10});
    await gate.turn();
    vi.advanceTimersByTime(second);
    await gate.turn();
    expect(await sent(gate, 1, 1)).toEqual([third]);
  });

  test('a rate does not count as waiting', async () => {
    expect(await sent(gateOf({rate: 1, maxWait: 0}), 10, 2)).toHaveLength(10);
  });

  test('a rate is reported in the state, and holds for the gates that share it together', async () => {
    const rate = new Rate(4);
    const gates = [gateOf({rate}), gateOf({rate})];
    expect(gates.map(({state}) => state)).toEqual(gates.map(() => ({pausedFor: undefined, rate: 4})));
    const all = gates.map((gate) => sending(gate, 2, 1));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(all.flatMap(({arrived}) => arrived).toSorted((one, other) => one - other)).toEqual([0, 250, 500, 750]);
  });
});

describe('a rate limit in response headers', () => {
  test.each([1, 4, 16])('a rate limit in response headers is never run into, with %i at a time', async (concurrency) => {
    const server = fixedWindow(100, 60, true);
    const arrived = await sent(gateOf(), 1000, concurrency, () => server.serve(), 50);
    expect(server.refused()).toBe(0);
    // Ten windows and no more: what there is gets used.
    expect(Math.max(...arrived)).toBeLessThan(10 * 62_000);
  });

  const inSeconds = (seconds: number) => String(start / 1000 + seconds);

  interface Told {
    readonly after?: number;
    readonly underWay?: number;
    readonly limit?: number;
    readonly remaining: number | string;
    readonly reset?: number | string;
    readonly date?: number;
  }

  /** What a gate says after answers, each some milliseconds after the first. */
  async function stateAfter(answers: readonly Told[], later = 0) {
    const gate = gateOf();
    for (const {after = 0, underWay = 0, date, ...told} of answers) {
      vi.advanceTimersByTime(start + after - Date.now());
      for (let sent = 0; sent <= underWay; sent += 1) await gate.turn();
      const headers = Object.entries(told).map(([name, value]) => [`x-ratelimit-${name}`, String(value)] as const);
      const said = date === undefined ? {} : {date: new Date(date).toUTCString()};
      gate.noteAnswer({status: 200, headers: {...Object.fromEntries(headers), ...said}});
      for (let sent = 0; sent < underWay; sent += 1) gate.noteAnswer(undefined);
    }
    vi.advanceTimersByTime(later);
    return gate.state;
  }

  const falling = Array.from({length: 31}, (_, second) => ({after: second * 1000, limit: 512, remaining: 150 - second}));
  const scarce = {limit: 512, remaining: 120};
  const few = {limit: 512, remaining: 20};
  const risen = {after: 10_000, limit: 512, remaining: 511};

  test.each<[string, () => Promise<unknown>, number | undefined, number?]>([
    ['there is plenty', () => stateAfter([{limit: 512, remaining: 511}]), undefined],
    ['a bit more than a quarter is left', () => stateAfter([{limit: 512, remaining: 129}]), undefined],
    ['a quarter is left of a minute', () => stateAfter([scarce]), 2],
    ['exactly a quarter is left', () => stateAfter([{limit: 512, remaining: 128}]), 128 / 60],
    ['so little is left that it lasts with the longest wait', () => stateAfter([{remaining: 1, reset: 120}]), 1 / 120],
    ['a quarter is left until a time', () => stateAfter([{...scarce, reset: inSeconds(12)}]), 10],
    ['the reset is in seconds from now', () => stateAfter([{...scarce, reset: 12}]), 10],
    ['the reset is an ISO time', () => stateAfter([{limit: 300, remaining: 10, reset: '2026-01-01T00:00:05.000Z'}]), 2],
    ['the time has passed', () => stateAfter([{limit: 512, remaining: 1, reset: inSeconds(-1)}]), undefined],
    ['there is no limit and much remains', () => stateAfter([{remaining: 17}]), undefined],
    ['there is no limit and sixteen remain', () => stateAfter([{remaining: 16}]), 16 / 60],
    ['there is no limit and little remains', () => stateAfter([{remaining: 10}]), 1 / 6],
    ['there is no limit, and a bit more remains than before', () => stateAfter([{remaining: 10}, {after: 25_000, remaining: 12}]), 12 / 35],
    ['a header is not a number', () => stateAfter([{limit: 512, remaining: 'few'}]), undefined],
    ['twenty requests are under way', () => stateAfter([{...scarce, underWay: 20}]), 100 / 60],
    ['the count falls: the minute began with the first answer', () => stateAfter(falling), 4],
    ['the count rises: a new minute begins', () => stateAfter([few, risen]), undefined],
    ['the count has fallen again in the new minute', () => stateAfter([few, risen, {after: 20_000, limit: 512, remaining: 100}]), 2],
    ['answers arrive out of order: the minute goes on', () => stateAfter([few, {after: 25_000, limit: 512, remaining: 35}]), 1],
    ['an eighth comes back: the minute goes on', () => stateAfter([few, {after: 25_000, limit: 512, remaining: 84}]), 84 / 35],
    ['the limit is another one: a new minute begins', () => stateAfter([few, {after: 25_000, limit: 100, remaining: 20}]), 20 / 60],
    ['the minute has just passed: a new one begins', () => stateAfter([few, {after: 60_000, limit: 512, remaining: 19}]), 19 / 60],
    ['the minute is over', () => stateAfter([{limit: 512, remaining: 1}], 60_000), undefined],
    ['none is left', () => stateAfter([{limit: 60, remaining: 0, reset: inSeconds(7)}]), undefined, 7000],
    ['none was left until now', () => stateAfter([{limit: 60, remaining: 0, reset: inSeconds(7)}], 7000), undefined],
    ['none is left of a minute', () => stateAfter([{limit: 60, remaining: 0}]), undefined, 60_000],
    [
      'none is left until a time by the clock of the server',
      () => stateAfter([{limit: 60, remaining: 0, reset: inSeconds(3607), date: start + 3_600_000}]),
      undefined,
      7000,
    ],
  ])('where %s, the gate says so', async (_, state, rate, pausedFor) => {
    const found = await state();
    expect(found).toEqual({pausedFor, rate: rate === undefined ? undefined : expect.closeTo(rate, 6)});
  });

  test('the requests that are left are spread to the end of the time', async () => {
    const spread = fc.asyncProperty(fc.integer({min: 1, max: 1000}), fc.integer({min: 1, max: 100}), async (remaining, seconds) => {
      vi.setSystemTime(start);
      const {rate} = await stateAfter([{limit: 4 * remaining, remaining, reset: inSeconds(seconds)}]);
      expect(rate).toBeCloseTo(remaining / seconds, 6);
    });
    await fc.assert(spread, {numRuns: 50});
  });

  test('a rate limit in response headers counts as a wait when its end is only assumed', async () => {
    const gate = gateOf();
    await gate.turn();
    gate.noteAnswer({status: 200, headers: {'x-ratelimit-limit': '512', 'x-ratelimit-remaining': '0'}});
    expect(gate.state).toEqual({pausedFor: 60_000, rate: undefined});
    expect(await sent(gate, 1, 1)).toEqual([60_000]);
    expect(() => gate.pause(60_001)).toThrow(NoTurn);
  });

  test('a rate limit in response headers is not waited for when its end is assumed and beyond the maximum wait', async () => {
    const [gate, patient] = [gateOf({maxWait: 10_000}), gateOf({maxWait: 60_000})];
    for (const one of [gate, patient]) {
      await one.turn();
      one.noteAnswer({status: 200, headers: {'x-ratelimit-limit': '512', 'x-ratelimit-remaining': '0'}});
    }
    expect([gate.state.pausedFor, patient.state.pausedFor]).toEqual([undefined, 60_000]);
    expect(await sent(gate, 2, 1)).toEqual([0, 10]);
  });

  test('fails at once when its end is beyond the maximum wait', async () => {
    const gate = gateOf({maxWait: 6000});
    await gate.turn();
    gate.noteAnswer({status: 200, headers: {'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(start / 1000 + 7)}});
    await expect(gate.turn()).rejects.toMatchObject({tooLong: 7000});
  });

  test('a rate limit in response headers is not spread over more than the maximum wait', async () => {
    const hour = {status: 200, headers: {'x-ratelimit-remaining': '5', 'x-ratelimit-reset': String(start / 1000 + 3600)}};
    expect(await sent(gateOf(), 3, 1, () => hour)).toEqual([0, 10, 20]);
  });
});

describe('a 429', () => {
  test('pauses all requests', async () => {
    const gate = gateOf();
    await gate.turn();
    gate.noteAnswer({status: 429, headers: {}});
    gate.pause(5000);
    expect(gate.state.pausedFor).toBe(5000);
    const arrived = await sent(gate, 20, 5);
    expect(Math.min(...arrived)).toBe(5000);
  });

  test('a 429 is followed by one request, then by more as responses arrive', async () => {
    const gate = gateOf();
    await gate.turn();
    gate.noteAnswer({status: 429, headers: {}});
    gate.pause(1000);
    const arrived = await sent(gate, 7, 7, () => fine, 10);
    expect(arrived).toEqual([1000, 1010, 1010, 1020, 1020, 1030, 1030]);
  });

  test('a 429 is not repeated by each of many concurrent requests', async () => {
    const server = fixedWindow(10, 1, false);
    const arrived = await sent(gateOf(), 200, 16, () => server.serve(), 20);
    expect(arrived.length - server.refused()).toBe(200);
    // In the first window as many as are under way; later few.
    expect(server.refused()).toBeLessThan(16 + 20 * 5);
  });
});

describe('the total wait', () => {
  test('the total wait counts concurrent waits once', async () => {
    const gate = gateOf({maxWait: 1500});
    const waits = [gate.wait(1000), gate.wait(1000), gate.wait(1000)];
    await vi.advanceTimersByTimeAsync(500);
    waits.push(gate.wait(1000));
    await vi.advanceTimersByTimeAsync(1000);
    await Promise.all(waits);
    expect(() => gate.wait(1)).toThrow(NoTurn);
  });

  test('the total wait is the time that was waited, however waits overlap', () => {
    const wait = fc.record({from: fc.nat({max: 500}), milliseconds: fc.integer({min: 1, max: 1000})});
    fc.assert(
      fc.property(fc.array(wait, {minLength: 1, maxLength: 20}), (waits) => {
        vi.setSystemTime(start);
        const covered = new Set<number>();
        const waited = () => covered.size;
        const gate = gateOf({maxWait: 5000});
        for (const {from, milliseconds} of waits) {
          vi.advanceTimersByTime(from);
          const before = waited();
          const mine = Array.from({length: milliseconds}, (_, index) => Date.now() + index);
          const more = mine.filter((moment) => !covered.has(moment)).length;
          if (before + more > 5000) expect(() => gate.pause(milliseconds)).toThrow(NoTurn);
          else {
            gate.pause(milliseconds);
            for (const moment of mine) covered.add(moment);
          }
        }
      }),
    );
  });

  test('the total wait is checked before a wait begins', () => {
    const gate = gateOf({maxWait: 1000});
    expect(() => gate.pause(1001)).toThrow(NoTurn);
    expect(gate.state.pausedFor).toBeUndefined();
    gate.pause(1000);
    expect(gate.state.pausedFor).toBe(1000);
  });
});

test.each([-3_600_000, 3_600_000])('a clock that is set by %i ms changes nothing about waits', async (milliseconds) => {
  const gate = gateOf({rate: 1});
  gate.pause(5000);
  const arrived: number[] = [];
  const going = Array.from({length: 3}, () => gate.turn().then(() => arrived.push(performance.now())));
  const begun = performance.now();
  await vi.advanceTimersByTimeAsync(2000);
  vi.setSystemTime(Date.now() + milliseconds);
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all(going);
  expect(arrived.map((moment) => moment - begun)).toEqual([5000, 6000, 7000]);
});

describe('an abort', () => {
  test('stops new requests', async () => {
    await expect(gateOf({signal: AbortSignal.abort()}).turn()).rejects.toMatchObject({tooLong: undefined});
    const controller = new AbortController();
    const turn = gateOf({signal: controller.signal}).turn();
    controller.abort();
    await expect(turn).rejects.toMatchObject({tooLong: undefined});
  });

  test('an abort ends all waits', async () => {
    const controller = new AbortController();
    const gate = gateOf({signal: controller.signal});
    gate.pause(60_000);
    const turns = [gate.turn(), gate.turn(), gate.keepTurn(), gate.wait(10_000)];
    controller.abort();
    for (const {status} of await Promise.allSettled(turns)) expect(status).toBe('rejected');
    expect(Date.now()).toBe(start);
  });
});

describe('a kept turn', () => {
  test('a kept turn is used by the next request', async () => {
    const gate = gateOf({rate: 1});
    await gate.keepTurn();
    await gate.turn();
    expect(Date.now()).toBe(start);
    expect(await sent(gate, 1, 1)).toEqual([1000]);
  });

  test('a kept turn is returned when nothing was sent', async () => {
    const gate = gateOf();
    await gate.turn();
    gate.noteAnswer({status: 429, headers: {}});
    const giveBack = await gate.keepTurn();
    const next = gate.keepTurn();
    giveBack();
    await next;
    expect(Date.now()).toBe(start);
  });

  test('is used right after a pause, and by nobody after an abort', async () => {
    const abort = new AbortController();
    const gate = gateOf({rate: 1, signal: abort.signal});
    gate.pause(2000);
    await vi.advanceTimersByTimeAsync(2000);
    await gate.keepTurn();
    await gate.turn();
    expect(Date.now()).toBe(start + 2000);
    const kept = gate.keepTurn();
    await vi.advanceTimersByTimeAsync(1000);
    await kept;
    abort.abort();
    await expect(gate.turn()).rejects.toThrow(NoTurn);
  });

  test('waits for a pause that began meanwhile', async () => {
    const gate = gateOf();
    await gate.keepTurn();
    gate.pause(2000);
    expect(await sent(gate, 1, 1)).toEqual([2000]);
  });
});

describe('what is waited for is told', () => {
  function told(options: Partial<GateOptions> = {}) {
    const log: string[] = [];
    const gate = gateOf({
      ...options,
      pausing({why, left}) {
        log.push(`${why} ${Math.round(left() / 1000)} s`);
        return () => log.push('over');
      },
    });
    return {gate, log};
  }

  test.each<[string, Partial<GateOptions>, (gate: Gate) => Promise<void> | void, readonly string[]]>([
    ['a pause that the server asks for', {}, (gate) => gate.pause(12_000), ['limit 12 s', 'over']],
    ['a retry', {}, (gate) => gate.wait(3000), ['retry 3 s', 'over']],
    ['the distance between requests', {rate: 0.1}, (gate) => gate.turn(), ['rate 10 s', 'over']],
  ])('%s', async (_, options, slow, expected) => {
    const {gate, log} = told(options);
    const over = Promise.resolve(slow(gate)).then(() => gate.turn());
    await vi.advanceTimersByTimeAsync(60_000);
    await over;
    expect(log).toEqual(expected);
  });

  test('nothing is told of a request that need not wait', async () => {
    const {gate, log} = told();
    await gate.turn();
    gate.pause(1000);
    await vi.advanceTimersByTimeAsync(1000);
    await gate.turn();
    expect(log).toEqual([]);
  });

  test('an abort ends what is told', async () => {
    const abort = new AbortController();
    const {gate, log} = told({signal: abort.signal});
    gate.pause(12_000);
    const turn = expect(gate.turn()).rejects.toThrow(NoTurn);
    abort.abort();
    await turn;
    expect(log).toEqual(['limit 12 s', 'over']);
  });
});
