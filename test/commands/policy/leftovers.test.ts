/** What earlier applies made and the policy no longer names: audit finds what plan would remove. */
import {expect, test} from 'vitest';
import {watchedSandbox} from '../../policy-desk.js';
import {deskAt} from './desk.js';

interface Removal {
  readonly action: string;
  readonly kind: string;
  readonly subject: string;
}

interface Finding {
  readonly rule: string;
  readonly kind: string;
  readonly subject: string;
  readonly fix: string;
}

const named = ({kind, subject}: Finding | Removal) => `${kind} ${subject}`;
const leftIn = (findings: readonly Finding[]) => findings.filter(({rule}) => rule === 'no_longer_named').map(named);

test.concurrent.each([
  ['a domain', 'domain_blocks: {must: [bad.example]}', 'domain_blocks: {must: []}', ['domain_block bad.example']],
  ['a domain whose section is gone', 'domain_blocks: {must: [bad.example]}', 'mutes: {must_not: [nobody]}', ['domain_block bad.example']],
  ['a blocked account', "blocks: {must: ['@bob']}", 'blocks: {must: []}', ['block bob']],
  ['a muted account', "mutes: {must: ['@bob']}", 'mutes: {must: []}', ['mute bob']],
  ['a filter', 'filters: {must: [{title: Own, context: [home], keywords: [own]}]}', 'filters: {must: []}', ['filter Own']],
  [
    'what the policy forbids by now',
    'domain_blocks: {must: [bad.example, other.example]}',
    'domain_blocks: {must_not: [bad.example]}',
    ['domain_block other.example'],
  ],
  [
    'what the policy wants until a day that is over',
    'domain_blocks: {must: [{domain: bad.example, until: 2999-12-31}]}',
    'domain_blocks: {must: [{domain: bad.example, until: 2020-01-31}]}',
    ['domain_block bad.example'],
  ],
  [
    'an account that is blocked until a day that is over',
    "blocks: {must: [{account: '@bob', until: 2999-12-31}]}",
    "blocks: {must: [{account: '@bob', until: 2020-01-31}]}",
    ['block bob'],
  ],
  ['what the policy still names', 'domain_blocks: {must: [bad.example]}', 'domain_blocks: {must: [bad.example]}', []],
])('audit finds %s that plan would remove, once, with its command', async (_, before, after, expected) => {
  await using server = await watchedSandbox();
  const {run, write} = deskAt(server, {'p.yml': `version: 1\n${before}\n`});
  expect(await run('apply', 'p.yml', '--yes', '--quiet')).toMatchObject({status: 0});
  write('p.yml', `version: 1\n${after}\n`);
  const {changes} = JSON.parse((await run('plan', 'p.yml', '--json')).stdout);
  const {status, stdout} = await run('audit', 'p.yml', '--json');
  const {findings} = JSON.parse(stdout);
  expect({status, left: leftIn(findings)}).toEqual({status: changes.length === 0 ? 0 : 10, left: expected});
  expect(findings.map(named)).toEqual(changes.map(named));
  for (const {fix} of findings) {
    const [, ...words] = fix.split(' ');
    expect(await run(...words, '--yes')).toMatchObject({status: 0});
  }
  expect(await run('audit', 'p.yml')).toMatchObject({status: 0, stdout: ''});
});

test.concurrent('no report of audit overwrites the state file that it reads', async () => {
  await using server = await watchedSandbox();
  const {run} = deskAt(server, {'p.yml': 'version: 1\ndomain_blocks: {must: [bad.example]}\n'});
  for (const state of [['p.yml.ana@127.0.0.1.state.ndjson'], ['own.state.ndjson', '--state', 'own.state.ndjson']]) {
    const [file = '', ...flags] = state;
    expect(await run('audit', 'p.yml', '--report', `json=${file}`, ...flags)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(file),
    });
  }
});

test.concurrent('audit takes the state file that --state names, and suggests plan with it', async () => {
  await using server = await watchedSandbox();
  const {run, write} = deskAt(server, {'p.yml': 'version: 1\ndomain_blocks: {must: [bad.example]}\n'});
  await run('apply', 'p.yml', '--yes', '--state', 'elsewhere.ndjson');
  write('p.yml', 'version: 1\ndomain_blocks: {must: []}\n');
  expect(await run('audit', 'p.yml')).toMatchObject({status: 0});
  const {status, stderr} = await run('audit', 'p.yml', '--state', 'elsewhere.ndjson', '--report', 'markdown=a.md');
  expect({status, stderr}).toEqual({status: 10, stderr: expect.stringContaining('plan p.yml --state=elsewhere.ndjson')});
  write('elsewhere.ndjson', '{}');
  const damaged = await run('audit', 'p.yml', '--state', 'elsewhere.ndjson');
  expect(damaged).toMatchObject({status: 0, stderr: expect.stringContaining('Warning: elsewhere.ndjson is damaged in line 1')});
  expect(await run('apply', 'p.yml', '--yes', '--state', 'elsewhere.ndjson')).toMatchObject({status: 9});
});

test.concurrent('audit finds what a killed apply made', async () => {
  await using server = await watchedSandbox();
  const {run, write} = deskAt(server, {'p.yml': 'version: 1\ndomain_blocks: {must: [bad.example]}\n'});
  server.stepIn = (moment) => (moment === 'after' ? {status: 502, text: ''} : undefined);
  await run('apply', 'p.yml', '--yes', '--retries', '0');
  server.stepIn = () => undefined;
  write('p.yml', 'version: 1\nmutes: {must_not: [nobody]}\n');
  const {status, stdout} = await run('audit', 'p.yml', '--json');
  expect({status, left: leftIn(JSON.parse(stdout).findings)}).toEqual({status: 10, left: ['domain_block bad.example']});
});
