/** People of a server: who is meant, what is set, and what cannot be taken back, with the built program and the test server. */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {SkippingClock} from '../loopback-server.js';
import {waits} from './program.js';
import {desk, failed, moderation, type Desk} from './admin-desk.js';

/** A user of the demo as lists print one. */
async function listed({run: ask}: Desk, name: string) {
  const {stdout} = await ask(['users', 'list', '--query', name.slice(1), '-o', 'ndjson']);
  return stdout.trimEnd();
}

describe('who is meant', () => {
  test('one person is one target, however often and however named', async () => {
    await using one = await desk();
    const object = await listed(one, '@deals10');
    const {id} = JSON.parse(object);
    const stdin = `${object}\n@deals10\n${id}\n@crypto11\n`;
    const {stdout, status} = await one.run(['users', 'update', '-', '--unlisted', '--yes', '-o', 'ndjson', '--fields', 'target,ok'], {
      stdin,
    });
    expect({status, stdout}).toEqual({status: 0, stdout: `{"target":"${id}","ok":true}\n{"target":"@crypto11","ok":true}\n`});
    expect(one.acts()).toHaveLength(2);
    expect(await moderation(one, '@deals10')).toMatchObject({unlisted: true});
  });

  test('reports name the accounts that are reported, and those of other servers are skipped only where that is asked for', async () => {
    await using one = await desk();
    const {stdout: stdin} = await one.run(['reports', 'list', '--all', '-o', 'ndjson', '--jq', 'select(.status or .account)']);
    const words = ['users', 'update', '-', '--unlisted', '--cw', '--yes', '-o', 'ndjson', '--jq', '.target'];
    const refused = await one.run(words, {stdin});
    expect(failed(refused)).toMatchObject({
      status: 2,
      error: expect.stringContaining('@troll42@spam.example.net is an account of another server'),
    });
    expect(refused.stderr).toMatch(/instances moderate.*--skip-invalid/);
    expect(one.acts()).toEqual([]);
    const {stdout, stderr, status} = await one.run([...words, '--skip-invalid'], {stdin});
    expect({status, stdout}).toEqual({status: 0, stdout: '@bob\n@sly\n'});
    expect(stderr).toContain('skipped: 1 target: @troll42@spam.example.net');
  });
});

describe('users update', () => {
  test.each(['@admin', '@rosa.film'])('admins and oneself are refused, but counted: %s', async (user) => {
    await using one = await desk();
    expect(failed(await one.run(['users', 'update', user, '--cw', '--yes']))).toMatchObject({
      status: 5,
      error: expect.stringContaining(`${user} is an admin`),
    });
    expect(one.acts()).toEqual([]);
    expect((await one.run(['users', 'update', user, '--refresh-stats', '--yes'])).status).toBe(0);
    const several = await one.run(['users', 'update', user, '@deals10', '--cw', '--yes', '-o', 'ndjson', '-q', '[.ok, .error.code]']);
    expect(several).toMatchObject({status: 11, stdout: '[false,"refused"]\n[true,null]\n'});
  });

  test('what a person is told of a question names everybody', async () => {
    await using one = await desk();
    const {stderr, status} = await one.run(['users', 'update', '@deals10', '302', '--unlisted', '--cw'], {typing: 'n\n', columns: 200});
    expect({status, stderr}).toMatchObject({status: 2, stderr: expect.stringContaining('Cancelled. Nothing was sent.')});
    expect(stderr).toContain('Keep the posts of @deals10, @shoes49 off public timelines, mark their posts as sensitive on 127.0.0.1');
    expect(one.acts()).toEqual([]);
  });
});

