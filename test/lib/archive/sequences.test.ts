/** What any sequence of exports leaves of a conversation, whatever each of them asks for, wherever it breaks off and whatever the server shows. */
import {appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {open, type FileHandle} from 'node:fs/promises';
import {devNull} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {openArchive, openToLook} from '../../../src/lib/archive/archive-folder.js';
import {
  exportConversations,
  noProgress,
  type ConversationResult,
  type ExportOptions,
} from '../../../src/lib/archive/export-conversations.js';
import {Log} from '../../../src/lib/archive/log.js';
import {ConversationPlace} from '../../../src/lib/archive/archive-places.js';
import {verifyArchive} from '../../../src/lib/archive/verify.js';
import {Failure} from '../../../src/lib/client/failure.js';
import {textAt} from '../../../src/lib/json/path.js';
import {clientOf} from '../../loopback-server.js';
import {serverThat, type RecordingServer} from '../../server.js';
import {newFolder} from '../../new-folder.js';

const conversation = '1000';
const owner = {server: 'https://pix.example', account: {id: '1', acct: 'ana'}};

/** Messages a page, at most. */
const pageSize = 3;

const dateOf = (id: number): Date => new Date(Date.UTC(2026, 0, 1) + id * 1000);

/** The ids of the files of a message. */
const filesOfMessage = (id: number): string[] => (id % 40 === 0 ? [`${id}1`, `${id}2`] : []);

/** Until it is disposed of, this process writes so many bytes to files, and then the disk is full. */
async function diskWith(room: number): Promise<Disposable> {
  await using file = await open(devNull);
  const handle: FileHandle = Object.getPrototypeOf(file);
  let left = room;
  const {appendFile, write, writeFile} = handle;
  const writeAll = async (to: FileHandle, content: Iterable<string> | Uint8Array | string): Promise<number> => {
    const bytes =
      content instanceof Uint8Array ? content : new TextEncoder().encode(typeof content === 'string' ? content : [...content].join(''));
    const part = bytes.subarray(0, left);
    left -= part.length;
    for (let at = 0; at < part.length;)
      at += (await write.call<FileHandle, [Uint8Array], Promise<{bytesWritten: number}>>(to, part.subarray(at))).bytesWritten;
    if (part.length < bytes.length) throw Object.assign(new Error('no space left on device'), {code: 'ENOSPC'});
    return part.length;
  };
  Object.assign(handle, {
    async appendFile(this: FileHandle, content: string) {
      await writeAll(this, content);
    },
    async writeFile(this: FileHandle, content: Iterable<string> | string) {
      await writeAll(this, content);
    },
    async write(this: FileHandle, content: Buffer) {
      return {bytesWritten: await writeAll(this, content)};
    },
  });
  return {[Symbol.dispose]: () => void Object.assign(handle, {appendFile, write, writeFile})};
}

/** What a server does with its answers while a run reads. */
type Mood = 'empty' | 'gone' | 'reordered' | 'shrunken' | 'usual';

/** A server with one conversation, whose answers end where a test says. */
class Server {
  readonly messages = new Map<number, string>();
  mood: Mood = 'usual';
  #last = 10_000;
  /** Called before each answer. @returns what is answered in its place */
  meet: ((asked: URL) => Promise<number | undefined>) | undefined;

  send(count: number): void {
    for (let sent = 0; sent < count; sent += 1) this.messages.set((this.#last += 10), `Message ${this.#last}`);
  }

  /** @param share of all messages that comes before it, from 0 to 1 */
  pick(share: number): number | undefined {
    return [...this.messages.keys()][Math.floor(share * this.messages.size)];
  }

  /** The ids of the messages that it shows. */
  get shown(): number[] {
    if (this.mood === 'empty' || this.mood === 'gone') return [];
    return [...this.messages.keys()].filter((_, index) => this.mood !== 'shrunken' || index % 9 === 8);
  }

  answer(asked: URL): unknown {
    const {pathname, searchParams} = asked;
    const last = this.shown.at(-1);
    const one = {id: conversation, participants: [{id: '2', acct: 'bob'}], last_message: last === undefined ? null : {id: String(last)}};
    if (pathname.endsWith(conversation)) return this.mood === 'gone' ? undefined : one;
    if (!pathname.endsWith('/messages')) {
      const isFirst = searchParams.get('filter') === 'primary' && this.mood !== 'gone';
      return {data: isFirst ? [one] : [], meta: {next_cursor: null}};
    }
    const limit = Math.min(pageSize, Number(searchParams.get('limit')));
    const [above, below] = ['min_id', 'max_id'].map((name) => searchParams.get(name));
    const ids = this.shown.filter((id) => (above ? id > Number(above) : below ? id < Number(below) : true));
    const page = above ? ids.slice(0, limit) : ids.slice(-limit);
    const media = (id: number) => filesOfMessage(id).map((file) => ({id: file, url: `/storage/${file}`}));
    const data = page.toReversed().map((id) => ({id: String(id), text: this.messages.get(id), created_at: dateOf(id), media: media(id)}));
    const meta = {has_more: page.length < ids.length, newest_id: data[0]?.id ?? null, oldest_id: data.at(-1)?.id ?? null};
    return {data: this.mood === 'reordered' ? data.toSorted((one, other) => one.text?.localeCompare(other.text ?? '') ?? 0) : data, meta};
  }
}

interface Run {
  readonly kind: 'dry' | 'new' | 'plain';
  readonly withMedia: boolean;
  /** A day back, as a part of all messages, or undefined. */
  readonly since: number | undefined;
}

interface Step {
  readonly sent: number;
  readonly deleted: readonly number[];
  readonly edited: readonly number[];
  readonly run: Run;
  readonly mood: Mood;
  /** The request at which it ends, by a 503 or by a kill. */
  readonly end: {readonly at: number; readonly how: 'fails' | 'killed'} | undefined;
  /** A kill in the middle of the last writes: which part of what the run appended is left, and whether the other files are as before. */
  readonly cut: {readonly part: number; readonly isSumOld: boolean} | undefined;
  /** Files that somebody removes, because they can be made again. */
  readonly removed: readonly string[];
  /** Seconds by which the clock jumps. */
  readonly jump: number;
  /** Bytes that are left on the disk, if it becomes full. */
  readonly room: number | undefined;
  /** Whether another run begins meanwhile. */
  readonly isDoubled: boolean;
}

const share = fc.double({min: 0, max: 0.999, noNaN: true});
const step: fc.Arbitrary<Step> = fc.record({
  sent: fc.oneof({weight: 9, arbitrary: fc.nat(6)}, {weight: 1, arbitrary: fc.constant(40)}),
  deleted: fc.array(share, {maxLength: 2}),
  edited: fc.array(share, {maxLength: 2}),
  run: fc.record({
    kind: fc.constantFrom('plain', 'plain', 'new', 'new', 'dry'),
    withMedia: fc.boolean(),
    since: fc.option(share, {nil: undefined, freq: 2}),
  }),
  mood: fc.constantFrom('usual', 'usual', 'usual', 'usual', 'empty', 'gone', 'reordered', 'shrunken'),
  end: fc.option(fc.record({at: fc.nat(9), how: fc.constantFrom('fails', 'killed')}), {nil: undefined, freq: 2}),
  cut: fc.option(fc.record({part: share, isSumOld: fc.boolean()}), {nil: undefined, freq: 4}),
  removed: fc.subarray(['messages.ndjson', 'index.ndjson', 'page.html']).map((names) => (names.length > 2 ? names : [])),
  jump: fc.integer({min: -100_000, max: 100_000}),
  room: fc.option(fc.nat(9000), {nil: undefined, freq: 4}),
  isDoubled: fc.boolean(),
});

/** What an archive has, by the lines of the log and by the files that are made from it. */
async function contentOf(place: ConversationPlace) {
  await using log = await Log.openToLook(place);
  const all = new Map<number, {texts: string[]; isMissing: boolean}>();
  await log.withMessages(async (messageOf) => {
    for (const {id, version, missingSince} of log.conversation.messages.values()) {
      const texts: string[] = [];
      for (let at: typeof version | undefined = version; at !== undefined; at = at.before)
        texts.unshift(textAt(messageOf(at), ['text']) ?? '');
      all.set(Number(id), {texts, isMissing: missingSince !== undefined});
    }
  });
  const {ranges, media} = log.conversation;
  return {all, ranges, files: [...media.values()].map(({file}) => file?.replace('media/', ''))};
}

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe('a sequence of exports', () => {
  let server = new Server();
  let url: URL;
  let listener: RecordingServer;
  let count = 0;
  beforeAll(async () => {
    listener = await serverThat(async ({target}) => {
      const asked = new URL(target, 'http://pix.example');
      const answer = server.answer(asked);
      const status = (await server.meet?.(asked)) ?? (answer === undefined ? 404 : 200);
      if (status === 200 && asked.pathname.startsWith('/storage/')) return {text: `GIF89a ${asked.pathname}`};
      return {status, text: JSON.stringify(status === 200 ? answer : {error: 'later'})};
    });
    url = new URL(listener.url);
  });
  afterAll(() => listener[Symbol.asyncDispose]());

  /** Exports, and tells what became of the conversation. @param meet called at each request, with its number */
  async function exported(
    folder: string,
    run: Run,
    meet: (at: number) => Promise<number | undefined> = async () => undefined,
    options: Partial<ExportOptions> = {},
  ) {
    let at = -1;
    server.meet = () => meet((at += 1));
    const since = run.since === undefined ? undefined : server.pick(run.since);
    const results: ConversationResult[] = [];
    let failure: Failure | undefined;
    const client = clientOf(url, {retries: 0});
    try {
      const isDryRun = run.kind === 'dry';
      using _archive = isDryRun ? await openToLook(folder, owner) : await openArchive(folder, owner);
      const whole: ExportOptions = {
        source: {client, signal: new AbortController().signal, observe: () => {}, noteMoved: () => {}},
        folder,
        owner,
        named: undefined,
        withHidden: false,
        accounts: () => Promise.reject(new Error('not needed')),
        since: since === undefined ? undefined : dateOf(since),
        onlyNew: run.kind === 'new',
        isDryRun,
        media: run.withMedia ? {server: url, token: async () => undefined, ownHost: async () => undefined, retries: 0} : undefined,
        now: new Date(Date.UTC(2026, 10, 1) + (count += 1) * 1000),
        progress: noProgress(),
        warn: () => {},
        ...options,
      };
      const exported = await exportConversations(whole);
      results.push(...exported.results);
      if (exported.failure !== undefined) throw exported.failure;
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

  async function damageIn(folder: string): Promise<string[]> {
    const found: string[] = [];
    for await (const {failure} of verifyArchive(folder, true)) if (failure) found.push(failure.message);
    return found;
  }

  /** The lowest id that a run asks for. */
  const floorOf = ({since}: Run): number => (since === undefined ? 0 : (server.pick(since) ?? 0));

  function startAnew(): string {
    server = new Server();
    return newFolder();
  }

  /** Runs the steps, and checks after each what must be true. */
  async function follow(steps: readonly Step[]): Promise<void> {
    const folder = startAnew();
    const place = new ConversationPlace(folder, conversation);
    const path = (name: string) => join(place.folder, name);
    /** By id, all texts that were ever on the disk. */
    const everKept = new Map<number, Set<string>>();
    const everFetched = new Set<string>();
    let now = 0;
    /** What the server hid when it showed little, and no run could know of. */
    const hidden = new Set<number>();

    const check = async (run: Run, isEnded: boolean) => {
      if (!existsSync(path('log.ndjson'))) return undefined;
      const {all, ranges} = await contentOf(place);
      for (const [id, texts] of everKept) {
        const kept = all.get(id);
        for (const text of texts) expect(kept?.texts, `${id} was kept before`).toContain(text);
      }
      for (const [id, {texts}] of all) everKept.set(id, new Set([...(everKept.get(id) ?? []), ...texts]));
      const fetched = existsSync(path('media')) ? readdirSync(path('media')).filter((name) => name.endsWith('.gif')) : [];
      for (const name of everFetched) expect(fetched).toContain(name);
      for (const name of fetched) everFetched.add(name);
      const isRead = (id: number) => ranges.some(({from, to}) => (from === null || Number(from) <= id) && id <= Number(to));
      const isShown = server.mood === 'usual' || server.mood === 'reordered';
      if (server.mood === 'shrunken') for (const id of server.messages.keys()) if (!server.shown.includes(id)) hidden.add(id);
      if (isShown)
        for (const id of server.messages.keys()) if (!all.has(id) && !hidden.has(id)) expect(isRead(id), `${id} is not kept`).toBe(false);
      if (!isEnded) return undefined;
      for (const id of server.shown)
        if (id >= floorOf(run) && !(run.kind === 'new' && hidden.has(id))) {
          expect(all.has(id), `${id} was asked for`).toBe(true);
          if (run.withMedia) for (const file of filesOfMessage(id)) expect(fetched, `a file of ${id}`).toContain(`${file}.gif`);
        }
      if (run.kind !== 'plain' || run.since !== undefined) return undefined;
      const shown = [...all].filter(([, {isMissing}]) => !isMissing).map(([id, {texts}]) => [id, texts.at(-1)] as const);
      expect(new Map(shown)).toEqual(new Map(server.shown.map((id) => [id, server.messages.get(id)])));
      return undefined;
    };

    for (const {sent, deleted, edited, run, mood, end, cut, removed, jump, room, isDoubled} of steps) {
      server.mood = 'usual';
      server.send(sent);
      for (const part of deleted) server.messages.delete(server.pick(part) ?? 0);
      for (const part of edited) {
        const id = server.pick(part);
        if (id !== undefined) server.messages.set(id, `Edited ${(count += 1)}`);
      }
      server.mood = mood;
      now += jump * 1000;
      if (existsSync(path('log.ndjson'))) for (const name of removed) rmSync(path(name), {force: true});
      const before = `${folder}-before`;
      cpSync(folder, before, {recursive: true});
      const saved = `${folder}-saved`;
      let isCut = false;
      const meet = async (at: number) => {
        if (at === 0 && isDoubled && run.kind !== 'dry') await expect(openArchive(folder, owner)).rejects.toMatchObject({code: 'local'});
        if (end === undefined || at < end.at) return undefined;
        if (end.how === 'killed' && !isCut) cpSync(folder, saved, {recursive: true});
        isCut = true;
        return end.how === 'fails' ? 503 : undefined;
      };
      const disk = room === undefined ? undefined : await diskWith(room);
      const {failure, result} = await exported(folder, run, meet, {now: new Date(Date.UTC(2026, 10, 1) + now)});
      disk?.[Symbol.dispose]();
      expect(failure?.details.reason).not.toBe('damaged');
      if (run.kind === 'dry') expect(filesOf(folder)).toEqual(filesOf(before));
      let isEnded = failure === undefined && result !== undefined && !result.doubtful && result.failed_media === 0 && run.kind !== 'dry';
      if (existsSync(saved)) {
        rmSync(folder, {recursive: true});
        cpSync(saved, folder, {recursive: true});
        rmSync(saved, {recursive: true});
        // Its process is gone, so that it does not count.
        rmSync(path('../.lock'), {force: true});
        isEnded = false;
      }
      const log = path('log.ndjson');
      if (cut !== undefined && existsSync(log)) {
        const old = existsSync(join(before, conversation, 'log.ndjson')) ? statSync(join(before, conversation, 'log.ndjson')).size : 0;
        const size = statSync(log).size;
        if (size > old) {
          // A kill comes before the sum is written, and leaves the beginning of what was appended.
          truncateSync(log, old + Math.floor(cut.part * (size - old)));
          writeFileSync(path('log.sum'), '{"size":0,"x":""}');
          for (const name of ['log.sum', 'messages.ndjson', 'index.ndjson', 'page.html']) {
            if (name !== 'log.sum') rmSync(path(name), {force: true});
            if (existsSync(join(before, conversation, name))) cpSync(join(before, conversation, name), path(name));
          }
          isEnded = false;
        }
      }
      rmSync(before, {recursive: true});
      expect(await damageIn(folder)).toEqual([]);
      await check(run, isEnded);
      if (isEnded && existsSync(log)) {
        const {all} = await contentOf(place);
        expect(linesOf(path('messages.ndjson')).map(({id, text}) => [Number(id), text])).toEqual(
          [...all].toSorted(([one], [other]) => one - other).map(([id, {texts}]) => [id, texts.at(-1)]),
        );
        expect(
          linesOf(path('index.ndjson')).map((entry) => [Number(entry.id), entry.missing_since !== undefined, entry.versions?.length ?? 0]),
        ).toEqual([...all].toSorted(([one], [other]) => one - other).map(([id, {texts, isMissing}]) => [id, isMissing, texts.length - 1]));
        // A run with nothing new writes nothing.
        const files = filesOf(folder);
        const again = await exported(folder, {...run, kind: 'plain', withMedia: false});
        if (again.failure === undefined && run.kind === 'plain') expect(filesOf(folder)).toEqual(files);
        await check({...run, kind: 'plain'}, false);
      }
    }
    server.mood = 'usual';
    server.send(1);
    const last: Run = {kind: 'plain', since: undefined, withMedia: true};
    const first = await exported(folder, last);
    expect(first.failure).toBeUndefined();
    // What is in doubt is not in doubt again.
    const second = await exported(folder, last);
    expect(second).toMatchObject({
      failure: undefined,
      result: {not_read: [], doubtful: false, new: 0, changed: 0, gone: 0},
    });
    await check(last, true);
    expect(await damageIn(folder)).toEqual([]);
    if (existsSync(path('log.ndjson'))) {
      // Also what a run fetched that was killed before it could say so.
      const {all, files} = await contentOf(place);
      expect(files).toEqual(expect.arrayContaining([...everFetched].filter((name) => all.has(Number(name.slice(0, -'1.gif'.length))))));
    }
    rmSync(folder, {recursive: true});
  }

  /** All files with what is in them. */
  const filesOf = (folder: string) =>
    readdirSync(folder, {recursive: true, encoding: 'utf8'})
      .toSorted()
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);

  test('what the server shows is kept, or lies outside of what is said to be read, and what was kept once stays', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, {minLength: 1, maxLength: 8}), follow), {numRuns: 12});
  });

  test('the same holds over many runs', async () => {
    const few = step.map((one) => ({...one, sent: one.sent % 3}));
    await fc.assert(fc.asyncProperty(fc.array(few, {minLength: 30, maxLength: 30}), follow), {numRuns: 1, endOnFailure: true, verbose: 0});
  });

  const plain: Run = {kind: 'plain', since: undefined, withMedia: false};

  /** An archive of some runs. */
  async function archived(): Promise<{folder: string; log: string}> {
    const folder = startAnew();
    server.send(4);
    await exported(folder, plain);
    server.messages.delete(10_010);
    server.messages.set(10_020, 'Edited');
    server.send(2);
    await exported(folder, plain);
    return {folder, log: join(folder, conversation, 'log.ndjson')};
  }

  test('a log that is cut at any byte before its sum is damaged, and after it goes on', async () => {
    const {folder, log} = await archived();
    const whole = readFileSync(log);
    const sum = join(folder, conversation, 'log.sum');
    const old = readFileSync(sum);
    server.send(2);
    await exported(folder, plain);
    const longer = readFileSync(log);
    expect(longer.subarray(0, whole.length)).toEqual(whole);
    const before = await contentOf(new ConversationPlace(folder, conversation));
    // Every byte around the ends of lines, and some in the middle of each.
    const isNearEnd = (size: number) => longer.subarray(Math.max(0, size - 2), size + 2).includes('\n');
    for (let size = 0; size <= longer.length; size += 1) {
      if (size % 17 !== 0 && !isNearEnd(size)) continue;
      writeFileSync(log, longer.subarray(0, size));
      writeFileSync(sum, old);
      // A run makes these after the log is on the disk.
      for (const name of ['messages.ndjson', 'index.ndjson', 'page.html']) rmSync(join(folder, conversation, name), {force: true});
      // A last line without its newline is whole.
      const isCut = size < whole.length - 1;
      expect([size, (await damageIn(folder)).length]).toEqual([size, isCut ? 1 : 0]);
      if (isCut) continue;
      if (size % 4 === 0) {
        expect(await exported(folder, plain)).toMatchObject({failure: undefined});
        const after = await contentOf(new ConversationPlace(folder, conversation));
        expect(new Map([...after.all].toSorted())).toEqual(new Map([...before.all].toSorted()));
      }
    }
  });

  test('every flipped byte is damage, which no run hides, and aside with the log the next run goes on', async () => {
    const {folder, log} = await archived();
    const whole = readFileSync(log);
    const sum = readFileSync(join(folder, conversation, 'log.sum'));
    // A step that is no divisor of the lengths of lines: each part of a line is met in some of them.
    for (let place = 0; place < whole.length; place += 13) {
      const flipped = Buffer.from(whole);
      flipped[place] = (flipped[place] ?? 0) ^ (1 << (place % 7));
      writeFileSync(log, flipped);
      const [told, ...others] = await damageIn(folder);
      expect([place, told, others.length]).toEqual([place, expect.stringContaining(log), 0]);
      if (place % 286 !== 0) continue;
      const {failure} = await exported(folder, plain);
      expect(failure).toMatchObject({code: 'local', details: {reason: 'damaged', hint: expect.stringContaining('log.damaged-1.ndjson')}});
      expect(readFileSync(log)).toEqual(flipped);
      cpSync(log, join(folder, conversation, 'log.damaged-1.ndjson'));
      rmSync(log);
      expect(await exported(folder, plain)).toMatchObject({failure: undefined});
      expect(await damageIn(folder)).toEqual([]);
      const {all} = await contentOf(new ConversationPlace(folder, conversation));
      for (const [id, text] of server.messages) expect(all.get(id)?.texts.at(-1)).toBe(text);
      // At most the line that is damaged is lost.
      expect([...all.values()].flatMap(({texts}) => texts).length).toBeGreaterThanOrEqual(6);
      rmSync(join(folder, conversation, 'log.damaged-1.ndjson'));
      writeFileSync(join(folder, conversation, 'log.sum'), sum);
    }
  });

  test('a log that is damaged again and again keeps each version and each mark once', async () => {
    const {folder, log} = await archived();
    const content = async () => (await contentOf(new ConversationPlace(folder, conversation))).all;
    const before = await content();
    const sizes: number[] = [];
    for (let count = 1; count < 6; count += 1) {
      cpSync(log, join(folder, conversation, `log.damaged-${count}.ndjson`));
      rmSync(log);
      expect(await exported(folder, plain)).toMatchObject({failure: undefined, result: {new: 0, changed: 0, gone: 0}});
      sizes.push(statSync(log).size);
      expect(await content()).toEqual(before);
    }
    expect(new Set(sizes).size).toBe(1);
  });

  test('what follows a whole line without an end is damage', async () => {
    const {folder, log} = await archived();
    for (const more of ['x', '{"end":"2026-01-01T00:00:00.000Z","x":"000000000000"}', '{"a":1}x', '\n']) {
      const whole = readFileSync(log);
      appendFileSync(log, more);
      expect([more, (await damageIn(folder)).length]).toEqual([more, 1]);
      writeFileSync(log, whole);
    }
  });

  test('other bytes that are read as the same text are damage', async () => {
    const folder = startAnew();
    server.send(1);
    server.messages.set(10_010, 'Not a character: \ufffd');
    await exported(folder, plain);
    const log = join(folder, conversation, 'log.ndjson');
    const bytes = readFileSync(log);
    bytes[bytes.indexOf('\ufffd')] = 0xf1;
    expect(bytes.toString()).toBe(readFileSync(log, 'utf8'));
    writeFileSync(log, bytes);
    expect(await damageIn(folder)).toEqual([expect.stringContaining(log)]);
  });
});
