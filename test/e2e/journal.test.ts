/** A run with a journal: what a second one sends, says and refuses. */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {newFolder, runShell, start, type Ended} from './program.js';
import {serverThat, type Answered, type Received} from './server.js';
import {machineWith, profileOn} from './signing-in.js';
import {failureIn} from './told.js';
import {jsonLines} from '../json-documents.js';

const idOf = ({target, body}: Received): string => /conversations\/(\d+)\//.exec(target)?.[1] ?? String(JSON.parse(body.toString()).id);
const results = ({stdout}: Ended) => jsonLines(stdout);
const ok: Answered = {text: '{"n": 2.50}'};
/** As `thread unmute` is answered. */
const muted: Answered = {text: '[200]'};

const withJournal =
  (...command: readonly string[]) =>
  (ids: readonly number[], ...flags: readonly string[]) => [
    ...command,
    ...ids.map(String),
    '--journal',
    'journal',
    '-o',
    'ndjson',
    ...flags,
  ];
const accept = withJournal('dm', 'accept');
const unmute = withJournal('thread', 'unmute');

/** A server whose answers can be changed between runs, and a folder for the journal. */
async function world(answer: (received: Received) => Answered | Promise<Answered>) {
  const now = {answer};
  const server = await serverThat((received) => now.answer(received), 'canary-of-a-token');
  const folder = newFolder();
  return {
    now,
    server,
    folder,
    journal: join(folder, 'journal'),
    sent: () => server.exchanges.map(({received}) => idOf(received)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    go: (args: readonly string[], env: Readonly<Record<string, string>> = {}) => run(args, {env: {...server.env, ...env}, folder}),
  };
}

describe('a run that was killed during requests', () => {
  async function killed(args: readonly string[], answer: Answered) {
    const made = await world(() => answer);
    const {server, folder, journal} = made;
    const arrived = new Promise<void>((resolve) => {
      made.now.answer = (received) => {
        if (idOf(received) !== '2') return answer;
        resolve();
        return new Promise<Answered>(() => {});
      };
    });
    const running = start(args, {env: server.env, folder});
    await arrived;
    running.child.kill('SIGKILL');
    await running.ended;
    expect(existsSync(journal)).toBe(true);
    made.now.answer = () => answer;
    return made;
  }

  test.concurrent('resends repeatable requests', async () => {
    await using place = await killed(accept([1, 2, 3], '--concurrency', '1'), ok);
    const {go} = place;
    const again = await go(accept([1, 2, 3], '--concurrency', '1'));
    expect(again.status).toBe(0);
    expect(results(again).map(({ok: isOk, resumed}) => [isOk, resumed])).toEqual([
      [true, true],
      [true, undefined],
      [true, undefined],
    ]);
  });

  test.concurrent('lists requests of unknown outcome until --resend-unknown is given', async () => {
    await using place = await killed(unmute([1, 2, 3], '--concurrency', '1'), muted);
    const {go, sent} = place;
    const again = await go(unmute([1, 2, 3]));
    expect(again.status).toBe(11);
    expect(failureIn(again.stderr).hint).toContain('--resend-unknown');
    expect(results(again)).toMatchObject([
      {target: '1', ok: true, resumed: true},
      {target: '2', ok: false, status: null, unknown: true, error: {code: 'unavailable', hint: expect.stringContaining('check with')}},
      {target: '3', ok: true},
    ]);
    // The one under way when it was killed was never answered here.
    expect(sent()).toEqual(['1', '3']);
    const last = await go(unmute([1, 2, 3], '--resend-unknown'));
    expect(last).toMatchObject({status: 0});
    expect(sent()).toEqual(['1', '3', '2']);
  });
});

describe('refuses a journal, and sends nothing,', () => {
  test.concurrent.each([
    ['of another command', ['dm', 'mute', '1', '2', '--journal', 'journal'], {}, 'its command is dm accept, not dm mute'],
    ['of other targets', accept([1, 3]), {}, 'its targets or options differ'],
    ['of more targets', accept([1, 2, 3]), {}, 'it has 2 targets, not 3'],
    ['of another account', accept([1, 2]), {PIXELCTL_TOKEN: 'another-token'}, 'its account is token'],
    ['of another server', accept([1, 2]), {PIXELCTL_SERVER: 'https://other.example'}, 'its server is http://127.0.0.1'],
  ])('%s', async (_, args, env, message) => {
    await using place = await world(() => ok);
    const {go, sent} = place;
    await go(accept([1, 2]));
    const {status, stderr} = await go(args, env);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('nothing was sent');
    expect(sent()).toHaveLength(2);
  });

  test.concurrent('of another profile, where servers do not name accounts', async () => {
    await using place = await world(() => ok);
    const {server, folder, sent} = place;
    const profile = (name: string) => [profileOn(server.url, {name, account: null}), {accessToken: `token-of-${name}`}] as const;
    const machine = await machineWith(profile('one'), profile('two'));
    const go = (name: string) => machine.run([...accept([1, 2]), '-p', name], {folder});
    expect((await go('one')).status).toBe(0);
    const {status, stderr} = await go('two');
    expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining('its account is one, not two')});
    expect(sent()).toHaveLength(2);
  });

  test.concurrent('a journal in use by another process is refused, and nothing is sent', async () => {
    let release = (): void => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    let arrive = (): void => {};
    const hasArrived = new Promise<void>((resolve) => (arrive = resolve));
    await using place = await world(async () => {
      arrive();
      await isReleased;
      return ok;
    });
    const {server, folder, go} = place;
    const first = start(accept([1, 2]), {env: server.env, folder});
    await hasArrived;
    const second = await go(accept([1, 2]));
    release();
    expect(second.status).toBe(9);
    expect(failureIn(second.stderr).message).toMatch(
      /^Another pixelctl \(process \d+\) is using the journal \S*journal: nothing was sent$/,
    );
    expect((await first.ended).status).toBe(0);
    expect(server.exchanges).toHaveLength(2);
  });
});

test.concurrent('drops a truncated last line, with a warning', async () => {
  await using place = await world(() => ok);
  const {go, journal, sent} = place;
  await go(accept([1, 2]));
  writeFileSync(journal, readFileSync(journal, 'utf8').slice(0, -20));
  const {status, stderr} = await go(accept([1, 2]));
  expect({status, stderr}).toEqual({status: 0, stderr: 'Warning: removed the last line of journal, which was incomplete\n'});
  expect(sent()).toHaveLength(3);
});

test.concurrent('stops when the disk is full; a resumed run repeats nothing that is not repeatable', async () => {
  await using place = await world(() => muted);
  const {server, go, folder, sent} = place;
  const ids = Array.from({length: 60}, (_, index) => index + 1);
  const full = await runShell(`trap '' XFSZ; ulimit -f 2; pixelctl ${unmute(ids).join(' ')}`, {env: server.env, folder});
  expect(full.status).toBe(9);
  expect(failureIn(full.stderr)).toMatchObject({
    code: 'local',
    message: expect.stringMatching(/^Cannot write to the journal journal: .+; \d+ more were not sent$/),
  });
  // What was sent has its result, also where that could not be written down.
  expect(
    results(full)
      .map(({target}) => target)
      .toSorted(),
  ).toEqual(sent().toSorted());
  const again = await go(unmute(ids));
  expect(results(again).map(({target}) => target)).toEqual(ids.map(String));
  expect(sent().toSorted()).toEqual([...new Set(sent())].toSorted());
});
