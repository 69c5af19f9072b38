/** The files of a conversation: read as one, checked against what was written, and replaced as one. */
import {createHash} from 'node:crypto';
import {lstat, readdir, rename, rm} from 'node:fs/promises';
import {basename, dirname, join, parse} from 'node:path';
import {asFailure, localFailure} from '../client/failure.js';
import {makeFolder, syncFolder} from '../files/folder.js';
import {openToRead} from '../files/read-file.js';
import {absent} from '../files/system-error.js';
import {giveSecondName} from '../files/whole-file.js';
import {compareIds} from '../json/compare-ids.js';
import {identifierAt} from '../json/path.js';
import {kindOf} from '../json/slices.js';
import {counted, shortened} from '../json/text.js';
import {parseEntry, type MessageEntry} from './entry.js';
import {Damaged, LaterVersion, OfAnother} from './failures.js';
import {CutLine, linesOfFile} from './lines.js';
import {messageIn, type Message} from './message.js';
import {Peekable} from './peekable.js';
import {moveAside} from './in-the-way.js';
import {accountFiles, ConversationPlace, keptFiles, nameOf, stampOf, underNewName} from './places.js';
import {readRecord, writeRecord, type ConversationRecord} from './record.js';

const newline = 0x0a;

/** Characters of an id in an error. Servers have shorter ones. */
const maxIdLength = 40;

export interface KeptMessage extends Message {
  /** Undefined where the index has lost it. */
  readonly entry: MessageEntry | undefined;
}

/** `strict`: what no export writes is an error. `readable`: it is passed over. */
export type How = 'readable' | 'strict';

/** @throws Damaged for a file that cannot be read */
async function* ownLinesOf(path: string, how: How): AsyncGenerator<string, void, undefined> {
  try {
    yield* linesOfFile(path, {isWhole: how === 'strict'});
  } catch (error) {
    if (error instanceof CutLine) throw new Damaged(`${path} is damaged at line ${error.line}`);
    throw new Damaged(asFailure(error).message);
  }
}

/** By the ids of their messages. @throws Damaged */
export async function* messageEntriesIn(path: string, how: How = 'strict'): AsyncGenerator<MessageEntry, void, undefined> {
  let line = 0;
  for await (const text of ownLinesOf(path, how)) {
    line += 1;
    let entry: MessageEntry | undefined;
    try {
      entry = parseEntry(text);
    } catch {
      if (how === 'strict') throw new Damaged(`${path} is damaged at line ${line}`);
    }
    if (entry !== undefined) yield entry;
  }
}

function keptMessageIn(text: string): Message | undefined {
  try {
    return kindOf(text) === 'object' && JSON.parse(text) !== null ? messageIn(text) : undefined;
  } catch {
    return undefined;
  }
}

export const keptMessages = ({messages, index}: ConversationPlace, how: How = 'strict') => keptMessagesIn(messages, index, how);

/** The messages of other conversations of the archive, which somebody may have copied into the files of this one. */
class OfOthers {
  readonly #place: ConversationPlace;
  readonly #isAll: boolean;
  /** By the names of their folders, the ids of their messages, as far as they were asked for. */
  readonly #known = new Map<string, Promise<ReadonlySet<string>>>();

  /** @param isAll whether the files are known to be those of another conversation: then what a message says of itself will do */
  constructor(place: ConversationPlace, isAll: boolean) {
    this.#place = place;
    this.#isAll = isAll;
  }

