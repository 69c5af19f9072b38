import {expect, test} from 'vitest';
import {pixelfed, runCommand} from '../run-command.js';

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

test('reads --input, which flags override', async () => {
  pixelfed().post(path, {object_type: 'user', object_id: '6', report_type: 'scam', message: 'Old'}).reply(200, done);
  const input = JSON.stringify({object_type: 'post', object_id: '6', report_type: 'spam', message: 'Old'});
  expect((await runCommand(['report', 'user', '--type', 'scam', '--input', '-'], {input})).status).toBe(0);
});

test('a duplicate report has a hint', async () => {
  pixelfed().post(path).reply(400, {msg: 'Duplicate report', code: 400, error_code: 'ERROR_REPORT_DUPLICATE'});
  const {status, stderr} = await runCommand(['report', 'post', '5', '--type', 'spam']);
  expect(status).toBe(5);
  expect(stderr).toContain('you have reported this before');
});

test('a report is not resent after a lost response, and its outcome is unknown', async () => {
  pixelfed().post(path).reply(502, '');
  const {status, stderr} = await runCommand(['report', 'post', '5', '--type', 'spam']);
  expect(status).toBe(7);
  expect(stderr).toContain('not known whether this was carried out');
});
