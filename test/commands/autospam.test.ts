/** What the spam filter held back: how it is read to its end, and what is shown of it. */
import {array, asyncProperty, assert as check, constantFrom, nat} from 'fast-check';
import nock from 'nock';
import {join} from 'node:path';
import {afterEach, describe, expect, test} from 'vitest';
import {recordingsIn} from '../lib/sandbox/recording.js';
import {SkippingClock} from '../loopback-server.js';
import {expectFailure, runCommand, server} from '../run-command.js';
import {newFolder} from '../new-folder.js';

const path = '/api/admin/autospam';
const textOf = (recording: string): string =>
  recordingsIn('0.12.6', 'admin-people').find(({name}) => name === recording)?.response.text ?? '';

/** Pages by their number, from 1; those that are not given are empty. @returns the numbers that were asked for */
function filter(...pages: readonly string[]): readonly number[] {
  const asked: number[] = [];
  nock(server)
    .persist()
    .get(`${path}/list`)
    .query(({page}) => {
      asked.push(Number(page ?? 1));
      return true;
    })
    .reply(() => [200, pages[(asked.at(-1) ?? 1) - 1] ?? '[]', {'content-type': 'application/json'}]);
  return asked;
}

describe('autospam list', () => {
  test('an entry is shown with its account, time, text and address', async () => {
    filter(textOf('autospam-page-1'));
    const {stdout} = await runCommand(['autospam', 'list', '--quiet']);
    expect(stdout).toMatch(/^7 +@spam3 +2026-11-23T05:45:26.* +buy now spam3 0 +https:\/\/pix\.example\/p\/spam3\/1030355633409081353$/m);
  });

  test('the recorded pages are read to the first that is empty', async () => {
    const asked = filter(textOf('autospam-page-1'), textOf('autospam-page-2'), textOf('autospam-page-3'));
    const {stdout, status} = await runCommand(['autospam', 'list', '--all', '--jq', '.[].id']);
    expect({stdout, status}).toEqual({stdout: '7\n8\n9\n1\n2\n3\n4\n5\n6\n', status: 0});
    expect(asked).toEqual([1, 2, 3]);
  });

  test('entries whose posts are gone are passed over and counted, and a page of nothing else is not the end', async () => {
    filter('[null,{"id":9},null]', '[null,null,null,null,null,null]', '[{"id":4}]');
    const {stdout, stderr} = await runCommand(['autospam', 'list', '--all', '--fields', 'id']);
    expect({stdout, stderr}).toEqual({stdout: 'id\n9\n4\n', stderr: 'Passed over 8 entries whose posts are gone.\n'});
  });

  test('the first page with an entry is printed, as the server sent it in JSON', async () => {
    const asked = filter('[null]', '[null,{"id":4}]');
    expect(await runCommand(['autospam', 'list', '--json'])).toEqual({
      status: 0,
      stdout: '[null,{"id":4}]\n',
      stderr: expect.stringContaining('Showing 1; there may be more.'),
    });
    expect(asked).toEqual([1, 2]);
    nock.cleanAll();
    filter('[null]', '[null,{"id":4}]');
    expect(await runCommand(['autospam', 'list', '-o', 'csv', '--fields', 'id'])).toMatchObject({status: 0, stdout: 'id\r\n4\r\n'});
  });

  test('one entry whose post is gone is told as one', async () => {
    filter('[null,{"id":4}]');
    const {stderr} = await runCommand(['autospam', 'list']);
    expect(stderr).toContain('Passed over 1 entry whose post is gone.\n');
  });

  test('a filter that holds nothing back is said to', async () => {
    const asked = filter();
    expect(await runCommand(['autospam', 'list'])).toEqual({status: 0, stdout: '', stderr: 'The spam filter holds no posts back.\n'});
    expect(asked).toEqual([1]);
  });

  test.each([['[{"id":7}]'], ['{"data":[{"id":7}]}']])('an entry without a post, bare or in `data`, is shown: %s', async (text) => {
    filter(text);
    const {status, stdout} = await runCommand(['autospam', 'list', '--quiet', '--fields', 'id,status.id']);
    expect({status, stdout}).toEqual({status: 0, stdout: 'id  status.id\n7   –\n'});
  });

  test('every entry is listed once, whatever is null, and every null is counted', async () => {
    const rows = array(constantFrom('entry', 'null'), {maxLength: 40});
    await check(
      asyncProperty(rows, nat(5), async (kinds, extra) => {
        const size = extra + 1;
        const texts = kinds.map((kind, index) => (kind === 'null' ? 'null' : `{"id":${kinds.length - index}}`));
        const pages = Array.from(
          {length: Math.ceil(texts.length / size)},
          (_, page) => `[${texts.slice(page * size, (page + 1) * size).join(',')}]`,
        );
        filter(...pages);
        const {stdout, stderr} = await runCommand(['autospam', 'list', '--all', '-o', 'csv', '--fields', 'id', '--no-header']);
        nock.cleanAll();
        expect(stdout).toBe(texts.flatMap((text) => (text === 'null' ? [] : `${JSON.parse(text).id}\r\n`)).join(''));
        const nulls = kinds.filter((kind) => kind === 'null').length;
        expect(/Passed over (\d+)/.exec(stderr)?.[1] ?? '0').toBe(String(nulls));
      }),
      {numRuns: 8},
    );
  });
});

