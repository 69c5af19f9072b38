/** Policies and lists from standard input. */
import {expect, test} from 'vitest';
import {pixelfed, runCommand} from '../run-command.js';

const policy = 'version: 1\ndomain_blocks: {must: [bad.example]}\n';

function blocked(...domains: readonly string[]) {
  pixelfed().get('/api/v1/accounts/verify_credentials').optionally().reply(200, {id: '1', acct: 'ana', username: 'ana'});
  pixelfed()
    .get('/api/v1/domain_blocks')
    .query(() => true)
    .reply(200, [...domains]);
}

test('audit - reads the policy from standard input', async () => {
  blocked();
  const {stdout, status} = await runCommand(['audit', '-', '--json'], {input: policy});
  expect({status, subjects: JSON.parse(stdout).findings.map(({subject}: {subject: string}) => subject)}).toEqual({
    status: 10,
    subjects: ['bad.example'],
  });
});

test.each([
  ['a policy', policy],
  ['a list', 'bad.example\n'],
])('diff - reads %s from standard input', async (_, input) => {
  blocked();
  const {stdout, status} = await runCommand(['diff', '-', '--json'], {input});
  expect({status, document: JSON.parse(stdout)}).toMatchObject({
    status: 10,
    document: {left: 'standard input', differences: [{subject: 'bad.example', right: null}]},
  });
});

test.each([
  ['', 'Standard input is empty'],
  ['# none\n', 'Standard input names no domain'],
])('diff - and export --from - refuse a list without a domain: %j', async (input, message) => {
  for (const words of [
    ['diff', '-', 'clara'],
    ['export', '--from', '-'],
  ])
    expect(await runCommand(words, {input})).toMatchObject({status: 2, stdout: '', stderr: expect.stringContaining(`Error: ${message}\n`)});
});

test.each(['', '\n'])('dm send - refuses an empty message: %j', async (input) => {
  expect(await runCommand(['dm', 'send', '5', '-'], {input})).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('Standard input is empty: nothing was sent'),
  });
});

test('diff - - is refused: standard input can be read once', async () => {
  expect(await runCommand(['diff', '-', '-'], {input: policy})).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Only one argument'),
  });
});
