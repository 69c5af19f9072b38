import fc from 'fast-check';
import {afterAll, describe, expect, test} from 'vitest';
import {readAnswer} from '../../src/lib/client/answer.js';
import {requestFor} from '../../src/lib/client/request.js';
import {at} from '../../src/lib/json/path.js';
import {fieldsOf, replaced, without, type AnswerField} from './fields.js';
import type {Row} from '../endpoints/row.js';
import {failureOf} from '../failure-of.js';
import {startServer} from './scripted-server.js';
import {rowOf, table} from '../endpoints/table.js';
import {codePoint} from '../arbitraries.js';

const server = await startServer();
const client = server.client();
afterAll(() => server.stop());

/** What a client makes of an answer, which may be about anything: `other-answers.test.ts` and `proof.test.ts` have what it has to show. */
function read({endpoint, requests}: Row, answer: unknown, isStrict = false) {
  const request = {...requestFor(endpoint, requests[0].input), about: [], proof: undefined};
  return readAnswer({status: 200, headers: {}, text: JSON.stringify(answer)}, endpoint.output(), {host: 'pix.example', request}, isStrict);
}

const refused = expect.objectContaining({code: 'bad_answer'});

/** Whether a path (`data.0.id`) is one of the patterns (`data.*.id`). */
function isOneOf(patterns: readonly string[] | undefined, path: string): boolean {
  return (patterns ?? []).includes(path.replaceAll(/(^|\.)\d+(?=\.|$)/g, '$1*'));
}

describe('as documented', () => {
  test.each(table)('the example of $command fits its schema', (row) => {
    expect(read(row, row.answer, true)).toMatchObject({status: 200, value: row.answer, mismatches: []});
  });
});

describe('an undocumented field', () => {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const objectsIn = (answer: unknown) => [[], ...fieldsOf(answer).map(({path}) => path)].filter((path) => isObject(at(answer, path).value));
  const open = table.map((row) => ({...row, objects: objectsIn(row.answer)})).filter(({objects}) => objects.length > 0);

  test.each(open)('an undocumented field is allowed everywhere in the answer of $command', ({objects, ...row}) => {
    for (const path of objects) {
      const more = replaced(row.answer, [...path, 'of_a_later_version'], {any: ['thing']});
      expect(read(row, more)).toMatchObject({value: more, mismatches: []});
    }
  });
});

describe('a missing field', () => {
  const membered = table
    .map((row) => ({...row, members: fieldsOf(row.answer).filter(({isMember}) => isMember)}))
    .filter(({members}) => members.length > 0);

  test.each(membered)('a missing field in the answer of $command causes no warning', ({members, ...row}) => {
    for (const [index, {path, name}] of members.entries()) {
      const less = without(row.answer, path);
      const {value, mismatches} = read(row, less);
      expect(value).toEqual(less);
      const isPromised = !isOneOf(row.mayLack, name);
      expect(mismatches, name).toEqual(isPromised ? [{kind: 'missing', path: name, message: 'missing'}] : []);
      // Whatever is a mismatch, strict refuses.
      if (isPromised && index < 2) expect(() => read(row, less, true), name).toThrow(refused);
    }
  });
});

describe('a field of another type', () => {
  const typed = table
    .map((row) => ({...row, fields: fieldsOf(row.answer).filter(({name}) => !isOneOf(row.anyType, name))}))
    .filter(({fields}) => fields.length > 0);

  test.each(typed)('a field of another type in the answer of $command is one mismatch, and the answer is returned', ({fields, ...row}) => {
    for (const [index, {path, name, other}] of fields.entries()) {
      const strange = replaced(row.answer, path, other);
      const {value, mismatches} = read(row, strange);
      expect(value).toEqual(strange);
      expect(mismatches, name).toMatchObject([{kind: 'type', path: name}]);
      if (index < 2) expect(() => read(row, strange, true), name).toThrow(refused);
    }
  });
});

