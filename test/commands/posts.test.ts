/** What admins do about posts: found by id or address, marked as sensitive where they are not, and deleted only where that is allowed. */
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import nock from 'nock';
import {afterEach, describe, expect, test} from 'vitest';
import {SkippingClock} from '../loopback-server.js';
import {runCommand, server, serverThatSays} from '../run-command.js';
import {jsonLines} from '../json-documents.js';
import {newFolder} from '../new-folder.js';

const path = '/api/admin/moderate/post';

interface Known {
  readonly id: string;
  readonly acct?: string;
  sensitive?: boolean;
  visibility?: string;
}

/** A server that has these posts. @param isHidden whether the account may not see them @returns what was sent, in order: `5 cw` */
function having(all: readonly Known[], {isHidden = false} = {}): {readonly sent: string[]} {
  const sent: string[] = [];
  const posts = new Map(
    all.map(({id, acct = 'spam1', ...rest}) => [
      id,
      {
        id,
        sensitive: false,
        visibility: 'public',
        content_text: `text of ${id}`,
        created_at: '2026-11-20T10:00:00.000Z',
        ...rest,
        account: {id: `9${acct.charCodeAt(0)}`, acct, created_at: '2026-11-13T10:00:00.000Z', statuses_count: 3, followers_count: 1},
      },
    ]),
  );
  serverThatSays();
  nock(server)
    .persist()
    .get(/^\/api\/v1\/statuses\/\d+$/)
    .optionally()
    .reply((request: Request) => {
      const id = new URL(request.url).pathname.split('/').at(-1) ?? '';
      const post = posts.get(id);
      if (post === undefined) return [404, {error: ''}];
      return isHidden ? [403, {error: ''}] : [200, post];
    });
  nock(server)
    .persist()
    .post(/^\/api\/admin\/moderate\/post\/\d+$/)
    .optionally()
    .reply(async (request: Request) => {
      const id = new URL(request.url).pathname.split('/').at(-1) ?? '';
      const {action}: {readonly action: string} = JSON.parse(await request.text());
      sent.push(`${id} ${action}`);
      const post = posts.get(id);
      if (post === undefined) return [400, {error: 'Cannot find status'}];
      if (post.account.acct === 'root') return [400, {error: 'Cannot moderate admin accounts'}];
      if (action === 'cw') post.sensitive = !post.sensitive;
      if (action.startsWith('mark-') && action !== 'mark-spammer') post.visibility = action.slice('mark-'.length);
      if (action === 'mark-spammer') Object.assign(post, {visibility: 'private', sensitive: true});
      if (action === 'delete') posts.delete(id);
      return [200, action === 'delete' ? [] : post];
    });
  return {sent};
}

afterEach(() => nock.cleanAll());

const moderate = (...words: readonly string[]) =>
  runCommand(['posts', 'moderate', ...words, '--retries', '0'], {clock: new SkippingClock()});

const linesIn = (file: string): unknown[] => jsonLines(readFileSync(file, 'utf8'));

const error = (stderr: string) => JSON.parse(stderr).error;

describe('marking as sensitive', () => {
  test.each([
    [false, '--cw', ['5 cw']],
    [true, '--cw', []],
    [true, '--no-cw', ['5 cw']],
    [false, '--no-cw', []],
  ])('a post that is sensitive: %j is toggled with %s only where it differs', async (sensitive, flag, expected) => {
    const {sent} = having([{id: '5', sensitive}]);
    const {status, stdout} = await moderate('5', flag, '--yes', '--json');
    expect({status, sent}).toEqual({status: 0, sent: expected});
    expect(JSON.parse(stdout).sensitive).toBe(flag === '--cw');
  });

  test.each([
    [false, ['5 cw']],
    [true, ['5 cw', '5 cw']],
  ])('a post that cannot be read and is sensitive: %j is toggled until the answer is as asked', async (sensitive, expected) => {
    const {sent} = having([{id: '5', sensitive}], {isHidden: true});
    const {status, stdout} = await moderate('5', '--cw', '--yes', '--json');
    expect({status, sent}).toEqual({status: 0, sent: expected});
    expect(JSON.parse(stdout).sensitive).toBe(true);
  });
});

