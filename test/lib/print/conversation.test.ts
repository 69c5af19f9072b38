import {stripVTControlCharacters} from 'node:util';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {listMessages} from '../../../src/lib/api/direct.js';
import {inert} from '../../../src/lib/print/inert.js';
import {openList, type PrintSetting, type Terminal} from '../../../src/lib/print/print.js';
import {columnsOf} from '../../../src/lib/print/width.js';
import {endOf, formatAnswer, now, pipe, screen, values} from './setting.js';

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
    expect(await page([reply, message])).toBe('@bob  3 min ago  7\n  Hello\n\nyou  2 min ago  8\n  reply to 7\n  Hi\n');
  });

  test('messages at a terminal of several pages come in the order in which they arrive', async () => {
    const writer = await openList(setting);
    const first = writer.items(values(JSON.stringify(reply)));
    expect(first).toBe('you  2 min ago  8\n  reply to 7\n  Hi\n');
    expect(writer.items(values(JSON.stringify(message)))).toBe('\n@bob  3 min ago  7\n  Hello\n');
    expect(endOf(writer)).toEqual({stdout: ''});
  });

  test('show media, edits and what is sensitive', async () => {
    const media = [{id: '1', type: 'photo', url: 'https://pix.example/1.jpg', description: 'A black dog'}];
    expect(await page([{...message, type: 'photo', text: 'Look', media, sensitive: true, edited_at: '2026-11-20T11:59:00Z'}])).toBe(
      '@bob  3 min ago, edited  7\n  marked as sensitive\n  Look\n  [photo] A black dog\n  https://pix.example/1.jpg\n',
    );
    const bare = [{id: '2', type: 'video', url: ''}];
    expect(await page([{...message, text: null, media: bare}])).toBe('@bob  3 min ago  7\n  [video]\n');
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

describe('each part of a message', () => {
  const head = '@bob  3 min ago  7';
  const linesOf = async (part: object, own: Partial<PrintSetting> = {}) =>
    (await page([{...message, ...part}], own)).slice(0, -1).split('\n');
  const at = (width: number, color = false): Partial<PrintSetting> => ({terminal: {isTerminal: true, width, color}});

  test.each<[string, object, readonly string[]]>([
    ['no text', {text: null}, [head]],
    ['a text that is none', {text: 7}, [head]],
    ['a text of several lines', {text: '\n one\n\ntwo \n'}, [head, '  one', '', '  two']],
    ['an id that is missing', {id: undefined}, ['@bob  3 min ago  –', '  Hello']],
    ['a time that is missing', {created_at: null}, ['@bob  –  7', '  Hello']],
    ['a sender that is missing', {sender_id: null}, ['them  3 min ago  7', '  Hello']],
    ['an edit', {edited_at: '2026-11-20T11:59:00Z'}, ['@bob  3 min ago, edited  7', '  Hello']],
    ['an edit at no time', {edited_at: 5}, [head, '  Hello']],
    ['what is not sensitive', {sensitive: 'yes'}, [head, '  Hello']],
    ['a reply to a message that is not shown', {in_reply_to_id: 5}, [head, '  reply to 5', '  Hello']],
    ['a reply to nothing', {in_reply_to_id: undefined}, [head, '  Hello']],
    ['a reply with an id that is no id', {in_reply_to_id: '\u001b[2J'}, [head, '  reply to ␛[2J', '  Hello']],
    ['a kind of words', {type: 'emoji'}, [head, '  Hello']],
    ['a link', {type: 'link'}, [head, '  Hello']],
    ['another kind without media', {type: 'photo', media: null}, [head, '  Hello', '  [photo]']],
    ['no kind', {type: null}, [head, '  Hello']],
    ['media of a message of words', {media: [{type: 'photo'}]}, [head, '  Hello', '  [photo]']],
    ['media of no kind', {media: [{url: 'https://a.example'}]}, [head, '  Hello', '  [file]', '  https://a.example']],
    [
      'media with a preview only',
      {media: [{type: 'video', preview_url: 'https://a.example'}]},
      [head, '  Hello', '  [video]', '  https://a.example'],
    ],
    ['media that are none', {type: 'photo', media: ['x', null]}, [head, '  Hello', '  [photo]']],
    [
      'several media',
      {
        media: [
          {type: 'a', description: 'one\ntwo'},
          {type: 'b', url: 7, preview_url: 'u'},
        ],
      },
      [head, '  Hello', '  [a] one two', '  [b]', '  u'],
    ],
  ])('each part of a message is shown: %s', async (_, part, lines) => {
    expect(await linesOf(part)).toEqual(lines);
  });

  test('each part of a message but the text is quiet, and its name is bold', async () => {
    const [bold, dim] = [(text: string) => `\u001b[1m${text}\u001b[22m`, (text: string) => `\u001b[2m${text}\u001b[22m`];
    const part = {sensitive: true, in_reply_to_id: '5', media: [{type: 'photo', url: 'https://a.example'}]};
    expect(await linesOf(part, at(80, true))).toEqual(
      [bold('@bob') + dim('  3 min ago  7'), `  reply to 5`, `  marked as sensitive`, '  Hello', '  [photo]', `  https://a.example`].map(
        (line) => (/reply|marked|https/.test(line) ? dim(line) : line),
      ),
    );
    expect(await linesOf({text: null}, at(10, true))).toEqual([bold('@bob') + dim('  3'), dim('min ago  7')]);
    expect(await linesOf({text: null}, at(3, true))).toEqual([bold('@bo'), dim('b'), dim('3'), dim('min'), dim('ago'), dim('7')]);
  });

  test('each part of a message is indented while there is room for that', async () => {
    expect((await linesOf({text: 'ab'}, at(3))).slice(-2)).toEqual(['  a', '  b']);
    expect((await linesOf({text: 'ab'}, at(2))).slice(-2)).toEqual(['a', 'b']);
  });

  test('a conversation is painted, and says that it is empty only where it is', async () => {
    expect((await openList(setting)).nature).toBe('painted');
    expect(endOf(await openList(setting))).toEqual({stdout: '', stderr: 'No messages.'});
  });
});
