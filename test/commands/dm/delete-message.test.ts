import {expect, test} from 'vitest';
import {pixelfed, runCommand} from '../../run-command.js';

test.each([
  [{deleted: true}, 'Deleted message 7.\n'],
  [{deleted: false}, 'Sent the request to delete message 7.\n'],
  [{}, 'Sent the request to delete message 7.\n'],
])('after %j dm delete-message says %j', async (answer, said) => {
  pixelfed().delete('/api/v1.1/direct/conversations/5/messages/7').reply(200, answer);
  expect(await runCommand(['dm', 'delete-message', '5', '7', '--yes'])).toEqual({status: 0, stdout: '', stderr: said});
});
