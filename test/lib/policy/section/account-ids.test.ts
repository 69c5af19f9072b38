import {describe, expect, test} from 'vitest';
import {beginApply, withoutGone, withUnrecorded} from '../../../../src/lib/policy/state-file/ownership.js';
import {recordDone, withSent} from '../recorded.js';
import {requestOf} from '../../../../src/lib/policy/plan/requests.js';
import type {OwnershipRecord} from '../../../../src/lib/policy/state-file/state-file.js';
import {knownHandle, type State} from '../../../../src/lib/policy/model/server-state.js';
import {exportPolicy} from '../../../../src/lib/policy/export.js';
import {makeUndo} from '../../../../src/lib/policy/plan/undo.js';
import {emptyModel} from '../model-server.js';
import {subjectsOf} from '../owned-items.js';
import {planFor} from '../wanted.js';

const host = 'pix.example';
const now = new Date('2026-10-01T00:00:00Z');
const record: OwnershipRecord = {
  server: `https://${host}`,
  account: '@ana',
  policy: 'p.yml',
  owned: [],
  applies: [],
};
const stateWith = (blocks: ReadonlyMap<string, {id: string; acct: string}>): State => ({
  server: `https://${host}`,
  host,
  blocks: {value: blocks},
});
const bob = new Map([[`bob@${host}`, {id: '1029', acct: 'bob'}]]);

describe('an account that a policy names by its id', () => {
  const {changes} = planFor('version: 1\nblocks: {must: ["1029"]}', emptyModel);

  test('an account that a policy names by its id is blocked by that id', () => {
    expect(changes.map((change) => requestOf(change, now).input)).toEqual([{path: {id: '1029'}}]);
  });

  test('an account that a policy names by its id is owned by its handle from the next plan on, and goes when the apply is reverted', () => {
    const begun = beginApply(record, changes, stateWith(new Map()), now);
    const done = changes.reduce((before, change) => recordDone(before, change), begun);
    const next = withoutGone(done, stateWith(bob), now);
    expect(subjectsOf(next.owned, 'block')).toEqual([`bob@${host}`]);
    const [apply] = begun.applies;
    if (apply === undefined) throw new Error('No apply was begun');
    expect(makeUndo(apply, stateWith(bob), now).changes).toMatchObject([
      {action: 'remove', kind: 'block', subject: 'bob', details: {id: '1029'}},
    ]);
  });

  test('an account that a policy names by its id is owned when its block was not recorded', () => {
    const begun = beginApply(record, changes, stateWith(new Map()), now);
    const sent = changes.reduce(withSent, begun);
    expect(subjectsOf(withUnrecorded(sent, stateWith(bob), now).owned, 'block')).toEqual([`bob@${host}`]);
  });
});

describe('an account whose name is digits', () => {
  const digits = new Map([[`1029@${host}`, {id: '7', acct: '1029'}]]);

  test('an account whose name is digits is meant by its handle, and no account by its id', () => {
    const {changes} = planFor('version: 1\nblocks: {must: ["@1029"]}', emptyModel);
    expect(changes.map((change) => [change.subject, requestOf(change, now).input])).toEqual([
      [`1029@${host}`, {path: {id: `@1029@${host}`}}],
    ]);
    const begun = beginApply(record, changes, stateWith(new Map()), now);
    const done = changes.reduce((before, change) => recordDone(before, change), begun);
    expect(subjectsOf(withoutGone(done, stateWith(digits), now).owned, 'block')).toEqual([`1029@${host}`]);
    expect(subjectsOf(withoutGone(done, stateWith(bob), now).owned, 'block')).toEqual([]);
  });

  test('an account whose name is digits is not meant by an id', () => {
    expect(knownHandle(digits, '1029', {host})).toBe('1029');
    expect(knownHandle(digits, '7', {host})).toBe(`1029@${host}`);
    expect(knownHandle(digits, '@1029', {host})).toBe(`1029@${host}`);
  });

  test('an account whose name is digits may be named beside the account with that id', () => {
    const {changes} = planFor('version: 1\nblocks: {must: ["@1029", "1029"]}', emptyModel);
    expect(changes.map((change) => requestOf(change, now).input.path)).toEqual([{id: '1029'}, {id: `@1029@${host}`}]);
  });

  test('an account whose name is digits is exported with its @, so that the policy means the same', () => {
    const {text} = exportPolicy(stateWith(digits), now);
    expect(planFor(text, emptyModel).changes.map(({subject}) => subject)).toEqual([`1029@${host}`]);
  });
});
