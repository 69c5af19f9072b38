/**
 * The log of a conversation, `ID/log.ndjson`: lines are appended, and nothing that was written is ever replaced. `log.sum` has its size
 * and the proof of its last line, which tells a log that lost its end from one that a killed run left, and the sums of the files made from it.
 */
import {readSync} from 'node:fs';
import {readdir, rm, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {membersOf} from '../api/schema.js';
import {isBeginning, openLine, proofOf, sealLine, tailLength} from '../files/chain.js';
import {makeFolder} from '../files/folder.js';
import {linesOf} from '../files/lines.js';
import {keepMemoryFlat} from '../files/memory.js';
import {openToRead, readText} from '../files/read-file.js';
import {shellWord} from '../files/command-text.js';
import {absent} from '../files/system-error.js';
import {openToWrite, sweepTemporary, writeWhole} from '../files/whole-file.js';
import {Damaged, unreadable} from './failures.js';
import {ArchivedConversation, type Version} from './fold.js';
import {measureFile} from './media-file.js';
import {type ConversationType, parseLine} from './message.js';
import {
  conversationFiles,
  damagedLogsIn,
  type ConversationPlace,
  derivedFiles,
  mediaFolder,
  nameOf,
  nextDamagedLog,
} from './archive-places.js';

const sumShape = z.object({
  size: z.int().check(z.nonnegative()),
  x: z.string(),
  /** The sha256 of each file that was made from the log; earlier versions did not write it. */
  made: z.optional(z.record(z.enum(derivedFiles), z.string())),
});

type Sum = z.infer<typeof sumShape>;

interface LogOptions {
  /** The time of the run. */
  readonly at: string;
  /** Whether nothing is written: what is appended is only added to the conversation. */
  readonly isReadOnly: boolean;
  readonly warn: (text: string) => void;
}

/** What the line that begins a run says. */
interface RunHead {
  readonly id: string;
  readonly type: ConversationType;
  readonly conversation?: unknown;
}

interface End extends Sum {
  /** Whether the last line lacks its newline. */
  readonly isOpen: boolean;
}

/** What a log was found to be when it was opened. */
interface Found extends End {
  readonly isSettled: boolean;
  readonly hasSum: boolean;
  readonly hasLostSum: boolean;
  readonly altered: Log['altered'];
}

interface Reading {
  readonly conversation: ArchivedConversation;
  readonly sum: Sum | undefined;
  /** What to do about damage. */
  readonly hint: string;
}

/** Reads the lines of a log, up to a line that a killed run cut off. */
async function readLines(file: FileHandle, path: string, {conversation, sum, hint}: Reading): Promise<End> {
  let [x, size, number, isOpen] = ['', 0, 0, false];
  let isSumMet = sum === undefined || sum.size === 0;
  const reportDamage = (what: string) => new Damaged(path, `${path} is damaged${what}`, hint);
  for await (const line of linesOf(file, Number.POSITIVE_INFINITY)) {
    number += 1;
    keepMemoryFlat(line.length);
    const opened = line.isUtf8 ? openLine(line.text) : undefined;
    if (opened === undefined || proofOf(x, opened.body) !== opened.x) {
      if (!line.isWhole && isBeginning(line.text)) break;
      throw reportDamage(` at line ${number}: it is not what was written`);
    }
    if (!conversation.add(opened.body, line)) throw reportDamage(` at line ${number}: no run writes such a line`);
    ({x} = opened);
    size = line.offset + line.length + (line.isWhole ? 1 : 0);
    isOpen = !line.isWhole;
    if (line.offset + line.length + 1 !== sum?.size) continue;
    if (x !== sum.x) throw reportDamage(` at line ${number}: ${conversationFiles.sum} has another end`);
    isSumMet = true;
  }
  if (isSumMet) return {size, x, isOpen};
  if (size < (sum?.size ?? 0)) throw reportDamage(`: it ends after line ${number}, at byte ${size} of ${sum?.size}`);
  throw reportDamage(`: it does not fit ${conversationFiles.sum}`);
}

/** Where to put a damaged log so that the next run goes on from what it still says. */
function adviseRepair(path: string, names: readonly string[]): string {
  const aside = path.slice(0, -conversationFiles.log.length) + nextDamagedLog(names);
  return `put it aside, then run the same command again: \`mv ${shellWord(path)} ${shellWord(aside)}\``;
}

/** The place between two lines that lost their line break. */
const lostBreak = /(?<=,"x":"[\da-f]{12}"\})[^{]?(?=\{")/;

/**
 * The undamaged lines of damaged logs. If a line does not fit its proof, either may be damaged, so the next line may fit the written proof
 * or the computed one. A log that was written anew begins with the lines of earlier logs: these copies are not taken again.
 */
async function wholeLines(place: ConversationPlace, names: readonly string[]): Promise<string[]> {
  const whole: string[] = [];
  const taken = new Map<string, number>();
  for (const name of names) {
    const found = new Map<string, number>();
    await using file = await openToRead(join(place.folder, name));
    let before = [''];
    for await (const line of linesOf(file, Number.POSITIVE_INFINITY)) {
      for (const text of line.text.split(lostBreak)) {
        const body = `${text.slice(0, -tailLength)}}`;
        const stated = /[\da-f]{12}/.exec(text.slice(-tailLength))?.[0];
        const made = before.map((x) => proofOf(x, body));
        const fits = openLine(text) !== undefined && stated !== undefined && made.includes(stated);
        before = fits ? [stated] : [stated ?? [], made.slice(0, 2)].flat();
        if (!fits) continue;
        const count = (found.get(body) ?? 0) + 1;
        found.set(body, count);
        if (count <= (taken.get(body) ?? 0)) continue;
        taken.set(body, count);
        whole.push(body);
      }
    }
  }
  return whole;
}

/**
 * Writes a new log from the undamaged lines of damaged logs. It leaves out which ranges were read, because lines in them may be lost.
 * The log gets its name when it is complete; until then the next run begins again.
 */
async function recover(place: ConversationPlace, names: readonly string[], {at, warn}: LogOptions): Promise<void> {
  const whole = await wholeLines(place, names);
  const isRun = (body: string) => body.startsWith('{"run":');
  const runs = whole.filter(isRun);
  const known = runs.findLast((body) => body.includes('"conversation":')) ?? runs.at(-1);
  const first =
    known?.replace(/^\{"run":"[^"]*"/, `{"run":${JSON.stringify(at)}`) ?? JSON.stringify({run: at, id: place.name, type: 'conversation'});
  const rest = whole.filter((body) => !isRun(body) && !/^\{"(?:page|end)":/.test(body));
  const conversation = new ArchivedConversation();
  let [x, text, messages] = ['', '', 0];
  for (const body of [first, ...rest]) {
    if (!conversation.add(body, {offset: 0, length: 0})) continue;
    const sealed = sealLine(x, body);
    ({x} = sealed);
    text += `${sealed.line}\n`;
    if (body.startsWith('{"id":')) messages += 1;
  }
  // These go first, so that they are made again from the new log even if this run is killed.
  for (const file of derivedFiles) await rm(place.pathOf(file), {force: true});
  await writeSum(place, nothing);
  await writeWhole(place.pathOf('log'), text);
  await writeSum(place, {size: Buffer.byteLength(text), x});
  warn(`${place.pathOf('log')} is written anew from ${names.join(', ')}: ${messages} versions of messages could be read`);
}

/** The sum until a first run is done. */
const nothing: Sum = {size: 0, x: ''};

const writeSum = (place: ConversationPlace, sum: Sum): Promise<void> => writeWhole(place.pathOf('sum'), `${JSON.stringify(sum)}\n`);

/** @returns undefined where it is not there @throws Damaged */
async function readSum(place: ConversationPlace): Promise<Sum | undefined> {
  const path = place.pathOf('sum');
  const hint = `remove it, and it is made anew: \`rm ${shellWord(path)}\``;
  const text = await readText(path).catch(absent).catch(unreadable(path, hint));
  if (text === undefined) return undefined;
  try {
    return sumShape.parse(JSON.parse(text));
  } catch {
    throw new Damaged(path, `${path} is damaged`, hint);
  }
}

/** The sha256 of each file that is made from a log; empty for one that is not there, and the error for one that cannot be read. */
async function sumsOf(place: ConversationPlace): Promise<NonNullable<Sum['made']>> {
  const sumOf = (name: (typeof derivedFiles)[number]) => measureFile(place.pathOf(name), '').then((found) => found?.sha256 ?? '', String);
  return {messages: await sumOf('messages'), index: await sumOf('index'), page: await sumOf('page')};
}

export class Log implements AsyncDisposable {
  readonly place: ConversationPlace;
  readonly conversation: ArchivedConversation;
  /** The line that begins a run, until it is written with the first line that is appended: a run without news writes nothing. */
  head: RunHead | undefined;
  readonly #options: LogOptions;
  /** How many bytes it had when it was opened, without a line that a killed run cut off. */
  readonly #found: number;
  #x: string;
  #size: number;
  #file: FileHandle | undefined;
  #pending: string[] = [];
  #writing: Promise<void> = Promise.resolve();
  /** The proof of the last line that the derived files contain. */
  #settled: string | undefined;
  #hasSum: boolean;
  /** Whether the sum was removed, so that nothing tells whether the log has lost its end. */
  readonly hasLostSum: boolean;
  /** The files that were made from the log, and changed since then: the next run makes them anew. */
  readonly altered: readonly (typeof derivedFiles)[number][];

  private constructor(
    place: ConversationPlace,
    conversation: ArchivedConversation,
    {size, x, isOpen, isSettled, hasSum, hasLostSum, altered}: Found,
    options: LogOptions,
  ) {
    this.place = place;
    this.conversation = conversation;
    this.#options = options;
    this.#found = size;
    this.#x = x;
    this.#size = size + (isOpen ? 1 : 0);
    this.#pending = isOpen ? ['\n'] : [];
    this.#settled = isSettled ? x : undefined;
    this.#hasSum = hasSum;
    this.hasLostSum = hasLostSum;
    this.altered = altered;
  }

  /**
   * Reads a log and checks every byte of it.
   * @throws Damaged for what no run writes, for a log that is gone or shorter than it was, and for that of another conversation; the system's error
   */
  static async open(place: ConversationPlace, options: LogOptions): Promise<Log> {
    const present = (await readdir(place.folder, {withFileTypes: true}).catch(absent)) ?? [];
    // A folder with the name of a file does not count as that file.
    const names = present.filter((one) => !one.isDirectory() || one.name === mediaFolder).map(({name}) => name);
    const path = place.pathOf('log');
    const damaged = damagedLogsIn(names);
    if (!names.includes(conversationFiles.log)) {
      if (damaged.length === 0 || options.isReadOnly) refuseLost(place, names);
      else {
        await recover(place, damaged, options);
        return Log.open(place, options);
      }
    }
    const sum = await readSum(place);
    const conversation = new ArchivedConversation();
    const hint = adviseRepair(path, names);
    await using file = await openToRead(path).catch(absent).catch(unreadable(path, hint));
    const end = file === undefined ? {size: 0, x: '', isOpen: false} : await readLines(file, path, {conversation, sum, hint});
    const {id} = conversation;
    if (id !== undefined && nameOf(id) !== place.name)
      throw new Damaged(
        path,
        `${path} is that of conversation ${id}`,
        `move ${place.folder} to where it belongs, or away, then run this again`,
      );
    const isBegun = end.x !== '';
    const hasSum = sum !== undefined;
    const hasLostSum = !hasSum && (isBegun || derivedFiles.some((name) => names.includes(conversationFiles[name])));
    if (hasLostSum) options.warn(`${place.pathOf('sum')} is missing: it is made anew, and nothing tells whether the log has lost its end`);
    const areDerived = derivedFiles.every((name) => names.includes(conversationFiles[name]));
    // After a killed run the sum is older than the files, which are made anew.
    const made = sum?.x === end.x && sum.size === end.size ? sum.made : undefined;
    const sums = made && (await sumsOf(place));
    const altered = derivedFiles.filter((name) => sums?.[name] && sums[name] !== made?.[name]);
    const isSettled = !isBegun || (made !== undefined && areDerived && altered.length === 0);
    // A killed run may have left unfinished files.
    if (!isSettled && !options.isReadOnly) await sweepTemporary(place.folder, Object.values(conversationFiles));
    return new Log(place, conversation, {...end, isSettled, hasSum, hasLostSum, altered}, options);
  }

  /** Reads a log that nothing is written to. @throws as {@link open} */
  static openToLook(place: ConversationPlace): Promise<Log> {
    return Log.open(place, {at: '', isReadOnly: true, warn: () => {}});
  }

  /** The proof of the last line. */
  get x(): string {
    return this.#x;
  }

  get isEmpty(): boolean {
    return this.#x === '';
  }

  /** Whether the line that begins a run has been written. */
  get isBegun(): boolean {
    return this.head === undefined;
  }

  begin(): void {
    const {head} = this;
    this.head = undefined;
    if (head !== undefined) this.#add({run: this.#options.at, ...head});
  }

  /** @param line what {@link ArchivedConversation.add} takes. It is written with the next flush */
  append(line: object): void {
    this.begin();
    this.#add(line);
  }

  #add(line: object): void {
    const body = JSON.stringify(line);
    const {line: text, x} = sealLine(this.#x, body);
    const length = Buffer.byteLength(text);
    this.conversation.add(body, {offset: this.#size, length});
    this.#x = x;
    this.#size += length + 1;
    if (!this.#options.isReadOnly) this.#pending.push(`${text}\n`);
  }

  /** Writes what was appended, so that a kill does not lose it. @throws the system's error, after which nothing can be appended */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (this.#options.isReadOnly || this.#pending.length === 0) return;
    this.#file ??= await this.#openToAppend();
    // There is a sum before the first line, even if this run is killed: else a sum that was removed could not be told.
    if (!this.#hasSum) await writeSum(this.place, nothing);
    this.#hasSum = true;
    const text = this.#pending.join('');
    this.#pending = [];
    await this.#file.appendFile(text);
  }

  async #openToAppend(): Promise<FileHandle> {
    await makeFolder(this.place.folder);
    const file = await openToWrite(this.place.pathOf('log'), 'append');
    // This removes a line that a killed run cut off.
    await file.truncate(this.#found);
    return file;
  }

  /** Makes the derived files again, unless they are up to date. @param derive writes them */
  async settle(derive: () => Promise<void>): Promise<void> {
    if (this.#options.isReadOnly || this.isEmpty || this.#x === this.#settled) return;
    await this.flush();
    await this.#file?.datasync();
    await derive();
    await writeSum(this.place, {size: this.#size, x: this.#x, made: await sumsOf(this.place)});
    this.#settled = this.#x;
  }

  /** Calls back with a function that reads a message from the log, in any of its versions. */
  async withMessages<Result>(use: (messageOf: (version: Version) => unknown) => Promise<Result>): Promise<Result> {
    await this.flush();
    await using file = await openToRead(this.place.pathOf('log'));
    let buffer = Buffer.alloc(0);
    return await use(({offset, length}) => {
      if (length > buffer.length) buffer = Buffer.alloc(length);
      readSync(file.fd, buffer, 0, length, offset);
      return membersOf(parseLine(buffer.toString('utf8', 0, length)))['message'];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }
}

/** @throws Damaged where the log is missing, and other files show that there was one */
function refuseLost(place: ConversationPlace, names: readonly string[]): void {
  const damaged = damagedLogsIn(names);
  const found = [...damaged, ...Object.values(conversationFiles), mediaFolder].find((name) => names.includes(name));
  if (found === undefined) return;
  const hint =
    damaged.length > 0
      ? 'run `dm export` without --dry-run and --verify: it goes on from what the damaged one still says'
      : `bring it back from a copy, or forget the conversation: \`rm -r ${shellWord(place.folder)}\``;
  throw new Damaged(place.pathOf('log'), `${place.pathOf('log')} is missing, and ${found} is there`, hint);
}
