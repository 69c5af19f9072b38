/** What is asked at a terminal before a write: it names what changes, one or several. */
import {expect, test} from 'vitest';
import {pixelfed, runCommand, serverThatSays} from '../run-command.js';

const ids = ['1029249434117964847', '1029249432926620204'] as const;

test.each<[line: string, question: string]>([
  ['admin domain-blocks add bad.example --severity suspend', 'Block bad.example for everyone on pix.example (suspend)?'],
  ['admin domain-blocks remove bad.example', 'Remove the block of bad.example for everyone on pix.example?'],
  ['admin domain-blocks remove bad.example low.example', 'Remove the blocks of bad.example, low.example for everyone on pix.example?'],
  ['admin domain-blocks update 5 6 --severity silence', 'Change the blocks of 5, 6 for everyone on pix.example: severity silence?'],
  [
    'admin domain-blocks update 5 --severity silence --private-comment secret --reject-media',
    'Change the block of 5 for everyone on pix.example: severity silence, the private comment, reject media true?',
  ],
  ['instances moderate bad.example other.example --banned --no-unlisted', 'Ban and relist bad.example, other.example on pix.example?'],
  [
    'domain-blocks add bad.example worse.example',
    'Block bad.example, worse.example on pix.example? Your followers there are removed, and unblocking does not restore them.',
  ],
  ['reports handle 8 --action cw', 'Handle report 8 on pix.example with the action cw? This cannot be undone.'],
  ['reports handle 8 9 --action cw', 'Handle reports 8, 9 on pix.example with the action cw? This cannot be undone.'],
  [`thread delete-message ${ids[0]}`, `Delete message ${ids[0]} for everyone on pix.example?`],
  [`thread delete-message ${ids.join(' ')}`, 'Delete 2 messages for everyone on pix.example?'],
])('%s asks, and sends nothing after n', async (line, question) => {
  serverThatSays();
  const {status, stderr} = await runCommand(line.split(' '), {typing: 'n\n'});
  expect(stderr).toContain(question);
  expect(status).toBe(2);
});

test('blocks add asks about accounts as they were typed', async () => {
  pixelfed().get('/api/v1.1/accounts/username/bo').reply(200, {id: '7', acct: 'bo'});
  const {status, stderr} = await runCommand(['blocks', 'add', '@bo@pix.example'], {typing: 'n\n'});
  expect(stderr).toContain('Block @bo@pix.example on pix.example?');
  expect(status).toBe(2);
});

const conversations = '/api/v1.1/direct/conversations';

test.each<[line: string, path: string, answer: unknown, question: string]>([
  ['dm leave 5', `${conversations}/5`, {id: '5', participants: []}, 'Leave the conversation with nobody on pix.example?'],
  [
    'dm leave 5',
    `${conversations}/5`,
    {id: '5', participants: [{id: '7'}]},
    'Leave the conversation with an unknown account on pix.example?',
  ],
  ['dm leave 5', `${conversations}/5`, {id: '5'}, 'Leave the conversation 5 on pix.example?'],
  [
    'dm delete-message 5 6',
    `${conversations}/5`,
    {participants: [{acct: 'bo'}, {acct: 'ana@remote.example'}]},
    'Delete the message for everyone in the conversation with @bo, @ana@remote.example on pix.example?',
  ],
  [
    'dm delete-message 5 6 7',
    `${conversations}/5`,
    {participants: [{acct: 'bo'}]},
    'Delete 2 messages for everyone in the conversation with @bo',
  ],
  ['filters delete 3', '/api/v2/filters/3', {id: '3', context: []}, 'Delete the filter 3 on pix.example?'],
  ['filters delete 3', '/api/v2/filters/3', {id: '3', title: 'Spoilers'}, 'Delete the filter “Spoilers” (3) on pix.example?'],
  ['blocks add 7', '/api/v1/accounts/7', {id: '7'}, 'Block 7 on pix.example?'],
])('%s names what it can where %s is answered with %j', async (line, path, answer, question) => {
  pixelfed()
    .get(path)
    .reply(200, {...Object(answer)});
  const {status, stderr} = await runCommand(line.split(' '), {typing: 'n\n'});
  expect(stderr).toContain(question);
  expect(status).toBe(2);
});

test('of many conversations to leave the first few are named', async () => {
  const all = Array.from({length: 9}, (_, index) => String(index + 1));
  for (const id of all.slice(0, 6))
    pixelfed()
      .get(`${conversations}/${id}`)
      .reply(200, {id, participants: [{id: '9', acct: `p${id}`}]});
  const {status, stderr} = await runCommand(['dm', 'leave', ...all], {typing: 'n\n'});
  expect(stderr).toMatch(/Leave the conversation with @p1 on pix\.example, .*@p5 on pix\.example and 4 more\?/);
  expect(status).toBe(2);
});
