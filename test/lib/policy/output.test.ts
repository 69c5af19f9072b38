import {expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {compare} from '../../../src/lib/policy/compare.js';
import {auditJson, planJson} from '../../../src/lib/policy/output.js';
import {makePlan} from '../../../src/lib/policy/plan.js';
import {emptyModel, now, stateOf} from './model-server.js';
import {wantedBy} from './wanted.js';

const about = {server: 'https://pix.example', account: 'ana', policy: 'p.yml'};
const wanted = wantedBy('version: 1\ndomain_blocks: {must: [a.example]}\nblocks: {must: [bo]}\npush: {notify_enabled: false}');

test('an audit with nothing to find is clean, unless something could not be looked at', () => {
  const agrees = stateOf({...emptyModel, domains: ['a.example']}, {blocks: {value: ['bo']}});
  expect(auditJson(about, compare(wanted, agrees, now))).toEqual({...about, ok: true, findings: [], skipped: []});
  const unclear = {...agrees, push: {failure: new Failure('bad_answer', 'Not the settings')}};
  expect(auditJson(about, compare(wanted, unclear, now))).toEqual({
    ...about,
    ok: false,
    findings: [],
    skipped: [{kind: 'push', why: 'Not the settings', code: 'bad_answer'}],
  });
});

test('a plan says what it changes, and what it cannot', () => {
  const plan = makePlan(wanted, stateOf(emptyModel, {blocks: {value: []}}), {domainBlocks: [], filters: []}, now);
  expect(planJson(about, plan)).toEqual({
    ...about,
    changes: [{action: 'add', kind: 'domain_block', subject: 'a.example', details: {}, because: 'domain_blocks.must: p.yml:2'}],
    cannot: [expect.objectContaining({kind: 'block', subject: 'bo', source: 'p.yml:3'})],
    skipped: [],
    limits: [],
  });
});
