import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {parseTargets} from '../../../../src/lib/command/input/target-list.js';

/** The targets in a text that has no problems. */
function targetsIn(text: string, fields: readonly string[] = []): string[] {
  const {targets, problems} = parseTargets(text, fields, 'standard input');
  expect(problems).toEqual([]);
  return targets.map(({value}) => value);
}

describe('standard input', () => {
  test.each([
    ['nothing', '', []],
    ['plain lines', '5\n6\n', ['5', '6']],
    ['lines without an end', '5\n6', ['5', '6']],
    ['lines of Windows', '\ufeff5\r\n6\r\n', ['5', '6']],
    ['comments and blank lines', '# mine\n\n 5 \n  # more\n6\n', ['5', '6']],
    ['JSON lines', '{"id": "5"}\n{"id": "6"}\n', ['5', '6']],
    ['JSON strings', '"5"\n"6"', ['5', '6']],
    ['all of these', '5\n{"id": "6"}\n"7"\n# no\n', ['5', '6', '7']],
    ['an array of strings', '["bad.example", "worse.example"]', ['bad.example', 'worse.example']],
    ['an array of objects over many lines', '[\n  {"id": "5"},\n  {"id": "6"}\n]\n', ['5', '6']],
    ['an array behind a mark', '\ufeff ["5"]', ['5']],
    ['an empty array', '[]', []],
    ['numbers', '[5, 12345678901234567890]', ['5', '12345678901234567890']],
    ['numbers in objects', '{"id": 12345678901234567890}', ['12345678901234567890']],
    ['results', '{"target": "5", "ok": true, "body": {"id": "7"}}', ['5']],
  ])('may be %s', (_, text, targets) => {
    expect(targetsIn(text)).toEqual(targets);
  });

  test('of objects gives the field that is needed, else the target, else the id', () => {
    const items = [{reportId: '1', id: '2', target: '3'}, {id: '2', target: '3'}, {id: '2', name: 'x'}];
    expect(targetsIn(JSON.stringify(items), ['reportId'])).toEqual(['1', '3', '2']);
    expect(targetsIn(items.map((item) => JSON.stringify(item)).join('\n'), ['reportId'])).toEqual(['1', '3', '2']);
  });

  test.each([
    ['[1, 2', 'begins like a JSON array and is none'],
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
    expect(parseTargets(text, [], 'standard input').problems).toEqual([expect.stringContaining(message)]);
  });

  test('does not look for a target in what an object inherits', () => {
    const {problems} = parseTargets('{}', ['constructor', 'toString'], 'standard input');
    expect(problems).toEqual([expect.stringContaining('names no target')]);
  });

  // A first line that is the name of a field is the header of a table.
  const id = fc.stringMatching(/^[A-Za-z0-9._-]{1,30}$/).filter((text) => text !== 'id' && text !== 'target');

  test('gives back every target, whichever way it is written', () => {
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

  test('as an array is the same as line by line', () => {
    const item = fc.oneof(id, fc.record({id}), fc.bigInt({min: 1n, max: 2n ** 70n}));
    fc.assert(
      fc.property(fc.array(item, {minLength: 1}), (items) => {
        const lines = items.map((one) => (typeof one === 'bigint' ? String(one) : JSON.stringify(one)));
        expect(targetsIn(`[${lines.join(', ')}]`)).toEqual(targetsIn(lines.join('\n')));
      }),
    );
  });

  test('never ends in anything but targets and problems', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const {value} of parseTargets(text, ['id'], 'standard input').targets) expect(value.trim()).not.toBe('');
      }),
    );
  });
});

describe('CSV', () => {
  test.each([
    ['our own', 'domain\r\nbad.example\r\nworse.example\r\n', ['domain'], ['bad.example', 'worse.example']],
    ['an admin export', '#domain,#severity\nbad.example,suspend\n', ['domain', '#domain'], ['bad.example']],
    ['with quotes and a mark', '\ufeff"id","name"\n"5","a, ""b"""\n', [], ['5']],
    ['of results', 'target,ok,status\n7,true,200\n', [], ['7']],
  ])('%s is known by its header', (_, text, fields, targets) => {
    expect(targetsIn(text, fields)).toEqual(targets);
  });

  test('says the line of a row without a target', () => {
    expect(parseTargets('id,name\n5,a\n,b\n', [], 'list.csv')).toMatchObject({
      targets: [{value: '5', place: 'Line 2 of list.csv'}],
      problems: [expect.stringContaining('Line 3 of list.csv names no target')],
    });
  });
});
