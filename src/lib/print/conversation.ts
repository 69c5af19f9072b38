/** Prints messages as a conversation at a terminal: the sender, the time, the message that it replies to, the text and the media. */
import {isObject} from '../api/schema.js';
import type {Column, ListView} from '../api/view.js';
import type {ItemSetting, ItemWriter} from './format.js';
import {palette} from './palette.js';
import {columnText, inLines, layoutOf, oneLine, plain, valueAt, type Layout} from './values.js';
import {wrap} from './width.js';

const indent = '  ';

const sender: Column = {header: '', path: '', kind: 'sender'};
const sent: Column = {header: '', path: 'created_at', kind: 'time'};

/** Types of messages that have no file. */
const ofWords: readonly string[] = ['', 'text', 'emoji', 'link'];

/** Prints a single page with the oldest message first, and messages of several pages as they arrive. */
export function openConversation({empty}: ListView, setting: ItemSetting): ItemWriter {
  const layout = layoutOf(setting);
  const page: unknown[] = [];
  let isEmpty = true;
  const print = (messages: readonly unknown[]): string => {
    if (messages.length === 0) return '';
    const before = isEmpty ? '' : '\n';
    isEmpty = false;
    return before + messages.map((message) => `${messageLines(message, layout).join('\n')}\n`).join('\n');
  };
  return {
    nature: 'painted',
    items(messages) {
      if (setting.isWhole !== true) return print(messages);
      page.push(...messages);
      return '';
    },
    end() {
      const stdout = print(page.toReversed());
      return isEmpty ? {stdout, stderr: empty} : {stdout};
    },
  };
}

function messageLines(message: unknown, layout: Layout): string[] {
  const {heading, quiet} = palette(layout.color);
  const who = oneLine(columnText(message, sender, layout));
  const edited = typeof valueAt(message, 'edited_at') === 'string' ? ', edited' : '';
  const about = `${oneLine(columnText(message, sent, layout))}${edited}  ${oneLine(plain(valueAt(message, 'id')))}`;
  const [first = '', ...rest] = breakLines(`${who}  ${about}`, layout, '');
  // Only the name stands out in the first line.
  const name = first.startsWith(who) ? who : first;
  const behind = first.slice(name.length);
  const replied = valueAt(message, 'in_reply_to_id') ?? null;
  const facts = [
    ...(replied === null ? [] : [`reply to ${plain(replied)}`]),
    ...(valueAt(message, 'sensitive') === true ? ['marked as sensitive'] : []),
  ];
  return [
    heading(name) + (behind === '' ? '' : quiet(behind)),
    ...rest.map(quiet),
    ...facts.flatMap((fact) => breakLines(oneLine(fact), layout).map(quiet)),
    ...breakLines(inLines(textAt(message, 'text')), layout),
    ...filesOf(message).flatMap((file) => {
      const description = textAt(file, 'description');
      const url = textAt(file, 'url') || textAt(file, 'preview_url');
      return [
        ...breakLines(oneLine(`[${textAt(file, 'type') || 'file'}]${description === '' ? '' : ` ${description}`}`), layout),
        ...breakLines(oneLine(url), layout).map(quiet),
      ];
    }),
  ];
}

/** The files of a message. Where its file is not listed, for example because it was removed, only the type is known. */
function filesOf(message: unknown): readonly object[] {
  const media = valueAt(message, 'media');
  const files = Array.isArray(media) ? media.filter((file) => isObject(file)) : [];
  const type = textAt(message, 'type');
  return files.length > 0 || ofWords.includes(type) ? files : [{type}];
}

function breakLines(text: string, {width}: Layout, before: string = indent): string[] {
  if (text === '') return [];
  const lines = wrap(text, Math.max(1, width - before.length));
  return lines.map((line) => (line === '' || width <= before.length ? line : before + line));
}

function textAt(value: unknown, path: string): string {
  const text = valueAt(value, path);
  return typeof text === 'string' ? text : '';
}