describe('a number for an id', () => {
  const isId = ({path, value}: AnswerField) => /(^|_)id$|^reportId$/.test(String(path.at(-1))) && typeof value === 'string';
  const identified = table.map((row) => ({...row, ids: fieldsOf(row.answer).filter(isId)})).filter(({ids}) => ids.length > 0);

  test.each(identified)('a number for an id in the answer of $command is a known mismatch', ({ids, ...row}) => {
    for (const {path, name} of ids) {
      const {mismatches} = read(row, replaced(row.answer, path, 1029));
      // Those of server blocks are numbers on Pixelfed, and texts on Mastodon.
      const isEither = row.command.startsWith('admin domain-blocks');
      expect(mismatches, name).toMatchObject(isEither ? [] : [{kind: 'known', path: name}]);
    }
  });
});

describe('an answer of another top-level type', () => {
  const shapes = table.flatMap((row) => {
    const {command, answer} = row;
    const texts = [Array.isArray(answer) ? '{}' : '[]', '"text"', '7', 'true', 'null'];
    return texts.filter((text) => `${command} ${text}` !== 'dm mutuals []').map((text) => ({...row, text}));
  });

  test.each(shapes)('an answer of another top-level type is rejected: $text for $command', async ({endpoint, requests, text}) => {
    server.answers({text});
    expect((await failureOf(client.call(endpoint, requests[0].input))).code).toBe('bad_answer');
  });
});

/** Known mismatches besides numbers for ids: real servers send these. */
const known: readonly (readonly [command: string, path: readonly (number | string)[], value: unknown, why: string])[] = [
  ['dm list', ['data', 0, 'last_message', 'text'], null, 'a message of media alone'],
  ['dm messages', ['data', 0, 'text'], null, 'a message of media alone'],
  ['dm messages', ['data', 0, 'meta'], {domain: 'a.example', local: false}, 'a link'],
  ['dm messages', ['data', 0, 'media', 0, 'url'], null, 'a medium that is still on its way'],
  ['dm messages', ['data', 0, 'media', 0, 'preview_url'], null, 'a medium that is still on its way'],
  ['dm messages', ['data', 0, 'media', 0, 'blurhash'], null, 'a medium that is still on its way'],
  ['dm messages', ['meta', 'newest_id'], null, 'no messages'],
  ['dm messages', ['meta', 'oldest_id'], null, 'no messages'],
  ['dm mutuals', [], [], 'a role without messages'],
  ['thread get', ['conversation_id'], null, 'no message was ever sent'],
  ['thread read', [0], 7, 'older servers'],
  ['filters get', ['keywords', 0, 'id'], '41', 'older servers'],
  ['blocks list', [0, 'header_bg'], '#ffffff', 'an account that has one'],
  ['blocks list', [0, 'location'], 'Berlin', 'an account that has one'],
  ['blocks list', [0, 'last_fetched_at'], '2026-11-20T04:00:00Z', 'an account of another server'],
];

test.each(known)('%s: %j may be %j (%s)', (command, path, value) => {
  const row = rowOf(command);
  const {mismatches} = read(row, replaced(row.answer, path, value));
  expect(mismatches).toMatchObject([{kind: 'known', path: path.join('.')}]);
});

test('the text of an answer is not modified', async () => {
  const {endpoint, requests, answer} = rowOf('push state');
  const numbers = fc.constantFrom('12345678901234567890', '2.50', '1e400', '-0', '1E+2');
  const values = fc.oneof(
    numbers,
    fc.json(),
    fc.string({unit: codePoint}).map((text) => JSON.stringify(text)),
  );
  const spaces = fc.string({unit: fc.constantFrom(' ', '\n', '\r\n', '\t')});
  await fc.assert(
    fc.asyncProperty(values, spaces, async (value, space) => {
      const text = `${space}${JSON.stringify(answer).slice(0, -1)},${space}"\\u0061\\/":${value}${space}}${space}`;
      server.answers({text});
      expect((await client.call(endpoint, requests[0].input)).text).toBe(text);
    }),
  );
});
