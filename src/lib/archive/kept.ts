/** The files of a conversation: read as one, and replaced as one. */
import {readdir, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {asFailure} from '../client/failure.js';
import {makeFolder, syncFolder} from '../files/folder.js';
import {absent} from '../files/system-error.js';
import {compareIds} from '../json/compare-ids.js';
import {kindOf} from '../json/slices.js';
import {parseEntry, type Entry} from './entry.js';
import {Damaged} from './failures.js';
import {linesOf} from './lines.js';
import {messageIn, type Message} from './message.js';
import {Peekable} from './peekable.js';
import {keptFiles, type ConversationPlace} from './places.js';

export interface KeptMessage extends Message {
  /** Undefined where the index has lost it. */
  readonly entry: Entry | undefined;
}

/** @throws Damaged for a file that cannot be read */
async function* ownLinesOf(path: string): AsyncGenerator<string, void, undefined> {
  try {
    yield* linesOf(path);
  } catch (error) {
    throw new Damaged(asFailure(error).message);
  }
}

/** @throws Damaged */
export async function* entriesIn(path: string): AsyncGenerator<Entry, void, undefined> {
  let line = 0;
  for await (const text of ownLinesOf(path)) {
    line += 1;
    try {
      yield parseEntry(text);
    } catch {
      throw new Damaged(`${path} is damaged at line ${line}`);
    }
  }
}

function keptMessageIn(text: string): Message | undefined {
  try {
    return kindOf(text) === 'object' && JSON.parse(text) !== null ? messageIn(text) : undefined;
  } catch {
    return undefined;
  }
}

export const keptMessages = ({messages, index}: ConversationPlace) => keptMessagesIn(messages, index);

/** Oldest first. @throws Damaged */
export async function* keptMessagesIn(messages: string, index: string): AsyncGenerator<KeptMessage, void, undefined> {
  await using entries = await Peekable.of(entriesIn(index));
  let line = 0;
  let last: string | undefined;
  for await (const text of ownLinesOf(messages)) {
    line += 1;
    const message = keptMessageIn(text);
    if (message === undefined || (last !== undefined && compareIds(message.id, last) <= 0))
      throw new Damaged(`${messages} is damaged at line ${line}`);
    last = message.id;
    while (entries.head !== undefined && compareIds(entries.head.id, message.id) < 0) await entries.next();
    yield {...message, entry: entries.head?.id === message.id ? entries.head : undefined};
  }
}

/** Replaces the files of a conversation by those in `next`, all of them or none, whenever the process ends. */
export async function replaceKept(place: ConversationPlace): Promise<void> {
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
export async function repair(place: ConversationPlace): Promise<void> {
  await finishReplacing(place);
  await rm(place.next, {recursive: true, force: true});
}

/** An empty folder for the next files. */
export async function beginNext({next}: ConversationPlace): Promise<string> {
  await rm(next, {recursive: true, force: true});
  await makeFolder(next);
  return next;
}
