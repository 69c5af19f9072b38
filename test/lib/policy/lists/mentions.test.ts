/** What a policy takes of a list, and which of its entries count. */
import {expect, test} from 'vitest';
import {isSevereEnough, mentionsIn} from '../../../../src/lib/policy/lists/mentions.js';
import type {ListReference} from '../../../../src/lib/policy/model/policy.js';
import type {Severity} from '../../../../src/lib/policy/model/domain-facts.js';
import {used} from './used.js';

test.each<[Severity, Partial<ListReference>, boolean]>([
  ['noop', {}, false],
  ['silence', {}, true],
  ['suspend', {}, true],
  ['silence', {minSeverity: 'suspend'}, false],
  ['noop', {minSeverity: 'noop'}, true],
  ['suspend', {maxSeverity: 'silence'}, true],
  ['suspend', {maxSeverity: 'noop', minSeverity: 'noop'}, false],
])('an entry of severity %s in a list with %j counts: %s', (severity, more, counts) => {
  expect(isSevereEnough({domain: 'a.example', line: 1, facts: {severity}}, used('a', '', more).reference)).toBe(counts);
});

test('of a list only what the policy takes of it is known, and equal facts stay one', () => {
  const text =
    'domain,severity,public_comment,private_comment,reject_media,reject_reports,obfuscate\na.example,suspend,p,q,true,true,true\nb.example,suspend,p,q,true,true,true\n';
  const facts = (more: Partial<ListReference>) => {
    const [[one] = [], [other] = []] = mentionsIn([used('a', text, more)]).values();
    expect(one?.facts).toBe(other?.facts);
    return Object.fromEntries(Object.entries(one?.facts ?? {}).filter(([, value]) => value !== undefined));
  };
  const all = {severity: 'suspend', public_comment: 'p', private_comment: 'q', reject_media: true, reject_reports: true, obfuscate: true};
  expect(facts({})).toEqual(all);
  expect(facts({maxSeverity: 'silence'})).toEqual({...all, severity: 'silence'});
  expect(facts({fields: ['public_comment', 'obfuscate']})).toEqual({severity: 'suspend', public_comment: 'p', obfuscate: true});
  expect(facts({fields: [], maxSeverity: 'silence'})).toEqual({severity: 'silence'});
});
