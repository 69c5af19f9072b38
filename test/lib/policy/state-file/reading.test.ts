import {describe, expect, test} from 'vitest';
import {readOwnership} from '../../../../src/lib/policy/state-file/state-file.js';

const owner = 'ana@pix.example';
const domain = {owner, kind: 'domain_block', subject: 'a.example'};
const filter = {owner, kind: 'filter', subject: 'A', id: '4'};
const apply = {at: '2026-11-20T12:00:00.000Z', isFinished: true, owned: [domain], items: [{...domain, was: null}]};
const record = {server: 'https://pix.example', account: 'ana', policy: 'p.yml', owned: [domain, filter], applies: [apply]};
const textOf = (changed: object = {}) => JSON.stringify({version: 2, records: [{...record, ...changed}]});

function refusal(given: Uint8Array | string): unknown {
  try {
    readOwnership(given, 's.json');
  } catch (error) {
    return error;
  }
  return undefined;
}

const message = (said: string) => ({code: 'local', message: expect.stringContaining(said)});

test('a state file with a byte order mark is read', () => {
  expect(readOwnership(Buffer.from(`\ufeff${textOf()}`), 's.json').records).toEqual([record]);
});

describe('a mistake in a state file', () => {
  test.each([
    ['another account', {owned: [{...domain, owner: 'bo@pix.example'}]}, 'records.0.owned.0.owner: expected ana@pix.example'],
    ['no account', {account: ''}, 'records.0.account: expected an account, got ""'],
    ['no subject', {owned: [{...domain, subject: ''}]}, 'records.0.owned.0.subject: expected a text that is not empty, got ""'],
    ['no date', {applies: [{...apply, at: 'soon'}]}, 'records.0.applies.0.at: expected a date and time, got "soon"'],
    ['no id', {owned: [{...filter, id: '../4'}]}, 'records.0.owned.0.id: expected an id, got "../4"'],
    [
      'an id that is a number',
      {owned: [domain, {...filter, id: 4}]},
      'records.0.owned.1.id: expected string, got number; put it in quotes',
    ],
    ['the same item twice', {owned: [domain, filter, {...filter, subject: 'B'}]}, 'records.0.owned.2: B is there twice'],
    ['the same touched item twice', {applies: [{...apply, items: [...apply.items, ...apply.items]}]}, 'records.0.applies.0.items.1: '],
    ['an unknown kind', {owned: [{...domain, kind: 'hug'}]}, 'records.0.owned.0.kind: unsupported kind "hug" (supported: domain_block, '],
    [
      'an unknown key',
      {owned: [{...domain, names: 'a'}]},
      'records.0.owned.0: unknown key "names"; did you mean "made"? Allowed: owner, kind, subject, id, at, made',
    ],
    [
      'how a filter was',
      {applies: [{...apply, items: [{...filter, was: {title: 4}}]}]},
      'records.0.applies.0.items.0.was.title: expected string',
    ],
  ])('is named: %s', (_, changed, said) => {
    expect(refusal(textOf(changed))).toMatchObject(message(said));
  });

  test('is on a line of its own among several', () => {
    const failure = refusal(textOf({account: 1, policy: 2}));
    expect(String(failure)).toMatch(/: s\.json has 2 mistakes\ns\.json:1: records\.0\.account: .*\ns\.json:1: records\.0\.policy: /);
  });

  test('is that it is not UTF-8', () => {
    expect(refusal(Buffer.from(textOf().replace('A', '\u00e4'), 'latin1'))).toMatchObject(message('s.json is not UTF-8 text (line 1)'));
  });
});

test.each([
  ['3', 'version: unsupported version 3 (supported: 2)', 'upgrade pixelctl'],
  ['"x"', 'version: unsupported version "x" (supported: 2)', 'move it away'],
])('a state file of version %s says which are known', (version, said, hint) => {
  expect(refusal(`{"version": ${version}, "records": []}`)).toMatchObject({
    ...message(said),
    details: {hint: expect.stringContaining(hint)},
  });
});

test('a state file without a version says which are known', () => {
  expect(refusal('{}')).toMatchObject(message('version is missing; allowed: 2'));
});
