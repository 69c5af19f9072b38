/** What counts as a removal, a suspension for everybody and the end of follows, over all sections. */
import {expect, test} from 'vitest';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import {cutOff, isRemoval, reaches} from '../../../../src/lib/policy/sections/index.js';

const why = {reason: 'must', because: ''} as const;
const block = (severity: 'silence' | 'suspend', subject = 'a.example'): Change => ({
  action: 'add',
  kind: 'admin_domain_block',
  subject,
  details: {severity},
  ...why,
});
const update = (before: 'silence' | 'suspend', after: 'silence' | 'suspend'): Change => ({
  action: 'update',
  kind: 'admin_domain_block',
  subject: 'a.example',
  details: {id: '1', before: {severity: before}, after: {severity: after}},
  ...why,
});
const ofAccount = (action: 'add' | 'remove'): Change => ({action, kind: 'domain_block', subject: 'b.example', details: {}, ...why});
const removal: Change = {action: 'remove', kind: 'admin_domain_block', subject: 'a.example', details: {id: '1'}, ...why};
const filter: Change = {action: 'update', kind: 'filter', subject: 'A', details: {id: '4', add: [], remove: [], change: []}, ...why};
const mute: Change = {action: 'add', kind: 'mute', subject: 'bo@b.example', details: {}, ...why};

test.each<[string, Change, isRemoval: boolean, reaches: boolean]>([
  ['a suspension', block('suspend'), false, true],
  ['a silence', block('silence'), false, false],
  ['a silence that becomes a suspension', update('silence', 'suspend'), false, true],
  ['a suspension that becomes a silence', update('suspend', 'silence'), true, false],
  ['a suspension that stays one', update('suspend', 'suspend'), false, false],
  ['the end of a block for everybody', removal, true, false],
  ['the block of one account', ofAccount('add'), false, false],
  ['the end of it', ofAccount('remove'), true, false],
  ['an update of a filter', filter, false, false],
])('%s counts as a removal, or shuts a server out for everybody', (_, change, isOne, isForAll) => {
  expect([isRemoval(change), reaches(change)]).toEqual([isOne, isForAll]);
});

test('follows end with the domains that one account blocks', () => {
  expect(cutOff([block('suspend'), ofAccount('add'), ofAccount('remove'), mute, filter])).toEqual(['b.example']);
});
