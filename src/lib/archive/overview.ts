/** All conversations of an archive: `conversations.ndjson`, and the page that links to them. Both are made from the logs. */
import {join} from 'node:path';
import {writeChanged} from '../files/whole-file.js';
import {compareIds} from '../json/path.js';
import type {ArchiveOwner} from './archive-folder.js';
import {type ConversationFacts, summarize} from './facts.js';
import {Log} from './log.js';
import {indexPage} from './page.js';
import {accountFiles, type ConversationPlace, conversationsOf} from './archive-places.js';

function byNewest(one: ConversationFacts, other: ConversationFacts): number {
  return (other.last_at ?? '').localeCompare(one.last_at ?? '') || compareIds(other.id, one.id);
}

export class Overview {
  readonly archive: string;
  readonly #facts = new Map<string, ConversationFacts | undefined>();

  /** @param archive the folder of the account, which need not be there */
  constructor(archive: string) {
    this.archive = archive;
  }

  set(facts: ConversationFacts): void {
    this.#facts.set(facts.folder, facts);
  }

  /** @returns undefined for a folder with nothing in it @throws Damaged */
  async factsOf(place: ConversationPlace): Promise<ConversationFacts | undefined> {
    if (!this.#facts.has(place.name)) {
      await using log = await Log.openToLook(place);
      this.#facts.set(place.name, log.isEmpty ? undefined : summarize(log));
    }
    return this.#facts.get(place.name);
  }

  /** All conversations that are not damaged, the newest first. */
  async all(): Promise<ConversationFacts[]> {
    const all: ConversationFacts[] = [];
    for (const place of await conversationsOf(this.archive)) {
      const facts = await this.factsOf(place).catch(() => undefined);
      if (facts !== undefined) all.push(facts);
    }
    return all.sort(byNewest);
  }

  /** Writes the list and the page of all conversations, where they are missing or out of date. */
  async write(owner: ArchiveOwner): Promise<void> {
    const all = await this.all();
    await writeChanged(join(this.archive, accountFiles.conversations), all.map((facts) => `${JSON.stringify(facts)}\n`).join(''));
    await writeChanged(join(this.archive, accountFiles.index), indexPage(all, owner));
  }
}