test('nothing is sent where a post cannot be read again just before', async () => {
  const read = nock(server)
    .get('/api/v1/statuses/5')
    .reply(200, {id: '5', sensitive: false, account: {id: '9115', acct: 'spam1'}});
  read.get('/api/v1/statuses/5').reply(500, {});
  const {sent} = having([{id: '5'}]);
  expect(await moderate('5', '--cw', '--yes')).toMatchObject({status: 7});
  expect(sent).toEqual([]);
});

describe('a post', () => {
  test.each([
    ['https://pix.example/p/bob/5'],
    ['https://pix.example/p/bob/5/'],
    ['https://pix.example/i/web/post/5?x=1'],
    ['https://pix.example/@bob/5'],
    ['https://pix.example/api/v1/statuses/5'],
  ])('is found by its address on this server: %s', async (address) => {
    const {sent} = having([{id: '5'}]);
    expect(await moderate(address, '--visibility', 'unlisted', '--yes')).toMatchObject({status: 0});
    expect(sent).toEqual(['5 mark-unlisted']);
  });

  test.each([
    ['https://other.example/p/bob/5', 'https://other.example/p/bob/5 is not on pix.example: nothing was sent'],
    ['https://pix.example/bob', '"https://pix.example/bob" is not a post'],
    ...[
      'i/admin/users/show/5',
      'i/web/profile/5',
      'users/bob/statuses/5',
      'p/5',
      'p/bob/5/edit/5',
      '@bob/followers/5',
      'api/v1/statuses/9/favourited_by/5',
      'storage/m/_v2/5',
    ].map((path): [string, string] => [`https://pix.example/${path}`, 'is not a post']),
    ['@bob', '"@bob" is not a post'],
    ['', '"" is not a post'],
    ['5x', '"5x" is not a post'],
  ])('is not named by %j', async (name, message) => {
    having([]);
    const {status, stderr} = await moderate(name, '--cw', '--yes');
    expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining(message)});
  });

  test('is one target, however often and however named', async () => {
    const {sent} = having([{id: '5'}]);
    await moderate('5', 'https://pix.example/p/bob/5', '5', '--visibility', 'private', '--yes');
    expect(sent).toEqual(['5 mark-private']);
  });

  test.each([
    ['a report', '{"id":8,"object_type":"App\\\\Status","object_id":1,"reported_by_account":{"id":"1"},"status":{"id":"5"}}'],
    ['an entry of the spam filter', '{"id":7,"type":"post.autospam","item_id":1,"item_type":"App\\\\Status","status":{"id":"5"}}'],
    ['a status', '{"id":"5","visibility":"public","content":"x","favourites_count":1,"account":{"id":"9115"}}'],
    ['a result', '{"target":"5","ok":true,"status":200,"body":null}'],
    ['CSV of reports', 'id,object_type,object_id,status\n8,App\\Status,1,"{""id"":""5""}"\n'],
  ])('is what %s names', async (_, input) => {
    const {sent} = having([{id: '5'}]);
    expect(await runCommand(['posts', 'moderate', '-', '--visibility', 'unlisted', '--yes'], {input})).toMatchObject({status: 0});
    expect(sent).toEqual(['5 mark-unlisted']);
  });

  test('is not the one with the same id that a list of another server names', async () => {
    const {sent} = having([{id: '5'}]);
    const input = '{"id":"5","visibility":"public","content":"x","favourites_count":1,"account":{"id":"3","acct":"zed"}}';
    const {status, stderr} = await runCommand(['posts', 'moderate', '-', '--delete', '--allow-deletions', '1', '--yes'], {input});
    expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining('5 is a post of another person on')});
    expect(sent).toEqual([]);
  });

  test('is none of a report of an account, which --skip-invalid passes over', async () => {
    const {sent} = having([{id: '5'}]);
    const reported = (status: object) =>
      JSON.stringify({id: 8, object_type: 'x', object_id: 1, reported_by_account: {id: '1'}, account: {id: '3'}, ...status});
    const input = `${reported({})}\n${reported({status: {id: '5'}})}\n`;
    const line = ['posts', 'moderate', '-', '--visibility', 'unlisted', '--yes'];
    expect(await runCommand(line, {input})).toMatchObject({status: 2, stderr: expect.stringContaining('Line 1 of standard input')});
    expect(sent).toEqual([]);
    expect(await runCommand([...line, '--skip-invalid'], {input})).toMatchObject({status: 0});
    expect(sent).toEqual(['5 mark-unlisted']);
  });

  test.each([[['--cw']], [['--visibility', 'private']], [['--delete', '--allow-deletions', '1']]])(
    'that is gone is not found with %j',
    async (flags) => {
      having([]);
      const {status, stderr} = await moderate('https://pix.example/p/spam1/5', ...flags, '--yes');
      expect({status, stderr}).toEqual({status: 4, stderr: expect.stringContaining('Cannot find status')});
    },
  );

  test('of an admin is refused by the server', async () => {
    having([{id: '5', acct: 'root'}]);
    const {status, stderr} = await moderate('5', '--visibility', 'private', '--yes');
    expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining('admins are changed on the server itself')});
  });

  test('is not moderated with the token of somebody who is no admin, which ends the run at the first', async () => {
    serverThatSays();
    nock(server)
      .persist()
      .get(/statuses/)
      .reply(200, {id: '5', sensitive: false});
    nock(server).post(`${path}/5`).reply(403, {error: ''});
    const {status, stderr} = await moderate('5', '6', '--visibility', 'private', '--yes', '--concurrency', '1');
    expect({status, stderr}).toEqual({status: 3, stderr: expect.stringContaining('admin')});
  });
});

