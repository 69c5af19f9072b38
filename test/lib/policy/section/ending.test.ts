import {describe, expect, test} from 'vitest';
import {compare} from '../../../../src/lib/policy/sections/compare.js';
import {skippedJson} from '../../../../src/lib/policy/model/difference.js';
import {makePlan} from '../../../../src/lib/policy/plan/plan.js';
import {circumstances, emptyModel, stateOf} from '../model-server.js';
import {wantedBy} from '../wanted.js';

/** A policy in which an entry of each section ends on a day. It is noon of 2026-11-20. */
const sections = {
  domain_blocks: (until: string) => `must: [{domain: bad.example, until: ${until}}]`,
  blocks: (until: string) => `must: [{account: '@bo@bad.example', until: ${until}}]`,
  mutes: (until: string) => `must: [{account: '@bo@bad.example', until: ${until}}]`,
  filters: (until: string) => `must: [{title: Quiz, context: [home], keywords: [quiz], until: ${until}}]`,
} as const;

function told(section: keyof typeof sections, until: string, rest = '', lists = {}) {
  const wanted = wantedBy(`version: 1\n${section}: {${sections[section](until)}${rest}}\n`, lists);
  const {skipped} = compare(wanted, stateOf(emptyModel), circumstances);
  const {cannot} = makePlan(wanted, stateOf(emptyModel), [], circumstances);
  return {
    notes: skipped.map(skippedJson),
    cannot: cannot.map(({rule}) => rule),
  };
}

describe.each(Object.keys(sections) as (keyof typeof sections)[])('entries of %s with a last day', (section) => {
  test('are noted from seven days before their end on', () => {
    expect(told(section, '2026-11-27')).toEqual({notes: [], cannot: []});
    expect(told(section, '2026-11-26')).toEqual({
      notes: [expect.objectContaining({why: 'its last day is 2026-11-26', rule: `${section}.must`, source: 'p.yml:2'})],
      cannot: [],
    });
  });
});

test('what a list names as well does not end', () => {
  const both = told('domain_blocks', '2026-11-22', ', lists: []', {'l.csv': '#domain\nbad.example\n'});
  expect(both).toEqual({notes: [], cannot: []});
});
