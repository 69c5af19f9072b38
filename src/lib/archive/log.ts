/**
 * The log of a conversation, `ID/log.ndjson`: lines are appended, and nothing that was written is ever replaced. `log.sum` has its size and the proof of its
 * last line, so that a log that lost its end is told from one that a killed run left.
 */
import {readSync} from 'node:fs';
import {readdir, rm, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {localFailure} from '../client/failure.js';
import {openLine, proofOf, sealLine, tailLength} from '../files/chain.js';
import {makeFolder} from '../files/folder.js';
import {linesOf} from '../files/lines.js';
import {keepMemoryFlat} from '../files/memory.js';
import {openToRead, readText} from '../files/read-file.js';
import {shellWord} from '../files/shell-word.js';
import {absent} from '../files/system-error.js';
import {openToWrite, sweepTemporary, writeWhole} from '../files/whole-file.js';
import {Damaged} from './failures.js';
import {type ArchivedMessage, ArchivedConversation, messageLine, messageText, NoLine} from './fold.js';
import {conversationFiles, damagedLogsIn, type ConversationPlace, mediaFolder, nameOf, nextDamagedLog} from './places.js';

const sumShape = z.object({size: z.int().check(z.nonnegative()), x: z.string()});

type Sum = z.infer<typeof sumShape>;

/** Bytes that are collected before they are written. */
const chunkSize = 64 * 1024;

interface LogOptions {
  /** The time of the run. */
  readonly at: string;
  /** Whether nothing is written: what is appended is only added to the conversation. */
  readonly isReadOnly: boolean;
  readonly warn: (text: string) => void;
}

/** Where the next run appends to a log. */
interface End {
  readonly size: number;
  readonly x: string;
  /** Whether the last line lacks its newline. */
  readonly isOpen: boolean;
}

interface Reading {
  readonly conversation: ArchivedConversation;
  readonly sum: Sum | undefined;
  /** The way on from damage. */
  readonly hint: string;
}

/** Reads the lines of a log, up to one that a killed run cut off. */
async function readLines(file: FileHandle, path: string, {conversation, sum, hint}: Reading): Promise<End> {
  let [x, size, number, isOpen] = ['', 0, 0, false];
  let isSumMet = sum === undefined || sum.size === 0;
  const reportDamage = (what: string) => new Damaged(`${path} is damaged at line ${number}: ${what}`, hint);
  for await (const line of linesOf(file, Number.POSITIVE_INFINITY)) {
    number += 1;
    keepMemoryFlat(line.length);
    const opened = openLine(line.text);
    const fits = opened !== undefined && proofOf(x, opened.body) === opened.x;
    // A run was killed while it wrote it.
    if (!fits && !line.isWhole && isBeginning(line.text)) break;
    if (!fits) throw reportDamage('it is not what was written');
    try {
      conversation.add(opened.body, line);
    } catch (error) {
      if (error instanceof NoLine) throw reportDamage('no run writes such a line');
      throw error;
    }
    ({x} = opened);
    size = line.offset + line.length + (line.isWhole ? 1 : 0);
    isOpen = !line.isWhole;
    if (sum === undefined || line.offset + line.length + 1 !== sum.size) continue;
    if (x !== sum.x) throw reportDamage(`${conversationFiles.sum} has another end`);
    isSumMet = true;
  }
  if (isSumMet) return {size, x, isOpen};
  if (size < (sum?.size ?? 0)) throw new Damaged(`${path} is damaged: it ends after line ${number}, at byte ${size} of ${sum?.size}`, hint);
  throw new Damaged(`${path} is damaged: it does not fit ${conversationFiles.sum}`, hint);
}

/** Whether a text is an object that was cut off: a run was killed while it wrote it. */
function isBeginning(text: string): boolean {
  if (!'{"'.startsWith(text) && !text.startsWith('{"')) return false;
  let [depth, isText, isEscaped] = [0, false, false];
  for (const character of text) {
    if (isEscaped) isEscaped = false;
    else if (isText && character === '\\') isEscaped = true;
    else if (character === '"') isText = !isText;
    else if (!isText && (character === '{' || character === '[')) depth += 1;
    else if (!isText && (character === '}' || character === ']') && (depth -= 1) === 0) return false;
  }
  return true;
}

/** Where to put a damaged log so that the next run goes on from what it still says. */
function adviseRepair(path: string, names: readonly string[]): string {
  const aside = path.slice(0, -conversationFiles.log.length) + nextDamagedLog(names);
  return `put it aside, then run the same command again: \`mv ${shellWord(path)} ${shellWord(aside)}\``;
}

/** Between two lines whose line break was lost. */
const lostBreak = /(?<=,"x":"[\da-f]{12}"\})[^{]?(?=\{")/;

async function* piecesOf(file: FileHandle): AsyncGenerator<string, void, undefined> {
  for await (const {text} of linesOf(file, Number.POSITIVE_INFINITY)) yield* text.split(lostBreak);
}

/** The lines of damaged logs that are whole. Lines that say how far a run read are left out, because lines between them may be lost. */
async function* recoveredLines(place: ConversationPlace, names: readonly string[], at: string): AsyncGenerator<string, void, undefined> {
  const conversation = new ArchivedConversation();
  const said = new Set<string>();
  const take = (body: string): boolean => {
    try {
      conversation.add(body, {offset: 0, length: 0});
      return true;
    } catch (error) {
      if (error instanceof NoLine) return false;
      throw error;
    }
  };
  const runs: string[] = [];
  const rest: string[] = [];
  for (const name of names) {
    await using file = await openToRead(join(place.folder, name));
    let before: ReadonlySet<string> = new Set(['']);
    for await (const text of piecesOf(file)) {
      // A byte of the proof itself may be damaged.
      const body = `${text.slice(0, -tailLength)}}`;
      const stated = /[\da-f]{12}/.exec(text.slice(-tailLength))?.[0];
      const made = [...before].map((x) => proofOf(x, body));
      const fits = openLine(text) !== undefined && stated !== undefined && made.includes(stated);
      before = new Set(fits ? [stated] : [...(stated === undefined ? [] : [stated]), ...made.slice(0, 2)]);
      if (!fits) continue;
      if (/^\{"(?:page|end)":/.test(body)) continue;
      if (body.startsWith('{"run":')) runs.push(body);
      else rest.push(body);
    }
  }
  const known = runs.findLast((body) => body.includes('"conversation":')) ?? runs.at(-1);
  const first =
    known?.replace(/^\{"run":"[^"]*"/, `{"run":${JSON.stringify(at)}`) ?? JSON.stringify({run: at, id: place.name, type: 'conversation'});
  if (take(first)) yield first;
  for (const body of rest) {
    // A message can be in two damaged logs, if the second began with what the first still said.
    if (body.startsWith('{"id":') && said.has(body)) continue;
    said.add(body);
    if (take(body)) yield body;
  }
}

/** Writes a new log from what damaged ones still say. It has its name when all of it is there; until then the next run begins again. */
async function recover(place: ConversationPlace, names: readonly string[], {at, warn}: LogOptions): Promise<void> {
  const lines: string[] = [];
  let [x, messages] = ['', 0];
  for await (const body of recoveredLines(place, names, at)) {
    const sealed = sealLine(x, body);
    ({x} = sealed);
    lines.push(`${sealed.line}\n`);
    if (body.startsWith('{"id":')) messages += 1;
  }
  const text = lines.join('');
  // Pages and lists are made again from the new log, even if this run is killed.
  for (const file of ['sum', 'messages', 'index', 'page'] as const) await rm(place.pathOf(file), {force: true});
  await writeWhole(place.pathOf('log'), text);
  await writeSum(place, {size: Buffer.byteLength(text), x});
  warn(`${place.pathOf('log')} is written anew from ${names.join(', ')}: ${messages} versions of messages could be read`);
}

const writeSum = (place: ConversationPlace, sum: Sum): Promise<void> => writeWhole(place.pathOf('sum'), `${JSON.stringify(sum)}\n`);

/** @returns undefined where it is not there @throws Damaged */
async function readSum(place: ConversationPlace): Promise<Sum | undefined> {
  const path = place.pathOf('sum');
  const hint = `remove it, and it is made anew: \`rm ${shellWord(path)}\``;
  const text = await readText(path)
    .catch(absent)
    .catch((error: unknown) => {
      throw new Damaged(localFailure(`Cannot read ${path}`, error).message, hint);
    });
  if (text === undefined) return undefined;
  try {
    return sumShape.parse(JSON.parse(text));
  } catch {
    throw new Damaged(`${path} is damaged`, hint);
  }
}

export class Log implements AsyncDisposable {
  readonly place: ConversationPlace;
  readonly conversation: ArchivedConversation;
  readonly #options: LogOptions;
  /** What was there when it was opened, and whether it is as the files say that are made from the log. */
  readonly #found: End & {readonly isSettled: boolean};
  #x: string;
  #size: number;
  #file: FileHandle | undefined;
  #pending: string[] = [];
  #pendingSize = 0;
  #writing: Promise<void> = Promise.resolve();
  /** The proof of the last line of which the other files were made. */
  #settled: string | undefined;
  /** Lines of a run that writes nothing, by where they would be. */
  readonly #unwritten = new Map<number, string>();

  private constructor(
    place: ConversationPlace,
    conversation: ArchivedConversation,
    end: End & {readonly isSettled: boolean},
    options: LogOptions,
  ) {
    this.place = place;
    this.conversation = conversation;
    this.#found = end;
    this.#x = end.x;
    this.#size = end.size + (end.isOpen ? 1 : 0);
    this.#options = options;
    if (end.isSettled) this.#settled = end.x;
  }

  /**
   * Reads a log and checks every byte of it.
   * @throws Damaged for what no run writes, for a log that is gone or shorter than it was, and for that of another conversation; the system's error
   */
  static async open(place: ConversationPlace, options: LogOptions): Promise<Log> {
    const present = (await readdir(place.folder, {withFileTypes: true}).catch(absent)) ?? [];
    // A folder in place of a file is in the way of it, and no such file.
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
    await using file = await openToRead(path)
      .catch(absent)
      .catch((error: unknown) => {
        throw new Damaged(localFailure(`Cannot read ${path}`, error).message, adviseRepair(path, names));
      });
    const end =
      file === undefined
        ? {size: 0, x: '', isOpen: false}
        : await readLines(file, path, {conversation, sum, hint: adviseRepair(path, names)});
    const {id} = conversation;
    if (id !== undefined && nameOf(id) !== place.name)
      throw new Damaged(`${path} is that of conversation ${id}`, `move ${place.folder} to where it belongs, or away, then run this again`);
    const isBegun = end.x !== '';
    if (isBegun && sum === undefined)
      options.warn(`${place.pathOf('sum')} is missing: it is made anew, and nothing tells whether the log has lost its end`);
    const derived = [conversationFiles.messages, conversationFiles.index, conversationFiles.page];
    const isSettled = !isBegun || (sum?.x === end.x && sum.size === end.size && derived.every((name) => names.includes(name)));
    return new Log(place, conversation, {...end, isSettled}, options);
  }

  /** The proof of the last line. */
  get x(): string {
    return this.#x;
  }

  /** Whether nothing was written in it yet. */
  get isEmpty(): boolean {
    return this.#x === '';
  }

  appendMessage(id: string, text: string): Promise<void> {
    return this.append(messageLine(id, text));
  }

  /** @param body an object that {@link ArchivedConversation.add} takes, as JSON on one line @throws the system's error: nothing more can be appended */
  async append(body: string): Promise<void> {
    const {line, x} = sealLine(this.#x, body);
    const length = Buffer.byteLength(line);
    this.conversation.add(body, {offset: this.#size, length});
    this.#x = x;
    if (this.#options.isReadOnly) this.#unwritten.set(this.#size, body);
    else this.#pending.push(`${line}\n`);
    this.#size += length + 1;
    this.#pendingSize += length;
    if (this.#pendingSize >= chunkSize) await this.flush();
  }

  /** Writes what was appended: a kill loses nothing of it then. @throws the system's error: nothing more can be appended */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    // Who waits for it is told.
    this.#writing.catch(() => {});
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (this.#options.isReadOnly) return;
    if (this.#pending.length === 0 && !(this.#found.isOpen && this.#x !== this.#settled)) return;
    this.#file ??= await this.#openToAppend();
    const text = this.#pending.join('');
    this.#pending = [];
    this.#pendingSize = 0;
    await this.#file.appendFile(text);
  }

  async #openToAppend(): Promise<FileHandle> {
    const {folder} = this.place;
    await makeFolder(folder);
    await sweepTemporary(folder, Object.values(conversationFiles));
    const file = await openToWrite(this.place.pathOf('log'), 'append');
    // What a killed run left of a line is cut.
    await file.truncate(this.#found.size);
    if (this.#found.isOpen) await file.appendFile('\n');
    return file;
  }

  /** Makes what is made from the log, where that is not as the log says. @param derive makes it */
  async settle(derive: () => Promise<void>): Promise<void> {
    if (this.#options.isReadOnly || this.isEmpty || this.#x === this.#settled) return;
    await this.flush();
    await this.#file?.datasync();
    await derive();
    await writeSum(this.place, {size: this.#size, x: this.#x});
    this.#settled = this.#x;
  }

  /** Calls back with what reads the text of a message, in any of its versions. */
  async withTexts<Result>(use: (textOf: (id: string, version: ArchivedMessage['version']) => string) => Promise<Result>): Promise<Result> {
    await this.flush();
    await using file = await openToRead(this.place.pathOf('log')).catch(absent);
    let buffer = Buffer.alloc(chunkSize);
    return await use((id, {offset, length}) => {
      const unwritten = this.#unwritten.get(offset);
      if (unwritten !== undefined || file === undefined) return messageText(unwritten ?? '', id);
      if (length > buffer.length) buffer = Buffer.alloc(length);
      const count = readSync(file.fd, buffer, 0, length, offset);
      const opened = openLine(buffer.toString('utf8', 0, count));
      return messageText(opened?.body ?? '', id);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }
}

/** @throws Damaged where there is no log, and what is there says that there was one */
function refuseLost(place: ConversationPlace, names: readonly string[]): void {
  const left = [conversationFiles.sum, conversationFiles.messages, conversationFiles.index, conversationFiles.page, mediaFolder];
  const damaged = damagedLogsIn(names);
  const found = [...damaged, ...left].find((name) => names.includes(name));
  if (found === undefined) return;
  const path = place.pathOf('log');
  const hint =
    damaged.length > 0
      ? 'run `dm export` without --dry-run and --verify: it goes on from what the damaged one still says'
      : `bring it back from a copy, or forget the conversation: \`rm -r ${shellWord(place.folder)}\``;
  throw new Damaged(`${path} is missing, and ${found} is there`, hint);
}
