import {expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {auditJson, planJson} from '../../../src/lib/policy/output.js';
import {nothingOwned} from '../../../src/lib/policy/ownership.js';
import {makePlan} from '../../../src/lib/policy/plan.js';
import {accountsOf, circumstances, emptyModel, stateOf} from './model-server.js';
import {reportOn} from './reports/audits.js';
import {wantedBy} from './wanted.js';

const about = {server: 'https://pix.example', account: 'ana', policy: 'p.yml'};
const text = 'version: 1\ndomain_blocks: {must: [a.example]}\nblocks: {must: [bo], at_most: 2}\npush: {notify_enabled: false}';
const wanted = wantedBy(text);

test('an audit with nothing to find is clean, unless something could not be looked at', () => {
  const agrees = stateOf({...emptyModel, domains: ['a.example']}, {blocks: accountsOf('bo')});
  expect(auditJson(reportOn(text, agrees))).toEqual({...about, ok: true, findings: [], skipped: []});
  const unclear = {...agrees, push: {failure: new Failure('bad_answer', 'Not the settings')}};
  expect(auditJson(reportOn(text, unclear))).toEqual({
    ...about,
    ok: false,
    findings: [],
    skipped: [{kind: 'push', why: 'Not the settings', code: 'bad_answer'}],
    error: {code: 'bad_answer', message: 'Cannot look at the push settings of pix.example: Not the settings'},
  });
});

test('a plan says what it changes, and what it cannot', () => {
  const plan = makePlan(wanted, stateOf(emptyModel, {blocks: accountsOf('a', 'b', 'c')}), nothingOwned, circumstances);
  expect(planJson(about, plan)).toEqual({
    ...about,
    changes: [
      {action: 'add', kind: 'domain_block', subject: 'a.example', details: {}, because: 'domain_blocks.must: p.yml:2'},
      {action: 'add', kind: 'block', subject: 'bo', details: {}, because: 'blocks.must: p.yml:3'},
    ],
    cannot: [expect.objectContaining({kind: 'block', subject: 'blocks', wanted: 'at most 2', source: 'p.yml:3'})],
    skipped: [],
    limits: [],
  });
});
