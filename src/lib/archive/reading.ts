/** What one run reads of a conversation: it tells what is new, and appends that to the log. */
import {booleanAt, textAt} from '../json/path.js';
import {peopleIn, personIn, type ConversationType} from './fold.js';
import type {Log} from './log.js';
import {contentOf, type Message} from './message.js';
import {addInterval, type Interval, isIn, joinedRanges} from './ranges.js';
import type {ReadPage} from './read-pages.js';

/** If more messages than this are suddenly missing, the server may be at fault: what it shows is in doubt. */
const mayLose = 20;

/** What changed in a conversation. */
export interface ReadingChanges {
  new: number;
  /** Messages that say something else than before. */
  changed: number;
  /** Messages that the server does not show any more since this run. */
  gone: number;
  /** Messages that it shows again. */
  back: number;
}

export const noChanges: Readonly<ReadingChanges> = {new: 0, changed: 0, gone: 0, back: 0};

interface ReadingOptions {
  /** The time of the run. */
  readonly at: string;
  readonly id: string;
  readonly type: ConversationType;
  /** Whether messages that the server does not show are marked. */
  readonly marks: boolean;
}

/** What a conversation is called, and whether it is accepted or hidden: its other members change with each message. */
function detailsOf(text: string | undefined): string {
  if (text === undefined) return '';
  const value: unknown = JSON.parse(text);
  return JSON.stringify([textAt(value, ['name']), textAt(value, ['state']), booleanAt(value, ['hidden'])]);
}

export class Reading {
  readonly changes: ReadingChanges = {...noChanges};
  /** Whether the server suddenly shows little of what it had. */
  isDoubtful = false;
  /** Whether no message is newer than those that were read. */
  reachedNewest = false;
  readonly #log: Log;
  readonly #options: ReadingOptions;
  readonly #seen = new Set<string>();
  readonly #intervals: Interval[] = [];
  #known = 0;
  /** The conversation, if it is to be written into the line that begins the run. */
  #text: string | undefined;
  #isBegun = false;

  constructor(log: Log, options: ReadingOptions) {
    this.#log = log;
    this.#options = options;
  }

  /** Writes the line that begins a run, before the first other one: a run with nothing to tell has none. */
  async #begin(): Promise<void> {
    if (this.#isBegun) return;
    this.#isBegun = true;
    const {at, id, type} = this.#options;
    const line = JSON.stringify({run: at, id, type});
    await this.#log.append(this.#text === undefined ? line : `${line.slice(0, -1)},"conversation":${this.#text}}`);
  }

  async #append(line: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#begin();
    await this.#log.append(JSON.stringify(line));
  }

  /** Takes the conversation and the people in it. @param text as the server wrote it */
  async meet(text: string): Promise<void> {
    const {conversation} = this.#log;
    const isChanged = detailsOf(text) !== detailsOf(conversation.text) || conversation.text === undefined;
    if (isChanged) this.#text = text;
    const people = peopleIn(text, this.#options.type);
    const isNew = ([id, one]: readonly [string, string]) => {
      const [now, known] = [personIn(JSON.parse(one)), conversation.people.get(id)];
      return known === undefined || known.acct !== now.acct || known.name !== now.name;
    };
    const fresh = [...people].filter(isNew);
    if (fresh.length > 0) this.#text = text;
    if (isChanged) await this.#begin();
    for (const [id, account] of fresh) {
      await this.#begin();
      await this.#log.append(`{"person":{"id":${JSON.stringify(id)},"account":${account}}}`);
    }
  }

  async take({messages, covers, newest}: ReadPage): Promise<void> {
    if (covers !== undefined) addInterval(this.#intervals, covers);
    this.reachedNewest ||= newest === true;
    for (const message of messages) await this.#see(message);
    await this.#log.flush();
  }

  async #see({id, text}: Message): Promise<void> {
    const known = this.#log.conversation.messages.get(id);
    this.#seen.add(id);
    if (known === undefined) this.changes.new += 1;
    else {
      this.#known += 1;
      if (known.missingSince !== undefined) this.changes.back += 1;
      if (known.content !== contentOf(text, JSON.parse(text))) this.changes.changed += 1;
      else if (known.missingSince === undefined) return;
      else return this.#append({back: id});
    }
    await this.#begin();
    await this.#log.appendMessage(id, text);
  }

  /** Says what is gone and which ids were read without a gap. @param isWhole whether all was read that was to be read */
  async end(isWhole: boolean): Promise<void> {
    const {conversation} = this.#log;
    const {at, marks} = this.#options;
    const isUnseen = (id: string) => !this.#seen.has(id) && this.#intervals.some((interval) => isIn(interval, id));
    const unseen = [...conversation.messages.values()].filter(({id}) => isUnseen(id));
    const lost = unseen.filter(({missingSince}) => missingSince === undefined);
    const isBare = this.#seen.size === 0 && unseen.length > 0;
    const isMuch = lost.length > mayLose;
    this.isDoubtful = marks && lost.length > 0 && (isBare || isMuch);
    if (marks) {
      this.changes.gone = lost.length;
      for (const {id} of lost) await this.#append({gone: id});
    }
    // A server that shows nothing, or suddenly little, does not prove that there is nothing: such a run closes no range.
    if (!isBare && !isMuch) await this.#widen();
    if (isWhole && !this.isDoubtful && this.#isBegun) await this.#log.append(JSON.stringify({end: at}));
    await this.#log.flush();
  }

  async #widen(): Promise<void> {
    const {conversation} = this.#log;
    const newest = this.reachedNewest || undefined;
    for (const covers of this.#intervals) {
      const ranges = joinedRanges(conversation.ranges, covers);
      if (JSON.stringify(ranges) !== JSON.stringify(conversation.ranges))
        await this.#append({page: this.#seen.size, known: this.#known, covers, newest});
    }
    if (newest && !conversation.newest) await this.#append({page: 0, known: 0, newest});
  }
}
