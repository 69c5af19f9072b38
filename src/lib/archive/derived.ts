/** Makes the files for people and programs from a log: messages, index and page. They can be removed, because the log has all of it. */
import {writeWhole} from '../files/whole-file.js';
import {compareIds} from '../json/compare-ids.js';
import type {ArchiveOwner} from './archive-folder.js';
import {summarize} from './facts.js';
import type {ArchivedMessage, Version} from './fold.js';
import type {Log} from './log.js';
import {conversationPage, type ShownMessage} from './page.js';

const indexLine = ({id, firstSeen, missingSince, versions, media}: ShownMessage): string =>
  `${JSON.stringify({
    id,
    first_seen: firstSeen,
    missing_since: missingSince,
    media: media.length > 0 ? media.map(({of: _, ...entry}) => entry) : undefined,
    versions: versions.length > 0 ? versions : undefined,
  })}\n`;

/** @throws the system's error */
export async function derive(log: Log, owner: ArchiveOwner): Promise<void> {
  const {conversation, place} = log;
  const all = [...conversation.messages.values()].sort((one, other) => compareIds(one.id, other.id));
  await log.withMessages(async (messageOf) => {
    const show = ({id, version, missingSince, media}: ArchivedMessage): ShownMessage => {
      const versions: {until: string; message: unknown}[] = [];
      let first: Version = version;
      for (; first.before !== undefined; first = first.before) versions.unshift({until: first.at, message: messageOf(first.before)});
      const entries = [...media].flatMap((one) => conversation.media.get(one) ?? []);
      return {id, value: messageOf(version), firstSeen: first.at, missingSince, versions, media: entries};
    };
    const showAll = () => all.values().map(show);
    const messages = showAll().map(({value}) => `${JSON.stringify(value)}\n`);
    await writeWhole(place.pathOf('messages'), messages, {durable: false});
    await writeWhole(place.pathOf('index'), showAll().map(indexLine), {durable: false});
    await writeWhole(place.pathOf('page'), conversationPage(conversation.at ?? '', summarize(log), showAll(), owner), {durable: false});
  });
}
