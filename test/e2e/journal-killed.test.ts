import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {pairwiseSampler} from '../contract/sample.js';
import {listen} from '../loopback-server.js';
import {withJournal} from '../lib/run/with-journal.js';
import {Run} from '../../src/lib/run/run.js';
import type {Step} from '../../src/lib/run/step.js';
import {muteConversation, sendMessage} from '../../src/lib/api/direct.js';
import {openClient} from '../../src/lib/client/client.js';
import type {Answer} from '../../src/lib/client/answer.js';

const script = join(import.meta.dirname, 'killed-run.js');
/** Every way to be killed comes twice: two moments, three speeds, five delays. */
const targets = 60;
const atATime = 3;

const mutedConversation = (id: string) => ({id, state: 'active', muted: true, hidden: false, unread_count: 0, last_read_message_id: null});
const messageIn = (id: string) => ({id: '7', conversation_id: id, text: 'Hi'});

/** Where a run is killed: with the request of this number, before it is answered or just after. */
interface Point {
  readonly request: number;
  readonly when: 'after' | 'before';
  readonly concurrency: number;
}

/** How often a run that is killed after an answer has said something since. */
const delayOf = ({request}: Pick<Point, 'request'>): number => request % 5;

/** Each speed with each moment, and each delay after an answer. */
const sampled = pairwiseSampler<Point>((point) => [
  `${point.when} at ${point.concurrency}`,
  ...(point.when === 'after' ? [`after ${delayOf(point)}`] : []),
]);

const points = sampled(
  Array.from({length: targets}, (_, index): Point => ({
    request: index + 1,
    when: index % 2 === 0 ? 'before' : 'after',
    concurrency: [1, 4, 16][index % 3] ?? 1,
  })),
);

/** A server that counts how often each target was written. */
async function counting(onRequest: (number: number, answer: () => void) => void) {
  const written = new Map<string, number>();
  let requests = 0;
  const {origin} = await listen((request, response) => {
    request.resume().on('end', () => {
      const target = /\/conversations\/(\d+)\//.exec(request.url ?? '')?.[1] ?? '';
      written.set(target, (written.get(target) ?? 0) + 1);
      const body = JSON.stringify(request.url?.endsWith('/mute') ? mutedConversation(target) : messageIn(target));
      onRequest((requests += 1), () => response.writeHead(200, {'content-type': 'application/json'}).end(body));
    });
  });
  return {url: origin, written};
}

/** The targets that a run said to be done, until it was killed. */
async function killedAt(
  point: Point,
  path: string,
  run: {url: string; onRequest: (number: number, answer: () => void) => void},
): Promise<Set<string>> {
  const {request, when, concurrency} = point;
  const child = spawn(process.execPath, [script, run.url, path, String(targets), String(concurrency)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  run.onRequest = (number, answer) => {
    if (number !== request) return answer();
    if (when === 'before') return void child.kill('SIGKILL');
    answer();
    // Some are killed before they can read the answer, some when they have written it down, some later, or not at all.
    let left = delayOf(point);
    const kill = () => left-- === 0 && child.kill('SIGKILL');
    kill();
    child.stdout.on('data', kill);
  };
  await once(child, 'close');
  return new Set(
    said
      .split('\n')
      .slice(0, -1)
      .map((line) => String(JSON.parse(line).target)),
  );
}

/** Runs again what was killed, to its end. */
async function resumed(url: string, path: string, concurrency: number) {
  const client = openClient({server: new URL(url), token: async () => 'token-of-the-test'});
  const steps = Array.from({length: targets}, (_, index): Step<() => Promise<Answer>> => {
    const id = String(index);
    return index % 2 === 0
      ? {target: id, repeat: 'harmless', request: () => client.call(muteConversation, {path: {id}})}
      : {target: id, repeat: 'never', request: () => client.call(sendMessage, {path: {id}, body: {message: 'Hi'}})};
  });
  const identity = {command: 'test', server: url, account: null, input: '', targets};
  const results = await withJournal(path, identity, {redact: (text) => text}, async (journal) =>
    Array.fromAsync(
      new Run(steps, {concurrency, send: (request) => request(), total: () => targets, keepTurn: () => client.keepTurn(), journal}),
    ),
  );
  await client.close();
  return results;
}

async function survive(point: Point, folder: string): Promise<void> {
  const path = join(folder, `${point.request}.journal`);
  const run = {url: '', onRequest: (_: number, answer: () => void) => answer()};
  const server = await counting((number, answer) => run.onRequest(number, answer));
  run.url = server.url;
  const said = await killedAt(point, path, run);
  run.onRequest = (_, answer) => answer();
  const results = await resumed(server.url, path, point.concurrency);

  expect(results.map(({target}) => target)).toEqual(Array.from({length: targets}, (_, index) => String(index)));
  const lies = results.filter((result, index) => {
    const times = server.written.get(result.target) ?? 0;
    const isHarmless = index % 2 === 0;
    const wasSaid = said.has(result.target);
    if (result.kind === 'done') return times < 1 || (!isHarmless && times > 1) || (wasSaid && !result.isResumed);
    return isHarmless || times > 1 || wasSaid || result.kind !== 'unknown';
  });
  expect(lies, JSON.stringify(point)).toEqual([]);
  // Only what was under way when it was killed can be unknown.
  expect(results.filter(({kind}) => kind === 'unknown').length).toBeLessThanOrEqual(point.concurrency);
}

test('killed with any of its requests and gone on with, every harmless write happened, no other happened twice, and the results say the truth', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-kill-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const left = points.values();
  await Promise.all(
    Array.from({length: atATime}, async () => {
      for (const point of left) await survive(point, folder);
    }),
  );
});
