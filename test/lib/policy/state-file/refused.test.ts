/** What a record says once a server has refused a change of something that was there. */
import {expect, test} from 'vitest';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import {beginApply} from '../../../../src/lib/policy/state-file/ownership.js';
import {recordRefused, withSent} from '../recorded.js';
import type {OwnershipRecord} from '../../../../src/lib/policy/state-file/record.js';
import {readOwnership} from '../../../../src/lib/policy/state-file/state-file.js';
import {circumstances} from '../model-server.js';
import {nobody, planOf, server, stateOf} from '../sections/server-blocks.js';

const policy = (severity: string) => `version: 1\nadmin_domain_blocks: {must: [{domain: a.example, severity: ${severity}}, b.example]}\n`;
const at = server('mastodon', {'a.example': {severity: 'silence'}, 'c.example': {}});
const record: OwnershipRecord = {...nobody, account: undefined};

function begun(severity: string) {
  const {changes} = planOf(policy(severity), {server: at, record});
  return {changes, record: beginApply(record, changes, stateOf(at), circumstances.now)};
}
const only = (changes: readonly Change[], action: Change['action']) => changes.filter((change) => change.action === action);
const subjects = ({applies}: OwnershipRecord) => applies.at(-1)?.items.map(({subject}) => subject);

test('what was to be changed or added is not touched', () => {
  const {changes, record: before} = begun('suspend');
  expect(changes.map(({action, subject}) => `${action} ${subject}`).sort()).toEqual(['add b.example', 'update a.example']);
  expect(subjects(recordRefused(before, only(changes, 'update')))).toEqual(['b.example']);
  expect(subjects(recordRefused(before, only(changes, 'add')))).toEqual(['a.example']);
  expect(subjects(recordRefused(before, changes))).toEqual([]);
  expect(subjects(recordRefused(before, []))?.toSorted()).toEqual(['a.example', 'b.example']);
});

test('what an earlier run of the same apply changed stays touched', () => {
  const {changes, record: before} = begun('suspend');
  const [last] = before.applies;
  if (last === undefined) throw new Error('Nothing was begun');
  const items = last.items.map((item) => ({...item, was: item.subject === 'a.example' ? {severity: 'noop'} : item.was}));
  expect(subjects(recordRefused({...before, applies: [{...last, items}]}, changes))).toEqual(['a.example']);
});

test('what was to be removed stays as it is recorded', () => {
  const {changes} = planOf('version: 1\nadmin_domain_blocks: {must_not: [c.example]}\n', {server: at, record});
  expect(changes.map(({action, subject}) => `${action} ${subject}`)).toEqual(['remove c.example']);
  const before = changes.reduce(withSent, beginApply(record, changes, stateOf(at), circumstances.now));
  expect(recordRefused(before, changes)).toEqual(before);
});

test('mistakes in what was owned before an apply, and in what it touched, have their places', () => {
  const item = {owner: 'bo@pix.example', kind: 'domain_block', subject: 'a.example'};
  const apply = {at: '2026-11-20T12:00:00.000Z', isFinished: true, owned: [], items: []};
  const said = (changed: object) => {
    const text = JSON.stringify({version: 2, records: [{...nobody, applies: [{...apply, ...changed}]}]});
    try {
      readOwnership(text, 's.json');
    } catch (error) {
      return String(error);
    }
    return 'it was read';
  };
  expect(said({owned: [item]})).toContain('s.json:1: records.0.applies.0.owned.0.owner: expected ana@pix.example, got "bo@pix.example"');
  expect(said({items: [{...item, was: null}]})).toContain('s.json:1: records.0.applies.0.items.0.owner: expected ana@pix.example');
  expect(said({at: '2026-11-20'})).toContain('records.0.applies.0.at: expected a date and time, got "2026-11-20"');
  expect(said({at: '2026-13-40T00:00:00Z'})).toContain('records.0.applies.0.at: expected a date and time');
  expect(said({at: 'x2026-11-20T12:00:00Z'})).toContain('records.0.applies.0.at: expected a date and time');
  expect(said({})).toBe('it was read');
});

test.each(['.', '..', 'a/b', 'a?b', 'a#b', 'a b', '', '\u0007'])('%j is no id of an item', (id) => {
  const item = {owner: 'ana@pix.example', kind: 'filter', subject: 'A', id};
  expect(() => readOwnership(JSON.stringify({version: 2, records: [{...nobody, owned: [item]}]}), 's.json')).toThrow(
    'records.0.owned.0.id: expected an id',
  );
});

test.each(['4', '...', 'a-b', 'ä', '.a'])('%j is an id of an item', (id) => {
  const item = {owner: 'ana@pix.example', kind: 'filter', subject: '', id};
  expect(readOwnership(JSON.stringify({version: 2, records: [{...nobody, owned: [item]}]}), 's.json').records[0]?.owned).toEqual([item]);
});