  /** Whether a message says that it belongs to another conversation, and that one has it. */
  async has({id, text}: Message): Promise<boolean> {
    const other = identifierAt(text, ['conversation_id']);
    const name = other === undefined ? this.#place.name : nameOf(other);
    if (name === this.#place.name) return false;
    if (this.#isAll) return true;
    const known = this.#known.get(name) ?? this.#idsIn(name);
    this.#known.set(name, known);
    return (await known).has(id);
  }

  async #idsIn(name: string): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    const {messages} = new ConversationPlace(dirname(this.#place.folder), name);
    try {
      for await (const text of linesOfFile(messages)) {
        const id = keptMessageIn(text)?.id;
        if (id !== undefined) ids.add(id);
      }
    } catch {
      // What cannot be read there stays here.
    }
    return ids;
  }
}

/** @param isAll as above */
export async function* readableMessages(place: ConversationPlace, isAll: boolean): AsyncGenerator<KeptMessage, void, undefined> {
  const others = new OfOthers(place, isAll);
  for await (const message of keptMessages(place, 'readable')) if (!(await others.has(message))) yield message;
}

/** Oldest first. @throws Damaged */
export async function* keptMessagesIn(messages: string, index: string, how: How = 'strict'): AsyncGenerator<KeptMessage, void, undefined> {
  await using entries = await Peekable.of(messageEntriesIn(index, how));
  let line = 0;
  let last: string | undefined;
  for await (const text of ownLinesOf(messages, how)) {
    line += 1;
    const message = keptMessageIn(text);
    const isOne = message !== undefined && (last === undefined || compareIds(message.id, last) > 0);
    if (!isOne && how === 'strict') throw new Damaged(`${messages} is damaged at line ${line}`);
    if (!isOne) continue;
    last = message.id;
    while (entries.head !== undefined && compareIds(entries.head.id, message.id) < 0) {
      if (how === 'strict') throw lostMessage(messages, line, entries.head);
      await entries.next();
    }
    yield {...message, entry: entries.head?.id === message.id ? entries.head : undefined};
    if (entries.head?.id === message.id) await entries.next();
  }
  if (how === 'strict' && entries.head !== undefined) throw lostMessage(messages, line + 1, entries.head);
}

const lostMessage = (messages: string, line: number, {id}: MessageEntry): Damaged =>
  new Damaged(`${messages} is damaged at line ${line}: the message ${shortened(id, maxIdLength)} is not there`);

/** What is in a file, as far as it can be told without understanding it. */
interface Found {
  readonly digest: string;
  readonly lines: number;
}

/** @returns undefined where there is no file @throws Damaged for one that cannot be read */
async function found(path: string): Promise<Found | undefined> {
  try {
    await using file = await openToRead(path).catch(absent);
    if (file === undefined) return undefined;
    const hash = createHash('sha256');
    let lines = 0;
    for await (const chunk of file.createReadStream({autoClose: false})) {
      if (!Buffer.isBuffer(chunk)) continue;
      hash.update(chunk);
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines += 1;
    }
    return {digest: hash.digest('hex'), lines};
  } catch (error) {
    throw new Damaged(localFailure(`Cannot read ${path}`, error).message);
  }
}

/** The files that are checked: the page is made of them. */
const checked = [keptFiles.messages, keptFiles.index] as const;

/**
 * Makes sure that the files of a conversation are those that a run has written: they are only ever replaced whole. Where no run has written
 * down what they are, each line has to be one that it could have written.
 * @throws Damaged, naming file and line
 */
export async function checkKept(place: ConversationPlace, record: ConversationRecord | undefined): Promise<void> {
  const {files, before, facts} = record ?? {};
  for (const name of files === undefined ? [] : checked) {
    const path = join(place.folder, name);
    const now = await found(path);
    if (now !== undefined && (now.digest === files?.[name] || now.digest === before?.[name])) continue;
    if (now === undefined && before !== undefined && before[name] === undefined) continue;
    if (now === undefined) throw new Damaged(`${path} is damaged: it is not there`);
    await countOf(place);
    const all = facts?.messages ?? 0;
    const what =
      now.lines < all ? `it ends after line ${now.lines} of ${all}` : `its ${counted(now.lines, 'line')} are not what was written`;
    throw new Damaged(`${path} is damaged: ${what}`);
  }
  if (files !== undefined) return;
  const [count, known] = [await countOf(place), facts?.messages ?? 0];
  if (count < known)
    throw new Damaged(`${place.messages} is damaged: it has ${count} of the ${known} messages that ${accountFiles.conversations} counts`);
}

/** How many messages there are. @throws Damaged at the first line that no run writes */
async function countOf(place: ConversationPlace): Promise<number> {
  let count = 0;
  const others = new OfOthers(place, false);
  for await (const message of keptMessages(place)) {
    count += 1;
    if (!(await others.has(message))) continue;
    const id = shortened(message.id, maxIdLength);
    throw new Damaged(`${place.messages} is damaged at line ${count}: the message ${id} belongs to another conversation`);
  }
  return count;
}

/**
 * Keeps the files of a damaged conversation beside those that replace them, each once.
 * @param withRecord whether what describes them is kept, too
 * @param stamp the time, as part of their names
 * @returns where they are
 */
export async function keepDamaged(place: ConversationPlace, stamp: string, withRecord: boolean): Promise<string[]> {
  const paths: string[] = [];
  for (const name of withRecord ? [...checked, keptFiles.record] : checked) {
    const path = join(place.folder, name);
    const now = await found(path);
    if (now === undefined) continue;
    const {name: stem, ext} = parse(name);
    const others = (await readdir(place.folder)).filter((other) => other.startsWith(`${stem}.damaged-`));
    const digests = await Promise.all(others.map(async (other) => (await found(join(place.folder, other)).catch(() => undefined))?.digest));
    const known = others[digests.indexOf(now.digest)];
    const fresh = () => underNewName(`${stem}.damaged-${stamp}`, (stemmed) => giveSecondName(path, join(place.folder, `${stemmed}${ext}`)));
    paths.push(join(place.folder, known ?? `${await fresh()}${ext}`));
  }
  await syncFolder(place.folder);
  return paths;
}

/** What is there, where it describes this conversation. @throws LaterVersion */
async function knownRecord(place: ConversationPlace): Promise<ConversationRecord | undefined> {
  return readRecord(place).catch((error: unknown) => {
    if (error instanceof OfAnother) return undefined;
    throw error;
  });
}

/** Replaces the files of a conversation by those in `next`, all of them or none, whenever the process ends. */
export async function replaceKept(place: ConversationPlace, record: ConversationRecord): Promise<void> {
  const before = (await knownRecord(place))?.files;
  // Whoever copies the folder while files are moved has some of either.
  if (before !== undefined) await writeRecord(place, {...record, before});
  await syncFolder(place.next);
  // From here on the next run finishes it.
  await rename(place.next, place.whole);
  await finishReplacing(place);
}

async function finishReplacing({folder, whole}: ConversationPlace): Promise<void> {
  const present = await readdir(whole, {withFileTypes: true}).catch(absent);
  if (present === undefined) return;
  const names = present.filter((one) => one.isFile()).map(({name}) => name);
  for (const name of Object.values(keptFiles)) if (names.includes(name)) await rename(join(whole, name), join(folder, name));
  await syncFolder(folder);
  await rm(whole, {recursive: true});
}

/** Whether the new files that are still to be moved are those that a run has written. @throws LaterVersion */
async function areWhole(place: ConversationPlace): Promise<boolean> {
  try {
    // What describes them is moved last.
    const own = await readRecord(place, place.whole);
    if (own === undefined && (await found(join(place.whole, keptFiles.record))) !== undefined) return false;
    const {files} = own ?? (await readRecord(place)) ?? {};
    for (const name of checked) {
      const now = await found(join(place.whole, name));
      if (now !== undefined && now.digest !== files?.[name]) return false;
    }
    return true;
  } catch (error) {
    if (error instanceof LaterVersion || !(error instanceof Damaged)) throw error;
    return false;
  }
}

/** Finishes what an earlier run began, and removes what it did not finish. New files that were damaged since replace nothing. @throws LaterVersion */
export async function finishEarlier(place: ConversationPlace): Promise<void> {
  const began = await lstat(place.whole).catch(absent);
  if (began !== undefined && !(await areWhole(place))) await moveAside(place.folder, basename(place.whole), stampOf(began.mtime));
  await finishReplacing(place);
  await rm(place.next, {recursive: true, force: true});
}

/** An empty folder for the next files. */
export async function beginNext({next}: ConversationPlace): Promise<string> {
  await rm(next, {recursive: true, force: true});
  await makeFolder(next);
  return next;
}
