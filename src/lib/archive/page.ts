/** The page of a conversation, and the page that links to all conversations. Both are complete without scripts and without a network. */
import {booleanAt, identifierAt, textAt, compareIds} from '../json/path.js';
import {countNoun, shorten} from '../json/text.js';
import {pageFrame, timeOf, timeText} from '../print/html-page.js';
import {markup, Markup, markupText} from '../print/markup.js';
import type {ArchiveOwner} from './archive-folder.js';
import {type ConversationFacts, namesOf} from './facts.js';
import type {Medium} from './fold.js';
import {isLinkable} from './media-file.js';
import {mediaIn, readSentAt, type Person} from './message.js';
import {script, style} from './page-assets.js';
import {conversationFiles} from './archive-places.js';

/** How many messages a browser lays out together, or skips together while they are out of sight. */
const chunkSize = 50;

const maxExcerpt = 140;

export interface ShownMessage {
  readonly id: string;
  /** As the server wrote it. */
  readonly value: unknown;
  readonly firstSeen: string;
  readonly missingSince: string | undefined;
  /** Earlier versions, oldest first, with the time when the next one was seen. */
  readonly versions: readonly {readonly until: string; readonly message: unknown}[];
  readonly media: readonly Medium[];
}

/** Each name is isolated, so that one that is written from right to left does not reverse the others. */
const separateNames = (names: readonly string[]): Markup[] =>
  names.map((name, index) => markup`${index > 0 ? ', ' : ''}<bdi>${name}</bdi>`);

function handlesIn({people}: ConversationFacts): readonly Markup[] {
  const handles = Object.values(people).map(({acct}) => `@${acct}`);
  return handles.length === 0 ? [markup`nobody`] : separateNames(handles);
}

/** Hidden until the script shows it. */
const searchForm = markup`<div class="search" id="search" role="search" hidden>
<label>Search <input type="search" id="text" autocomplete="off"></label>
<output id="shown" for="text"></output>
</div>
`;

function countsOf({messages, missing, media, absent_media: absent, not_read: gaps}: ConversationFacts): string {
  return [
    countNoun(messages, 'message'),
    ...(missing > 0 ? [`${missing} no longer on the server`] : []),
    ...(media > 0 ? [countNoun(media, 'file')] : []),
    ...(absent > 0 ? [`${countNoun(absent, 'file')} not fetched`] : []),
    ...(gaps.length > 0 ? ['not read completely'] : []),
  ].join(', ');
}

function headOf(facts: ConversationFacts, at: string, {account, server}: ArchiveOwner): string {
  const {messages, type, not_read: gaps} = facts;
  const why =
    type === 'thread' ? 'the server shows only the first and the last messages of a thread' : 'run the export again to do the rest';
  return markup`<header class="top">
<p class="muted"><a href="../index.html">All conversations</a> of <bdi>@${account.acct}</bdi> on ${new URL(server).host}</p>
<h1>${separateNames(namesOf(facts))}</h1>
<p class="muted">${handlesIn(facts)}. ${countsOf(facts)}. Last changed ${timeOf(new Date(at))}.</p>
${messages > chunkSize ? markup`<p><a href="#end">The newest messages</a></p>` : undefined}
${gaps.length > 0 ? markup`<p class="warning">Not all of it was read: ${why}.</p>` : undefined}
</header>
${searchForm}<main>
`.text;
}

/** Who sent a message. A message of a thread may name nobody: then the one other person sent it. */
function senderOf(message: unknown, {people}: ConversationFacts, {account}: ArchiveOwner) {
  const id = identifierAt(message, ['sender_id']);
  const isOwn = booleanAt(message, ['is_author']) ?? booleanAt(message, ['isAuthor']) ?? id === account.id;
  if (isOwn) return {who: `@${account.acct}`, isOwn};
  const [other] = Object.values(people);
  const person: Person | undefined = id === undefined ? other : Object.hasOwn(people, id) ? people[id] : undefined;
  return {who: person?.name ?? `account ${id ?? 'unknown'}`, isOwn};
}

/**
 * Shows a file of the folder `media`. The link is safe, because pixelctl has chosen the name.
 * @param origin the sender and the time, for people who cannot see the file
 */
function mediumMarkup({file, type = '', why = 'not fetched'}: Partial<Medium>, description: string | undefined, origin: string): Markup {
  if (file === undefined) return markup`<p class="note">A file that is not in the archive: ${why}</p>\n`;
  if (!isLinkable(type)) return markup`<p class="note">A file of an unknown type, not linked: ${file}</p>\n`;
  const kind = type.replace(/\/.*/, '').replace('image', 'photo');
  const alt = `${description ?? 'A file'} (${kind} ${origin})`;
  // Browsers do not show HEIC.
  if (type === 'image/heic') return markup`<p class="note"><a href="${file}">${alt}</a></p>\n`;
  if (kind === 'photo') return markup`<a class="file" href="${file}"><img src="${file}" alt="${alt}" loading="lazy"></a>\n`;
  if (kind === 'video') return markup`<video class="file" src="${file}" controls preload="none" title="${alt}"></video>\n`;
  return markup`<audio class="file" src="${file}" controls preload="none" title="${alt}"></audio>\n`;
}

