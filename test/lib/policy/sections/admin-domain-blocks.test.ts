import {describe, expect, test} from 'vitest';
import {readPolicy} from '../../../../src/lib/policy/reading/policy-file.js';
import {shownChange} from '../../../../src/lib/policy/plan/plan-text.js';
import {changingOf} from '../../../../src/lib/policy/sections/index.js';
import type {PlannedChanges} from '../../../../src/lib/policy/plan/plan.js';
import {compare} from '../../../../src/lib/policy/sections/compare.js';
import {skippedJson} from '../../../../src/lib/policy/model/difference.js';
import {circumstances} from '../model-server.js';
import {wantedBy} from '../wanted.js';
import {exportPolicy, publicState} from '../../../../src/lib/policy/export.js';
import {ownedItems, wantedAndThere, withAdopted} from '../../../../src/lib/policy/state-file/owned.js';
import {apply, type Desk, madeAgain, nobody, planOf, removedByHand, seen, server, type Software, stateOf, undo} from './server-blocks.js';

const policy = (rules: string) => `version: 1\nadmin_domain_blocks:\n${rules.replaceAll(/^/gm, '  ')}\n`;
const lines = ({changes}: PlannedChanges) =>
  changes.map((change) => [shownChange(change), changingOf(change.kind).text(change, false)].filter((part) => part !== '').join(': '));
const skips = ({skipped}: PlannedChanges) => skipped.map(({subject, why, heldBy}) => `${heldBy?.how ?? 'held'} ${subject}: ${why}`);
const desk = (software: Software, rows: Parameters<typeof server>[1] = {}): Desk => ({server: server(software, rows), record: nobody});
const both = ['pixelfed', 'mastodon'] as const;

/** What an audit suggests, by domain. */
function fixes(text: string, {server: at, record: {owned}}: Desk): Record<string, string> {
  const {differences} = compare(wantedBy(text), stateOf(at), {...circumstances, owned});
  return Object.fromEntries(differences.map(({subject, fix}) => [subject, fix]));
}

/** As `state adopt --all` does. */
function adopt(text: string, at: Desk): Desk {
  const items = wantedAndThere(wantedBy(text), stateOf(at.server), circumstances);
  return {...at, record: withAdopted(at.record, items)};
}

