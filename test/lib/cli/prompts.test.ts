import {describe, expect, test} from 'vitest';
import {expectFailure, pixelfed, runCommand} from '../../run-command.js';

const conversation = (id: string, ...people: readonly string[]) =>
  pixelfed()
    .get(`/api/v1.1/direct/conversations/${id}`)
    .reply(200, {id, participants: people.map((acct) => ({id: acct, acct}))});

const filter = (id: string, title: string) => pixelfed().get(`/api/v2/filters/${id}`).reply(200, {id, title, keywords: []});

const destroying = [
  [['dm', 'delete-message', '5', '6']],
  [['dm', 'leave', '5']],
  [['thread', 'delete-message', '5']],
  [['domain-blocks', 'add', 'bad.example']],
  [['filters', 'delete', '5']],
  [['push', 'disable']],
];

describe.each(destroying)('%j', (words) => {
  test('fails without a terminal, and sends nothing', async () => {
    const {status, stdout, stderr} = await runCommand(words);
    expect({status, stdout}).toEqual({status: 2, stdout: ''});
    expect(stderr).toContain('nothing was sent');
    expect(stderr).toContain('--yes');
  });

  test('no question is asked in a dry run', async () => {
    const {status, stdout} = await runCommand([...words, '--dry-run']);
    expect(status).toBe(0);
    expect(stdout).toContain('https://pix.example/api/');
  });

  test('checks the server before it asks', async () => {
    await expectFailure(2, '--server must be a server address without', [...words, '--server', 'https://pix.example/path'], {
      typing: 'y\n',
    });
  });
});

describe('a question', () => {
  test('about filters names their titles', async () => {
    filter('5', 'Spoilers');
    filter('6', 'Election');
    pixelfed().delete('/api/v2/filters/5').reply(200, {});
    pixelfed().delete('/api/v2/filters/6').reply(200, {});
    const {status, stderr} = await runCommand(['filters', 'delete', '5', '6'], {typing: 'y\n'});
    expect(status).toBe(0);
    expect(stderr).toContain('Delete the filters “Spoilers” (5), “Election” (6) on pix.example?');
  });

  test('about many filters names a few', async () => {
    const ids = ['1', '2', '3', '4', '5', '6', '7'];
    for (const id of ids.slice(0, 5)) filter(id, `T${id}`);
    const {stderr} = await runCommand(['filters', 'delete', ...ids], {typing: 'n\n'});
    expect(stderr).toContain('“T5” (5) and 2 more on pix.example?');
  });

  test('about a message names who is in the conversation', async () => {
    conversation('5', 'bo', 'ana@remote.example');
    const {stderr} = await runCommand(['dm', 'delete-message', '5', '6'], {typing: 'n\n'});
    expect(stderr).toContain('Delete the message for everyone in the conversation with @bo, @ana@remote.example on pix.example?');
  });

  test('about messages counts them', async () => {
    conversation('5', 'bo');
    const {stderr} = await runCommand(['dm', 'delete-message', '5', '6', '7'], {typing: 'n\n'});
    expect(stderr).toContain('Delete 2 messages for everyone in the conversation with @bo');
  });

  test('about leaving names every conversation', async () => {
    conversation('5', 'bo', 'cy');
    conversation('6', 'di', 'ed');
    const {stderr} = await runCommand(['dm', 'leave', '5', '6'], {typing: 'n\n'});
    expect(stderr).toContain('Leave the conversation with @bo, @cy on pix.example, and the conversation with @di, @ed on pix.example?');
  });

  test('escapes control characters of servers', async () => {
    filter('5', 'A\u001b[2J\u202eB\n');
    const {stderr} = await runCommand(['filters', 'delete', '5'], {typing: 'n\n'});
    expect(stderr).not.toContain('\u001b[2J');
    expect(stderr).not.toContain('\u202e');
  });

  test('fails when the object does not exist', async () => {
    pixelfed().get('/api/v2/filters/5').reply(404, {error: ''});
    expect((await runCommand(['filters', 'delete', '5'], {typing: 'y\n'})).status).toBe(4);
  });

  test('a question is printed on standard error, also with --json', async () => {
    filter('5', 'Spoilers');
    pixelfed().delete('/api/v2/filters/5').reply(200, {});
    expect((await runCommand(['filters', 'delete', '5', '--json'], {typing: 'y\n'})).stdout).toBe('{}\n');
  });
});

describe('an answer', () => {
  test.each([
    ['no', 'n\n'],
    ['nothing', '\n'],
  ])('an answer of %s sends nothing', async (_, typing) => {
    const {status, stdout, stderr} = await runCommand(['push', 'disable'], {typing});
    expect({status, stdout}).toEqual({status: 2, stdout: ''});
    expect(stderr).toMatch(/Cancelled\. Nothing was sent\.\n$/);
  });

  test('an answer of Ctrl-C sends nothing, and exits with 130', async () => {
    await expectFailure(130, /Cancelled\. Nothing was sent\.\n$/, ['push', 'disable'], {typing: '\u0003'});
  });

  test('an answer can be given with --yes', async () => {
    pixelfed().post('/api/v1.1/push/disable').reply(200, {});
    const {status, stderr} = await runCommand(['push', 'disable', '--yes', '--json']);
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
  });
});
