import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Mistakes, parseTargets} from '../../../src/lib/cli/target-list.js';

const read = (text: string, fields: readonly string[] = [], name = 'standard input', list?: string) =>
  parseTargets(text, {fields, list}, name, new Mistakes());

/** The targets in a text without mistakes. */
function targetsIn(text: string, fields: readonly string[] = [], list?: string): string[] {
  const {targets, mistakes} = read(text, fields, 'standard input', list);
  expect(mistakes.text).toBe('');
  return targets.map(({value}) => value);
}

describe('standard input', () => {
  test.each([
    ['nothing', '', []],
    ['plain lines', '5\n6\n', ['5', '6']],
    ['lines without an end', '5\n6', ['5', '6']],
    ['lines of Windows', '5\r\n6\r\n', ['5', '6']],
    ['comments behind targets', '5 # mine\na.example # spam, scams\n@ana   #x\n', ['5', 'a.example', '@ana']],
    ['comments and blank lines', '# mine\n\n 5 \n  # more\n6\n', ['5', '6']],
    ['JSON lines', '{"id": "5"}\n{"id": "6"}\n', ['5', '6']],
    ['JSON strings', '"5"\n"6"', ['5', '6']],
    ['all of these', '5\n{"id": "6"}\n"7"\n# no\n', ['5', '6', '7']],
    ['an array of strings', '["bad.example", "worse.example"]', ['bad.example', 'worse.example']],
    ['an array of objects over many lines', '[\n  {"id": "5"},\n  {"id": "6"}\n]\n', ['5', '6']],
    ['an object over many lines', '{\n  "id": "5",\n  "name": "{"\n}\n', ['5']],
    ['several objects over many lines', '{\n  "id": "5"\n}\n{\n  "id": "6"\n}\n7\n', ['5', '6', '7']],
    ['several documents on one line', '{"id": "5"}{"id": "6"} ["7"] "8" # more', ['5', '6', '7', '8']],
    ['several arrays', '["5"]\n[\n"6"\n]', ['5', '6']],
    ['the data of an answer', '{"data": [{"id": "5"}, {"id": "6"}], "meta": {"next_cursor": null}}', ['5', '6']],
    ['an answer without data', '{"data": []}', []],
    [
      'items of several accounts',
      '[{"account": "ana@pix.example", "item": {"id": "5"}}, {"account": "bo@pix.example", "item": "6"}]',
      ['5', '6'],
    ],
    ['TSV', 'id\ttitle\n5\ta b\n6\t"quoted\n', ['5', '6']],
    ['TSV of a spreadsheet', '"title"\t"id"\r\n"a b"\t"5"\r\n', ['5']],
    ['CSV with semicolons', 'title;id\n"a; b";5\n', ['5']],
    ['CSV below a comment', '# mine\nid,title\n5,a\n', ['5']],
    ['an empty array', '[]', []],
    ['numbers', '[5, 12345678901234567890]', ['5', '12345678901234567890']],
    ['numbers in objects', '{"id": 12345678901234567890}', ['12345678901234567890']],
    ['results', '{"target": "5", "ok": true, "body": {"id": "7"}}', ['5']],
  ])('may be %s', (_, text, targets) => {
    expect(targetsIn(text)).toEqual(targets);
  });

  test('reads fields inside other objects', () => {
    const items = [
      {id: '1', account: {id: '5'}},
      {id: '6', account: 'bo'},
      {target: '7', body: {account: {id: '8'}}},
    ];
    expect(targetsIn(JSON.stringify(items), ['account.id'])).toEqual(['5', '6', '7']);
    expect(targetsIn('id,account.id\n1,5\n', ['account.id'])).toEqual(['5']);
    expect(targetsIn('{"account.id": "5"}', ['account.id'])).toEqual(['5']);
    expect(targetsIn('id,account\n6,bo\n', ['account.id'])).toEqual(['6']);
  });

  test.each([
    ['CSV', 'id,type,account\r\n1,follow,"{""id"":""5"",""note"":""a \\""b\\""""}"\r\n'],
    ['TSV', 'id\ttype\taccount\n1\tfollow\t{"id":"5","note":"a \\\\"b\\\\""}\n'],
    ['CSV of several accounts', 'account,item\nana@pix.example,"{""id"":1,""account"":{""id"":5}}"\n'],
  ])('of objects takes fields inside objects in the cells of %s', (_, text) => {
    expect(targetsIn(text, ['account.id'])).toEqual(['5']);
  });

  test.each(['id,account\n1,\n2,{broken\n', '[{"id": 1, "account": null}, {"id": 2, "account": ""}]'])(
    'of objects does not take the id of %j in place of that of its account',
    (text) => {
      const {targets, mistakes} = read(text, ['account.id']);
      expect([targets, mistakes.count]).toEqual([[], 2]);
    },
  );

  test('reads the list inside a response', () => {
    const thread = '{"id": "5", "messages": [{"id": "1", "reportId": "6"}, {"id": "2", "reportId": "7"}]}';
    expect(targetsIn(thread, ['reportId'], 'messages')).toEqual(['6', '7']);
    expect(targetsIn(`${thread}{"id": "5", "messages": []}`, ['reportId'], 'messages')).toEqual(['6', '7']);
    expect(targetsIn(thread)).toEqual(['5']);
  });

  test('reads the field of the command, else `target`, else `id`', () => {
    const items = [
      {reportId: '1', id: '2', target: '3'},
      {id: '2', target: '3'},
      {id: '2', name: 'x'},
    ];
    expect(targetsIn(JSON.stringify(items), ['reportId'])).toEqual(['1', '3', '2']);
    expect(targetsIn(items.map((item) => JSON.stringify(item)).join('\n'), ['reportId'])).toEqual(['1', '3', '2']);
  });

  test.each([
    ['[1, 2', 'Line 1 of standard input is not valid JSON'],
    ['5\n{\n  "id": "6",\n}\n', 'Line 2 of standard input is not valid JSON'],
    [`{"a": ${'['.repeat(3000)}${']'.repeat(3000)}}`, 'Line 1 of standard input is nested deeper than 500 levels'],
    ['{"id": "5"} 6', 'Line 1 of standard input has text after its JSON'],
    ['{"id": "5"},\n', 'Line 1 of standard input has text after its JSON'],
    ['{"data": [{"id": "5"}, {"name": "x"}]}', 'Item 2 of standard input names no target'],
    ['{"data": {"id": "5"}}', 'Line 1 of standard input names no target'],
    ['{"account": "ana@pix.example", "item": {}}', 'Line 1 of standard input names no target'],
    ['id  title\n5   a b\n6   c\n', 'Line 1 of standard input looks like a table row, and 2 more like it'],
    ['5\ta b\n', 'Line 1 of standard input is a row of a table whose header is missing'],
    ['5,a\n', 'Line 1 of standard input is a row of a table whose header is missing'],
    ['5\n{"id": "6"\n', 'Line 2 of standard input is not valid JSON'],
    ['5\n\n{"name": "x"}', 'Line 3 of standard input names no target'],
    ['{"id": null}', 'Line 1 of standard input names no target'],
    ['{"id": ""}', 'Line 1 of standard input names no target'],
    ['{"id": {"deep": 1}}', 'Line 1 of standard input names no target'],
    ['""', 'Line 1 of standard input names no target'],
    ['["5", {}]', 'Item 2 of standard input names no target'],
    ['["5", null]', 'Item 2 of standard input names no target'],
    ['["5", ["6"]]', 'Item 2 of standard input names no target'],
    ['[" "]', 'Item 1 of standard input names no target'],
  ])('that is %j is refused: %s', (text, message) => {
    expect(read(text).mistakes.text).toContain(message);
  });

  test('ignores inherited members of objects', () => {
    expect(read('{}', ['constructor', 'toString']).mistakes.text).toContain('names no target');
  });

  test('collects the accounts of items', () => {
    expect([...read('{"account": "ana@pix.example", "item": "5"}\n{"account": "bo@pix.example", "item": "5"}').accounts]).toEqual([
      'ana@pix.example',
      'bo@pix.example',
    ]);
    expect([...read('{"account": {"id": "5"}, "id": "6"}').accounts]).toEqual([]);
  });

  test('is parsed in linear time, also with many unclosed brackets', () => {
    const {mistakes} = read('{"a": [\n'.repeat(100_000));
    expect(mistakes.count).toBe(100_000);
  });

  // A first line that is the name of a field is the header of a table.
  const id = fc.stringMatching(/^[A-Za-z0-9._-]{1,30}$/).filter((text) => text !== 'id' && text !== 'target');

  test('reads every target in every notation', () => {
    const written = fc.array(fc.tuple(id, fc.constantFrom('plain', 'string', 'object', 'result')));
    fc.assert(
      fc.property(written, fc.constantFrom('\n', '\r\n', '\n\n', '\n# more\n'), (lines, end) => {
        const text = lines.map(([target, form]) => {
          if (form === 'plain') return target;
          if (form === 'string') return JSON.stringify(target);
          return JSON.stringify(form === 'object' ? {name: 'x', id: target} : {target, ok: false, id: 'other'});
        });
        expect(targetsIn(text.join(end))).toEqual(lines.map(([target]) => target));
      }),
    );
  });

  test('reads an array like lines', () => {
    const item = fc.oneof(id, fc.record({id}), fc.bigInt({min: 1n, max: 2n ** 70n}));
    fc.assert(
      fc.property(fc.array(item, {minLength: 1}), (items) => {
        const lines = items.map((one) => (typeof one === 'bigint' ? String(one) : JSON.stringify(one)));
        expect(targetsIn(`[${lines.join(', ')}]`)).toEqual(targetsIn(lines.join('\n')));
      }),
    );
  });

  test('reads indented JSON like JSON on one line', () => {
    const document = fc.oneof(fc.record({id}), fc.array(fc.record({id, name: fc.json()})), fc.record({data: fc.array(fc.record({id}))}));
    fc.assert(
      fc.property(fc.array(document), (documents) => {
        const indented = documents.map((one) => JSON.stringify(one, null, 2)).join('\n');
        expect(targetsIn(indented)).toEqual(targetsIn(documents.map((one) => JSON.stringify(one)).join('\n')));
      }),
    );
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const {value} of read(text, ['id']).targets) expect(value.trim()).not.toBe('');
      }),
    );
  });
});

