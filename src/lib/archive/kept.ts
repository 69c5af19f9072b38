/** The files of a conversation: read as one, checked against what was written, and replaced as one. */
import {createHash} from 'node:crypto';
import {readdir, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {asFailure, localFailure} from '../client/failure.js';
import {makeFolder, syncFolder} from '../files/folder.js';
import {openToRead} from '../files/read-file.js';
import {absent} from '../files/system-error.js';
import {giveSecondName} from '../files/whole-file.js';
import {compareIds} from '../json/compare-ids.js';
import {kindOf} from '../json/slices.js';
import {counted, shortened} from '../json/text.js';
import {parseEntry, type Entry} from './entry.js';
import {Damaged} from './failures.js';
import {CutLine, linesOf} from './lines.js';
import {messageIn, type Message} from './message.js';
import {Peekable} from './peekable.js';
import {accountFiles, keptFiles, underNewName, type ConversationPlace} from './places.js';
import {readRecord, writeRecord, type ConversationRecord} from './record.js';

const newline = 0x0a;

/** Characters of an id in an error. Servers have shorter ones. */
const maxIdLength = 40;

export interface KeptMessage extends Message {
  /** Undefined where the index has lost it. */
  readonly entry: Entry | undefined;
}

/** `strict`: what no export writes is an error. `readable`: it is passed over. */
export type How = 'readable' | 'strict';

/** @throws Damaged for a file that cannot be read */
async function* ownLinesOf(path: string, how: How): AsyncGenerator<string, void, undefined> {
  try {
    yield* linesOf(path, {isWhole: how === 'strict'});
  } catch (error) {
    if (error instanceof CutLine) throw new Damaged(`${path} is damaged at line ${error.line}`);
    throw new Damaged(asFailure(error).message);
  }
}

/** By the ids of their messages. @throws Damaged */
export async function* entriesIn(path: string, how: How = 'strict'): AsyncGenerator<Entry, void, undefined> {
  let line = 0;
  for await (const text of ownLinesOf(path, how)) {
    line += 1;
    let entry: Entry | undefined;
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

/** Oldest first. @throws Damaged */
export async function* keptMessagesIn(messages: string, index: string, how: How = 'strict'): AsyncGenerator<KeptMessage, void, undefined> {
  await using entries = await Peekable.of(entriesIn(index, how));
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

const lostMessage = (messages: string, line: number, {id}: Entry): Damaged =>
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
    await countOf(place, 'strict');
    const all = facts?.messages ?? 0;
    const what =
      now.lines < all ? `it ends after line ${now.lines} of ${all}` : `its ${counted(now.lines, 'line')} are not what was written`;
    throw new Damaged(`${path} is damaged: ${what}`);
  }
  if (files !== undefined) return;
  const [count, known] = [await countOf(place, 'strict'), facts?.messages ?? 0];
  if (count < known)
    throw new Damaged(`${place.messages} is damaged: it has ${count} of the ${known} messages that ${accountFiles.conversations} counts`);
}

/** How many messages there are. @throws Damaged at the first line that no run writes */
async function countOf(place: ConversationPlace, how: How): Promise<number> {
  let count = 0;
  const messages = keptMessages(place, how);
  while ((await messages.next()).done !== true) count += 1;
  return count;
}

/**
 * Keeps the files of a damaged conversation beside those that replace them, each once.
 * @param record what is known of the conversation @param stamp the time, as part of their names
 * @returns what there is to say
 */
export async function keepDamaged(place: ConversationPlace, record: ConversationRecord | undefined, stamp: string): Promise<string> {
  const names: string[] = [];
  for (const name of checked) {
    const path = join(place.folder, name);
    const now = await found(path).catch(() => undefined);
    if (now === undefined) continue;
    const [stem = ''] = name.split('.');
    const others = (await readdir(place.folder)).filter((other) => other.startsWith(`${stem}.damaged-`));
    const digests = await Promise.all(others.map(async (other) => (await found(join(place.folder, other)).catch(() => undefined))?.digest));
    const known = others[digests.indexOf(now.digest)];
    const fresh = () =>
      underNewName(`${stem}.damaged-${stamp}`, (stemmed) => giveSecondName(path, join(place.folder, `${stemmed}.ndjson`)));
    names.push(known ?? `${await fresh()}.ndjson`);
  }
  await syncFolder(place.folder);
  const readable = counted(await countOf(place, 'readable'), 'message');
  const all = record === undefined ? '' : ` of ${record.facts.messages}`;
  const where = names.length === 0 ? '' : `; the damaged files are kept as ${names.map((name) => join(place.folder, name)).join(' and ')}`;
  return `conversation ${record?.facts.id ?? place.name}: ${readable}${all} could be read${where}`;
}

/** Replaces the files of a conversation by those in `next`, all of them or none, whenever the process ends. */
export async function replaceKept(place: ConversationPlace, record: ConversationRecord): Promise<void> {
  const before = (await readRecord(place))?.files;
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

/** Finishes what an earlier run began, and removes what it did not finish. */
export async function finishEarlier(place: ConversationPlace): Promise<void> {
  await finishReplacing(place);
  await rm(place.next, {recursive: true, force: true});
}

/** An empty folder for the next files. */
export async function beginNext({next}: ConversationPlace): Promise<string> {
  await rm(next, {recursive: true, force: true});
  await makeFolder(next);
  return next;
}
