import {describe, expect, test} from 'vitest';
import {records} from '../../../src/lib/api/endpoints.js';
import {anyOf, type Kind} from '../../../src/lib/api/kind.js';
import {kinds} from '../../../src/lib/api/kinds.js';
import {once} from '../../../src/lib/api/schema.js';
import {kindsWith} from '../../../src/lib/cli/endpoint/piped-item.js';

type Named = readonly [name: string, kind: Kind];
const inTable: readonly Named[] = Object.entries(kinds);

/** Kinds that only the commands of their own records know. */
const ownKinds: readonly Named[] = [...new Set(records.flatMap(({items}) => items ?? []))]
  .filter((kind) => !inTable.some(([, one]) => one === kind))
  .map((kind) => [kind.one, kind]);
const all = [...inTable, ...ownKinds];

const membersOf = ({shapes = []}: Kind) => shapes.flatMap((shape) => Object.keys(shape().shape));

describe.each(all)('%s', (_, kind) => {
  test('says what it is called, and breaks on nothing', () => {
    expect(kind.several).not.toBe(kind.one);
    expect(anyOf(kind)).toMatch(/^(a [^aeio]|an [aeio])/);
    for (const odd of [null, 5, [], {}, {id: null, participants: [null, 5], account: []}]) expect(() => kind.title?.(odd)).not.toThrow();
  });

  test('has marks that no other kind has', () => {
    for (const [, other] of all) {
      if (other === kind) continue;
      const theirs = [...membersOf(other), ...other.marks];
      expect(kind.marks.filter((mark) => theirs.includes(mark))).toEqual([]);
    }
    expect([...kind.marks, ...(kind.jointMarks ?? [])]).not.toEqual([]);
  });

  test('names what it names by members that it has', () => {
    const members = once(() => [...membersOf(kind), ...kind.marks, ...(kind.jointMarks ?? []).flat()]);
    const places = [...kind.names, ...Object.values(kind.gives ?? {}).flat()].filter((place) => place !== '');
    for (const place of places) expect(members()).toContain(place.split('.', 1)[0]);
    // What is named the same everywhere is named by no id.
    if (kind.isSameEverywhere) expect(kind.names).not.toContain('id');
  });
});

// Its commands ask it before the table.
test('a kind that is not in the table is shown by no members that may be all of another object, and gives nothing', () => {
  for (const [name, {loneMembers = [], gives}] of ownKinds) {
    const shared = inTable.filter(([, other]) => loneMembers.some((member) => member !== 'id' && other.loneMembers?.includes(member)));
    expect({gives, shared: shared.map(([other]) => other)}, name).toEqual({gives: undefined, shared: []});
  }
});

test.each(['content', 'key', 'kind', 'status', 'subject', 'text', 'title', 'type', 'visibility'])(
  'an object of a kind of its own may have a member called %s',
  (name) => {
    const own: Kind = {one: 'tag', several: 'tags', marks: ['history'], names: ['name']};
    expect(kindsWith(['id', 'name', name, 'history'], own)).toEqual([own]);
  },
);

test.each([
  ['post', ['id', 'content']],
  ['post', ['id', 'content', 'visibility', 'sensitive']],
  ['message', ['id', 'text']],
  ['setting', ['key']],
  ['setting', ['key', 'state', 'description']],
  ['policyRow', ['action', 'kind', 'subject']],
  ['policyRow', ['policy', 'account', 'changes']],
] as const)('a %s is known by %j', (name, members) => {
  expect(kindsWith(members, kinds.account)).toEqual([kinds[name]]);
});

// The ids of accounts would be taken for those of posts.
test.each(all)('commands that act on a kind (%s) do not recognize it by members that objects of any kind have', (_, own) => {
  expect(kindsWith(['id', 'url'], own)).toEqual([kinds.account]);
  for (const members of [[], ['id'], ['created_at'], ['id', 'created_at']]) expect(kindsWith(members, own)).toEqual([]);
});

test('an object that fits two kinds is recognized as both, so that commands refuse it', () => {
  const own: Kind = {one: 'album', several: 'albums', marks: ['photos'], loneMembers: ['title'], names: ['id']};
  expect(kindsWith(['id', 'title'], own)).toEqual([own, kinds.filter]);
});

/** What of one kind is taken by commands that act on another, in the words of the guide. */
test.each([
  ['report', {post: ['status.id'], account: ['status.account', 'account']}],
  ['notification', {account: ['account'], post: ['status.id']}],
  ['message', {account: ['sender_id']}],
  ['conversation', {account: ['participants']}],
  ['recipient', {account: ['account']}],
  ['post', {account: ['account']}],
  ['autospam', {post: ['status.id'], account: ['status.account']}],
  ['user', {account: ['profile_id']}],
  ['instance', {domain: ['domain']}],
  ['domain', {instance: ['domain', '#domain']}],
  ['relationship', {account: ['id']}],
  ['account', undefined],
  ['filter', undefined],
  ['media', undefined],
  ['policyRow', undefined],
  ['result', undefined],
  ['setting', undefined],
  ['thread', undefined],
] as const)('%s gives %j', (name, gives) => {
  const kind: Kind = kinds[name];
  expect(kind.gives).toEqual(gives);
});

test.each([
  ['account', {id: '5', acct: 'bo@far.example', username: 'bo'}, '@bo@far.example'],
  ['account', {id: '5', username: 'bo'}, '@bo'],
  ['conversation', {id: '7', participants: [{id: '5', acct: 'bo'}, {acct: 'cy'}]}, '@bo, @cy'],
  ['domain', 'bad.example', ''],
  ['domain', {id: '1', domain: 'bad.example', severity: 'silence'}, 'silence'],
  ['filter', {id: 6, title: 'Spoilers'}, 'Spoilers'],
  ['instance', {id: 3, domain: 'pix.example', software: 'pixelfed'}, 'pixelfed'],
  ['message', {id: '1', reportId: '2', text: 'Hello'}, 'Hello'],
  ['report', {id: 8, type: 'spam', message: 'Sells', account: {acct: 'bo'}}, 'spam: Sells, account @bo'],
] as const)('the title of %s: %j', (name, item, title) => {
  const kind: Kind = kinds[name];
  expect(kind.title?.(item)).toBe(title);
});
