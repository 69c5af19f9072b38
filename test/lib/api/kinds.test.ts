import {describe, expect, test} from 'vitest';
import {anyOf, nameIn} from '../../../src/lib/api/kind.js';
import {kinds} from '../../../src/lib/api/kinds/index.js';

test.each(Object.entries(kinds))('%s says what it is called, and all that commands need', (_, kind) => {
  const {one, several, named, elsewhere, contains, standsFor} = kind;
  expect(several).not.toBe(one);
  expect(anyOf(kind)).toMatch(/^(a [^aeiou]|an [aeiou])/);
  // An object without any of its members has no name and no title, and breaks nothing.
  for (const odd of [null, 5, [], {}, {id: null, participants: [null, 5], account: []}]) {
    expect(() => kind.title(odd)).not.toThrow();
    expect(nameIn(kind, {...Object(odd), id: undefined})).toBe('');
  }
  const members = kind.members();
  const places = [...Object.values(contains).flat(), ...(standsFor ?? [])].filter((place) => place !== '');
  for (const name of [...named, ...places.map((place) => place.split('.', 1)[0])]) expect(members).toContain(name);
  // What is named the same everywhere is named by no id.
  if (elsewhere === 'the same') expect(named).not.toContain('id');
});

/** What of one kind is taken by commands that act on another, in the words of the guide. */
test.each([
  ['notification', {account: ['account']}],
  ['message', {account: ['sender_id'], conversation: ['conversation_id']}],
  ['conversation', {account: ['participants']}],
  ['recipient', {account: ['account']}],
  ['post', {account: ['account']}],
  ['thread', {account: [''], conversation: ['conversation_id']}],
  ['instance', {domain: ['domain']}],
  ['relationship', {account: ['']}],
] as const)('%s contains %j', (name, contains) => {
  expect(kinds[name].contains).toMatchObject(contains);
});

test.each(['account', 'domain', 'filter', 'keyword', 'media', 'report', 'policyRow'] as const)(
  '%s has no account that is obviously meant, and no other kind of today',
  (name) => {
    const {account, conversation, domain, filter, message, notification} = kinds[name].contains;
    expect([account, conversation, domain, filter, message, notification]).toEqual(Array.from({length: 6}, () => undefined));
  },
);

describe('names and titles', () => {
  test.each([
    ['account', {id: '5', acct: 'bo@far.example', username: 'bo'}, '5', '@bo@far.example'],
    ['account', {id: '5', username: 'bo'}, '5', '@bo'],
    ['conversation', {id: '7', participants: [{id: '5', acct: 'bo'}, {acct: 'cy'}]}, '7', '@bo, @cy'],
    ['domain', 'bad.example', 'bad.example', ''],
    ['domain', {id: '1', domain: 'bad.example', severity: 'silence'}, 'bad.example', 'silence'],
    ['domain', {'#domain': 'bad.example'}, 'bad.example', ''],
    ['filter', {id: 6, title: 'Spoilers'}, '6', 'Spoilers'],
    ['instance', {id: 3, domain: 'pix.example', software: 'pixelfed'}, 'pix.example', 'pixelfed'],
    ['message', {id: '1', reportId: '2', text: 'Hello'}, '2', 'Hello'],
    ['message', {id: '1', text: 'Hello'}, '1', 'Hello'],
    ['report', {id: 8, type: 'spam', message: 'Sells', account: {acct: 'bo'}}, '8', 'spam: Sells, account @bo'],
  ] as const)('%s: %j', (kind, item, name, title) => {
    expect([nameIn(kinds[kind], item), kinds[kind].title(item)]).toEqual([name, title]);
  });
});
