import {expect, test} from 'vitest';
import {readOwnership} from '../../../../src/lib/policy/state-file/state-file.js';

const filter = {id: '4', title: 'A'};
const was = {id: '4', title: 'Old', context: ['home'], action: 'warn', expiresAt: null, keywords: []};
const ownedBefore = {domainBlocks: ['b.example'], blocks: ['troll@b.example'], mutes: ['loud@b.example'], filters: [filter]};
const nothing = {domainBlocks: [], blocks: [], mutes: [], filters: []};
const applied = {
  at: '2026-01-02T03:04:05.000Z',
  isFinished: false,
  plan: 'abc',
  owned: ownedBefore,
  domainBlocks: [
    {domain: 'b.example', wasBlocked: false},
    {domain: 'c.example', wasBlocked: true},
  ],
  blocks: [{account: 'troll@b.example', id: '7', wasThere: false}],
  mutes: [
    {account: 'loud@b.example', id: null, wasThere: true},
    {account: 'bot@b.example', id: '8', wasThere: false},
  ],
  filters: [
    {...filter, was},
    {id: null, title: 'New', was: null},
  ],
  pushWasOn: true,
};
const about = {server: 'https://pix.example', account: '@ana', policy: 'p.yml'};
const record = {...about, owned: {...ownedBefore, domainBlocks: ['a.example', 'b.example']}, applies: [applied]};

const read = (records: readonly object[]) => readOwnership(JSON.stringify({version: 1, records}), 's.json');

const owner = 'ana@pix.example';
const kept = [
  {owner, kind: 'domain_block', subject: 'b.example'},
  {owner, kind: 'block', subject: 'troll@b.example'},
  {owner, kind: 'mute', subject: 'loud@b.example'},
  {owner, kind: 'filter', subject: 'A', id: '4'},
];

test('a state file of version 1 is read with everything that it says', () => {
  expect(read([record])).toEqual({
    version: 2,
    records: [
      {
        ...about,
        owned: [{owner, kind: 'domain_block', subject: 'a.example'}, ...kept],
        applies: [
          {
            at: applied.at,
            isFinished: false,
            plan: 'abc',
            owned: kept,
            items: [
              {owner, kind: 'domain_block', subject: 'b.example', was: null},
              {owner, kind: 'domain_block', subject: 'c.example', was: true},
              {owner, kind: 'block', subject: 'troll@b.example', id: '7', was: null},
              {owner, kind: 'mute', subject: 'loud@b.example', was: true},
              {owner, kind: 'mute', subject: 'bot@b.example', id: '8', was: null},
              {owner, kind: 'filter', subject: 'A', id: '4', was},
              {owner, kind: 'filter', subject: 'New', was: null},
              {owner, kind: 'push', subject: 'notify_enabled', was: true},
            ],
          },
        ],
      },
    ],
  });
});

test('of an apply of version 1 that touched nothing, nothing is there', () => {
  const {plan: _, ...empty} = {...applied, ...nothing, owned: nothing, pushWasOn: false, isFinished: true};
  const {records} = read([{...record, owned: nothing, applies: [empty]}]);
  expect(records).toEqual([{...about, owned: [], applies: [{at: applied.at, isFinished: true, owned: [], items: []}]}]);
});

test('a state file of the first release, without accounts, is read', () => {
  const first = {domainBlocks: ['a.example'], filters: []};
  const {blocks: _, mutes: __, ...apply} = {...applied, owned: first, filters: [], domainBlocks: [], pushWasOn: false};
  const {records} = read([{...record, owned: first, applies: [apply]}]);
  expect(records[0]?.owned).toEqual([{owner, kind: 'domain_block', subject: 'a.example'}]);
  expect(records[0]?.applies[0]?.items).toEqual([]);
});

test.each<[string, object, string]>([
  ['another server', {server: 'pix.example'}, 'records.0.server: expected the origin of a server'],
  ['no account', {account: undefined}, 'records.0.account: account is missing'],
  ['an unknown key', {note: 1}, 'records.0: unknown key "note"; did you mean "owned"? Allowed: server, account, policy, owned, applies'],
  ['no applies', {applies: undefined}, 'records.0.applies: applies is missing'],
  ['an apply without a time', {applies: [{...applied, at: 5}]}, 'records.0.applies.0.at: expected string, got number'],
  [
    'a block that was something',
    {applies: [{...applied, domainBlocks: [{domain: 'a.example', wasBlocked: 1}]}]},
    'records.0.applies.0.domainBlocks.0.wasBlocked: expected boolean, got number',
  ],
  [
    'a filter that is owned without an id',
    {owned: {...ownedBefore, filters: [{title: 'A'}]}},
    'records.0.owned.filters.0.id: id is missing',
  ],
  ['a key of what is owned', {owned: {...ownedBefore, push: []}}, 'records.0.owned: unknown key "push"'],
])('a state file of version 1 with %s is refused', (_, changed, message) => {
  expect(() => read([{...record, ...changed}])).toThrow(
    expect.objectContaining({
      code: 'local',
      message: expect.stringContaining(`s.json is not a state file that this version can read: s.json:1: ${message}`),
    }),
  );
});
