/** Every write is told in one sentence, whatever the server answers. Those of answers as they are stand in test/endpoints. */
import {describe, expect, test} from 'vitest';
import {isWrite, type Endpoint} from '../../src/lib/api/endpoint.js';
import {kinds} from '../../src/lib/api/kinds.js';
import {inputFields, type InputField} from '../../src/lib/cli/endpoint/input-fields.js';
import type {FullInput} from '../../src/lib/operations/operation.js';
import {inert} from '../../src/lib/print/inert.js';
import {endpointCommands} from '../endpoint-commands.js';
import {rowOf} from '../endpoints/table.js';
import {pixelfed, runCommand} from '../run-command.js';
import {fieldsOf, replaced, without} from './fields.js';

const writes = (await endpointCommands()).filter(({spec}) => isWrite(spec.endpoint));

/** These print results, or whatever a server answers. */
const withoutSentences = ['api', 'apply', 'dm clear', 'dm triage', 'restore', 'undo'];

test('every command that writes to a server has a sentence', async () => {
  const {stdout} = await runCommand(['commands', '--json']);
  const {commands}: {commands: readonly {readonly command: string; readonly writes: boolean}[]} = JSON.parse(stdout);
  const writing = commands.flatMap(({command, writes: isOfWrite}) => (isOfWrite ? command.replace('pixelctl ', '') : []));
  expect(writing.toSorted()).toEqual([...writes.map(({command}) => command), ...withoutSentences].toSorted());
});

/** What a field may be given as. */
function valuesOf({kind, facts}: InputField): readonly unknown[] {
  if (kind === 'boolean') return [true, false];
  if (kind === 'list') return [['@bob', '5']];
  if (facts?.known !== undefined) return facts.known;
  if (facts?.of === kinds.domain) return ['bad.example'];
  return facts?.names === undefined ? ['5'] : ['@bob', '5'];
}

/** The fields that must be given, and each other one beside them. */
function inputsOf(endpoint: Endpoint): readonly FullInput[] {
  const fields = inputFields(endpoint);
  const inputWith = (given: Readonly<Record<string, unknown>>): FullInput => {
    const part = (name: InputField['part']) =>
      Object.fromEntries(fields.flatMap((field) => (field.part === name && field.name in given ? [[field.name, given[field.name]]] : [])));
    return {path: part('path'), query: part('query'), body: part('body')};
  };
  const required = Object.fromEntries(fields.flatMap((field) => (field.required ? [[field.name, valuesOf(field)[0]]] : [])));
  return [inputWith(required), ...fields.flatMap((field) => valuesOf(field).map((value) => inputWith({...required, [field.name]: value})))];
}

/** The documented answer, with each part missing, null, of another type, or hostile, and what is no such answer at all. */
function answersOf(example: unknown): readonly unknown[] {
  const parts = fieldsOf(example).flatMap(({path, value, other}) => [
    without(example, path),
    replaced(example, path, null),
    replaced(example, path, other),
    ...(typeof value === 'string' ? [replaced(example, path, ''), replaced(example, path, `${value}\u001b[2J\nDeleted. \u202egnp`)] : []),
  ]);
  return [example, undefined, null, [], {}, 7, 'text', [null], ...parts];
}

/** One line that ends with a full stop, without what steers a terminal, or stands for nothing. */
const sentence = /^(?!.*(?:\bundefined\b|\bnull\b|\[object|\bNaN\b| {2}| [.,]|account account))[^\p{Cc}\u202a-\u202e]+[^.,]\.$/u;

describe('one sentence, whatever is given and whatever the answer lacks:', () => {
  test.each(writes)('$command', ({command, spec: {endpoint, sentence: done, instead}}) => {
    const inputs = [endpoint, instead?.endpoint].flatMap((one) => (one === undefined ? [] : inputsOf(one)));
    const told = inputs.flatMap((input) =>
      answersOf(rowOf(command).answer).map((answer) => inert(done?.(input, {answer, name: '@bob'}) ?? '')),
    );
    expect(told.length).toBeGreaterThan(0);
    expect([...new Set(told)].filter((text) => !sentence.test(text))).toEqual([]);
  });
});

test('a name that was given stands in the sentence, and the id of what was made', () => {
  const told = Object.fromEntries(writes.map(({command, spec: {sentence: done}}) => [command, done]));
  const seen = {answer: {id: '31', reportId: 31}, name: '@deals10'};
  const of = (command: string, input: Partial<FullInput>) => told[command]?.({path: {}, query: {}, body: {}, ...input}, seen);
  expect(of('mutes add', {path: {id: '@bob'}})).toBe('Muted @bob.');
  expect(of('dm send', {path: {id: '@bob'}})).toBe('Sent message 31 to @bob.');
  expect(of('dm leave', {path: {id: '@bob'}})).toBe('Left the conversation with @bob.');
  expect(of('thread send', {body: {to_id: '@bob'}})).toBe('Sent message 31 to @bob.');
  expect(of('filters create', {body: {title: 'Spoilers'}})).toBe('Created filter 31, Spoilers.');
  expect(of('users update', {body: {user: '10', unlisted: true, cw: true}})).toBe(
    'Unlisted @deals10, and marked their posts as sensitive.',
  );
  expect(of('users update', {body: {user: '10', unlisted: false, cw: false, autolink: true}})).toBe(
    'Relisted @deals10, stopped marking their posts as sensitive, and made links in their posts.',
  );
});

test.each([[['-o', 'table']], [['--fields', 'id']], [['--jq', '.id']], [['--json']]])('the answer is printed with %j', async (flags) => {
  pixelfed().post('/api/v1/accounts/5/mute').reply(200, {id: '5', muting: true});
  const {stdout, stderr} = await runCommand(['mutes', 'add', '5', ...flags]);
  expect(stdout).toContain('5');
  expect(stderr).toBe('');
});

test('a title of the server is inert in the sentence', async () => {
  pixelfed().put('/api/v2/filters/5').reply(200, {id: '5', title: 'A\u001b[2J\nDeleted filter 6'});
  const {stderr} = await runCommand(['filters', 'update', '5', '--action', 'hide', '--context', 'home']);
  expect(stderr).toContain('Updated filter 5, A␛[2J Deleted filter 6.\n');
});
