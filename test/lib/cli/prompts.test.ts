import {describe, expect, test} from 'vitest';
import {expectFailure, pixelfed, runCommand} from '../../run-command.js';

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