/** An entry of the spam filter; null stands for one whose post is gone. */
interface Entry {
  readonly id: number;
  readonly acct: string;
  readonly isNull?: boolean;
  readonly sensitive?: boolean;
  /** The post that it is about, where it shows another one. */
  readonly item?: string;
  /** Its post has no author. */
  readonly isBare?: boolean;
}

interface Odd {
  /** What becomes of the n-th request that handles one, from 1: its answer is lost, after or before it was carried out. */
  readonly at?: Readonly<Record<number, 'lost after' | 'lost before'>>;
  /** Handled by somebody else after so many requests for pages, which moves later pages up. */
  readonly handled?: Readonly<Record<number, number>>;
}

/** Digits, as servers have them. */
const accountId = (acct: string): string => String(Buffer.from(acct).reduce((sum, byte) => sum * 31 + byte, 7));

/** A server whose spam filter holds these back. @returns what was sent, in order: `7 dismiss` */
function holding(all: readonly Entry[], {at = {}, handled = {}}: Odd = {}): {readonly sent: string[]; readonly reads: () => number} {
  const sent: string[] = [];
  let [open, reads, page] = [[...all], 0, 1];
  const user = (acct: string) => ({
    data: {
      id: accountId(acct),
      profile_id: accountId(acct),
      username: acct,
      is_admin: acct === 'root',
      created_at: '2026-11-22T05:45:26.000000Z',
      statuses_count: 6,
      followers_count: 0,
    },
    meta: {moderation: {unlisted: false, cw: false, no_autolink: false}},
  });
  nock(server).persist().get('/api/v1/accounts/verify_credentials').optionally().reply(200, {id: '1', acct: 'me', username: 'me'});
  const people = [...new Set(all.map(({acct}) => acct))].map(user);
  nock(server)
    .persist()
    .get('/api/admin/users/list')
    .query(true)
    .optionally()
    .reply(200, {data: people.map(({data}) => data), meta: {next_cursor: null}});
  nock(server)
    .persist()
    .post('/api/admin/users/action')
    .optionally()
    .reply(async (request: Request) => {
      const {id, action}: {readonly id: string; readonly action: string} = JSON.parse(await request.text());
      return action === 'refresh_stats' ? [200, people.find(({data}) => data.id === id)] : [500, {errors: {}}];
    });
  const entry = ({id, acct, isNull, isBare, sensitive = false, item}: Entry) =>
    isNull === true
      ? null
      : {
          id,
          type: 'post.autospam',
          item_id: item ?? `55${id}`,
          item_type: String.raw`App\Status`,
          created_at: '2026-11-23T05:45:26.000000Z',
          status: {
            id: `55${id}`,
            visibility: 'unlisted',
            sensitive,
            content_text: `buy ${id}`,
            created_at: '2026-11-23T05:45:26.000000Z',
            account:
              isBare === true
                ? undefined
                : {id: accountId(acct), acct, created_at: '2026-11-22T05:45:26.000000Z', statuses_count: 4, followers_count: 0},
          },
        };
  nock(server)
    .persist()
    .get(`${path}/list`)
    .query((query) => {
      page = Number(query['page'] ?? 1);
      return true;
    })
    .optionally()
    .reply(() => {
      reads += 1;
      const answer = open.slice((page - 1) * 6, page * 6).map(entry);
      open = open.filter(({id}) => id !== handled[reads]);
      return [200, answer];
    });
  nock(server)
    .persist()
    .post(`${path}/handle`)
    .optionally()
    .reply(async (request: Request) => {
      const {id, action}: {readonly id: string; readonly action: string} = JSON.parse(await request.text());
      sent.push(`${id} ${action}`);
      const [one, odd] = [open.find((each) => String(each.id) === id), at[sent.length]];
      if (one === undefined) return [500, {error: String.raw`No query results for model [App\AccountInterstitial] ${id}`}];
      if (action === 'delete-account' && one.acct === 'root') return [400, {error: 'Cannot delete an admin account.'}];
      if (odd === 'lost before') return [502, ''];
      const isOfAll = action.endsWith('-all') || action === 'delete-account';
      open = open.filter((each) => (isOfAll ? each.acct !== one.acct : each !== one));
      return odd === 'lost after' ? [502, ''] : [200, {status: 'success'}];
    });
  return {sent, reads: () => reads};
}

