/** Compares the pages that one run reads of a conversation with its log, and appends what is new. */
import {isDeepStrictEqual} from 'node:util';
import {booleanAt, textAt, compareIds} from '../json/path.js';
import type {Log} from './log.js';
import {contentOf, peopleIn, personIn, type ConversationType, type Message} from './message.js';
import {isIn, joinedRanges, type Range} from './ranges.js';
import type {ReadPage} from './read-pages.js';

/** If more messages than this are suddenly missing, the server may be at fault: what it shows is in doubt. */
const mayLose = 20;

export interface ReadingChanges {
  new: number;
  /** Messages that say something other than before. */
  changed: number;
  /** Messages that the server does not show any more since this run. */
  gone: number;
  /** Messages that the server shows again. */
  back: number;
}

export const noChanges: Readonly<ReadingChanges> = {new: 0, changed: 0, gone: 0, back: 0};

interface ReadingOptions {
  /** The time of the run. */
  readonly at: string;
  readonly id: string;
  readonly type: ConversationType;
  /** Whether messages that the server does not show are marked as missing. */
  readonly marks: boolean;
}

/** What a conversation is called, and whether it is accepted or hidden: its other members change with each message. */
const detailsOf = (conversation: unknown) => [
  textAt(conversation, ['name']),
  textAt(conversation, ['state']),
  booleanAt(conversation, ['hidden']),
];

export class Reading {
  readonly changes: ReadingChanges = {...noChanges};
  /** Whether the server suddenly shows little of what it had. */
  isDoubtful = false;
  reachedNewest = false;
  readonly #log: Log;
  readonly #options: ReadingOptions;
  readonly #seen = new Set<string>();
  /** The ranges that this run read; `#isToEnd` says whether the server has nothing above them. */
  #ranges: readonly Range[] = [];
  #isToEnd = false;
  #known = 0;

  constructor(log: Log, options: ReadingOptions) {
    const {id, type} = options;
    log.head = {id, type};
    this.#log = log;
    this.#options = options;
  }

  async take({conversation, messages, covers, newest}: ReadPage): Promise<void> {
    if (conversation !== undefined) this.#meet(conversation);
    if (covers !== undefined) this.#ranges = joinedRanges(this.#ranges, covers);
    this.#isToEnd ||= covers?.toEnd === true;
    this.reachedNewest ||= newest === true;
    for (const message of messages) this.#see(message);
    await this.#log.flush();
  }

  /** Appends the conversation and the people in it, if they are new or differ from the log. */
  #meet(shown: unknown): void {
    const {shown: before, people} = this.#log.conversation;
    const {id, type} = this.#options;
    const fresh = [...peopleIn(shown, type)].filter(([person, account]) => !isDeepStrictEqual(personIn(account), people.get(person)));
    if (before !== undefined && fresh.length === 0 && isDeepStrictEqual(detailsOf(shown), detailsOf(before))) return;
    this.#log.head = {id, type, conversation: shown};
    this.#log.begin();
    for (const [person, account] of fresh) this.#log.append({person: {id: person, account}});
  }

  #see({id, value}: Message): void {
    const known = this.#log.conversation.messages.get(id);
    this.#seen.add(id);
    if (known === undefined) this.changes.new += 1;
    else {
      this.#known += 1;
      if (known.missingSince !== undefined) this.changes.back += 1;
      if (known.content !== contentOf(value)) this.changes.changed += 1;
      else if (known.missingSince === undefined) return;
      else return this.#log.append({back: id});
    }
    this.#log.append({id, message: value});
  }

  /** Appends which messages are gone, and which ids were read without a gap. @param isWhole whether nothing failed while reading */
  async end(isWhole: boolean): Promise<void> {
    const {at, marks} = this.#options;
    const unseen = [...this.#log.conversation.messages.values()].filter(({id}) => !this.#seen.has(id) && this.#wasRead(id));
    const lost = unseen.filter(({missingSince}) => missingSince === undefined);
    const isBare = this.#seen.size === 0 && unseen.length > 0;
    const isMuch = lost.length > mayLose;
    this.isDoubtful = marks && lost.length > 0 && (isBare || isMuch);
    if (marks) {
      this.changes.gone = lost.length;
      for (const {id} of lost) this.#log.append({gone: id});
    }
    // A server that shows nothing, or suddenly little, does not prove that there is nothing: such a run adds no range.
    if (!isBare && !isMuch) this.#widen();
    if (isWhole && !this.isDoubtful && this.#log.isBegun) this.#log.append({end: at});
    await this.#log.flush();
  }

  /** Whether the server would have shown a message. */
  #wasRead(id: string): boolean {
    const top = this.#ranges.at(-1);
    return this.#ranges.some((range) => isIn(range, id)) || (this.#isToEnd && top !== undefined && compareIds(id, top.to) > 0);
  }

  #widen(): void {
    const {conversation} = this.#log;
    const newest = this.reachedNewest || undefined;
    for (const range of this.#ranges) {
      const covers = {...range, toEnd: (this.#isToEnd && range === this.#ranges.at(-1)) || undefined};
      if (!isDeepStrictEqual(joinedRanges(conversation.ranges, covers), conversation.ranges))
        this.#log.append({page: this.#seen.size, known: this.#known, covers, newest});
    }
    if (newest && !conversation.newest) this.#log.append({page: 0, known: 0, newest});
  }
}
