import {describe, expect, test} from 'vitest';
import {pixelfed, runCommand} from '../run-command.js';

const path = '/api/v1/notifications';
const withoutFavourites = {'types[]': ['follow', 'follow_request', 'mention', 'reblog', 'poll', 'status']};
const follow = {id: '9', type: 'follow', created_at: '2026-05-01T10:00:00.000Z', account: {id: '7', username: 'bo', acct: 'bo'}};

describe('notifications list --exclude-type', () => {
  test('asks for all other known types', async () => {
    pixelfed().get(path).query(withoutFavourites).reply(200, [follow]);
    const {status, stdout, stderr} = await runCommand(['notifications', 'list', '--exclude-type', 'favourite']);
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect(stdout).toContain('@bo');
  });

  test('takes several types', async () => {
    pixelfed()
      .get(path)
      .query({'types[]': ['follow', 'follow_request', 'reblog', 'status']})
      .reply(200, [follow]);
    const ended = await runCommand(['notifications', 'list', '--exclude-type', 'favourite,poll', '--exclude-type', 'mention', '--json']);
    expect(ended).toEqual({status: 0, stderr: '', stdout: `${JSON.stringify([follow])}\n`});
  });

  test('leaves out the same types on every page', async () => {
    const next = '<https://pix.example/api/v1/notifications?types[]=mention&max_id=9>; rel="next"';
    pixelfed().get(path).query(withoutFavourites).reply(200, [follow], {link: next});
    pixelfed()
      .get(path)
      .query({...withoutFavourites, max_id: '9'})
      .reply(200, []);
    const {status, stdout} = await runCommand(['notifications', 'list', '--exclude-type', 'favourite', '--all', '--jq', 'length']);
    expect({status, stdout}).toEqual({status: 0, stdout: '1\n'});
  });

  test('--follow asks for the same types', async () => {
    pixelfed()
      .get(path)
      .query(({'types[]': types}) => String(types) === String(withoutFavourites['types[]']))
      .reply(200, [follow]);
    const words = ['notifications', 'list', '--exclude-type', 'favourite', '--follow', '--min-id', '8', '--max', '1', '-o', 'ndjson'];
    expect(await runCommand(words)).toEqual({status: 0, stderr: '', stdout: `${JSON.stringify(follow)}\n`});
  });

  test.each([
    [['--exclude-type', 'poll', '--type', 'follow'], '--type and --exclude-type cannot be used together'],
    [['--exclude-type', 'mentions'], '--exclude-type takes one of follow, follow_request, mention,'],
    [['--exclude-type', 'follow,follow_request,mention,reblog,favourite,poll,status'], '--exclude-type names every known type'],
  ])('%j is refused, and nothing is sent', async (flags, said) => {
    const {status, stdout, stderr} = await runCommand(['notifications', 'list', ...flags]);
    expect({status, stdout}).toEqual({status: 2, stdout: ''});
    expect(stderr).toContain(said);
  });
});
