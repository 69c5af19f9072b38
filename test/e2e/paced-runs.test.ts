/** Many targets at a time: how many, how fast, in which order, and what ends a run. */
import {describe, expect, test} from 'vitest';
import {SkippingClock} from '../loopback-server.js';
import {run} from './in-process.js';
import {hasTerminal, start, startAtTerminal, tellingSignals, type Ended} from './program.js';
import {serverThat, type Received} from './server.js';
import {failureIn} from './told.js';
import {jsonLines} from '../json-documents.js';

const ids = (count: number): string => Array.from({length: count}, (_, index) => `${index + 1}\n`).join('');
const many = ['dm', 'mute', '-', '-o', 'ndjson'];

/** The target in a request of `dm mute`. */
const idOf = ({target}: Received): number => Number(/conversations\/(\d+)\//.exec(target)?.[1]);

const results = ({stdout}: Ended): {readonly target: string; readonly ok: boolean}[] => jsonLines(stdout);

/** Answers wait until as many have come as are to be under way at the same time, or all that are left. */
function gate(width: number, total: number) {
  let [underWay, peak, left] = [0, 0, total];
  let waiting: (() => void)[] = [];
  return {
    peak: () => peak,
    async pass(): Promise<void> {
      underWay += 1;
      peak = Math.max(peak, underWay);
      const {promise, resolve} = Promise.withResolvers<void>();
      waiting.push(resolve);
      if (waiting.length === Math.min(width, left)) {
        left -= waiting.length;
        waiting.forEach((open) => open());
        waiting = [];
      }
      await promise;
      underWay -= 1;
    },
  };
}

test.concurrent.each([
  [[], 4],
  [['--concurrency', '7'], 7],
])('%j sends %d requests at a time over as many connections, with results in order', async (flags, width) => {
  const {peak, pass} = gate(width, 42);
  await using server = await serverThat(async () => {
    await pass();
    return {text: '{}'};
  });
  const ended = await run([...many, ...flags], {env: server.env, stdin: ids(42)});
  expect(ended).toMatchObject({status: 0, stderr: ''});
  expect(results(ended).map(({target}) => Number(target))).toEqual(Array.from({length: 42}, (_, index) => index + 1));
  expect(peak()).toBe(width);
  expect(server.connections).toHaveLength(width);
});

test.concurrent('prints results before the last request is sent', async () => {
  let release = (): void => {};
  const isSeen = new Promise<void>((resolve) => (release = resolve));
  await using server = await serverThat(async (received) => {
    if (idOf(received) > 1) await isSeen;
    return {text: '{}'};
  });
  const running = start([...many, '--concurrency', '2'], {env: server.env, stdin: ids(9)});
  await running.seen(/"target":"1"/);
  expect(server.exchanges).toHaveLength(1);
  release();
  expect(results(await running.ended)).toHaveLength(9);
});

describe('limits', () => {
  test.concurrent('a 429 pauses all requests, and none fails', async () => {
    const clock = new SkippingClock();
    const refusedAt: number[] = [];
    const arrivals: number[] = [];
    await using server = await serverThat(() => {
      const now = clock.now();
      arrivals.push(now);
      if (arrivals.length !== 6) return {text: '{}'};
      refusedAt.push(now);
      return {status: 429, headers: {'retry-after': '1'}, text: '{"error": "Too Many Attempts."}'};
    });
    const ended = await run(many, {env: server.env, stdin: ids(20), clock});
    expect(ended.status).toBe(0);
    expect(results(ended).every(({ok}) => ok)).toBe(true);
    expect(arrivals).toHaveLength(21);
    const [refused = 0] = refusedAt;
    // What was under way when it came may still arrive: those beside it, and no one else for the second that was asked for.
    expect(arrivals.filter((at) => at >= refused && at < refused + 1000).length).toBeLessThanOrEqual(9);
    expect(clock.now()).toBeGreaterThanOrEqual(1000);
  });

  test.concurrent.each([
    [['--rate', '0'], '--rate takes a number of requests per second'],
    [['--concurrency', '0'], '--concurrency must be a whole number of at least 1'],
  ])('%j is refused', async (flags, message) => {
    await using server = await serverThat(() => ({text: '{}'}));
    const ended = await run([...many, ...flags], {env: server.env, stdin: ids(2)});
    expect({status: ended.status, sent: server.exchanges.length}).toEqual({status: 2, sent: 0});
    expect(failureIn(ended.stderr).message).toContain(message);
  });
});

describe('interruptions', () => {
  /** Answers when it is told to, so that requests are under way for as long as that takes. */
  async function held() {
    const telling = tellingSignals();
    let release = (): void => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const arrived: number[] = [];
    const server = await serverThat(async (received) => {
      arrived.push(idOf(received));
      if (idOf(received) > 2) await isReleased;
      return {text: '{}'};
    });
    const env = {...server.env, ...telling.env};
    return {server, env, heard: telling.heard, release, arrived, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()};
  }

  test.concurrent.each([
    ['SIGINT', 130, 'interrupted'],
    ['SIGTERM', 143, 'terminated'],
  ] as const)('%s finishes requests under way, and sends no others', async (signal, status, code) => {
    await using place = await held();
    const {server, env, heard, release, arrived} = place;
    const running = start(['dm', 'mute', '-', '--concurrency', '2', '-v', '--json'], {env, stdin: ids(50)});
    await server.arrived(4);
    running.child.kill(signal);
    // The signal has to be there before the answers are.
    await heard();
    release();
    const ended = await running.ended;
    expect(ended.status).toBe(status);
    expect(ended.stderr).toContain(`"code":"${code}"`);
    expect(ended.stderr).toContain('after 4 of 50');
    expect(JSON.parse(ended.stdout)).toMatchObject([1, 2, 3, 4].map((id) => ({target: String(id), ok: true})));
    expect(arrived).toHaveLength(4);
  });

  test.concurrent('a second signal drops requests under way, and the output is complete', async () => {
    await using place = await held();
    const {server, env, heard, release, arrived} = place;
    const running = start(['dm', 'mute', '-', '--concurrency', '2', '--json'], {env, stdin: ids(50)});
    await server.arrived(4);
    running.child.kill('SIGINT');
    await heard();
    running.child.kill('SIGINT');
    const ended = await running.ended;
    release();
    expect(ended).toMatchObject({status: 130, signal: null});
    expect(JSON.parse(ended.stdout).slice(0, 2)).toMatchObject([
      {target: '1', ok: true},
      {target: '2', ok: true},
    ]);
    expect(arrived).toHaveLength(4);
  });
});

test.runIf(hasTerminal).concurrent('progress is a line at a terminal that is removed at the end', async () => {
  const {promise, resolve: release} = Promise.withResolvers<void>();
  await using server = await serverThat(async (received) => {
    if (idOf(received) > 4) await promise;
    return {text: '{}'};
  });
  const running = startAtTerminal('seq 1 20 | pixelctl dm mute - -o ndjson > /dev/null', 80, {env: server.env});
  await running.seen(/4 of 20/);
  release();
  const drawn = (await running.ended).stdout.split('\r\u001B[K');
  expect(drawn.length).toBeGreaterThan(2);
  expect(drawn.at(-1)).toBe('');
  expect(drawn[1]).toMatch(/\d+ of 20/);
});