test.each([
  [[], 'Missing: --cw, --no-cw, --visibility, --delete or --mark-spammer'],
  [['--cw', '--delete'], '--cw and --delete cannot be used together'],
  [['--no-cw', '--visibility', 'private'], '--no-cw and --visibility cannot be used together'],
  [['--visibility', 'secret'], '--visibility takes one of public, unlisted, private'],
])('exactly one thing is done: %j', async (flags, message) => {
  having([{id: '5'}]);
  const {status, stderr} = await moderate('5', ...flags, '--yes');
  expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining(message)});
});

describe('what cannot be undone', () => {
  test.each([['--delete'], ['--mark-spammer']])('%s needs --allow-deletions with --yes', async (flag) => {
    const {sent} = having([{id: '5'}, {id: '6', acct: 'other'}]);
    const {status, stderr} = await moderate('5', '6', flag, '--yes', '--json');
    expect({status, reason: error(stderr).reason}).toEqual({status: 5, reason: 'guard'});
    expect(await moderate('5', '6', flag, '--yes', '--allow-deletions', '1')).toMatchObject({status: 5});
    expect(sent).toEqual([]);
    expect(await moderate('5', '6', flag, '--yes', '--allow-deletions', '2', '--rate', '100')).toMatchObject({status: 0});
    expect(sent).toHaveLength(2);
  });

  test('the question names each post, its age, and the posts and followers of its author', async () => {
    having([{id: '5'}, {id: '6'}]);
    const {status, stderr} = await runCommand(['posts', 'moderate', '5', '6', '--delete'], {typing: 'n\n'});
    expect(status).toBe(2);
    expect(stderr).toMatch(/^ {2}post of @spam1, “text of 5”, .*old, 3 posts, 1 follower$/m);
    expect(stderr).toContain('Delete 2 posts on pix.example? This cannot be undone.');
  });

  test('the question of --mark-spammer names the author, once', async () => {
    const {sent} = having([{id: '5'}, {id: '6'}]);
    const {stderr} = await runCommand(['posts', 'moderate', '5', '6', '--mark-spammer'], {typing: 'y\n'});
    expect(stderr).toMatch(/^ {2}@spam1, .*old, 3 posts, 1 follower$/m);
    expect(stderr).toContain('Mark 1 person on pix.example as spammers');
    expect(sent).toEqual(['5 mark-spammer']);
  });

  test('a post that cannot be read is asked about by its id', async () => {
    having([{id: '5'}], {isHidden: true});
    const {stderr} = await runCommand(['posts', 'moderate', '5', '--delete'], {typing: 'n\n'});
    expect(stderr).toContain('  post 5, which cannot be read, and nothing tells whose it is');
  });

  const account = {id: '9115', acct: 'spam1', created_at: '2026-11-13T10:00:00.000Z', statuses_count: 3, followers_count: 1};
  const status = {id: '5', content_text: 'cheap', account};

  test.each([
    ['a report', {id: 8, object_type: 'App\\Status', object_id: 5, reported_by_account: {id: '1'}, status}],
    ['an entry of the spam filter', {id: 7, type: 'post.autospam', item_id: 5, item_type: 'App\\Status', status}],
    ['a post', {...status, visibility: 'public', content: 'x', favourites_count: 1}],
  ])('a post that cannot be read has the author that %s shows, in the question and in the record', async (_, told) => {
    const folder = newFolder();
    const [list, file] = [join(folder, 'list.ndjson'), join(folder, 'saved.ndjson')];
    writeFileSync(list, JSON.stringify(told));
    for (const [flag, line] of [
      ['--delete', 'post of @spam1, “cheap”, which cannot be read (5)'],
      ['--mark-spammer', '@spam1, whose post 5 cannot be read'],
    ] as const) {
      nock.cleanAll();
      const {sent} = having([{id: '5'}], {isHidden: true});
      const {stderr} = await runCommand(['posts', 'moderate', '--from', list, flag], {typing: 'n\n'});
      expect(stderr).toContain(`  ${line}`);
      expect(await moderate('--from', list, flag, '--save', file, '--yes', '--allow-deletions', '1')).toMatchObject({status: 0});
      expect(sent).toHaveLength(1);
    }
    const [saved] = linesIn(file);
    expect(saved).toMatchObject({action: 'delete', post: {id: '5'}, account: {id: '9115', acct: 'spam1'}});
  });

  test('a post that cannot be read has the author of the record, which is told by an answer', async () => {
    const file = join(newFolder(), 'saved.ndjson');
    const {sent} = having([{id: '5'}, {id: '6'}], {isHidden: true});
    expect(await moderate('5', '--visibility', 'private', '--save', file, '--yes')).toMatchObject({status: 0});
    expect(linesIn(file)).toMatchObject([
      {action: 'mark-private', post: {id: '5'}},
      {action: 'answer', post: {id: '5', visibility: 'private'}, account: {acct: 'spam1'}},
    ]);
    expect(await moderate('6', '--delete', '--save', file, '--yes', '--allow-deletions', '1')).toMatchObject({status: 2});
    expect(await moderate('5', '--delete', '--save', file, '--yes', '--allow-deletions', '1')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('Deleted post 5.\n'),
    });
    expect(linesIn(file).at(-1)).toMatchObject({action: 'delete', post: {id: '5'}, account: {acct: 'spam1'}});
    expect(sent).toEqual(['5 mark-private', '5 delete']);
  });

  test.each(['--delete', '--mark-spammer'])('%s of a post of nobody known wants its address with --yes', async (flag) => {
    const {sent} = having([{id: '5'}], {isHidden: true});
    expect(await moderate('5', flag, '--yes', '--allow-deletions', '1')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Post 5 cannot be read, and nothing tells whose it is: nothing was sent'),
    });
    expect(sent).toEqual([]);
    const file = join(newFolder(), 'saved.ndjson');
    const address = 'https://pix.example/p/spam1/5';
    expect(await moderate(address, flag, '--save', file, '--yes', '--allow-deletions', '1')).toMatchObject({status: 0});
    expect(sent).toHaveLength(1);
    expect(linesIn(file)[0]).toMatchObject({post: {id: '5', url: address}});
  });

  test('what is about to be changed is kept first, with why', async () => {
    const file = join(newFolder(), 'saved.ndjson');
    having([{id: '5', visibility: 'unlisted'}]);
    const words = ['5', '--visibility', 'private', '--save', file, '--reason', 'spam', '--yes'];
    expect(await moderate(...words)).toMatchObject({status: 0});
    const [line = '', ...rest] = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(rest).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({
      server,
      action: 'mark-private',
      reason: 'spam',
      post: {id: '5', visibility: 'unlisted', sensitive: false},
      account: {acct: 'spam1'},
    });
  });
});

test('a dry run reads nothing, and shows the request with the id', async () => {
  const {stdout} = await runCommand(['posts', 'moderate', 'https://pix.example/p/bob/5', '--delete', '--dry-run', '--json']);
  expect(JSON.parse(stdout).requests).toMatchObject([{method: 'POST', path: `${path}/5`, body: {action: 'delete'}}]);
});
