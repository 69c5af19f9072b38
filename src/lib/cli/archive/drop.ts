/** Drops messages that servers do not show any more: asks once for all accounts, when all was exported. */
import {type ConversationResult, type Gone, openArchive} from '../../archive/index.js';
import {join} from 'node:path';
import {guarded} from '../../client/failure.js';
import {counted, firstOf, withCommas} from '../../json/text.js';
import {archiveOwner, type AccountRun, type Around} from './run.js';
import {confirm, requireAnswer} from '../prompts.js';

/** More than these, or half of a conversation, need a number that allows them. */
const maxUnasked = 20;

/** Conversations that a question names. */
const maxTold = 10;

interface DropChoice {
  /** `--allow-drops` */
  readonly allowed: number | undefined;
  readonly now: Date;
}

/** A result that is printed when it is known what was dropped. */
interface Held {
  readonly run: AccountRun;
  readonly result: ConversationResult;
  /** Undefined where it was not read. */
  readonly gone: Gone | undefined;
  readonly tell: (result: ConversationResult) => Promise<void>;
}

const countOf = (gone: Gone | undefined): number => gone?.count ?? 0;

const nameOf = ({with: handles, id}: ConversationResult): string => (handles.length > 0 ? firstOf([...handles], 3) : id);

export class Drops {
  readonly #around: Around;
  readonly #choice: DropChoice;
  readonly #held: Held[] = [];
  /** By the folder of an account and the id of a conversation. */
  readonly #gone = new Map<string, Gone>();

  /** @throws Failure `usage` where nobody could answer */
  constructor(choice: DropChoice, around: Around) {
    this.#choice = choice;
    this.#around = around;
    if (!around.session.assumeYes) requireAnswer(around.session.io);
  }

  /** Notes what a conversation of a folder lacks on the server. */
  note(folder: string, id: string, gone: Gone): void {
    this.#gone.set(join(folder, id), gone);
  }

  hold(run: AccountRun, result: ConversationResult, tell: Held['tell']): void {
    this.#held.push({run, result, gone: this.#gone.get(join(run.folder, result.id)), tell});
  }

  /**
   * Asks, drops, and tells of every conversation.
   * @param isWhole false: nothing is dropped, because not all was exported
   * @throws Failure `refused` for more than may be dropped unasked, `usage` for a no: nothing was dropped then
   */
  async finish(isWhole: boolean, add: (result: ConversationResult) => void): Promise<void> {
    const wanted = isWhole ? this.#held.filter(({result: {failure}, gone}) => failure === undefined && countOf(gone) > 0) : [];
    let refusal: unknown;
    try {
      if (wanted.length > 0) await this.#allow(wanted);
    } catch (error) {
      refusal = error;
    }
    const isAllowed = refusal === undefined && wanted.length > 0;
    const dropped = isAllowed ? await this.#drop(wanted) : new Map<ConversationResult, ConversationResult>();
    for (const {result, tell} of this.#held) {
      const told = dropped.get(result) ?? result;
      add(told);
      await tell(told);
    }
    if (refusal !== undefined) throw refusal;
  }

  async #allow(wanted: readonly Held[]): Promise<void> {
    const {session} = this.#around;
    const count = wanted.reduce((sum, {gone}) => sum + countOf(gone), 0);
    const told = wanted.map(({result, gone}) => `${nameOf(result)} ${withCommas(countOf(gone))} of ${withCommas(result.messages)}`);
    const what = `${counted(count, 'message')} that ${count === 1 ? 'is' : 'are'} no longer on the server`;
    if (!session.assumeYes) return confirm(`Drop ${what}? ${firstOf(told, maxTold)}.`, session.io, 'Cancelled. Nothing was dropped.');
    const isMuch = count > maxUnasked || wanted.some(({result: {messages}, gone}) => countOf(gone) * 2 >= messages);
    if (!isMuch || count <= (this.#choice.allowed ?? 0)) return;
    throw guarded(
      `${what} would be dropped: ${firstOf(told, maxTold)}. They are marked, and nothing was dropped`,
      `if the server is right, allow it with --allow-drops ${count}`,
    );
  }

  async #drop(held: readonly Held[]): Promise<Map<ConversationResult, ConversationResult>> {
    const {dropMissing} = await import('../../archive/drop.js');
    const after = new Map<ConversationResult, ConversationResult>();
    for (const [folder, own] of Map.groupBy(held, ({run}) => run.folder)) {
      const [first] = own;
      if (first === undefined) continue;
      const owner = await archiveOwner(first.run.member);
      using _archive = await openArchive(folder, owner, {isNew: false, doing: 'dropping messages'});
      const gone = new Map(own.flatMap(({result, gone: one}) => (one === undefined ? [] : [[result.id, one] as const])));
      const dropped = await dropMissing({folder, owner, gone, now: this.#choice.now});
      for (const {result} of own) {
        const one = dropped.get(result.id);
        if (one === undefined) continue;
        const {messages, missing, media, bytes, absent_media, first_id, last_id, last_at} = one.record.facts;
        after.set(result, {...result, messages, missing, media, bytes, absent_media, first_id, last_id, last_at, dropped: one.count});
      }
    }
    return after;
  }
}
