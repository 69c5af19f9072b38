/** Settings of accounts and servers: push, which can only be turned off as a whole, and configuration, which is compared. */
import {describe, expect, test} from 'vitest';
import {
  changingOf,
  comparedName,
  itemName,
  pathsOf,
  sections,
  shownItem,
  shownSubject,
  writesOf,
} from '../../../../src/lib/policy/sections/index.js';
import {compare} from '../../../../src/lib/policy/sections/compare.js';
import {blindness} from '../../../../src/lib/policy/sections/blindness.js';
import {Failure} from '../../../../src/lib/client/failure.js';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import {policyViews, what} from '../../../../src/lib/policy/views.js';
import {circumstances, emptyModel, stateOf} from '../model-server.js';
import {wantedBy} from '../wanted.js';

const off = {notify_enabled: false, notify_like: false, notify_follow: false, notify_mention: false, notify_comment: false};
const on = {notify_enabled: true, notify_like: true, notify_follow: true, notify_mention: true, notify_comment: true};
const compared = (text: string, rest: Parameters<typeof stateOf>[1]) =>
  compare(wantedBy(`version: 1\n${text}`), stateOf(emptyModel, rest), circumstances);

describe('push', () => {
  test.each([
    ['push: {notify_enabled: false}', on, true],
    ['push: {notify_enabled: false, notify_like: false}', on, true],
    ['push: {notify_enabled: false, notify_like: true}', {...on, notify_like: false}, false],
    ['push: {notify_like: false}', on, false],
    ['push: {notify_enabled: true}', off, false],
  ])('that is to be %j is turned off by a change: %j %j', (text, value, isChanged) => {
    const {differences} = compared(text, {push: {value}});
    expect(differences.length).toBeGreaterThan(0);
    expect(differences.some(({change}) => change !== undefined)).toBe(isChanged);
    for (const {change} of differences)
      if (change)
        expect(change).toMatchObject({
          action: 'update',
          subject: 'notify_enabled',
          details: {notify_enabled: false},
          because: 'push.notify_enabled: p.yml:2',
        });
  });

  test('a difference is told with the command that sets it', () => {
    const {differences} = compared('push: {notify_enabled: true, notify_like: true}', {push: {value: off}});
    expect(differences.map(({rule, subject, wanted, actual, fix}) => [rule, subject, wanted, actual, fix])).toEqual([
      ['push.notify_enabled', 'notify_enabled', 'true', 'false', 'pixelctl push update DEVICE_TOKEN --notify'],
      ['push.notify_like', 'notify_like', 'true', 'false', 'pixelctl push update DEVICE_TOKEN --no-notify --like'],
    ]);
    expect(compared('push: {notify_enabled: false}', {push: {value: off}}).differences).toEqual([]);
  });

  test('its change fits where push is on, and is done where it is off', () => {
    const change: Change = {
      action: 'update',
      kind: 'push',
      subject: 'notify_enabled',
      details: {notify_enabled: false},
      reason: 'must',
      because: '',
    };
    const changing = changingOf('push');
    const states = [on, off].map((value) => stateOf(emptyModel, {push: {value}}));
    expect(states.map((state) => changing.misfit(change, state, []))).toEqual([undefined, 'push is off already']);
    expect(states.map((state) => changing.isDone(change, [], state))).toEqual([false, true]);
    expect(changing.text(change, false)).toBe('turn push off; the server forgets the device');
  });
});

describe('configuration', () => {
  const value = {version: '0.13.0', features: {stories: true}, limits: {most: 5, types: ['b', 'a']}};
  const differs = (rule: string, given: unknown = value) =>
    compared(`config: {${rule}}`, {config: {value: given}}).differences.map(({subject, wanted, actual}) => [subject, wanted, actual]);

  test.each([
    ['features.stories: true', []],
    ['features.stories: false', [['features.stories', 'false', 'true']]],
    ['limits.most: 5', []],
    ['limits.most: {min: 5, max: 5}', []],
    ['limits.most: {min: 6}', [['limits.most', expect.any(String), '5']]],
    ['limits.most: {max: 4}', [['limits.most', expect.any(String), '5']]],
    ['features.stories: {min: 0}', [['features.stories', expect.any(String), 'true']]],
    ['limits.types: [a, b]', []],
    ['limits.types: [a]', [['limits.types', expect.any(String), '["b","a"]']]],
    ['limits.none: 1', [['limits.none', '1', 'not there']]],
    ['limits.none: {is: 1, if_offered: true}', []],
    ['limits.most: {is: 4, if_offered: true}', [['limits.most', '4', '5']]],
  ])('that is to have %s is compared', (rule, expected) => {
    expect(differs(rule)).toEqual(expected);
  });

  test('what a server does not offer is skipped where the rule says so', () => {
    expect(compared('config: {limits.none: {is: 1, if_offered: true}}', {config: {value}}).skipped).toMatchObject([
      {kind: 'config', subject: 'limits.none', why: 'the server does not offer it'},
    ]);
  });

  test('is exported in order, without the version and what no policy can say', () => {
    const section = sections.find(({key}) => key === 'config');
    const odd = {...value, list: [1, 'a'], 'a.b': 1, none: null, b: {version: '1'}};
    expect(section?.exported(stateOf(emptyModel, {config: {value: odd}}), new Date())?.value).toEqual({
      'b.version': '1',
      'features.stories': true,
      'limits.most': 5,
      'limits.types': ['a', 'b'],
    });
  });
});

test('sections are told by what they read and write', () => {
  expect(pathsOf(sections.filter(({key}) => key === 'blocks' || key === 'mutes'))).toBe('/api/v1/blocks and /api/v1/mutes');
  expect(pathsOf(sections.filter(({key}) => key === 'blocks'))).toBe('/api/v1/blocks');
  expect(writesOf(sections.filter(({key}) => key === 'domain_blocks'))).toBe('POST and DELETE /api/v1/domain_blocks');
  expect(writesOf(sections.filter(({key}) => key === 'config'))).toBe('');
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
    {kind: 'config' as const, why: 'x', failure: down},
    {kind: 'push' as const, why: 'x', failure: down},
    {kind: 'push' as const, why: 'x', failure: down},
    {kind: 'block' as const, why: 'x'},
  ];
  expect(blindness(all, 'pix.example')).toMatchObject({
    code: 'unavailable',
    message: 'Cannot read the configuration, the push settings of pix.example: The server is down',
    details: {status: 503},
  });
  expect(blindness([...all.slice(0, 1), {kind: 'push', why: 'x', failure: refused}], 'pix.example')?.message).toMatch(
    /^Cannot read the \S+( settings)? of /,
  );
});