test('reads a line of two million quotes in linear time', () => {
  const mistakes = new Mistakes();
  expect(parseTargets('"'.repeat(2_000_000), {fields: ['domain']}, 'quotes.txt', mistakes).targets).toEqual([]);
  expect(mistakes.text).toBe('Line 1 of quotes.txt names no target (domain, target, id), and 999999 more like it');
});

describe('CSV', () => {
  test.each([
    ['our own', 'domain\r\nbad.example\r\nworse.example\r\n', ['domain'], ['bad.example', 'worse.example']],
    ['an admin export', '#domain,#severity\nbad.example,suspend\n', ['domain', '#domain'], ['bad.example']],
    ['with quotes', '"id","name"\n"5","a, ""b"""\n', [], ['5']],
    ['of results', 'target,ok,status\n7,true,200\n', [], ['7']],
  ])('recognizes %s by its header', (_, text, fields, targets) => {
    expect(targetsIn(text, fields)).toEqual(targets);
  });

  test('names the line of a row without a target', () => {
    const {targets, mistakes} = read('id,name\n5,a\n,b\n', [], 'list.csv');
    expect(targets).toMatchObject([{value: '5', location: 'Line 2 of list.csv'}]);
    expect(mistakes.text).toBe('Line 3 of list.csv names no target (target, id)');
  });
});