describe('what cannot be taken back', () => {
  test('with --yes it needs to know how many, and sends nothing before', async () => {
    await using one = await desk();
    const without = await one.run(['users', 'delete', '@deals10', '--yes', '--json']);
    expect(failed(without)).toMatchObject({status: 5, error: expect.stringContaining('1 person would be deleted')});
    expect(one.server.exchanges).toEqual([]);
    const few = await one.run(['users', 'delete', '@deals10', '@crypto11', '--yes', '--allow-deletions', '1', '--json']);
    expect(JSON.parse(few.stderr).error).toMatchObject({code: 'refused', exit: 5, hint: expect.stringContaining('--allow-deletions 2')});
    expect(one.acts()).toEqual([]);
  });

  test('with --yes a plain number is refused, and an object is taken', async () => {
    await using one = await desk();
    const object = await listed(one, '@deals10');
    const {id} = JSON.parse(object);
    const words = ['users', 'delete', '-', '--yes', '--allow-deletions', '1'];
    expect(failed(await one.run(words, {stdin: `${id}\n`}))).toMatchObject({status: 2, error: expect.stringContaining('a plain number')});
    expect(one.acts()).toEqual([]);
    expect((await one.run(words, {stdin: object})).status).toBe(0);
    expect(one.acts()).toEqual([`${id} refresh_stats`, `${id} delete`]);
  });

  test('a question names everybody with numbers as they are now, and wants the number typed', async () => {
    await using one = await desk();
    const words = ['users', 'delete', '@deals18', '@crypto11', '@admin'];
    const asked = await one.run(words, {typing: 'y\n', columns: 100});
    expect(asked.status).toBe(2);
    expect(asked.stderr).toMatch(/ {2}@deals18, 6 days old, 1 post, 0 followers\n {2}@crypto11, 8 days old, 2 posts, 0 followers\n/);
    expect(asked.stderr).toMatch(/Delete 2 people on 127\.0\.0\.1:\d+ permanently, with all posts\? Type 2 to confirm:/);
    expect(one.acts().filter((act) => act.endsWith('delete'))).toEqual([]);
    const {status, stderr} = await one.run(words, {typing: '2\n', columns: 100});
    expect({status, stderr}).toMatchObject({status: 11});
    expect(one.acts().filter((act) => act.endsWith('delete'))).toHaveLength(2);
  });

  test('a question names the first twenty', async () => {
    await using one = await desk();
    const {stdout} = await one.run(['users', 'list', '--max', '30', '-o', 'ndjson']);
    writeFileSync(one.path('spam.ndjson'), stdout);
    const {stderr} = await one.run(['users', 'delete', '--from', 'spam.ndjson'], {typing: 'n\n', columns: 100});
    expect(stderr.replaceAll(waits, '').match(/^ {2}@/gm)).toHaveLength(20);
    expect(stderr).toContain('  and 10 more');
    expect(stderr).toContain('Type 30 to confirm');
  });

  test('what is deleted is kept before, with the reason, and without addresses', async () => {
    await using one = await desk();
    const words = ['--save', 'kept.ndjson', '--yes', '--allow-deletions', '2', '--json'];
    expect((await one.run(['users', 'delete', '@deals10', '@crypto11', ...words, '--reason', 'spam'])).status).toBe(0);
    const {origin} = new URL(one.server.url);
    expect(one.lines('kept.ndjson')).toEqual(
      ['deals10', 'crypto11'].map((username) => ({
        time: expect.any(String),
        server: origin,
        action: 'delete',
        reason: 'spam',
        user: expect.objectContaining({username, statuses_count: expect.any(Number)}),
      })),
    );
    expect(readFileSync(one.path('kept.ndjson'), 'utf8')).not.toMatch(/@example\.com|198\.51/);
  });

  test('nothing is sent when it cannot be kept', async () => {
    await using one = await desk();
    const words = ['--save', 'no-folder/kept.ndjson', '--yes', '--allow-deletions', '1'];
    expect((await one.run(['users', 'delete', '@deals10', ...words])).status).toBe(9);
    writeFileSync(one.path('mine.txt'), 'my own words\n');
    const mine = await one.run(['users', 'update', '@deals10', '--cw', '--yes', '--save', 'mine.txt']);
    expect(failed(mine)).toMatchObject({status: 2, error: expect.stringContaining('mine.txt exists, and is no record of changes')});
    expect(one.server.exchanges).toEqual([]);
    expect(existsSync(one.path('no-folder'))).toBe(false);
  });

  test('a second apart, one after the other, unless a flag says otherwise', async () => {
    await using one = await desk();
    const clock = new SkippingClock();
    const words = ['--yes', '--allow-deletions', '3', '--concurrency', '4'];
    await one.run(['users', 'delete', '@deals10', '@crypto11', '@casino12', ...words], {clock});
    expect(clock.skipped).toBeGreaterThanOrEqual(2000);
    const faster = new SkippingClock();
    await one.run(['users', 'delete', '@deals18', '@crypto19', '@casino20', ...words, '--rate', '100/s'], {clock: faster});
    expect(faster.skipped).toBeLessThan(1000);
    expect(one.acts().filter((act) => act.endsWith('delete'))).toHaveLength(6);
  });
});
