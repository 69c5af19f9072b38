/** Domains that a policy and its lists want blocked, next to those that are: differences, and what is left alone. */
import {expect, test} from 'vitest';
import {compare} from '../../../../../src/lib/policy/sections/compare.js';
import type {UsedList} from '../../../../../src/lib/policy/lists/list.js';
import type {PrivateComments} from '../../../../../src/lib/policy/model/domain-facts.js';
import type {State} from '../../../../../src/lib/policy/model/server-state.js';
import {used} from '../../lists/used.js';
import {circumstances, emptyModel, stateOf} from '../../model-server.js';
import {wantedBy} from '../../wanted.js';

const blocked = (...domains: string[]): State => stateOf({...emptyModel, domains});
const compared = (rules: string, lists: readonly UsedList[], state = blocked()) =>
  compare(wantedBy(`version: 1\ndomain_blocks: ${rules}`, lists), state, circumstances);

test('a list that holds back unblocks nothing', () => {
  const allowed = used('allow.csv', 'listed.example\n', {spares: true});
  expect(compared('{}', [allowed], blocked('listed.example'))).toMatchObject({differences: [], skipped: []});
});

test('what lists name and must_not forbids is told, unless it is blocked', () => {
  const lists = [used('l.csv', 'a.example\nb.example\n')];
  const {differences, skipped} = compared('{must_not: [a.example, b.example]}', lists, blocked('b.example'));
  expect(differences).toMatchObject([{subject: 'b.example', rule: 'domain_blocks.must_not'}]);
  expect(skipped).toEqual([
    {
      kind: 'domain_block',
      subject: 'a.example',
      why: 'lists name it, but must_not forbids blocking it (p.yml)',
      heldBy: {rule: 'domain_blocks.must_not', source: {file: 'p.yml', line: 2}},
    },
  ]);
});

test('what a list of must_not names and the policy wants is told, and blocked', () => {
  const allowed = used('allow.csv', '#domain\na.example\n', {spares: true});
  const {differences, skipped} = compared('{must: [a.example]}', [allowed]);
  expect(differences).toMatchObject([{subject: 'a.example', rule: 'domain_blocks.must'}]);
  expect(skipped).toEqual([
    {
      kind: 'domain_block',
      subject: 'a.example',
      why: 'the policy names it in must, so a list of must_not does not hold it back (allow.csv)',
      heldBy: {rule: 'domain_blocks.must_not', source: {file: 'allow.csv', line: 2}, how: 'ineffective'},
    },
  ]);
});

test('a server does not block itself, whatever its port', () => {
  const {differences, skipped} = compared('{must: [pix.example]}', [used('l.csv', 'x.example\npix.example\n')], {
    ...blocked(),
    host: 'pix.example:8443',
  });
  expect(differences).toMatchObject([{subject: 'x.example'}]);
  expect(skipped).toMatchObject([{subject: 'pix.example', why: 'a server does not block itself (p.yml:2, l.csv:2)'}]);
});

test('a policy without rules for domains says nothing of them', () => {
  expect(compare(wantedBy('version: 1'), blocked('a.example'), circumstances)).toMatchObject({differences: [], skipped: []});
});

test('private comments are in plans only where they are read', () => {
  const policy = 'version: 1\ndomain_blocks: {must: [{domain: a.example, private_comment: ours, public_comment: open}]}';
  const detailsOf = (comments: PrivateComments) =>
    compare(wantedBy(policy, {}, 'silence', comments), blocked(), circumstances).differences[0]?.details;
  const known = {severity: 'suspend', public_comment: 'open'};
  expect(detailsOf('all')).toEqual({...known, private_comment: 'ours'});
  expect(detailsOf('sent')).toEqual(known);
  expect(detailsOf('none')).toEqual(known);
});

test('accounts that want the same block share the change', () => {
  const wanted = wantedBy('version: 1\ndomain_blocks: {must: [a.example, x.a.example]}');
  const changeAt = (state: State) =>
    compare(wanted, state, circumstances).differences.find(({subject}) => subject === 'x.a.example')?.change;
  const one = changeAt(blocked());
  expect(one).toMatchObject({subject: 'x.a.example', details: {covered_by: 'a.example'}});
  expect(changeAt(blocked('other.example'))).toBe(one);
  expect(changeAt(blocked('a.example'))).toBe(one);
});
