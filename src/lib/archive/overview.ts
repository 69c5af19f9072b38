/** All conversations of an archive: `conversations.ndjson`, and the page that links to them. Both are made from the logs. */
import {join} from 'node:path';
import {writeChanged} from '../files/whole-file.js';
import {compareIds} from '../json/compare-ids.js';
import type {ArchiveOwner} from './archive-folder.js';
import {type ConversationFacts, summarize} from './facts.js';
import {Log} from './log.js';
import {indexPage} from './page.js';
import {accountFiles, type ConversationPlace, conversationFiles, conversationsOf} from './archive-places.js';

function byNewest(one: ConversationFacts, other: ConversationFacts): number {
  return (other.last_at ?? '').localeCompare(one.last_at ?? '') || compareIds(other.id, one.id);
}

const readme = ({account, server}: ArchiveOwner): string => `# Messages of @${account.acct} on ${new URL(server).host}

Made by \`pixelctl dm export\`. To read them, open \`${accountFiles.index}\` in a browser. To add what is new, run the same command again.

Keep this folder to yourself: it holds private messages.

| file | what it is |
| --- | --- |
| \`ID/${conversationFiles.log}\` | the archive of a conversation: everything that was ever read, in the order in which it was read. Lines are only added |
| \`ID/${conversationFiles.sum}\` | how long the log is, and the proof (\`x\`) of its last line |
| \`ID/media/\` | photos, videos and sounds, named by their ids |
| \`archive.json\` | whose archive this is |

The other files are made from the logs. You can remove them: the next run makes them again.

| file | what it is |
| --- | --- |
| \`${accountFiles.index}\`, \`ID/${conversationFiles.page}\` | pages to read |
| \`${accountFiles.conversations}\` | a line for each conversation |
| \`ID/${conversationFiles.messages}\` | the server's own JSON of each message, the oldest first |
| \`ID/${conversationFiles.index}\` | by id: when it was first seen, since when it is missing, earlier versions, files |

To check all of it without a server: \`pixelctl dm export --to . --verify\`. To forget a conversation, remove its folder.
`;

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
    await writeChanged(join(this.archive, accountFiles.readme), readme(owner));
  }
}
