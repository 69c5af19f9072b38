import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {collectTargets, parseTargets} from '../../../src/lib/command/targets.js';

const refused = (message: string) => expect.objectContaining({code: 'usage', message: expect.stringContaining(message)});

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
    expect(parseTargets(text, [])).toEqual(targets);
  });

  test('of objects gives the field that is needed, else the target, else the id', () => {
    const items = [{reportId: '1', id: '2', target: '3'}, {id: '2', target: '3'}, {id: '2', name: 'x'}];
    expect(parseTargets(JSON.stringify(items), ['reportId'])).toEqual(['1', '3', '2']);
    expect(parseTargets(items.map((item) => JSON.stringify(item)).join('\n'), ['reportId'])).toEqual(['1', '3', '2']);
  });

  test.each([
    ['[1, 2', 'begins like a JSON array but is none'],
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
    expect(() => parseTargets(text, [])).toThrow(refused(message));
  });

  test('does not look for a target in what an object inherits', () => {
    expect(() => parseTargets('{}', ['constructor', 'toString'])).toThrow(refused('names no target'));
  });

  const id = fc.stringMatching(/^[A-Za-z0-9._-]{1,30}$/);

  test('gives back every target, whichever way it is written', () => {
    const written = fc.array(fc.tuple(id, fc.constantFrom('plain', 'string', 'object', 'result')));
    fc.assert(
      fc.property(written, fc.constantFrom('\n', '\r\n', '\n\n', '\n# more\n'), (lines, end) => {
        const text = lines.map(([target, form]) => {
          if (form === 'plain') return target;
          if (form === 'string') return JSON.stringify(target);
          return JSON.stringify(form === 'object' ? {name: 'x', id: target} : {target, ok: false, id: 'other'});
        });
        expect(parseTargets(text.join(end), [])).toEqual(lines.map(([target]) => target));
      }),
    );
  });

  test('as an array is the same as line by line', () => {
    const item = fc.oneof(id, fc.record({id}), fc.bigInt({min: 1n, max: 2n ** 70n}));
    fc.assert(
      fc.property(fc.array(item, {minLength: 1}), (items) => {
        const lines = items.map((one) => (typeof one === 'bigint' ? String(one) : JSON.stringify(one)));
        expect(parseTargets(`[${lines.join(', ')}]`, [])).toEqual(parseTargets(lines.join('\n'), []));
      }),
    );
  });

  test('never ends in anything but targets or a refusal', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          for (const target of parseTargets(text, ['id'])) expect(target.trim()).not.toBe('');
        } catch (error) {
          expect(error).toMatchObject({code: 'usage'});
        }
      }),
    );
  });
});

describe('arguments', () => {
  test('are targets as they are, each once, in the order given', async () => {
    expect(await collectTargets(['7', '5', '7', '6', '5'], [])).toEqual({values: ['7', '5', '6'], isSingle: false});
  });

  test('are one target when there is one', async () => {
    expect(await collectTargets(['7'], [])).toEqual({values: ['7'], isSingle: true});
  });

  test('are not looked into', async () => {
    expect((await collectTargets(['{"id": "5"}', '# 6', '["7"]'], [])).values).toEqual(['{"id": "5"}', '# 6', '["7"]']);
  });
});
