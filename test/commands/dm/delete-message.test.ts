import {expect, test} from 'vitest';
import {pixelfed, runCommand} from '../../run-command.js';

const asked = ['dm', 'delete-message', '5', '7', '--yes'];

test('after {"deleted": true} dm delete-message says that the message is deleted', async () => {
  pixelfed().delete('/api/v1.1/direct/conversations/5/messages/7').reply(200, {deleted: true});
  expect(await runCommand(asked)).toEqual({status: 0, stdout: '', stderr: 'Deleted message 7.\n'});
});

test.each([[{deleted: false}], [{}]])('after %j it is not known whether dm delete-message deleted it', async (answer) => {
  pixelfed().delete('/api/v1.1/direct/conversations/5/messages/7').reply(200, answer);
  const {status, stdout, stderr} = await runCommand(asked);
  expect({status, stdout}).toEqual({status: 8, stdout: ''});
  expect(stderr).toContain('the response does not show that it was done (200)');
  expect(stderr).toContain('it is not known whether this was carried out: check with `pixelctl dm messages 5');
});
