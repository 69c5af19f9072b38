/** The page of a conversation, and the one that leads to all of them: complete without their script, and without a network. */
import {compareIds} from '../json/compare-ids.js';
import {booleanAt, identifierAt, textAt} from '../json/path.js';
import {countNoun, shorten} from '../json/text.js';
import {pageFrame, timeOf, timeText} from '../print/html-page.js';
import {markup, type Markup, markupText} from '../print/markup.js';
import type {ArchiveOwner} from './archive-folder.js';
import {type ConversationFacts, namesOf} from './facts.js';
import type {Medium} from './fold.js';
import {isLinkable} from './media-file.js';
import {mediaIn, readSentAt, type Person} from './message.js';
import {script, style} from './page-assets.js';
import {conversationFiles} from './places.js';
import type {Gap} from './ranges.js';

/** Messages that a browser lays out together, or not at all while they are out of sight. */
const chunkSize = 50;

/** Messages whose beginnings are remembered, to show them above replies. */
const remembered = 2000;

const maxExcerpt = 140;

/** A message with what is known of it. */
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

const conversationTitle = (facts: ConversationFacts): readonly Markup[] => separateNames(namesOf(facts));

/** Hidden until the script shows it. */
const searchForm = markup`<form class="search" id="search" role="search" hidden>
<label>Search <input type="search" id="text" autocomplete="off" aria-keyshortcuts="/"></label>
<output id="shown" for="text"></output>
</form>
`;

function gapWords({after, before}: Gap): string {
  if (after === null) return before === null ? 'The messages were not read.' : 'Earlier messages were not read.';
  return before === null ? 'Later messages were not read.' : 'Messages between these two were not read.';
}

class Page {
  readonly #facts: ConversationFacts;
  readonly #at: string;
  readonly #owner: ArchiveOwner;
  /** Beginnings of the last messages, by id. */
  readonly #recent = new Map<string, {readonly who: string; readonly excerpt: string}>();
  #day = '';
  readonly #gaps: Gap[];
  /** The sender of messages that name none: in a thread, that is the one other person. */
  readonly #other: Person | undefined;
  readonly #frame: ReturnType<typeof pageFrame>;

  /** @param at the time of the last run that wrote anything */
  constructor(facts: ConversationFacts, at: string, owner: ArchiveOwner) {
    [this.#other] = Object.values(facts.people);
    this.#facts = facts;
    this.#at = at;
    this.#owner = owner;
    this.#gaps = [...facts.not_read];
    this.#frame = pageFrame({title: `${namesOf(facts).join(', ')} – messages`, style, script, hasMedia: true});
  }

  get end(): string {
    return this.#frame.end;
  }

  /** What was not read before a message, or at the end. */
  gapsBefore(id: string | undefined): string {
    let text = '';
    for (let [gap] = this.#gaps; gap !== undefined; [gap] = this.#gaps) {
      if (id !== undefined && (gap.before === null || compareIds(gap.before, id) > 0)) break;
      this.#gaps.shift();
      text += markup`<p class="note">${gapWords(gap)}</p>\n`.text;
    }
    return text;
  }

  get head(): string {
    const facts = this.#facts;
    const {messages, missing, media, absent_media: absent, incomplete, not_read: gaps} = facts;
    const counts = [
      countNoun(messages, 'message'),
      ...(missing > 0 ? [`${missing} no longer on the server`] : []),
      ...(media > 0 ? [countNoun(media, 'file')] : []),
      ...(absent > 0 ? [`${countNoun(absent, 'file')} not fetched`] : []),
    ];
    const {account, server} = this.#owner;
    return (
      this.#frame.begin +
      markup`<header class="top">
<p class="muted"><a href="../index.html">All conversations</a> of <bdi>@${account.acct}</bdi> on ${new URL(server).host}</p>
<h1>${conversationTitle(facts)}</h1>
<p class="muted">${handlesIn(facts)}. ${counts.join(', ')}. Last changed ${timeOf(new Date(this.#at))}.</p>
${messages > chunkSize ? markup`<p><a href="#end">The newest messages</a></p>` : undefined}
${!incomplete && gaps.length > 0 ? markup`<p class="warning">Not all of it was read: run the export again to do the rest.</p>` : undefined}
${incomplete ? markup`<p class="warning">Incomplete: the server shows only the first and the last messages of a thread.</p>` : undefined}
</header>
${searchForm}<main>
`.text
    );
  }

  message({id, value, missingSince, versions, media: entries}: ShownMessage): string {
    const {who, isOwn} = this.#sender(value);
    const sent = readSentAt(value);
    const words = textAt(value, ['text']);
    const edited = textAt(value, ['edited_at']);
    const marks = [
      ...(edited !== undefined || versions.length > 0 ? [markup`<span class="mark">edited</span>`] : []),
      ...(missingSince === undefined
        ? []
        : [markup`<span class="mark gone">deleted on the server, noticed ${timeOf(new Date(missingSince))}</span>`]),
    ];
    const files = media(value, entries, `from ${who}${sent === undefined ? '' : `, ${timeText(sent)}`}`);
    const body = [
      this.#reply(value),
      // Such as a reaction to a story.
      words || files ? undefined : markup`<p class="note">${textAt(value, ['type']) ?? 'A message without a text'}</p>\n`,
      words ? markup`<p class="text" dir="auto">${markupText(words)}</p>\n` : undefined,
      files,
      earlier(versions),
    ];
    this.#remember(id, who, words ?? '');
    return (
      this.#newDay(sent) +
      markup`<article id="m${id}" class="${isOwn ? 'own' : 'other'}${missingSince === undefined ? '' : ' deleted'}">
<p class="about"><bdi class="who">${who}</bdi> ${sent && timeOf(sent)} ${marks}</p>
${body.filter((part) => part !== undefined)}</article>
`.text
    );
  }

  #sender(value: unknown): {readonly who: string; readonly isOwn: boolean} {
    const {account} = this.#owner;
    const id = identifierAt(value, ['sender_id']);
    const isOwn = booleanAt(value, ['is_author']) ?? booleanAt(value, ['isAuthor']) ?? id === account.id;
    if (isOwn) return {who: `@${account.acct}`, isOwn};
    const {people} = this.#facts;
    const person: Person | undefined = id === undefined ? this.#other : Object.hasOwn(people, id) ? people[id] : undefined;
    return {who: person?.name ?? `account ${id ?? 'unknown'}`, isOwn};
  }

