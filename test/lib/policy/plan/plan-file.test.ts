import {expect, test} from 'vitest';
import {
  isKeptPlan,
  keptPlanOf,
  keptPlanText,
  readKeptPlans,
  refuseChangedState,
  sealedPlan,
} from '../../../../src/lib/policy/plan/plan-file.js';
import {makePlan} from '../../../../src/lib/policy/plan/plan.js';
import {aFilter, circumstances, emptyModel, now, stateOf} from '../model-server.js';
import {wantedBy} from '../wanted.js';

test('reads a plan file back, and refuses it once the server has changed', () => {
  const text = 'version: 1\ndomain_blocks: {must: [a.example], only: true}\nfilters: {must: [{title: A, context: [home], keywords: [a]}]}';
  const filter = aFilter('A', {keywords: ['b', 'c']});
  const model = {...emptyModel, domains: ['b.example', 'c.example'], filters: [filter, aFilter('Z')]};
  const plan = makePlan(wantedBy(text), stateOf(model), [], circumstances);
  const about = {
    server: 'https://pix.example',
    account: 'ana',
    policy: 'p.yml',
    made_at: now.toISOString(),
    parts: ['domain_blocks', 'filters'] as const,
  };
  const kept = keptPlanText(plan, {...about, parts: [...about.parts]}, 'plan.json');
  expect(isKeptPlan(kept)).toBe(true);
  expect(isKeptPlan(text)).toBe(false);
  const [read] = readKeptPlans(kept, 'plan.json');
  if (read === undefined) throw new Error('No plan');
  expect(read.changes).toEqual(plan.changes);
  refuseChangedState(read, stateOf({...model, domains: model.domains.toReversed(), filters: model.filters.toReversed()}));
  for (const changed of [
    {...model, domains: ['b.example']},
    {...model, filters: [filter]},
    {...model, filters: [{...filter, keywords: filter.keywords.slice(1)}, ...model.filters.slice(1)]},
  ]) {
    expect(() => refuseChangedState(read, stateOf(changed))).toThrow(
      expect.objectContaining({code: 'refused', message: expect.stringContaining('has changed since the plan was made')}),
    );
  }
  expect(() => readKeptPlans(kept.replace('"remove"', '"destroy"'), 'plan.json')).toThrow(expect.objectContaining({code: 'usage'}));
  expect(() => readKeptPlans(kept.slice(0, -5), 'plan.json')).toThrow(
    expect.objectContaining({code: 'usage', message: 'plan.json is not a complete plan file'}),
  );
});

test.each([
  [
    'a domain block',
    {action: 'add', kind: 'domain_block', subject: 'a.example', details: {seveirty: 'silence'}},
    'details',
    /^did you mean "severity"\? Allowed: severity, public_comment, private_comment, reject_media, reject_reports, obfuscate, covered_by$/,
  ],
  [
    'a domain block, of a removal',
    {action: 'add', kind: 'domain_block', subject: 'a.example', details: {stored: 'b.example'}},
    'details',
    /^did you mean "(?!stored)\w+"\? Allowed: severity, /,
  ],
  ['an account block', {action: 'add', kind: 'block', subject: 'bo', details: {idd: '1'}}, 'details', /^did you mean "id"\? Allowed: id$/],
  [
    'the removal of a filter',
    {action: 'remove', kind: 'filter', subject: 'A', details: {id: '1', title: 'B'}},
    'details',
    /^did you mean "id"\? Allowed: id$/,
  ],
  [
    'the addition of a filter',
    {action: 'add', kind: 'filter', subject: 'A', details: {context: ['home'], keywords: [], id: '1'}},
    'details',
    /^did you mean "\w+"\? Allowed: context, filter_action, expires, keywords$/,
  ],
  [
    'an account mute itself',
    {action: 'add', kind: 'mute', subject: 'bo', subjects: [], details: {}},
    '',
    /^did you mean "subject"\? Allowed: action, kind, subject, details, reason, because, until, by_hand$/,
  ],
])('an unknown key in %s of a plan file is told with the keys that it may have, each once', (_, change, where, allowed) => {
  const plan = makePlan(wantedBy('version: 1'), stateOf(emptyModel), [], circumstances);
  const about = {server: 'https://pix.example', account: 'ana', policy: 'p.yml', made_at: now.toISOString(), parts: []};
  const {digest: _digest, ...content} = JSON.parse(keptPlanText(plan, about, 'plan.json'));
  const text = sealedPlan({...content, changes: [{reason: 'must', because: 'p.yml:1', ...change}]});
  let message = '';
  try {
    readKeptPlans(text, 'plan.json');
  } catch (error) {
    message = error instanceof Error ? error.message : '';
  }
  const [place = '', advice = ''] = message.split(/: unknown key "\w+"; /);
  expect(place).toBe(['plan.json:1: changes.0', where].filter(Boolean).join('.'));
  expect(advice).toMatch(allowed);
});

test('a plan file without a plan is refused with the reason', () => {
  const target = {account: '@ana', server: new URL('https://pix.example')};
  expect(() => keptPlanOf([], target)).toThrow('The plan file is empty, because every account failed when it was made: nothing was sent');
});