const numbered = (count: number, acct = 'spam'): Entry[] => Array.from({length: count}, (_, index) => ({id: count - index, acct}));

const handle = (...words: readonly string[]) =>
  runCommand(['autospam', 'handle', ...words, '--retries', '0'], {clock: new SkippingClock()});

describe('autospam handle', () => {
  afterEach(() => nock.cleanAll());

  test.each(['dismiss', 'approve'])('%s is sent once for each entry', async (action) => {
    const {sent} = holding(numbered(3));
    const {status, stdout} = await handle('3', '1', '3', '--action', action, '--yes', '-o', 'ndjson', '--concurrency', '1');
    expect({status, sent}).toEqual({status: 0, sent: [`3 ${action}`, `1 ${action}`]});
    expect(stdout).toBe(
      ['3', '1'].map((target) => `${JSON.stringify({target, ok: true, status: 200, body: {status: 'success'}})}\n`).join(''),
    );
  });

  test('an entry whose post is gone, and so is not listed, can be dismissed', async () => {
    const {sent} = holding([{id: 3, acct: 'spam', isNull: true}]);
    expect(await handle('3', '--action', 'dismiss', '--yes')).toMatchObject({status: 0, stderr: 'Handled entry 3 with dismiss.\n'});
    expect(sent).toEqual(['3 dismiss']);
  });

  test.each([
    ['dismiss', 0, 'Handled entry 3 with dismiss.'],
    ['delete-post', 5, 'pix.example does not show whose post entry 3 is: nothing was sent'],
    ['dismiss-all', 5, 'pix.example does not show whose post entry 3 is: nothing was sent'],
  ])('of an entry without an author, %s ends with %i', async (action, status, says) => {
    const {sent} = holding([{id: 3, acct: 'spam', isBare: true}]);
    const ended = await handle('3', '--action', action, '--yes', '--allow-deletions', '1');
    expect({...ended, sent}).toMatchObject({status, stderr: expect.stringContaining(says), sent: status === 0 ? [`3 ${action}`] : []});
  });

  test('an entry that was handled already is not found', async () => {
    const {sent} = holding(numbered(3));
    const {status, stderr} = await handle('9', '--action', 'dismiss', '--yes');
    expect({status, stderr}).toEqual({
      status: 4,
      stderr: expect.stringContaining('it was already handled, or does not exist: see `pixelctl autospam list'),
    });
    expect(sent).toEqual(['9 dismiss']);
  });

  test.each(['delete-post', 'delete-account', 'dismiss-all', 'approve-all'])(
    '%s is refused for what is not in the list',
    async (action) => {
      const {sent} = holding(numbered(8));
      const {status, stderr} = await handle('9', '--action', action, '--yes', '--allow-deletions', '5');
      expect({status, sent, stderr}).toEqual({
        status: 4,
        sent: [],
        stderr: expect.stringContaining('The spam filter of pix.example lists no entry 9: nothing was sent'),
      });
    },
  );

  test('an entry that moves to a page that was read, because another one is handled, is found', async () => {
    // Entry 6 is the first of the second page; it moves to the first one after that was read.
    const {sent} = holding(numbered(12), {handled: {1: 12}});
    expect(await handle('6', '--action', 'delete-post', '--yes', '--allow-deletions', '1')).toMatchObject({status: 0});
    expect(sent).toEqual(['6 delete-post']);
  });

  test('no more pages are read than are needed to find the entries', async () => {
    const {sent, reads} = holding(numbered(30));
    await handle('30', '25', '--action', 'delete-post', '--yes', '--allow-deletions', '2', '--rate', '100');
    expect({sent, reads: reads()}).toEqual({sent: ['30 delete-post', '25 delete-post'], reads: 1});
  });

  test.each(['delete-account', 'dismiss-all', 'approve-all'])(
    '%s is sent once for a person, however many entries are named',
    async (action) => {
      const {sent} = holding([...numbered(2, 'one'), {id: 7, acct: 'two'}]);
      const words = ['1', '2', '7', '--action', action, '--yes', '--rate', '100'];
      expect(await handle(...words, '--allow-deletions', '1')).toMatchObject({status: 5, stderr: expect.stringContaining('2 people')});
      expect(sent).toEqual([]);
      expect(await handle(...words, '--allow-deletions', '2')).toMatchObject({status: 0});
      expect(sent).toEqual([`1 ${action}`, `7 ${action}`]);
    },
  );

  test('the account of an admin is refused', async () => {
    holding([{id: 1, acct: 'root'}]);
    const {status, stderr} = await handle('1', '--action', 'delete-account', '--yes', '--allow-deletions', '1');
    expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining('admins are changed on the server itself')});
  });

  test('the question names what is deleted, and asks for the number of people', async () => {
    const {sent} = holding([...numbered(1, 'one'), {id: 7, acct: 'two'}]);
    const line = ['autospam', 'handle', '1', '7', '--action', 'delete-account', '--rate', '100'];
    const {status, stderr} = await runCommand(line, {typing: 'y\n'});
    expect({status, sent}).toEqual({status: 2, sent: []});
    expect(stderr).toMatch(/ {2}@one, .*old, 6 posts, 0 followers$/m);
    expect(stderr).toContain('The server counted these posts and followers just now.');
    expect(stderr).toContain('Cancelled. Nothing was changed.');
    expect(stderr).toContain('Delete 2 people with everything that they posted on pix.example? This cannot be undone. Type 2 to confirm:');
    expect(await runCommand(line, {typing: '2\n'})).toMatchObject({status: 0});
    expect(sent).toEqual(['1 delete-account', '7 delete-account']);
  });

  test.each([
    [false, '3 posts held back, 2 of them sensitive: they become public and not sensitive'],
    [true, '3 posts held back, which become public and sensitive'],
  ])('the question about approve-all counts what it makes of posts, where the named one is sensitive: %j', async (sensitive, says) => {
    const others = numbered(8, 'other').map(({id, acct}) => ({id: id + 10, acct}));
    holding([{id: 30, acct: 'one', sensitive}, ...others, {id: 2, acct: 'one', sensitive: true}, {id: 1, acct: 'one', sensitive: true}]);
    const {stderr} = await runCommand(['autospam', 'handle', '30', '--action', 'approve-all'], {typing: 'n\n'});
    expect(stderr).toContain(`  @one, ${says}`);
  });

  test.each(['dismiss', 'approve', 'delete-post', 'delete-account'])(
    '%s is not done to an entry that is about another post than it shows',
    async (action) => {
      const {sent} = holding([{id: 1, acct: 'one', item: '9'}]);
      const {status, stderr} = await handle(
        '1',
        '--action',
        action,
        '--yes',
        ...(action.startsWith('delete') ? ['--allow-deletions', '1'] : []),
      );
      expect({status, sent, stderr}).toEqual({
        status: 8,
        sent: [],
        stderr: expect.stringContaining('entry 1 is about post 9, and shows post 551'),
      });
    },
  );

  test('the question about entries names whose posts they are', async () => {
    holding(numbered(2, 'one'));
    const {stderr} = await runCommand(['autospam', 'handle', '1', '2', '--action', 'dismiss'], {typing: 'n\n'});
    expect(stderr).toContain('Handle post of @one, post of @one on pix.example with the action dismiss? This cannot be undone.');
  });

  test('a run with a journal sends again what was not carried out, and says nothing of what somebody else may have handled', async () => {
    const journal = join(newFolder(), 'journal');
    const line = ['1', '2', '--action', 'delete-post', '--yes', '--allow-deletions', '2', '--rate', '100', '--journal', journal];
    const {sent} = holding(numbered(2), {at: {1: 'lost before'}});
    expect(await handle(...line)).toMatchObject({status: 11});
    expect(await handle(...line)).toMatchObject({status: 0});
    expect(sent).toEqual(['1 delete-post', '2 delete-post', '1 delete-post']);
  });

  test.each([[[]], [['--action', '']]])('an action is needed: %j', async (flags) => {
    expect(await handle('1', ...flags, '--yes')).toMatchObject({status: 2});
  });
});

test('the spam filter is for admins', async () => {
  nock(server).get(`${path}/list`).reply(404, {error: ''});
  await expectFailure(3, 'admin', ['autospam', 'list']);
});
