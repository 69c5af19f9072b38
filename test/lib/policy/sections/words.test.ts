/** What sections are called, and what they read and write. */
import {expect, test} from 'vitest';
import {shownItem, subjectOf} from '../../../../src/lib/policy/rows/row-text.js';
import {kindOfSection, pathsOf, writesOf} from '../../../../src/lib/policy/sections/index.js';
import {what} from '../../../../src/lib/policy/rows/views.js';

const host = 'pix.example';

test('sections are told by what they read and write', () => {
  expect(pathsOf(['blocks', 'mutes'].map(kindOfSection))).toBe('/api/v1/blocks and /api/v1/mutes');
  expect(pathsOf([kindOfSection('blocks')])).toBe('/api/v1/blocks');
  expect(writesOf()).toContain('POST and DELETE /api/v1/domain_blocks');
});

test.each([
  ['blocks', 'ana@pix.example', 'account block @ana', 'ana', '@ana'],
  ['mutes', 'bo@b.example', 'account mute @bo@b.example', 'bo@b.example', '@bo@b.example'],
  ['domain_blocks', 'a.example', 'domain block a.example', 'a.example', 'a.example'],
  ['admin_domain_blocks', 'a.example', 'server block a.example', 'a.example', 'a.example'],
  ['filters', 'My, ads', 'filter My, ads', 'My, ads', 'My, ads'],
])('of %s, %s is shown as %s', (key, name, item, subject, shown) => {
  const kind = kindOfSection(key);
  expect([shownItem({kind, name}, host), subjectOf({kind, name}, host)]).toEqual([item, subject]);
  expect(what.text?.({kind: kind.kind, subject})).toBe(shown);
});

test('what is no row is not shown', () => {
  for (const row of [null, 5, {}, {kind: 'block'}, {subject: 'x'}]) expect(what.text?.(row)).toBeUndefined();
  expect(what.text?.({kind: 'other', subject: 'x'})).toBe('x');
});

test('names are compared in one form', () => {
  expect(kindOfSection('blocks').nameIn('@Ana', host)).toBe('ana@pix.example');
  expect(kindOfSection('domain_blocks').nameIn('BÜCHER.example', host)).toBe('xn--bcher-kva.example');
  expect(kindOfSection('filters').nameIn(' X ', host)).toBe('X');
});
