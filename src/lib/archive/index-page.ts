/** The page that leads to all conversations of an archive. */
import {counted} from '../json/text.js';
import {pageHead, timeOf} from '../print/html-page.js';
import {markup} from '../print/markup.js';
import type {ArchiveOwner} from './archive-folder.js';
import type {CatalogueEntry} from './catalogue.js';
import {handlesIn, searchForm, titleOf} from './page.js';
import {script, style} from './page-assets.js';
import {keptFiles} from './places.js';

function itemOf(entry: CatalogueEntry): string {
  const {folder, messages, media, missing, incomplete, unfinished, last_at: last, missing_since: gone} = entry.facts;
  const counts = [
    counted(messages, 'message'),
    ...(media > 0 ? [counted(media, 'file')] : []),
    ...(missing > 0 ? [`${missing} no longer on the server`] : []),
    ...(incomplete ? ['incomplete'] : []),
    ...(unfinished === true ? ['not all of it was read'] : []),
    ...(gone === undefined ? [] : ['no longer on the server']),
  ];
  return markup`<li><a href="${folder}/${keptFiles.page}">${titleOf(entry)}</a> <span class="muted">${handlesIn(entry)}</span>
<p class="muted">${counts.join(', ')}${last === null ? undefined : markup`, last ${timeOf(new Date(last))}`}</p></li>
`.text;
}

/** @param entries newest first @param isOver whether the export reached its end */
export function* indexPage(entries: readonly CatalogueEntry[], {account, server}: ArchiveOwner, isOver: boolean): Generator<string> {
  const title = `Messages of @${account.acct}`;
  yield pageHead({title: `${title} on ${new URL(server).host}`, style, script});
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
<script>${script}</script>
</body>
</html>
`;
}