describe.each(both)('on %s', (software) => {
  test('a bare domain is suspended, and a severity is kept', () => {
    const rules = policy('must: [a.example, {domain: b.example, severity: silence, private_comment: "why"}]');
    const applied = apply(rules, desk(software));
    expect(seen(applied.server)).toEqual({'a.example': {severity: 'suspend'}, 'b.example': {severity: 'silence', private_comment: 'why'}});
    expect(planOf(rules, applied)).toMatchObject({changes: [], cannot: [], skipped: []});
  });

  test('what the server calls itself is not blocked', () => {
    expect(() => planOf(policy('must: [pix-names.example]'), desk(software))).toThrow('a server must not block itself');
    const plan = planOf(policy('lists: []'), desk(software), {'l.csv': 'domain\nphotos.pix-names.example\n'});
    expect(plan).toMatchObject({changes: [], skipped: [{subject: 'photos.pix-names.example'}]});
  });

  test('silence of a list silences, and noop is never applied', () => {
    const list = 'domain,severity,reject_media\na.example,silence,false\nb.example,noop,true\nc.example,suspend,false\n';
    const rules = policy('lists: []');
    expect(lines(planOf(rules, desk(software), {'l.csv': list}))).toEqual([
      'add server block c.example: suspend',
      'add server block a.example: silence',
    ]);
  });

  test('what the policy made is changed upwards and downwards', () => {
    const first = apply(policy('must: [a.example, {domain: b.example, severity: silence}]'), desk(software));
    const next = policy('must: [{domain: a.example, severity: silence}, b.example]');
    expect(lines(planOf(next, first))).toEqual([
      'update server block a.example: suspend -> silence',
      'update server block b.example: silence -> suspend',
    ]);
    expect(planOf(next, first).guard).toMatchObject({removals: 0});
    expect(seen(apply(next, first).server)).toEqual({'a.example': {severity: 'silence'}, 'b.example': {severity: 'suspend'}});
    expect(seen(undo(apply(next, first)).server)).toEqual(seen(first.server));
  });

  test('a block that the policy did not make is only made stricter', () => {
    const before = desk(software, {
      'a.example': {severity: 'silence', private_comment: 'ours'},
      'b.example': {severity: 'suspend', private_comment: 'ours'},
    });
    const rules = policy(
      'must: [{domain: a.example, private_comment: theirs}, {domain: b.example, severity: silence, private_comment: theirs}]',
    );
    expect(lines(planOf(rules, before))).toEqual(['update server block a.example: silence -> suspend']);
    expect(skips(planOf(rules, before))).toEqual([
      'kept b.example: it is suspended, which is stricter than wanted, and no apply of this policy made the block',
    ]);
    const applied = apply(rules, before);
    expect(seen(applied.server)).toEqual({
      'a.example': {severity: 'suspend', private_comment: 'ours'},
      'b.example': {severity: 'suspend', private_comment: 'ours'},
    });
    expect(seen(undo(applied).server)).toEqual(seen(before.server));
    const dropped = policy('must: []');
    expect(lines(planOf(dropped, applied))).toEqual(['update server block a.example: suspend -> silence']);
    expect(seen(apply(dropped, applied).server)).toEqual(seen(before.server));
    expect(apply(dropped, applied).record.owned).toEqual([]);
  });

  test('with only: true, a block that the policy did not make is made less strict, and others are removed', () => {
    const before = desk(software, {'a.example': {severity: 'suspend'}, 'b.example': {severity: 'silence'}});
    const rules = policy('must: [{domain: a.example, severity: silence}]\nonly: true');
    expect(lines(planOf(rules, before))).toEqual(['update server block a.example: suspend -> silence', 'remove server block b.example']);
  });

  test('comments are compared only for blocks that the policy made', () => {
    const rules = (comment: string) =>
      policy(`must: [{domain: a.example, private_comment: "${comment}"}, {domain: b.example, private_comment: "${comment}"}]`);
    const first = apply(rules('one'), desk(software, {'b.example': {severity: 'suspend', private_comment: 'ours'}}));
    expect(lines(planOf(rules('two'), first))).toEqual(['update server block a.example: private comment changed']);
    const {differences} = compare(wantedBy(rules('two')), stateOf(first.server), {...circumstances, owned: first.record.owned});
    expect(differences.map(({wanted, actual}) => [wanted, actual])).toEqual([['suspended, another private comment', 'suspended']]);
    expect(seen(apply(rules('two'), first).server)).toEqual({
      'a.example': {severity: 'suspend', private_comment: 'two'},
      'b.example': {severity: 'suspend', private_comment: 'ours'},
    });
  });

  test('what one run changed and the next one of the same apply removed comes back with an undo', () => {
    const made = apply(policy('must: [a.example, b.example]'), desk(software));
    const changed = policy('must: [{domain: a.example, severity: silence}, {domain: b.example, severity: silence}]');
    const gone = apply(policy('must: []'), apply(changed, made, {}, {after: 1, isLost: true}));
    expect(seen(gone.server)).toEqual({});
    expect(seen(undo(gone).server)).toEqual(seen(made.server));
  });

  test('a command is suggested where it does all that is missing, and otherwise the policy', () => {
    const before = apply(policy('must: [{domain: a.example, private_comment: one}]'), desk(software, {'b.example': {severity: 'silence'}}));
    const rules = policy(
      'must: [{domain: a.example, private_comment: two}, b.example, {domain: c.example, private_comment: x}, {domain: d.example, severity: silence}]',
    );
    const flagged = policy(
      'must: [{domain: a.example, private_comment: one, reject_media: true}, {domain: b.example, reject_media: true}]',
    );
    expect(fixes(flagged, before)).toEqual(
      software === 'pixelfed'
        ? {'b.example': 'pixelctl admin domain-blocks update b.example --severity=suspend'}
        : {'a.example': 'pixelctl apply p.yml', 'b.example': 'pixelctl apply p.yml'},
    );
    expect(fixes(rules, before)).toEqual({
      'a.example': 'pixelctl apply p.yml',
      'b.example': 'pixelctl admin domain-blocks update b.example --severity=suspend',
      'c.example': 'pixelctl admin domain-blocks add c.example --severity=suspend',
      'd.example': 'pixelctl admin domain-blocks add d.example --severity=silence',
    });
  });

  test('an adopted block keeps its comment, unless the policy has one', () => {
    const before = desk(software, {'a.example': {severity: 'suspend', private_comment: 'ours'}, 'b.example': {severity: 'suspend'}});
    const adopted = adopt(policy('must: [a.example, b.example]'), before);
    expect(planOf(policy('must: [a.example, b.example]'), adopted).changes).toEqual([]);
    const rules = policy('must: [{domain: a.example, private_comment: policy}]');
    expect(lines(planOf(rules, adopted))).toEqual([
      'update server block a.example: private comment changed',
      'remove server block b.example',
    ]);
    expect(seen(apply(policy('must: [a.example]'), apply(rules, adopted)).server)).toEqual({
      'a.example': {severity: 'suspend', private_comment: 'ours'},
    });
    expect(seen(apply(policy('must: []'), apply(rules, adopted)).server)).toEqual({
      'a.example': {severity: 'noop', private_comment: 'ours'},
    });
  });

  test.each([
    ['made', {}],
    ['made stricter', {'a.example': {severity: 'silence', private_comment: 'ours'}}],
  ] as const)('a block that the policy %s, and that a person removed and made again, is theirs', (_, rows) => {
    const applied = apply(policy('must: [a.example]'), desk(software, rows));
    const theirs = madeAgain(applied, 'a.example', {severity: 'suspend', private_comment: 'theirs'});
    expect(planOf(policy('must: [a.example]'), theirs).changes).toEqual([]);
    expect(planOf(policy('must: [{domain: a.example, severity: silence, private_comment: x}]'), theirs).changes).toEqual([]);
    expect(planOf(policy('must: []'), theirs).changes).toEqual([]);
    const undone = undo(theirs);
    expect(seen(undone.server)).toEqual({'a.example': {severity: 'suspend', private_comment: 'theirs'}});
    expect(undone.lost).toEqual([
      {kind: 'admin_domain_block', subject: 'a.example', why: 'somebody recreated it since, and it stays as it is'},
    ]);
  });

  test.each([false, true])(
    'a block that an undo makes again is still the policy’s, also when that undo is interrupted: %j',
    (isInterrupted) => {
      const first = apply(policy('must: [a.example]'), desk(software));
      const gone = apply(policy('must: []'), first);
      const again = undo(isInterrupted ? {...gone, server: undo(gone).server} : gone);
      expect(again.lost).toEqual([]);
      expect(lines(planOf(policy('must: []'), again))).toEqual(['remove server block a.example']);
      expect(seen(undo(again).server)).toEqual(seen(server(software)));
    },
  );

  test('what a second run of an apply makes again, because a person removed it, goes with an undo', () => {
    const rules = policy('must: [a.example, b.example]');
    const killed = apply(rules, desk(software), {}, {after: 1, isLost: false});
    const without = {...killed.server, rows: new Map(), made: 1};
    const again = apply(rules, {...killed, server: without});
    expect(Object.keys(seen(again.server))).toEqual(['a.example', 'b.example']);
    expect(seen(undo(again).server)).toEqual({});
  });

  test('what a person removed is not made again by an undo, which says so', () => {
    const applied = apply(policy('must: [a.example]'), desk(software, {'a.example': {severity: 'silence'}}));
    const undone = undo(removedByHand(applied, 'a.example'));
    expect(seen(undone.server)).toEqual({});
    expect(undone.lost).toEqual([{kind: 'admin_domain_block', subject: 'a.example', why: 'it is not blocked any more, and it stays so'}]);
    const made = apply(policy('must: [a.example]'), desk(software));
    const updated = apply(policy('must: [{domain: a.example, severity: silence}]'), made);
    expect(seen(undo(removedByHand(updated, 'a.example')).server)).toEqual({});
  });

  test('what an apply made is listed without what the domain goes back to', () => {
    const before = desk(software, {'a.example': {severity: 'noop', private_comment: 'note'}, 'b.example': {severity: 'silence'}});
    const {record} = apply(policy('must: [a.example, b.example, c.example]'), before);
    expect(ownedItems(record).map(({subject, was}) => [subject, was])).toEqual([
      ['a.example', undefined],
      ['b.example', {severity: 'silence'}],
      ['c.example', undefined],
    ]);
  });

  test('a block without anything but a private comment is exported as a domain without it', () => {
    const at = server(software, {'a.example': {private_comment: 'ours'}, 'b.example': {severity: 'silence', private_comment: 'ours'}});
    const {left, value} = publicState(stateOf(at));
    expect(exportPolicy(value, circumstances.now).text).toContain('    - a.example\n    - domain: b.example\n      severity: silence\n');
    expect(left).toBe('2 private comments');
  });

  test('what a server has no place for is no difference', () => {
    const rules = policy(
      'must: [{domain: a.example, public_comment: p, reject_media: true, reject_reports: true, obfuscate: true}]\nsend_comments: both',
    );
    const applied = apply(rules, desk(software));
    expect(planOf(rules, applied).changes).toEqual([]);
    expect(seen(applied.server)).toEqual({
      'a.example':
        software === 'pixelfed'
          ? {severity: 'suspend'}
          : {severity: 'suspend', public_comment: 'p', reject_media: true, reject_reports: true, obfuscate: true},
    });
  });

  test.each([
    ['private', {private_comment: 'x, p'}],
    ['none', {}],
  ])('with send_comments: %s, nothing is published', (comments, kept) => {
    const rules = policy(`must: [{domain: a.example, public_comment: p, private_comment: x}]\nsend_comments: ${comments}`);
    expect(seen(apply(rules, desk(software)).server)).toEqual({'a.example': {severity: 'suspend', ...kept}});
  });

  test('what the server kept of a domain that was not blocked comes back', () => {
    const before = desk(software, {'a.example': {severity: 'noop', private_comment: 'note'}});
    for (const rules of [policy('must: [a.example]'), policy('must: [{domain: a.example, private_comment: why}]')]) {
      const applied = apply(rules, before);
      expect(lines(planOf(rules, before))).toEqual(['add server block a.example: suspend']);
      expect(seen(applied.server)['a.example']).toMatchObject({
        severity: 'suspend',
        private_comment: rules.includes('why') ? 'why' : 'note',
      });
      expect(planOf(rules, applied).changes).toEqual([]);
      expect(seen(undo(applied).server)).toEqual(seen(before.server));
      const dropped = apply(policy('must: []'), applied);
      expect(seen(dropped.server)).toEqual(seen(before.server));
      expect(dropped.record.owned).toEqual([]);
      expect(planOf(policy('must: []'), dropped).changes).toEqual([]);
    }
  });

  test('an entry that does nothing is left where nothing else may be blocked', () => {
    const before = desk(software, {'a.example': {severity: 'noop', private_comment: 'note'}});
    expect(planOf(policy('must_not: [a.example]\nonly: true'), before).changes).toEqual([]);
  });

  test('a server does not block itself, or what is above or below it', () => {
    for (const domain of ['pix.example', 'example.pix.example'])
      expect(() => planOf(policy(`must: [${domain}]`), desk(software))).toThrow(
        `${domain} (p.yml:3) is pix.example itself, or above or below it`,
      );
    expect(skips(planOf(policy('lists: []'), desk(software), {'l.txt': 'pix.example\nwww.pix.example\n'}))).toEqual([
      'held pix.example: it is pix.example itself, or above or below it',
      'held www.pix.example: it is pix.example itself, or above or below it',
    ]);
  });

  test('no number of blocks is too many for a server', () => {
    const domains = Array.from({length: 300}, (_, index) => `d${index}.example`);
    expect(planOf(policy(`must: [${domains.join(', ')}]`), desk(software)).changes).toHaveLength(300);
    expect(planOf(policy(`must: [${domains.join(', ')}]\nlimit: 10`), desk(software)).changes).toHaveLength(10);
    expect(planOf(policy(`must: [${domains.join(', ')}]\nlimit: 300`), desk(software)).changes).toHaveLength(300);
  });
});

