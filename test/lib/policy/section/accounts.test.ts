/** Accounts that are blocked or muted: what plan files may say of them, and how they are explained. */
import {describe, expect, test} from 'vitest';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import {exportPolicy} from '../../../../src/lib/policy/export.js';
import {explain} from '../../../../src/lib/policy/explain.js';
import {changingOf} from '../../../../src/lib/policy/sections/index.js';
import {blocks} from '../../../../src/lib/policy/sections/blocks.js';
import {compare} from '../../../../src/lib/policy/sections/compare.js';
import {accountsOf, circumstances, emptyModel, now, stateOf} from '../model-server.js';
import {wantedBy} from '../wanted.js';

const block = (action: 'add' | 'remove', subject: string, details: object = {}): Change => ({
  action,
  kind: 'block',
  subject,
  details,
  reason: 'must',
  because: 'blocks.must: p.yml:2',
});
const changing = changingOf('block');

describe('a change of an account', () => {
  const state = stateOf({...emptyModel, blocks: ['there@b.example']});
  const id = 'id:there@b.example';

  test.each<[string, Change, string | undefined]>([
    ['fits by its name', block('remove', 'there@b.example'), undefined],
    ['fits by the id that it has', block('remove', 'there@b.example', {id}), undefined],
    ['does not fit by another id', block('remove', 'there@b.example', {id: '9'}), `its id is ${id}, and in the plan 9`],
    ['fits where it is new', block('add', 'bo@b.example'), undefined],
    ['fits where the policy names it by its id', block('add', '7', {id: '7'}), undefined],
    [
      'does not fit with an id beside its name',
      block('add', 'bo@b.example', {id: '7'}),
      'the id 7 is not part of a plan: the account is looked up by its name',
    ],
    ['does not fit where it is no account', block('add', 'bo @b.example'), 'that is not an account'],
    ['does not fit where it stands already', block('add', 'there@b.example'), 'it is blocked already'],
    ['does not fit where it is gone', block('remove', 'bo@b.example'), 'it is not blocked'],
  ])('%s', (_, change, why) => {
    expect(changing.misfit(change, state, [])).toBe(why);
  });
});

describe('an account is explained', () => {
  const wanted = wantedBy(
    'version: 1\nblocks:\n  must: [{account: bo@b.example, until: 2027-01-01}, {account: old@b.example, until: 2026-01-01}]\n  must_not: [friend@b.example]\n  only: true\nmutes: {must: [other@b.example]}',
  );
  const at = (text: string, state = stateOf(emptyModel)) => explain(text, wanted, state, now).find(({kind}) => kind === 'block');

  test.each([
    ['bo@b.example', true, [{rule: 'blocks.must', source: {file: 'p.yml', line: 3}, says: 'must be blocked until 2027-01-01'}]],
    [
      'old@b.example',
      false,
      [
        {
          rule: 'blocks.must',
          source: {file: 'p.yml', line: 3},
          says: 'must be blocked until 2026-01-01, which has passed: the entry has no effect',
        },
        {rule: 'blocks.only', source: {file: 'p.yml', line: 5}, says: 'no other account may be blocked'},
      ],
    ],
    ['friend@b.example', false, [{rule: 'blocks.must_not', source: {file: 'p.yml', line: 4}, says: 'must not be blocked'}]],
    ['new@b.example', false, [{rule: 'blocks.only', source: {file: 'p.yml', line: 5}, says: 'no other account may be blocked'}]],
  ])('by the rules about %s', (account, isWanted, reasons) => {
    const found = at(`@${account}`);
    expect(found).toMatchObject({subject: account, isWanted, isThere: false, actual: 'not blocked'});
    expect(found?.reasons.map(({rule, source, says}) => ({rule, source, says}))).toEqual(reasons);
  });

  test('with whether it is blocked, where that was read', () => {
    expect(at('bo@b.example', stateOf(emptyModel, {blocks: accountsOf('bo@b.example')}))).toMatchObject({isThere: true, actual: 'blocked'});
    expect(at('bo@b.example', stateOf(emptyModel, {blocks: undefined}))).toMatchObject({
      isThere: undefined,
      actual: 'not read',
      isWanted: true,
    });
  });
});

test('an account named twice counts as long as the entry that lasts longer', () => {
  const entries = ['{account: bo@b.example, until: 2026-12-01}', '{account: "@Bo@b.example", until: 2027-01-01}'];
  for (const order of [entries, entries.toReversed()]) {
    const {differences} = compare(wantedBy(`version: 1\nblocks: {must: [${order.join(', ')}]}`), stateOf(emptyModel), circumstances);
    expect(differences).toMatchObject([{subject: 'bo@b.example', change: {until: '2027-01-01'}}]);
  }
});

test('accounts are exported with their servers, in a policy and as a list', () => {
  const state = stateOf(emptyModel, {blocks: accountsOf('zoe@a.example', 'ana', '7')});
  expect(exportPolicy(state, now).text).toMatch(/must:\n +- 7@pix\.example\n +- ana@pix\.example\n +- zoe@a\.example\n/);
  expect(blocks.list?.('mastodon-csv', state, now, undefined)).toEqual({
    text: '7@pix.example\nana@pix.example\nzoe@a.example\n',
    leftOut: [],
  });
});
