/** What any sequence of exports leaves of a conversation, whatever each of them asks for and wherever it breaks off. */
import {cpSync, existsSync, mkdtempSync, mkdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {exportConversations, noProgress, type ConversationResult, type ExportOptions} from '../../../src/lib/archive/export.js';
import {keptMessages} from '../../../src/lib/archive/kept.js';
import {ConversationPlace} from '../../../src/lib/archive/places.js';
import {readRecord} from '../../../src/lib/archive/record.js';
import {Failure} from '../../../src/lib/client/failure.js';
import {clientOf} from '../../loopback-server.js';
import {serverThat, type RecordingServer} from '../../server.js';

const conversation = '1000';
const owner = {server: 'https://pix.example', account: {id: '1', acct: 'ana'}};

/** Messages a page, at most. */
const pageSize = 3;

const dateOf = (id: number): Date => new Date(Date.UTC(2026, 0, 1) + id * 1000);

/** A server with one conversation, whose answers end where a test says. */
class Server {
  readonly messages = new Map<number, string>();
  /** Whether it shows none of them. */
  isEmpty = false;
  #last = 10_000;
  /** Called before each answer. @returns what is answered in its place */
  meet: ((asked: URL) => number | undefined) | undefined;

  send(count: number): void {
    for (let sent = 0; sent < count; sent += 1) this.messages.set((this.#last += 10), `Message ${this.#last}`);
  }

  /** @param share of all messages that comes before it, from 0 to 1 */
  pick(share: number): number | undefined {
    return [...this.messages.keys()][Math.floor(share * this.messages.size)];
  }

  answer(asked: URL): unknown {
    const {pathname, searchParams} = asked;
    if (!pathname.endsWith('/messages')) {
      const isFirst = searchParams.get('filter') === 'primary';
      const last = [...this.messages.keys()].at(-1);
      const one = {id: conversation, participants: [{id: '2', acct: 'bob'}], last_message: last === undefined ? null : {id: String(last)}};
      return {data: isFirst ? [one] : [], meta: {next_cursor: null}};
    }
    const limit = Math.min(pageSize, Number(searchParams.get('limit')));
    const [above, below] = ['min_id', 'max_id'].map((name) => searchParams.get(name));
    const all = this.isEmpty ? [] : [...this.messages.keys()];
    const ids = all.filter((id) => (above ? id > Number(above) : below ? id < Number(below) : true));
    const shown = above ? ids.slice(0, limit) : ids.slice(-limit);
    const data = shown.toReversed().map((id) => ({id: String(id), text: this.messages.get(id), created_at: dateOf(id), media: []}));
    const meta = {has_more: shown.length < ids.length, newest_id: data[0]?.id ?? null, oldest_id: data.at(-1)?.id ?? null};
    return {data, meta};
  }
}

interface Run {
  readonly kind: 'plain' | 'new';
  /** A day back, as a part of all messages, or undefined. */
  readonly since: number | undefined;
}

interface Step {
  readonly sent: number;
  readonly deleted: readonly number[];
  readonly edited: readonly number[];
  readonly run: Run;
  /** Whether the server shows nothing meanwhile. */
  readonly isEmpty: boolean;
  /** The request at which it ends, by a 503 or by a kill. */
  readonly end: {readonly at: number; readonly how: 'fails' | 'killed'} | undefined;
}

const share = fc.double({min: 0, max: 0.999, noNaN: true});
const step: fc.Arbitrary<Step> = fc.record({
  sent: fc.nat(12),
  deleted: fc.array(share, {maxLength: 2}),
  edited: fc.array(share, {maxLength: 2}),
  run: fc.record({
    kind: fc.constantFrom('plain', 'new'),
    since: fc.option(share, {nil: undefined, freq: 2}),
  }),
  isEmpty: fc.constantFrom(false, false, false, false, true),
  end: fc.option(fc.record({at: fc.nat(9), how: fc.constantFrom('fails', 'killed')}), {nil: undefined, freq: 2}),
});

async function contentOf(place: ConversationPlace) {
  const all = new Map<number, {text: string; isMissing: boolean}>();
  for await (const {id, text, entry} of keptMessages(place))
    all.set(Number(id), {text: JSON.parse(text).text, isMissing: entry?.missingSince !== undefined});
  return all;
}

describe('a sequence of exports', () => {
  const home = mkdtempSync(join(tmpdir(), 'pixelctl-sequences-'));
  let server = new Server();
  let url: URL;
  let listener: RecordingServer;
  let count = 0;
  beforeAll(async () => {
    listener = await serverThat(({target}) => {
      const asked = new URL(target, 'http://pix.example');
      const status = server.meet?.(asked) ?? 200;
      return {status, text: JSON.stringify(status === 200 ? server.answer(asked) : {error: 'later'})};
    });
    url = new URL(listener.url);
  });
  afterAll(async () => {
    await listener[Symbol.asyncDispose]();
    rmSync(home, {recursive: true});
  });

  /** Exports, and tells what became of the conversation. @param meet called at each request, with its number */
  async function exported(
    folder: string,
    run: Run,
    meet: (at: number, asked: URL) => number | undefined,
    options: Partial<ExportOptions> = {},
  ) {
    let at = -1;
    server.meet = (asked) => meet((at += 1), asked);
    const since = run.since === undefined ? undefined : server.pick(run.since);
    const results: ConversationResult[] = [];
    let failure: Failure | undefined;
    const client = clientOf(url, {retries: 0});
    try {
      const all = exportConversations({
        source: {client, signal: new AbortController().signal},
        folder,
        owner,
        named: undefined,
        withHidden: false,
        accounts: () => Promise.reject(new Error('not needed')),
        range: {since: since === undefined ? undefined : dateOf(since)},
        onlyNew: run.kind === 'new',
        media: undefined,
        now: new Date(Date.UTC(2026, 10, 1) + (count += 1) * 1000),
        progress: noProgress(),
        warn: () => {},
        tell: async () => {},
        ...options,
      });
      for await (const result of all) results.push(result);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failure = error;
    } finally {
      await client.close();
    }
    server.meet = undefined;
    const [result] = results;
    return {result, failure: failure ?? result?.failure};
  }

  /** The lowest id that a run asks for. @param ofFew where there are fewer messages than it asks for */
  function floorOf({since}: Run, ofFew: number): number {
    return since === undefined ? 0 : (server.pick(since) ?? ofFew);
  }

  test('what the server shows is kept, or lies outside of what is said to be read, and what was kept once stays', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, {minLength: 1, maxLength: 7}), async (steps) => {
        const folder = join(home, String((count += 1)));
        mkdirSync(folder);
        server = new Server();
        const place = ConversationPlace.of(folder, conversation);
        const everKept = new Set<number>();
        let asked = Number.POSITIVE_INFINITY;

        const check = async (run: Run, isEnded: boolean) => {
          const record = await readRecord(place);
          if (record === undefined) return expect(existsSync(place.messages)).toBe(false);
          const kept = await contentOf(place);
          for (const id of everKept) expect(kept.has(id), `${id} was kept before`).toBe(true);
          for (const id of kept.keys()) everKept.add(id);
          const isRead = (id: number) =>
            record.facts.ranges.some(({from, to}) => (from === null || Number(from) <= id) && id <= Number(to));
          for (const id of server.messages.keys()) if (!kept.has(id)) expect(isRead(id), `${id} is not kept`).toBe(false);
          if (!isEnded) return undefined;
          const isWhole = run.since === undefined;
          const floor = run.kind === 'new' && isWhole ? asked : floorOf(run, 0);
          for (const id of server.messages.keys()) if (id >= floor) expect(kept.has(id), `${id} was asked for`).toBe(true);
          if (run.kind === 'plain' && isWhole) {
            expect(record.facts.ranges.length).toBe(1);
            const shown = [...kept].filter(([, {isMissing}]) => !isMissing).map(([id, {text}]) => [id, text]);
            expect(shown).toEqual([...server.messages]);
          }
          return undefined;
        };

        for (const {sent, deleted, edited, run, isEmpty, end} of steps) {
          server.send(sent);
          for (const part of deleted) server.messages.delete(server.pick(part) ?? 0);
          for (const part of edited) {
            const id = server.pick(part);
            if (id !== undefined) server.messages.set(id, `Edited ${(count += 1)}`);
          }
          server.isEmpty = isEmpty;
          const saved = `${folder}-saved`;
          let isRead = false;
          let isCut = false;
          const {failure, result} = await exported(folder, run, (at, {pathname}) => {
            isRead ||= pathname.endsWith('/messages');
            if (end === undefined || at < end.at) return undefined;
            if (end.how === 'killed' && !isCut) cpSync(folder, saved, {recursive: true});
            isCut = true;
            return end.how === 'fails' ? 503 : undefined;
          });
          server.isEmpty = false;
          if (isRead && (run.kind === 'plain' || run.since !== undefined || asked === Number.POSITIVE_INFINITY))
            asked = Math.min(asked, floorOf(run, Number.POSITIVE_INFINITY));
          if (existsSync(saved)) {
            rmSync(folder, {recursive: true});
            cpSync(saved, folder, {recursive: true});
            rmSync(saved, {recursive: true});
            continue;
          }
          // A server that shows nothing may only do so for a while: nothing counts as read.
          const isShown = !isEmpty && server.messages.size > 0;
          if (run.since === undefined && result !== undefined && isShown) expect(result.unfinished).toBe(failure !== undefined);
          await check(run, failure === undefined && isShown);
        }
        const last: Run = {kind: 'plain', since: undefined};
        server.send(1);
        expect(await exported(folder, last, () => undefined)).toMatchObject({
          failure: undefined,
          result: {not_read: [], unfinished: false},
        });
        await check(last, true);
        rmSync(folder, {recursive: true});
      }),
      {numRuns: 25},
    );
  });
});