describe('on Mastodon', () => {
  test.each(['none', 'private'])('a comment that the policy published is taken back with send_comments: %s', (comments) => {
    const rules = (sent: string, more = '') =>
      policy(`must: [{domain: a.example, public_comment: p}, {domain: b.example, public_comment: p}]\nsend_comments: ${sent}\n${more}`);
    const before = desk('mastodon', {'a.example': {severity: 'silence'}, 'b.example': {severity: 'silence', public_comment: 'ours'}});
    const applied = apply(rules('both'), before);
    expect(seen(applied.server)).toEqual({
      'a.example': {severity: 'suspend', public_comment: 'p'},
      'b.example': {severity: 'suspend', public_comment: 'ours'},
    });
    expect(planOf(rules('both'), applied).changes).toEqual([]);
    const taken = apply(rules(comments), applied);
    expect(seen(taken.server)).toEqual({
      'a.example': {severity: 'suspend', ...(comments === 'private' && {private_comment: 'p'})},
      'b.example': {severity: 'suspend', public_comment: 'ours'},
    });
    expect(planOf(rules(comments), taken).changes).toEqual([]);
    expect(seen(apply(policy('must: []'), taken).server)).toEqual(seen(before.server));
    const theirs = madeAgain(applied, 'a.example', {severity: 'suspend', public_comment: 'p'});
    expect(planOf(rules(comments), theirs).changes).toEqual([]);
  });

  test('a domain below one that is blocked as strictly is covered', () => {
    const before = desk('mastodon', {'a.example': {severity: 'suspend'}, 'b.example': {severity: 'silence'}});
    const plan = planOf(policy('must: [x.a.example, {domain: x.b.example, severity: silence}, y.b.example]'), before);
    expect(lines(plan)).toEqual(['add server block y.b.example: suspend']);
    expect(skips(plan)).toEqual([
      'covered x.a.example: the block of a.example covers it',
      'covered x.b.example: the block of b.example covers it',
    ]);
    expect(plan.skipped.map(skippedJson)).toMatchObject([{code: 'covered'}, {code: 'covered'}]);
  });

  test('a domain is blocked after those that it is below of, and not where they cover it', () => {
    const plan = planOf(policy('must: [a.b.example, {domain: b.example, severity: silence}, x.c.example, c.example]'), desk('mastodon'));
    expect(lines(plan)).toEqual([
      'add server block b.example: silence',
      'add server block a.b.example: suspend',
      'add server block c.example: suspend',
    ]);
    expect(skips(plan)).toEqual(['covered x.c.example: the block of c.example covers it']);
  });

  test('what no longer covers a domain does not hold it back', () => {
    const first = apply(policy('must: [a.example, x.a.example]'), desk('mastodon'));
    for (const rules of ['must: [x.a.example]', 'must: [x.a.example]\nmust_not: [a.example]'])
      expect(lines(planOf(policy(rules), first))).toEqual(['remove server block a.example', 'add server block x.a.example: suspend']);
  });

  test('a domain is not covered where the nearest entry above it does nothing, or will', () => {
    const before = desk('mastodon', {'x.a.example': {severity: 'noop'}});
    const rules = policy('must: [a.example, y.x.a.example]');
    expect(planOf(rules, before).changes).toHaveLength(2);
    expect(planOf(rules, apply(policy('must: [x.a.example]'), before)).changes.map(({action, subject}) => `${action} ${subject}`)).toEqual([
      'add a.example',
      'remove x.a.example',
      'add y.x.a.example',
    ]);
  });
});

test('on Pixelfed, a comment that is longer than it takes is cut', () => {
  const rules = policy(`must: [{domain: a.example, private_comment: "${'word '.repeat(300)}"}]`);
  const applied = apply(rules, desk('pixelfed'));
  expect(String(seen(applied.server)['a.example']?.private_comment).length).toBeLessThanOrEqual(1000);
  expect(planOf(rules, applied).changes).toEqual([]);
});

test('on Pixelfed, nothing is covered', () => {
  const plan = planOf(policy('must: [a.example, x.a.example]'), desk('pixelfed', {}));
  expect(lines(plan)).toEqual(['add server block a.example: suspend', 'add server block x.a.example: suspend']);
});

test('protect_followed is refused, because a token tells whom one account follows', () => {
  expect(() => readPolicy(policy('protect_followed: 1'), 'p.yml')).toThrow('use max_followed_severity');
});

test('send_comments is only of a whole server', () => {
  expect(() => readPolicy('version: 1\ndomain_blocks: {send_comments: both}', 'p.yml')).toThrow('send_comments');
});
