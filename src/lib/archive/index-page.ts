/** The page that leads to all conversations of an archive. */
import {join} from 'node:path';
import {writeWhole} from '../files/whole-file.js';
import {counted} from '../json/text.js';
import {pageFrame, timeOf} from '../print/html-page.js';
import {markup} from '../print/markup.js';
import type {ArchiveOwner} from './archive-folder.js';
import {handlesIn, searchForm, entryTitle} from './page.js';
import {script, style} from './page-assets.js';
import {accountFiles, keptFiles} from './places.js';
import {isIncomplete, isUnfinished, notRead, type ConversationRecord} from './record.js';

function itemOf(entry: ConversationRecord): string {
  const {folder, messages, media, missing, last_at: last, missing_since: gone} = entry.facts;
  const isPart = !isIncomplete(entry) && !isUnfinished(entry) && notRead(entry).length > 0;
  const counts = [
    counted(messages, 'message'),
    ...(media > 0 ? [counted(media, 'file')] : []),
    ...(missing > 0 ? [`${missing} no longer on the server`] : []),
    ...(isIncomplete(entry) ? ['incomplete'] : []),
    ...(isUnfinished(entry) ? ['not read completely'] : []),
    ...(isPart ? ['without earlier messages'] : []),
    ...(gone === undefined ? [] : ['no longer on the server']),
  ];
  return markup`<li><a href="${folder}/${keptFiles.page}">${entryTitle(entry)}</a> <span class="muted">${handlesIn(entry)}</span>
<p class="muted">${counts.join(', ')}${last === null ? undefined : markup`, last ${timeOf(new Date(last))}`}</p></li>
`.text;
}

/** @param entries newest first @param isOver whether the export reached its end */
export function* indexPage(entries: readonly ConversationRecord[], {account, server}: ArchiveOwner, isOver: boolean): Generator<string> {
  const title = `Messages of @${account.acct}`;
  const {begin, end} = pageFrame({title: `${title} on ${new URL(server).host}`, style, script});
  yield begin;
  yield markup`<header class="top">
<h1>${title}</h1>
<p class="muted">${new URL(server).host}. ${counted(entries.length, 'conversation')}.</p>
${isOver ? undefined : markup`<p class="warning">The last export did not finish: run it again to do the rest.</p>`}
</header>
${searchForm}<main>
<ul class="list">
`.text;
  for (const entry of entries) yield itemOf(entry);
  yield `</ul>
</main>
${end}`;
}

/** Writes the page into the folder of the account. */
export async function writeOverview(
  folder: string,
  entries: readonly ConversationRecord[],
  owner: ArchiveOwner,
  isOver: boolean,
): Promise<void> {
  await writeWhole(join(folder, accountFiles.index), indexPage(entries, owner, isOver), {durable: false});
}
