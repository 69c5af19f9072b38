import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isScalar, parse, parseDocument, visit} from 'yaml';
import {parseExact, sourceText} from '../../../src/lib/json/exact.js';
import {itemsAt} from '../../../src/lib/json/path.js';
import {openList} from '../../../src/lib/print/print.js';
import {listTexts, strings, valueTexts} from '../json/documents.js';
import {formatAnswer, now, pipe, screen, values} from './setting.js';

const setting = {format: 'yaml', terminal: pipe, now} as const;

async function yaml(answer: string, rows?: readonly string[]): Promise<string> {
  return (await formatAnswer(answer, {...setting, rows})).stdout;
}

describe('yaml', () => {
  test('yaml is one document in block style, in the order of the answer', async () => {
    expect(await yaml('{"b":"b","a":{"list":[{"a":1,"b":[]},"x"],"none":{}},"null":null,"yes":true}')).toBe(
      ['b: b', 'a:', '  list:', '    - a: 1', '      b: []', '    - x', '  none: {}', '"null": null', '"yes": true', ''].join('\n'),
    );
  });

  test('yaml is a sequence of the items of a list, page by page', async () => {
    expect(await yaml('{"data":[{"id":"1","size":2.50},{"id":"2"}]}', ['data'])).toBe('- id: "1"\n  size: 2.50\n- id: "2"\n');
    const writer = await openList(setting);
    expect(
      [writer.items(values('{"id":"1","size":2.50}')), writer.items([]), writer.items(values('{"id":"2"}')), writer.end().stdout].join(''),
    ).toBe('- id: "1"\n  size: 2.50\n- id: "2"\n');
  });

  test('yaml is an empty sequence for an empty list', async () => {
    expect(await yaml('[]', [])).toBe('[]\n');
  });

  test('writes a text of lines in quotes, and a long line as it is', async () => {
    const long = 'word '.repeat(2000).trim();
    expect(await yaml(JSON.stringify({text: 'one\n  two: 2\n', long}))).toBe(`text: "one\\n  two: 2\\n"\nlong: ${long}\n`);
  });

  const words = 'true False yes No on off y n null'.split(' ');
  const odd = [
    ...words,
    'a: b',
    'a #b',
    'a:',
    'a ',
    '1',
    '2.50',
    '1e5',
    '0123',
    '0x1f',
    '1_000',
    '~',
    '',
    '2026-01-02',
    '2026-01-02T03:04:05Z',
    '12:30:00',
    '.inf',
    '=',
    '<<',
    'x\t',
  ];

  test.each(odd)('quotes the string %j', async (text) => {
    expect(await yaml(JSON.stringify({text}))).toBe(`text: ${JSON.stringify(text)}\n`);
  });

  test('yaml is inert without changing the value', async () => {
    const text = '\u001b[31m\u202e\u0085\r\ufeff\u2028';
    const answer = JSON.stringify({[text]: text});
    const {stdout} = await formatAnswer(answer, {...setting, terminal: screen});
    expect(stdout).toMatch(/^[\n\u0020-\u007e]*$/);
    expect(parse(stdout)).toEqual({[text]: text});
    expect(await yaml(answer)).toBe(stdout);
  });

  test('yaml can be read back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(valueTexts, async (answer) => {
        const sources: string[] = [];
        const document = parseDocument(await yaml(answer), {version: '1.2'});
        expect(document.errors).toEqual([]);
        visit(document, {
          Scalar(key, node) {
            if (key !== 'key' && isScalar(node) && typeof node.value === 'number') sources.push(node.source ?? '');
          },
        });
        expect(sources).toEqual(numbersIn(parseExact(answer)));
        expect(withoutNumbers(document.toJS({mapAsMap: false}))).toEqual(withoutNumbers(JSON.parse(answer)));
      }),
    );
  });

  test('yaml is the same however the items are paged', async () => {
    await fc.assert(
      fc.asyncProperty(listTexts, async (list) => {
        const writer = await openList(setting);
        const paged = itemsAt(parseExact(list), [])?.map((item) => writer.items([item])) ?? [];
        expect([...paged, writer.end().stdout].join('')).toBe(await yaml(list, []));
      }),
    );
  });

  test('keeps strings of all kinds', async () => {
    await fc.assert(
      fc.asyncProperty(strings, async (text) => {
        expect(parse(await yaml(JSON.stringify([text, {[text]: text}]), []))).toEqual([text, {[text]: text}]);
      }),
    );
  });

  test.each([
    ['[', ']', (depth: number) => `${'- '.repeat(depth)}2.50\n`],
    [
      '{"a":',
      '}',
      (depth: number) =>
        Array.from({length: depth}, (_, level) => `\n${'  '.repeat(level)}a:`)
          .join('')
          .slice(1) + ' 2.50\n',
    ],
  ])('writes values that are nested more than 65 times in %s as JSON', async (open, close, block) => {
    const nested = (depth: number) => open.repeat(depth) + '2.50' + close.repeat(depth);
    expect(await yaml(nested(65))).toBe(block(65));
    expect(await yaml(nested(66))).toBe(block(65).replace('2.50', nested(1)));
  });

  test('writes a name of more than 1000 characters as YAML wants it, in an object of a list too', async () => {
    const [longest, longer] = ['x'.repeat(1000), 'x'.repeat(1001)];
    expect(await yaml(JSON.stringify([{[longest]: 1, [longer]: {b: 2}}]), [])).toBe(`- ${longest}: 1\n  ? ${longer}\n  :\n    b: 2\n`);
  });

  test('leaves out members without a value, and escapes what YAML forbids', async () => {
    const writer = await openList(setting);
    expect(writer.items([{a: undefined, b: {c: undefined}, d: '\ufffe'}])).toBe('- b: {}\n  d: "\\ufffe"\n');
  });
});

/** The texts of all numbers, in the order of the answer; of a repeated key the last counts. */
function numbersIn(value: unknown): string[] {
  const number = sourceText(value);
  if (number !== undefined) return [number];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

function withoutNumbers(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'number' || typeof inner === 'bigint' ? null : inner)) ?? 'null',
  );
}
