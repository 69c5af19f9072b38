/** What sections are called, and what they read and write. */
import {expect, test} from 'vitest';
import {comparedName, itemName, pathsOf, sections, shownItem, shownSubject, writesOf} from '../../../../src/lib/policy/sections/index.js';
import {blindness} from '../../../../src/lib/policy/sections/blindness.js';
import {Failure} from '../../../../src/lib/client/failure.js';
import {policyViews, what} from '../../../../src/lib/policy/views.js';

test('sections are told by what they read and write', () => {
  expect(pathsOf(sections.filter(({key}) => key === 'blocks' || key === 'mutes'))).toBe('/api/v1/blocks and /api/v1/mutes');
  expect(pathsOf(sections.filter(({key}) => key === 'blocks'))).toBe('/api/v1/blocks');
  expect(writesOf(sections.filter(({key}) => key === 'domain_blocks'))).toBe('POST and DELETE /api/v1/domain_blocks');
});

test.each([
  [{kind: 'block', subject: 'ana'}, 'account block @ana', '@ana'],
  [{kind: 'domain_block', subject: 'a.example'}, 'domain block a.example', 'a.example'],
  [{kind: 'other', subject: 'x'}, 'other x', 'x'],
])('%j is shown as %s', (named, item, subject) => {
  expect(shownItem(named)).toBe(item);
  expect(shownSubject(named)).toBe(subject);
  expect(what.text?.(named)).toBe(subject);
});

test('items are counted in words, and compared in one form', () => {
  expect([itemName('block'), itemName('block', 2), itemName('other', 2)]).toEqual(['account block', 'account blocks', 'other']);
  expect([
    comparedName({kind: 'block', subject: '@Ana'}, 'pix.example'),
    comparedName({kind: 'domain_block', subject: 'BÜCHER.example'}, 'pix.example'),
    comparedName({kind: 'other', subject: ' X '}, 'pix.example'),
  ]).toEqual(['ana@pix.example', 'xn--bcher-kva.example', 'X']);
  for (const row of [null, 5, {}, {kind: 'block'}, {subject: 'x'}]) expect(what.text?.(row)).toBeUndefined();
});

test.each([
  [false, false, []],
  [true, false, ['server', 'account', 'policy']],
  [false, true, ['status']],
  [true, true, ['server', 'account', 'policy', 'status']],
])('findings of several: %j, compared with earlier ones: %j, have the fields %j first', (ofSeveral, withStatus, first) => {
  const {fields, columns} = policyViews.findings({ofSeveral, withStatus});
  expect(fields).toEqual([...first, 'rule', 'kind', 'subject', 'wanted', 'actual', 'source', 'fix', 'details', 'named_by', 'by_hand']);
  expect(columns?.map(({header}) => header)).toEqual([
    ...(ofSeveral ? ['server', 'account'] : []),
    ...(withStatus ? ['since'] : []),
    'rule',
    'what',
    'wanted',
    'actual',
    'where',
    'how to fix it',
  ]);
});

test('what could not be read is one failure, with the names of all that it concerns', () => {
  const [down, refused] = [new Failure('unavailable', 'The server is down', {status: 503}), new Failure('auth', 'No')];
  expect(blindness([{kind: 'block', why: 'it is held back'}], 'pix.example')).toBeUndefined();
  const all = [
    {kind: 'mute' as const, why: 'x', failure: down},
    {kind: 'filter' as const, why: 'x', failure: down},
    {kind: 'filter' as const, why: 'x', failure: down},
    {kind: 'block' as const, why: 'x'},
  ];
  expect(blindness(all, 'pix.example')).toMatchObject({
    code: 'unavailable',
    message: 'Cannot read the mutes, the filters of pix.example: The server is down',
    details: {status: 503},
  });
  expect(blindness([...all.slice(0, 1), {kind: 'filter', why: 'x', failure: refused}], 'pix.example')?.message).toMatch(
    /^Cannot read the \S+( settings)? of /,
  );
});
