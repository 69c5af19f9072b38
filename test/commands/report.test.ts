import {expect, test} from 'vitest';
import {expectFailure, pixelfed, runCommand} from '../run-command.js';

const path = '/api/v1.1/report';
const done = {msg: 'Successfully sent report', code: 200};

test('sends the type, the id and the reason', async () => {
  pixelfed().post(path, {object_type: 'post', object_id: '12345678901234567890', report_type: 'spam'}).reply(200, done);
  const {status, stdout} = await runCommand(['report', 'post', '12345678901234567890', '--type', 'spam', '--json']);
  expect({status, stdout}).toEqual({status: 0, stdout: `${JSON.stringify(done)}\n`});
});

test('sends a message, and unknown types', async () => {
  pixelfed().post(path, {object_type: 'reel', object_id: '5', report_type: 'other', message: 'See "this"'}).reply(200, done);
  expect((await runCommand(['report', 'reel', '5', '--type', 'other', '--message', 'See "this"'])).status).toBe(0);
});

test('a report does not ask for confirmation', async () => {
  pixelfed().post(path).reply(200, done);
  const {status, stderr} = await runCommand(['report', 'post', '5', '--type', 'spam'], {typing: 'n\n'});
  expect(status).toBe(0);
  expect(stderr).not.toContain('?');
});

test('a duplicate report has a hint', async () => {
  pixelfed().post(path).reply(400, {msg: 'Duplicate report', code: 400, error_code: 'ERROR_REPORT_DUPLICATE'});
  await expectFailure(5, 'you have reported this before', ['report', 'post', '5', '--type', 'spam']);
});