function media(value: unknown, entries: readonly Medium[], origin: string): Markup | undefined {
  const current = mediaIn(value);
  if (current.length === 0) return undefined;
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const files = current.map(({id, description}) => mediumMarkup(known.get(id) ?? {}, description, origin));
  const shown = markup`<div class="media">\n${files}</div>\n`;
  if (booleanAt(value, ['sensitive']) !== true) return shown;
  return markup`<details class="sensitive"><summary>Sensitive: ${countNoun(files.length, 'file')}. Show</summary>
${shown}</details>\n`;
}

function earlier(versions: ShownMessage['versions']): Markup | undefined {
  if (versions.length === 0) return undefined;
  const items = versions.map(
    ({until, message}) =>
      markup`<li>Until ${timeOf(new Date(until))}: <bdi class="text">${markupText(textAt(message, ['text']) ?? '')}</bdi></li>\n`,
  );
  return markup`<details class="versions"><summary>${countNoun(versions.length, 'earlier version')}</summary><ul>\n${items}</ul></details>\n`;
}

/** The page of a conversation, piece by piece. @param at the time of the last run that wrote anything @param messages the oldest first */
export function* conversationPage(
  at: string,
  facts: ConversationFacts,
  messages: Iterable<ShownMessage>,
  owner: ArchiveOwner,
): Generator<string> {
  const {begin, end} = pageFrame({title: `${namesOf(facts).join(', ')} – messages`, style, script, hasMedia: true});
  /** Beginnings of messages, by id, to show them above replies. */
  const beginnings = new Map<string, Markup>();
  const gaps = [...facts.not_read];
  let [count, day] = [0, ''];

  /** A note for each gap before a message; without an id, for all gaps that are left. */
  function* gapsBefore(id?: string): Generator<string> {
    for (let [gap] = gaps; gap !== undefined; [gap] = gaps) {
      if (id !== undefined && (gap.before === null || compareIds(gap.before, id) > 0)) return;
      gaps.shift();
      yield '<p class="note">Messages that belong here were not read.</p>\n';
    }
  }

  yield begin + headOf(facts, at, owner);
  for (const {id, value, missingSince, versions, media: entries} of messages) {
    if (count % chunkSize === 0) yield `${count === 0 ? '' : '</section>\n'}<section>\n`;
    count += 1;
    yield* gapsBefore(id);
    const {who, isOwn} = senderOf(value, facts, owner);
    const sent = readSentAt(value);
    const sentOn = sent?.toISOString().slice(0, 10) ?? day;
    if (sentOn !== day) yield markup`<h2 class="day">${sentOn}</h2>\n`.text;
    day = sentOn;
    const words = textAt(value, ['text']);
    const isEdited = textAt(value, ['edited_at']) !== undefined || versions.length > 0;
    const missing = missingSince && markup`<span class="mark gone">deleted on the server, noticed ${timeOf(new Date(missingSince))}</span>`;
    const replyTo = identifierAt(value, ['in_reply_to_id']);
    const files = media(value, entries, `from ${who}${sent === undefined ? '' : `, ${timeText(sent)}`}`);
    const body = [
      replyTo && markup`<p class="reply"><a href="#m${replyTo}">In reply to ${beginnings.get(replyTo) ?? 'an earlier message'}</a></p>\n`,
      // A reaction to a story, for example, has no text.
      words || files ? undefined : markup`<p class="note">${textAt(value, ['type']) ?? 'A message without a text'}</p>\n`,
      words && markup`<p class="text" dir="auto">${markupText(words)}</p>\n`,
      files,
      earlier(versions),
    ];
    beginnings.set(id, markup`<bdi>${who}</bdi>: <bdi>${words ? shorten(words, maxExcerpt) : 'a file'}</bdi>`);
    yield markup`<article id="m${id}" class="${isOwn ? 'own' : 'other'}${missingSince === undefined ? '' : ' deleted'}">
<p class="about"><bdi class="who">${who}</bdi> ${sent && timeOf(sent)} ${isEdited ? markup`<span class="mark">edited</span>` : undefined}${missing}</p>
${body.filter((part) => part instanceof Markup)}</article>
`.text;
  }
  yield count === 0 ? '<p class="muted">No messages.</p>\n' : '</section>\n';
  yield* gapsBefore();
  yield `<p id="end" class="muted">The end.</p>
</main>
${end}`;
}

function itemOf(facts: ConversationFacts): string {
  const {folder, last_at: last} = facts;
  return markup`<li><a href="${folder}/${conversationFiles.page}">${separateNames(namesOf(facts))}</a> <span class="muted">${handlesIn(facts)}</span>
<p class="muted">${countsOf(facts)}${last === null ? undefined : markup`, last ${timeOf(new Date(last))}`}</p></li>
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
