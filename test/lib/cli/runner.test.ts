import {describe, expect, test} from 'vitest';
import {expectFailure, pixelfed, runCommand} from '../../run-command.js';

const summary = (id: string) => ({id, state: 'active', muted: true, hidden: false, unread_count: 0, last_read_message_id: null});
const mutes = (id: string) => pixelfed().post(`/api/v1.1/direct/conversations/${id}/mute`);
const muted = (id: string) => mutes(id).reply(200, summary(id));
const done = (id: string) => ({target: id, ok: true, status: 200, body: summary(id)});

describe('one target', () => {
  test('given as an argument prints the answer of the server', async () => {
    muted('5');
    expect(await runCommand(['dm', 'mute', '5', '--json'])).toEqual({status: 0, stdout: `${JSON.stringify(summary('5'))}\n`, stderr: ''});
  });

  test('one target from standard input prints a result', async () => {
    muted('5');
    const {status, stdout} = await runCommand(['dm', 'mute', '-', '--json'], {input: '5\n'});
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual([done('5')]);
  });

  test('one target that fails is a failure of the command', async () => {
    mutes('5').reply(404, {error: ''});
    const {status, stdout} = await runCommand(['dm', 'mute', '5', '--json']);
    expect({status, stdout}).toEqual({status: 4, stdout: ''});
  });
});

describe('many targets', () => {
  test('print one result each, in the order given', async () => {
    for (const id of ['7', '5', '6']) muted(id);
    const {status, stdout, stderr} = await runCommand(['dm', 'mute', '7', '5', '6', '--json']);
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect(JSON.parse(stdout)).toEqual([done('7'), done('5'), done('6')]);
  });

  test('many targets that come twice are sent once', async () => {
    for (const id of ['7', '5', '6']) muted(id);
    const {stdout} = await runCommand(['dm', 'mute', '7', '5', '-', '7', '--json'], {input: '5\n6\n{"id": "7"}\n'});
    expect(JSON.parse(stdout)).toEqual([done('7'), done('5'), done('6')]);
  });

  test('many targets keep the numbers of every answer', async () => {
    const answer = '{"id":12345678901234567890,"unread_count":2.50,"new":"/"}';
    mutes('12345678901234567890').reply(200, answer);
    muted('6');
    expect((await runCommand(['dm', 'mute', '12345678901234567890', '6', '--json'])).stdout).toContain(answer);
  });

  test('many targets of which one fails go on, and say which', async () => {
    muted('5');
    mutes('6').reply(404, {error: ''});
    muted('7');
    const {status, stdout, stderr} = await runCommand(['dm', 'mute', '5', '6', '7', '--json']);
    expect(status).toBe(11);
    expect(JSON.parse(stdout)).toEqual([
      done('5'),
      {
        target: '6',
        ok: false,
        status: 404,
        error: expect.objectContaining({
          code: 'not_found',
          exit: 4,
          status: 404,
          method: 'POST',
          path: '/api/v1.1/direct/conversations/6/mute',
        }),
      },
      done('7'),
    ]);
    expect(JSON.parse(stderr).error).toMatchObject({code: 'partial', exit: 11, message: '1 of 3 failed'});
  });

  test('many targets of which one gets no answer have no status there', async () => {
    mutes('5').replyWithError(Object.assign(new Error('gone'), {code: 'ECONNRESET'}));
    muted('6');
    const {status, stdout} = await runCommand(['dm', 'mute', '5', '6', '--json', '--retries', '0']);
    expect(status).toBe(11);
    expect(JSON.parse(stdout)[0]).toMatchObject({target: '5', ok: false, status: null, error: {code: 'unavailable', exit: 7}});
  });

  test('stop when the token is refused, and say how many were not sent', async () => {
    muted('5');
    mutes('6').reply(401, {error: 'Unauthenticated.'});
    const {status, stdout, stderr} = await runCommand(['dm', 'mute', '5', '6', '7', '8', '--json', '--concurrency', '1']);
    expect(status).toBe(3);
    expect(JSON.parse(stdout)).toEqual([done('5'), expect.objectContaining({target: '6', ok: false, status: 401})]);
    expect(JSON.parse(stderr).error).toMatchObject({code: 'auth', message: expect.stringContaining('2 more were not sent')});
  });

  test('print nothing when the token is refused at once', async () => {
    mutes('5').reply(500, {error: 'Unauthenticated.'});
    const {status, stdout} = await runCommand(['dm', 'mute', '5', '6', '--json', '--concurrency', '1']);
    expect({status, stdout}).toEqual({status: 3, stdout: ''});
  });

  test('many targets of which one cannot be sent send nothing', async () => {
    for (const bad of ['', '.', '..']) {
      const {status, stdout} = await runCommand(['dm', 'mute', '5', bad, '6', '--json']);
      expect({status, stdout}).toEqual({status: 2, stdout: ''});
    }
  });

  test('many targets cannot be read twice', async () => {
    await expectFailure(2, 'Only one argument or flag can read standard input', ['dm', 'mute', '-', '-'], {input: '6\n'});
  });
});

test('what an answer means is said in words where it says nothing itself', async () => {
  pixelfed().delete('/api/v2/filters/5').reply(200, {});
  expect(await runCommand(['filters', 'delete', '5', '--yes'])).toEqual({status: 0, stdout: '', stderr: 'Deleted filter 5.\n'});
  pixelfed().delete('/api/v2/filters/5').reply(200, {});
  expect(await runCommand(['filters', 'delete', '5', '--yes', '--quiet'])).toEqual({status: 0, stdout: '', stderr: ''});
});
