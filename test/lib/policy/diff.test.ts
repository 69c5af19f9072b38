import {expect, test} from 'vitest';
import {diff, moderationOfList, moderationOfPolicy, moderationOfState} from '../../../src/lib/policy/diff.js';
import {readList} from '../../../src/lib/policy/lists/read-list.js';
import {accountsOf, aFilter, emptyModel, now, stateOf} from './model-server.js';
import {wantedBy} from './wanted.js';

test('compares any two of a server, a policy and a list in the parts that both have', () => {
  const state = moderationOfState(
    stateOf(
      {...emptyModel, domains: ['a.example', 'b.example'], filters: [aFilter('A', {keywords: ['x']}), aFilter('B', {keywords: ['y']})]},
      {blocks: accountsOf('ana')},
    ),
    now,
  );
  const policy = moderationOfPolicy(
    wantedBy(
      'version: 1\ndomain_blocks: {must: [b.example, c.example]}\nfilters: {must: [{title: A, context: [home], keywords: [X]}, {title: B, context: [home], action: hide, keywords: [y]}, {title: C, context: [home], keywords: [z]}]}\nblocks: {must: [ana@pix.example]}',
    ),
    'pix.example',
  );
  expect(diff(state, policy)).toEqual([
    {kind: 'domain_block', subject: 'a.example', left: 'blocked', right: null},
    {kind: 'domain_block', subject: 'c.example', left: null, right: 'blocked'},
    {kind: 'filter', subject: 'B', left: 'warn; in home; keywords: y; never ends', right: 'hide; in home; keywords: y'},
    {kind: 'filter', subject: 'C', left: null, right: 'in home; keywords: z'},
  ]);
  const list = moderationOfList(readList('domain,severity\na.example,suspend\nb.example,silence\nd.example,noop\n', 'l'), 'pix.example');
  expect(diff(state, list)).toEqual([]);
  expect(diff(state, state)).toEqual([]);
  expect(diff(moderationOfList(readList('Account address\nana@pix.example\nbo@b.example\n', 'l'), 'pix.example'), state)).toEqual([
    {kind: 'block', subject: 'bo@b.example', left: 'blocked', right: null},
  ]);
});
