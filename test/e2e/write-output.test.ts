/** A write that was carried out, when its answer cannot be printed, and one that is interrupted. */
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {begin, run} from './in-process.js';
import {leavingReader, newFolder, runShell, start, tellingSignals, type Ended} from './program.js';
import {serverThat, type Answered, type Received} from './server.js';
import {failureIn} from './told.js';
import {jsonLines} from '../json-documents.js';

const repeats = /\bagain\b|\bretry/i;
const answer = '{"id":12345678901234567890,"size":2.50,"text":"Hi"}';

/** Counts writes, which it answers as it is told. */
async function storing(reply: (received: Received) => Answered | Promise<Answered> = () => ({text: answer})) {
  const stored: string[] = [];
  const server = await serverThat((received) => {
    if (received.method === 'GET') return {status: 404, text: '{"error":"The route could not be found."}'};
    stored.push(received.body.toString());
    return reply(received);
  });
  return {server, stored, folder: newFolder(), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()};
}

const domains = Array.from({length: 40}, (_, index) => `d${index}.example\n`).join('');
const results = (text: string) => jsonLines(text);

const failed = ({stderr}: Ended) => failureIn(`${stderr.trimEnd().split('\n').at(-1)}\n`);

describe('a message', () => {
  test.concurrent.each([['--json'], ['-o', 'ndjson']])('a message on whose answer --jq fails was sent: %s', async (...format) => {
    await using place = await storing();
    const ended = await run(['dm', 'send', '1', 'hello', '--jq', '.x | error', ...format], {env: place.server.env});
    expect(ended.stdout).toBe('');
    expect(failed(ended)).toMatchObject({
      code: 'local',
      exit: 9,
      message: expect.stringMatching(/--jq failed.*the request was carried out$/),
    });
    expect(failed(ended).hint).not.toMatch(repeats);
    expect(failed(ended)).not.toHaveProperty('fate');
    // To the letter.
    expect(ended.stderr).toContain(`,"body":${answer}}}`);
    expect(place.stored).toHaveLength(1);
  });

  test.concurrent('a message is not sent with a --jq that is no jq', async () => {
    await using place = await storing();
    const {status} = await run(['dm', 'send', '1', 'hello', '--jq', '.x |'], {env: place.server.env});
    expect(status).toBe(2);
    expect(place.stored).toEqual([]);
  });

  test.concurrent.each(['-o table', '--json', '-o ndjson', '-o csv', '-o yaml', '--jq .'])(
    'a message was sent, although its answer cannot be written: %s',
    async (flags) => {
      await using place = await storing();
      const words = ['dm', 'send', '1', 'hello', ...flags.split(' ')];
      const {status, stderr} = await run(words, {env: place.server.env, outputError: 'ENOSPC'});
      expect({status, stderr}).toMatchObject({status: 9, stderr: expect.stringContaining('the request was carried out')});
      expect(stderr).not.toMatch(repeats);
      expect(place.stored).toHaveLength(1);
    },
  );

  test.concurrent.each([
    ['SIGINT', 130, 'interrupted'],
    ['SIGTERM', 143, 'terminated'],
  ] as const)('a message is of unknown fate after %s', async (signal, status, code) => {
    let arrive = (): void => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    await using place = await storing(() => (arrive(), new Promise<Answered>(() => {})));
    const {child, ended} = start(['dm', 'send', '1', 'hello', '--json'], {env: place.server.env});
    await arrived;
    child.kill(signal);
    const over = await ended;
    expect(over).toMatchObject({status, stdout: ''});
    expect(failed(over)).toMatchObject({code, exit: status, fate: 'unknown', hint: expect.stringContaining('dm messages 1')});
    expect(failed(over).hint).not.toMatch(repeats);
  });

  test.concurrent('a message was not sent when a pause of the server is interrupted', async () => {
    await using place = await storing(() => ({status: 429, text: '{}', headers: {'retry-after': '60'}}));
    const {child, ended, seen} = start(['dm', 'send', '1', 'hello', '--json', '-v'], {env: place.server.env});
    await seen(/\* waiting/);
    child.kill('SIGINT');
    const over = await ended;
    expect(failed(over)).toMatchObject({code: 'interrupted', message: 'Interrupted before it was sent'});
    expect(failed(over)).not.toHaveProperty('fate');
  });

  test.concurrent('a mute was not sent when it is interrupted while the account is looked for', async () => {
    const arrived = Promise.withResolvers<void>();
    await using server = await serverThat(() => (arrived.resolve(), new Promise<Answered>(() => {})));
    const {ended, signal} = begin(['mutes', 'add', '@bob', '--json'], {env: server.env});
    await arrived.promise;
    signal('SIGINT');
    const over = await ended;
    expect(over).toMatchObject({status: 130, stdout: ''});
    expect(failed(over)).toMatchObject({code: 'interrupted', message: 'Interrupted before it was sent'});
    expect(failed(over)).not.toHaveProperty('fate');
  });

  test.concurrent('a message whose upload fails was not sent', async () => {
    await using place = await storing(() => ({status: 503, text: ''}));
    writeFileSync(join(place.folder, 'a.png'), 'x');
    const ended = await run(['dm', 'send', '1', '--media', 'a.png', '--json', '--no-limits'], {
      env: place.server.env,
      folder: place.folder,
    });
    expect(failed(ended)).toMatchObject({code: 'unavailable', path: '/api/v2/media'});
    expect(failed(ended)).not.toHaveProperty('fate');
  });
});

