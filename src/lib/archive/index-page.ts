/** The page that leads to all conversations of an archive. */
import {countNoun} from '../json/text.js';
import {pageFrame, timeOf} from '../print/html-page.js';
import {markup} from '../print/markup.js';
import type {ArchiveOwner} from './archive-folder.js';
import type {ConversationFacts} from './facts.js';
import {handlesIn, searchForm, conversationTitle} from './page.js';
import {script, style} from './page-assets.js';
import {conversationFiles} from './places.js';

function itemOf(facts: ConversationFacts): string {
  const {folder, messages, media, missing, last_at: last, incomplete, not_read: gaps} = facts;
  const counts = [
    countNoun(messages, 'message'),
    ...(media > 0 ? [countNoun(media, 'file')] : []),
    ...(missing > 0 ? [`${missing} no longer on the server`] : []),
    ...(incomplete ? ['incomplete'] : gaps.length > 0 ? ['not read completely'] : []),
  ];
  return markup`<li><a href="${folder}/${conversationFiles.page}">${conversationTitle(facts)}</a> <span class="muted">${handlesIn(facts)}</span>
<p class="muted">${counts.join(', ')}${last === null ? undefined : markup`, last ${timeOf(new Date(last))}`}</p></li>
`.text;
}

/** @param all newest first */
export function indexPage(all: readonly ConversationFacts[], {account, server}: ArchiveOwner): string {
  const title = `Messages of @${account.acct}`;
  const {begin, end} = pageFrame({title: `${title} on ${new URL(server).host}`, style, script});
  const head = markup`<header class="top">
<h1>${title}</h1>
<p class="muted">${new URL(server).host}. ${countNoun(all.length, 'conversation')}.</p>
</header>
${searchForm}<main>
<ul class="list">
`.text;
  return `${begin}${head}${all.map(itemOf).join('')}</ul>
</main>
${end}`;
}
