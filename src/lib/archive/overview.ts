/** All conversations of an archive: `conversations.ndjson`, and the page that leads to them. Both are made from the logs. */
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {readText} from '../files/read-file.js';
import {absent} from '../files/system-error.js';
import {writeWhole} from '../files/whole-file.js';
import {compareIds} from '../json/compare-ids.js';
import type {ArchiveOwner} from './archive-folder.js';
import {type ConversationFacts, factsIn, lineOf, summarize} from './facts.js';
import {indexPage} from './index-page.js';
import {Log} from './log.js';
import {accountFiles, ConversationPlace, conversationFiles, isConversationName, nameOf} from './places.js';

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

/** What is known of all conversations of an archive. */
export class Overview {
  readonly #folder: string;
  readonly #facts = new Map<string, ConversationFacts>();
  readonly #lines: ReadonlyMap<string, ConversationFacts>;

  private constructor(folder: string, lines: ReadonlyMap<string, ConversationFacts>) {
    this.#folder = folder;
    this.#lines = lines;
  }

  /** @param folder of the account, which need not be there */
  static async open(folder: string): Promise<Overview> {
    const text = await readText(join(folder, accountFiles.conversations)).catch(() => '');
    const all = text.split('\n').flatMap((line) => factsIn(line) ?? []);
    return new Overview(folder, new Map(all.map((facts) => [facts.folder, facts])));
  }

  /** The folders of conversations. */
  async places(): Promise<ConversationPlace[]> {
    const names = (await readdir(this.#folder).catch(absent)) ?? [];
    return names.filter(isConversationName).map((name) => new ConversationPlace(this.#folder, name));
  }

  set(facts: ConversationFacts): void {
    this.#facts.set(facts.folder, facts);
  }

  find(id: string): ConversationFacts | undefined {
    return this.#facts.get(nameOf(id));
  }

  /** @returns undefined for a folder with nothing in it @throws Damaged */
  async factsOf(place: ConversationPlace): Promise<ConversationFacts | undefined> {
    const known = this.#facts.get(place.name) ?? (await this.#listed(place));
    if (known !== undefined) return known;
    await using log = await Log.open(place, {at: '', isReadOnly: true, warn: () => {}});
    return log.isEmpty ? undefined : await summarize(log);
  }

  /** What the last run wrote, where the log is as that run left it. */
  async #listed(place: ConversationPlace): Promise<ConversationFacts | undefined> {
    const facts = this.#lines.get(place.name);
    const sum = await readText(place.pathOf('sum')).catch(() => '');
    return facts !== undefined && sum.includes(`"${facts.log}"`) ? facts : undefined;
  }

  /** Writes the list and the page of all conversations, where they are missing or out of date. */
  async write(owner: ArchiveOwner): Promise<void> {
    const all: ConversationFacts[] = [];
    for (const place of await this.places()) {
      const facts = await this.factsOf(place).catch(() => this.#lines.get(place.name));
      if (facts !== undefined) all.push(facts);
    }
    all.sort(byNewest);
    await this.#writeChanged(accountFiles.conversations, all.map((facts) => `${lineOf(facts)}\n`).join(''));
    await this.#writeChanged(accountFiles.index, indexPage(all, owner));
    if ((await readText(join(this.#folder, accountFiles.readme)).catch(absent)) === undefined)
      await writeWhole(join(this.#folder, accountFiles.readme), readme(owner));
  }

  async #writeChanged(name: string, text: string): Promise<void> {
    const path = join(this.#folder, name);
    if ((await readText(path).catch(() => undefined)) !== text) await writeWhole(path, text, {durable: false});
  }
}
