/** Messages as a conversation: who, when, the text, media, and what they reply to. For terminals. */
import {isObject} from '../api/schema.js';
import type {Column, ListView} from '../api/view.js';
import type {ItemSetting, ItemWriter} from './format.js';
import {inert} from './inert.js';
import {palette, type Palette} from './palette.js';
import {columnText, inLines, layoutOf, oneLine, plain, valueAt, type Layout} from './values.js';
import {truncate, wrap} from './width.js';

const indent = '  ';

/** Terminal columns of a message that another one replies to. */
const quoteWidth = 60;

/** Messages that replies can quote. */
const maxRemembered = 1000;

const sender: Column = {header: '', path: '', kind: 'sender'};
const sent: Column = {header: '', path: 'created_at', kind: 'time'};

/** One page is printed with the oldest message first; messages of several pages as they arrive. */
export function openConversation({empty}: ListView, setting: ItemSetting): ItemWriter {
  const layout = layoutOf(setting);
  const conversation = new Conversation(layout);
  const page: unknown[] = [];
  return {
    nature: 'painted',
    items(messages) {
      if (setting.isWhole !== true) return conversation.print(messages);
      page.push(...messages);
      return '';
    },
    end() {
      const stdout = conversation.print(page.toReversed());
      return conversation.isEmpty ? {stdout, stderr: empty} : {stdout};
    },
  };
}

class Conversation {
  readonly #layout: Layout;
  readonly #colors: Palette;
  /** The beginnings of messages by id. */
  readonly #quotes = new Map<string, string>();
  isEmpty = true;

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#colors = palette(layout.color);
  }

  print(messages: readonly unknown[]): string {
    for (const message of messages) this.#remember(message);
    return messages.map((message) => this.#message(message)).join('');
  }

  #remember(message: unknown): void {
    if (this.#quotes.size >= maxRemembered) return;
    const said =
      oneLine(textAt(message, 'text')) ||
      mediaOf(message)
        .map(({kind}) => `[${kind}]`)
        .join(' ');
    this.#quotes.set(plain(valueAt(message, 'id')), `${this.#who(message)}: ${truncate(said, quoteWidth)}`);
  }

  #who(message: unknown): string {
    return oneLine(columnText(message, sender, this.#layout));
  }

  #message(message: unknown): string {
    const {quiet} = this.#colors;
    const separator = this.isEmpty ? '' : '\n';
    this.isEmpty = false;
    const edited = typeof valueAt(message, 'edited_at') === 'string' ? ', edited' : '';
    const when = oneLine(columnText(message, sent, this.#layout));
    const head = this.#broken(`${this.#who(message)}  ${when}${edited}  ${oneLine(plain(valueAt(message, 'id')))}`, '');
    const lines = head.map((line, index) => (index === 0 ? paintedHead(line, this.#who(message), this.#colors) : quiet(line)));
    const replied = valueAt(message, 'in_reply_to_id');
    if (replied !== null && replied !== undefined) {
      const id = plain(replied);
      lines.push(...this.#broken(`reply to ${this.#quotes.get(id) ?? inert(id)}`).map(quiet));
    }
    if (valueAt(message, 'sensitive') === true) lines.push(...this.#broken('marked as sensitive').map(quiet));
    lines.push(...this.#broken(inLines(textAt(message, 'text'))));
    for (const {kind, about: description, url} of mediaOf(message)) {
      lines.push(...this.#broken(oneLine(`[${kind}]${description === '' ? '' : ` ${description}`}`)));
      if (url !== '') lines.push(...this.#broken(oneLine(url)).map(quiet));
    }
    return `${separator}${lines.map((line) => `${line}\n`).join('')}`;
  }

  /** A text in lines that fit, indented. */
  #broken(text: string, before: string = indent): string[] {
    if (text === '') return [];
    const {width} = this.#layout;
    const room = Math.max(1, width - before.length);
    return wrap(text, room).map((line) => (line === '' ? '' : (width > before.length ? before : '') + line));
  }
}

/** The name stands out, what is behind it does not. */
function paintedHead(line: string, who: string, {heading, quiet}: Palette): string {
  const name = line.startsWith(who) ? who : line;
  const rest = line.slice(name.length);
  return heading(name) + (rest === '' ? '' : quiet(rest));
}

interface Medium {
  readonly kind: string;
  readonly about: string;
  readonly url: string;
}

const words = new Set(['text', 'emoji', 'link']);

function mediaOf(message: unknown): Medium[] {
  const media = valueAt(message, 'media');
  const listed = Array.isArray(media) ? media.filter((medium) => isObject(medium)) : [];
  if (listed.length > 0) {
    return listed.map((medium) => ({
      kind: textAt(medium, 'type') || 'file',
      about: textAt(medium, 'description'),
      url: textAt(medium, 'url') || textAt(medium, 'preview_url'),
    }));
  }
  // A message of another kind whose file is not listed, such as one that was removed.
  const type = textAt(message, 'type');
  return type === '' || words.has(type) ? [] : [{kind: type, about: '', url: ''}];
}

function textAt(value: unknown, path: string): string {
  const text = valueAt(value, path);
  return typeof text === 'string' ? text : '';
}
