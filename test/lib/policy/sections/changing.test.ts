/** Changes of sections: their order, what is lost with them, and what is said of them. */
import {describe, expect, test} from 'vitest';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import {type DomainFacts, sentFacts} from '../../../../src/lib/policy/model/domain-facts.js';
import {changingOf} from '../../../../src/lib/policy/sections/index.js';
import {makePlan} from '../../../../src/lib/policy/plan/plan.js';
import {circumstances} from '../model-server.js';
import {wantedBy} from '../wanted.js';
import {apply, nobody, planOf, server, stateOf, undo} from './server-blocks.js';

const why = {reason: 'must', because: ''} as const;

test('changes of filters are made in the order of their titles, removals first', () => {
  const filter = (action: 'add' | 'remove', subject: string): Change =>
    action === 'add'
      ? {action, kind: 'filter', subject, details: {context: ['home'], keywords: []}, ...why}
      : {action, kind: 'filter', subject, details: {id: subject}, ...why};
  const changes = [filter('add', 'b'), filter('remove', 'z'), filter('add', 'a'), filter('remove', 'y')];
  const order = {wanted: wantedBy('version: 1'), host: 'pix.example', room: Number.POSITIVE_INFINITY};
  expect(
    changingOf('filter')
      .inOrder(changes, order)
      .map(({subject}) => subject),
  ).toEqual(['y', 'z', 'a', 'b']);
});

test('a block is removed by the name that the server has for it', () => {
  const state = {...stateOf(server('mastodon')), domain_blocks: {value: new Map([['a.example', 'A.Example']])}};
  const {changes} = makePlan(wantedBy('version: 1\ndomain_blocks: {must_not: [a.example]}'), state, [], circumstances);
  expect(changes.map(({subject}) => subject)).toEqual(['a.example']);
  expect(changes.map((change) => changingOf('domain_block').input(change, circumstances.now))).toEqual([{body: {domain: 'A.Example'}}]);
});

describe('suspensions for everybody', () => {
  const policy = 'version: 1\nadmin_domain_blocks: {must: [a.example, {domain: b.example, severity: silence}]}';

  test.each(['mastodon', 'pixelfed'] as const)('of %s end follows or not, which an undo does not restore', (software) => {
    const desk = {server: server(software), record: nobody};
    const {changes} = planOf(policy, desk);
    const changing = changingOf('admin_domain_block');
    const state = stateOf(desk.server);
    expect(changing.warning?.(changes, state)).toBe(
      software === 'mastodon'
        ? 'Follows between pix.example and suspended domains end, and are not restored.'
        : 'Follows between pix.example and suspended domains stay.',
    );
    expect(
      changing.warning?.(
        changes.filter(({subject}) => subject === 'b.example'),
        state,
      ),
    ).toBeUndefined();
    const {lost} = undo(apply(policy, desk));
    expect(lost.map(({subject}) => subject)).toEqual(software === 'mastodon' ? ['a.example'] : []);
  });

  test('do not fit where the block is another one by now', () => {
    const state = stateOf(server('mastodon', {'a.example': {}}));
    const removal = (id: string): Change => ({
      action: 'remove',
      kind: 'admin_domain_block',
      subject: 'a.example',
      details: {id},
      ...why,
    });
    const changing = changingOf('admin_domain_block');
    expect(changing.misfit(removal('1'), state, [])).toBeUndefined();
    expect(changing.misfit(removal('9'), state, [])).toBe('its id is 1, and in the plan 9');
  });

  test('do not fit where the block says something else by now', () => {
    const state = stateOf(server('mastodon', {'a.example': {severity: 'silence', public_comment: 'spam'}}));
    const update = (before: Partial<DomainFacts>): Change => ({
      action: 'update',
      kind: 'admin_domain_block',
      subject: 'a.example',
      details: {id: '1', before: {severity: 'silence', ...before}, after: {severity: 'suspend'}},
      ...why,
    });
    const changing = changingOf('admin_domain_block');
    expect(changing.misfit(update({public_comment: 'spam'}), state, [])).toBeUndefined();
    expect(changing.misfit(update({}), state, [])).toBe('it is silenced, “spam”, and in the plan silenced');
    expect(
      changing.misfit({action: 'remove', kind: 'admin_domain_block', subject: 'a.example', details: {id: '1'}, ...why}, state, []),
    ).toBeUndefined();
    expect(changing.misfit({...update({}), subject: 'b.example'}, state, [])).toBe('it is not blocked');
  });

  test('are in words what they change, and private comments only where they are asked for', () => {
    const update = (before: object, after: object): Change => ({
      action: 'update',
      kind: 'admin_domain_block',
      subject: 'a.example',
      details: {id: '1', before: {severity: 'silence', ...before}, after: {severity: 'silence', ...after}},
      ...why,
    });
    const texts = (before: object, after: object) =>
      [false, true].map((showsPrivate) => changingOf('admin_domain_block').text(update(before, after), showsPrivate));
    expect(texts({}, {severity: 'suspend'})).toEqual(['silence -> suspend', 'silence -> suspend']);
    expect(texts({reject_media: true}, {reject_reports: true})).toEqual([
      'no reject media; reject reports',
      'no reject media; reject reports',
    ]);
    expect(texts({}, {obfuscate: true})).toEqual(['obfuscate', 'obfuscate']);
    expect(texts({private_comment: 'one'}, {private_comment: 'two'})).toEqual([
      'private comment changed',
      'silence, private: “one” -> silence, private: “two”',
    ]);
    const details = {severity: 'suspend', reject_media: true, reject_reports: true, obfuscate: true, public_comment: 'spam'} as const;
    const added = (kind: 'admin_domain_block' | 'domain_block') =>
      changingOf(kind).text({action: 'add', kind, subject: 'a.example', details, ...why}, false);
    expect(added('admin_domain_block')).toBe('suspend, reject media, reject reports, obfuscate, “spam”');
    expect(added('domain_block')).toBe('suspend, obfuscate, “spam”');
  });
});

test.each([
  ['block', 'You and blocked accounts stop following each other permanently.'],
  ['mute', undefined],
] as const)('an addition of a %s is warned of, and a removal is not: %s', (kind, warning) => {
  const change = (action: 'add' | 'remove'): Change => ({action, kind, subject: 'bo@b.example', details: {}, ...why});
  const state = stateOf(server('mastodon'));
  expect(changingOf(kind).warning?.([change('remove'), change('add')], state)).toBe(warning);
  expect(changingOf(kind).warning?.([change('remove')], state)).toBeUndefined();
});

test('a comment that stays alone is sent as it is, also where it repeats itself', () => {
  const {private_comment: sent} = sentFacts({severity: 'suspend', public_comment: 'Spam, Spam'}, 'private');
  expect(sent).toBe('Spam, Spam');
});