  #reply(value: unknown): Markup | undefined {
    const to = identifierAt(value, ['in_reply_to_id']);
    if (to === undefined) return undefined;
    const found = this.#recent.get(to);
    const words = found === undefined ? markup`an earlier message` : markup`<bdi>${found.who}</bdi>: <bdi>${found.excerpt}</bdi>`;
    return markup`<p class="reply"><a href="#m${to}">In reply to ${words}</a></p>\n`;
  }

  #remember(id: string, who: string, words: string): void {
    this.#recent.set(id, {who, excerpt: words === '' ? 'a file' : shorten(words, maxExcerpt)});
    if (this.#recent.size <= remembered) return;
    const [oldest] = this.#recent.keys();
    if (oldest !== undefined) this.#recent.delete(oldest);
  }

  #newDay(sent: Date | undefined): string {
    const day = sent?.toISOString().slice(0, 10) ?? '';
    if (day === '' || day === this.#day) return '';
    this.#day = day;
    return markup`<h2 class="day">${day}</h2>\n`.text;
  }
}

/** What a file is called for those who do not see it. */
const fileWord = (type: string): string => (type.startsWith('image/') ? 'Photo' : type.startsWith('video/') ? 'Video' : 'Audio');

/**
 * What is in the folder `media`; its names are ours.
 * @param origin from whom and when, for those who do not see it
 */
function fileMarkup({file = '', type = '', length = 0}: Partial<Medium>, description: string | undefined, origin: string): Markup {
  const alt = description === undefined ? `${fileWord(type)} ${origin}` : `${description} (${fileWord(type).toLowerCase()} ${origin})`;
  const link = markup`<a href="${file}">${file.replace(/^media\//, '')}</a>`;
  if (!isLinkable(type)) return markup`<p class="note">A file of an unknown type, not linked: ${file} (${countNoun(length, 'byte')})</p>\n`;
  if (type === 'image/heic') return markup`<p class="note">${link}</p>\n`;
  if (type.startsWith('image/')) return markup`<a class="file" href="${file}"><img src="${file}" alt="${alt}" loading="lazy"></a>\n`;
  if (type.startsWith('video/')) return markup`<video class="file" src="${file}" controls preload="none" title="${alt}"></video>\n`;
  return markup`<audio class="file" src="${file}" controls preload="none" title="${alt}"></audio>\n`;
}

function mediumMarkup(entry: Partial<Medium>, description: string | undefined, origin: string): Markup {
  if (entry.file !== undefined) return fileMarkup(entry, description, origin);
  return markup`<p class="note">A file that is not in the archive: ${entry.why ?? 'not fetched'}</p>\n`;
}

/** Those of the message, then those of earlier versions. */
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
  const page = new Page(facts, at, owner);
  yield page.head;
  let count = 0;
  for (const message of messages) {
    if (count % chunkSize === 0) yield `${count === 0 ? '' : '</section>\n'}<section>\n`;
    yield page.gapsBefore(message.id);
    yield page.message(message);
    count += 1;
  }
  yield `${count === 0 ? '<p class="muted">No messages.</p>\n' : '</section>\n'}${page.gapsBefore(undefined)}<p id="end" class="muted">The end.</p>
</main>
${page.end}`;
}

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