describe('a run of writes', () => {
  const add = 'domain-blocks add --from domains --yes';

  async function place(reply?: (received: Received) => Answered | Promise<Answered>) {
    const made = await storing(reply ?? (() => ({text: '[]'})));
    writeFileSync(join(made.folder, 'domains'), domains);
    return {...made, shell: (line: string) => runShell(line, {env: made.server.env, folder: made.folder})};
  }
  const statusIn = (folder: string): number => Number(readFileSync(join(folder, 'status'), 'utf8'));

  test.concurrent('a run of writes is finished when the reader of a pipe leaves', async () => {
    await using made = await place();
    const {stderr} = await made.shell(`{ pixelctl ${add} -o ndjson; echo $? > status; } | head -1 > /dev/null`);
    expect({stderr: stderr.replace(/^\d.*\n/gm, ''), status: statusIn(made.folder)}).toEqual({stderr: '', status: 0});
    expect(made.stored).toHaveLength(40);
  });

  test.each([
    ['EPIPE', 0, ''],
    ['ENOSPC', 9, '40 of 40 done'],
  ] as const)('a run of writes is finished after %s, whatever the format', async (outputError, status, says) => {
    for (const flags of ['-o ndjson', '--json', '-o csv', '--jq . -o ndjson', '--quiet']) {
      await using made = await place();
      const ended = await run([...add.split(' '), ...flags.split(' ')], {env: made.server.env, folder: made.folder, outputError});
      expect(ended, flags).toMatchObject({status, stderr: expect.stringContaining(says)});
      expect(ended.stderr).not.toMatch(repeats);
      expect(made.stored).toHaveLength(40);
    }
  });

  test.concurrent('fails as its writes do when the reader leaves', async () => {
    await using made = await place(({body}) => (body.toString().includes('d39.') ? {status: 422, text: '{}'} : {text: '[]'}));
    await made.shell(`{ pixelctl ${add} -o ndjson; echo $? > status; } | head -1`);
    expect(statusIn(made.folder)).toBe(11);
    expect(made.stored).toHaveLength(40);
  });

  test.concurrent('leaves its results in the journal when standard output fails', async () => {
    await using made = await place();
    expect((await made.shell(`pixelctl ${add} -o ndjson --journal journal > /dev/full`)).status).toBe(9);
    const again = await made.shell(`pixelctl ${add} -o ndjson --journal journal`);
    expect(again.status).toBe(0);
    expect(results(again.stdout).filter(({resumed}) => resumed)).toHaveLength(40);
    expect(made.stored).toHaveLength(40);
  });

  const reader = leavingReader('head -1 > /dev/null');

  test.concurrent.each([
    ['when the reader leaves', `| ${reader.line}`, reader.gone],
    ['when standard output fails', '> /dev/full', async () => {}],
  ] as const)('stops with --fail-fast %s', async (_, output, broken) => {
    let count = 0;
    await using made = await place(async () => {
      count += 1;
      if (count > 3) await broken();
      return {text: '[]'};
    });
    const {stderr} = await made.shell(`{ pixelctl ${add} -o ndjson --fail-fast --concurrency 2 2>&3; echo $? > status; } 3>&2 ${output}`);
    expect(statusIn(made.folder)).toBe(9);
    expect(stderr).toContain(`${made.stored.length} of 40 done`);
    expect(made.stored.length).toBeLessThan(40);
  });

  test.concurrent('says that it was carried out when --jq fails on a result, and has the result', async () => {
    await using made = await place();
    const {status, stderr, stdout} = await made.shell(
      `pixelctl ${add} -o ndjson --jq 'if .target == "d3.example" then error("no") else .target end'`,
    );
    expect(status).toBe(9);
    expect(stdout.trim().split('\n')).toHaveLength(39);
    const failure = failureIn(stderr);
    expect(failure).toMatchObject({message: expect.stringContaining('40 of 40 done'), body: {target: 'd3.example', ok: true}});
  });

  test.concurrent('a run that only reads stops quietly when the reader leaves', async () => {
    const leaving = leavingReader('head -1 > /dev/null');
    let asked = 0;
    await using server = await serverThat(async ({target}) => {
      asked += 1;
      if (asked > 4) await leaving.gone();
      return {text: JSON.stringify({data: {id: Number(new URL(target, server.url).searchParams.get('id'))}})};
    });
    const folder = newFolder();
    const ids = Array.from({length: 60}, (_, id) => id + 1).join(' ');
    const line = `{ pixelctl instances get ${ids} -o ndjson; echo $? > status; } | ${leaving.line}`;
    const {stderr} = await runShell(line, {env: server.env, folder});
    expect({stderr, status: statusIn(folder)}).toEqual({stderr: '', status: 0});
    expect(asked).toBeLessThan(60);
  });

  test.concurrent('keeps writes that a second signal drops as of unknown fate', async () => {
    let arrive = (): void => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    let isHanging = true;
    await using made = await storing(() => {
      if (!isHanging) return {text: '[200]'};
      arrive();
      return new Promise<Answered>(() => {});
    });
    const around = {env: made.server.env, folder: made.folder};
    const unmute = ['thread', 'unmute', '1', '2', '--journal', 'journal', '--concurrency', '1', '-o', 'ndjson'];
    const telling = tellingSignals();
    const env = {...around.env, ...telling.env};
    const {child, ended} = start(unmute, {...around, env});
    await arrived;
    child.kill('SIGINT');
    await telling.heard();
    child.kill('SIGINT');
    const over = await ended;
    expect(over.status).toBe(130);
    expect(results(over.stdout)).toMatchObject([{ok: false, error: {fate: 'unknown'}}]);
    expect(failed(over)).toMatchObject({code: 'interrupted', hint: expect.stringContaining('journal')});
    isHanging = false;
    const second = await run(unmute, around);
    expect(results(second.stdout)).toMatchObject([{ok: false, unknown: true}, {ok: true}]);
    expect(made.stored.map((body) => JSON.parse(body).id)).toEqual(['1', '2']);
  });
});
