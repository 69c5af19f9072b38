/** What is made from a log for people and programs, and may be thrown away: the messages, what is known of each, and the page. */
import {writeWhole} from '../files/whole-file.js';
import {compareIds} from '../json/compare-ids.js';
import type {ArchiveOwner} from './archive-folder.js';
import {summarize} from './facts.js';
import type {ArchivedMessage, ArchivedConversation} from './fold.js';
import type {Log} from './log.js';
import {pageOf, type ShownMessage} from './page.js';

type TextOf = (id: string, version: ArchivedMessage['version']) => string;

const byId = (one: ArchivedMessage, other: ArchivedMessage): number => compareIds(one.id, other.id);

function toShownMessage(
  {id, version, missingSince, media}: ArchivedMessage,
  conversation: ArchivedConversation,
  textOf: TextOf,
): ShownMessage {
  const versions: {until: string; text: string}[] = [];
  let [firstSeen, until] = [version.at, version.at];
  for (let {before} = version; before !== undefined; before = before.before) {
    versions.unshift({until, text: textOf(id, before)});
    firstSeen = until = before.at;
  }
  const entries = [...media].flatMap((one) => conversation.media.get(one) ?? []);
  return {id, text: textOf(id, version), firstSeen, missingSince, versions, media: entries};
}

function indexLine({id, firstSeen, missingSince, versions, media}: ShownMessage): string {
  const files = media.map(({of: _, ...entry}) => entry);
  const known = {id, first_seen: firstSeen, missing_since: missingSince, media: files.length > 0 ? files : undefined};
  const earlier = versions.map(({until, text}) => `{"until":${JSON.stringify(until)},"message":${text}}`);
  return `${JSON.stringify(known).slice(0, -1)}${earlier.length === 0 ? '' : `,"versions":[${earlier.join(',')}]`}}\n`;
}

/** Makes them anew. @throws the system's error */
export async function derive(log: Log, owner: ArchiveOwner): Promise<void> {
  const {conversation, place} = log;
  const facts = await summarize(log);
  const all = [...conversation.messages.values()].sort(byId);
  await log.withTexts(async (textOf) => {
    function* texts(): Generator<string> {
      for (const {id, version} of all) yield `${textOf(id, version)}\n`;
    }
    function* index(): Generator<string> {
      for (const one of all) yield indexLine(toShownMessage(one, conversation, textOf));
    }
    function* messages(): Generator<ShownMessage> {
      for (const one of all) yield toShownMessage(one, conversation, textOf);
    }
    await writeWhole(place.pathOf('messages'), texts(), {durable: false});
    await writeWhole(place.pathOf('index'), index(), {durable: false});
    await writeWhole(place.pathOf('page'), pageOf(conversation, facts, messages(), owner), {durable: false});
  });
}
