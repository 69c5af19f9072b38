import {describe, expect, test} from 'vitest';
import {expectFailure, pixelfed, runCommand} from '../run-command.js';

const verbs = [
  ['blocks', 'add', 'block', ['--yes']],
  ['blocks', 'remove', 'unblock', []],
  ['mutes', 'add', 'mute', []],
  ['mutes', 'remove', 'unmute', []],
] as const;

describe.each(verbs)('%s %s', (topic, command, verb, flags) => {
  const answerAbout = (id: string) => ({id, blocking: verb === 'block', muting: verb === 'mute', server_extra: 12});
  const answer = answerAbout('7');
  const sends = (id: string) => pixelfed().post(`/api/v1/accounts/${id}/${verb}`).reply(200, answerAbout(id));

  test('prints the response of the server', async () => {
    sends('7');
    const {status, stdout, stderr} = await runCommand([topic, command, '7', ...flags, '--json']);
    expect({status, stdout, stderr}).toEqual({status: 0, stdout: `${JSON.stringify(answer)}\n`, stderr: ''});
  });

  test('accepts the output of the lists', async () => {
    const listed = [
      {id: '7', acct: 'eve', url: 'https://pix.example/eve'},
      {id: '8', acct: 'sly@other.example', url: 'https://other.example/sly'},
    ];
    pixelfed().get('/api/v1/accounts/verify_credentials').reply(200, {id: '1', acct: 'ana'});
    if (command === 'remove') pixelfed().get(`/api/v1/${topic}`).reply(200, listed);
    else for (const each of listed) pixelfed().get(`/api/v1/accounts/${each.id}`).reply(200, each);
    sends('7');
    sends('8');
    const input = JSON.stringify(listed);
    const {status, stdout} = await runCommand([topic, command, '-', ...flags, '--json'], {input});
    expect({status, results: JSON.parse(stdout)}).toMatchObject({
      status: 0,
      results: [
        {target: '@eve@pix.example', ok: true},
        {target: '@sly@other.example', ok: true},
      ],
    });
  });
});

describe('the confirmation of blocks add', () => {
  test('names the accounts and the server', async () => {
    pixelfed().get('/api/v1/accounts/7').reply(200, {id: '7', username: 'eve', acct: 'eve@other.example'});
    pixelfed().get('/api/v1/accounts/8').reply(404, {error: 'Record not found'});
    await expectFailure(
      2,
      'Block @eve@other.example, 8 on pix.example? You stop following each other, and unblocking does not restore that.',
      ['blocks', 'add', '7', '8'],
      {typing: 'n\n'},
    );
  });

  test('the confirmation of blocks add is not needed for mutes', async () => {
    pixelfed().post('/api/v1/accounts/7/mute').reply(200, {id: '7'});
    expect((await runCommand(['mutes', 'add', '7'])).status).toBe(0);
  });
});
