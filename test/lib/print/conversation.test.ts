import {stripVTControlCharacters} from 'node:util';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {listMessages} from '../../../src/lib/api/direct.js';
import {inert} from '../../../src/lib/print/inert.js';
import {openList, type PrintSetting, type Terminal} from '../../../src/lib/print/print.js';
import {columnsOf} from '../../../src/lib/print/width.js';
import {endOf, formatAnswer, now, pipe, screen} from './setting.js';

const {view, rows} = listMessages;
const names = new Map([['42', '@bob']]);
const message = {
  id: '7',
  sender_id: '42',
  is_author: false,
  type: 'text',
  text: 'Hello',
  media: [],
  sensitive: false,
  in_reply_to_id: null,
  created_at: '2026-11-20T11:57:00Z',
  edited_at: null,
};
const setting = {format: 'table', terminal: screen, now, view, names} as const satisfies PrintSetting;

async function page(messages: readonly object[], own: Partial<PrintSetting> = {}): Promise<string> {
  const {stdout} = await formatAnswer(JSON.stringify({data: messages, meta: {}}), {...setting, ...own, rows});
  return stdout;
}

const reply = {...message, id: '8', is_author: true, text: 'Hi', in_reply_to_id: '7', created_at: '2026-11-20T11:58:00Z'};

describe('messages at a terminal', () => {
  test('read as a conversation, the oldest message of a page first', async () => {
    expect(await page([reply, message])).toBe('@bob  3 min ago  7\n  Hello\n\nyou  2 min ago  8\n  reply to @bob: Hello\n  Hi\n');
  });

  test('messages at a terminal of several pages come in the order in which they arrive', async () => {
    const writer = await openList(setting);
    const first = writer.items([JSON.stringify(reply)]);
    expect(first).toBe('you  2 min ago  8\n  reply to 7\n  Hi\n');
    expect(writer.items([JSON.stringify(message)])).toBe('\n@bob  3 min ago  7\n  Hello\n');
    expect(endOf(writer)).toEqual({stdout: ''});
  });

  test('show media, edits and what is sensitive', async () => {
    const media = [{id: '1', type: 'photo', url: 'https://pix.example/1.jpg', description: 'A black dog'}];
    expect(await page([{...message, type: 'photo', text: 'Look', media, sensitive: true, edited_at: '2026-11-20T11:59:00Z'}])).toBe(
      '@bob  3 min ago, edited  7\n  marked as sensitive\n  Look\n  [photo] A black dog\n  https://pix.example/1.jpg\n',
    );
    const bare = [{id: '2', type: 'video', url: ''}];
    expect(await page([{...message, text: null, media: bare}], {noWrap: true})).toBe('@bob  3 min ago  7\n  [video]\n');
    expect(await page([{...message, type: 'story:react', text: null}])).toContain('\n  [story:react]\n');
  });

  test('a conversation without messages is said in words', async () => {
    const {stdout, stderr} = await formatAnswer('{"data":[],"meta":{}}', {...setting, rows});
    expect({stdout, stderr}).toEqual({stdout: '', stderr: 'No messages.'});
  });

  test.each<[string, Partial<PrintSetting>]>([
    ['in a pipe', {terminal: pipe}],
    ['where a format is chosen', {isFormatChosen: true}],
    ['with --fields', {fields: ['id', 'text']}],
  ])('are a table %s', async (_, own) => {
    expect(await page([message], own)).toMatch(/^id .*\n7 .*\n$/);
  });

  test('messages at a terminal are cut instead of wrapped with --no-wrap', async () => {
    const text = 'word '.repeat(100).trim();
    expect((await page([{...message, text}])).split('\n').length).toBeGreaterThan(6);
    const lines = (await page([{...message, text}], {noWrap: true})).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/word…$|wor?…$|w…$|word word…$/);
  });

  test('fit every terminal, are inert, and lose nothing of a text', async () => {
    const unit = fc.oneof(
      fc.constantFrom('\u001b[2J', '\u202e', '\r\n', '写', '👩‍👩‍👧‍👦', ' ', 'مر', 'नि', 'x'.repeat(300)),
      fc.string({unit: 'grapheme', minLength: 1, maxLength: 1}),
    );
    const text = fc.string({unit, maxLength: 60});
    await fc.assert(
      fc.asyncProperty(text, text, fc.integer({min: 4, max: 200}), async (said, who, width) => {
        const terminal: Terminal = {isTerminal: true, width, color: false};
        const own = {terminal, names: new Map([['42', who]])};
        const printed = await page([{...message, text: said}], own);
        for (const line of printed.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(width);
        expect(printed).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
        const painted = await page([{...message, text: said}], {...own, terminal: {...terminal, color: true}});
        expect(stripVTControlCharacters(painted)).toBe(printed);
        const letters = (any: string) => any.replaceAll(/[^\p{L}]/gu, '');
        expect(letters(printed)).toContain(letters(inert(said)));
      }),
    );
  });
});
