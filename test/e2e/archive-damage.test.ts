/** Archives whose files were cut, emptied or removed between runs. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {changingSandbox, filesIn, itemsOf, linesOf, newArchive, worldOf} from './archives.js';
import {run} from './in-process.js';

/** Of thirty messages the server shows the last ten when the archive is made. */
const count = 30;

async function exported() {
  const server = await changingSandbox({
    seed: worldOf(
      Array.from({length: count}, (_, index) => ({
        from: 'ana',
        text: `Message ${index}`,
        ...(index === 25 && {media: ['image/png' as const]}),
      })),
    ),
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const {env} = server;
  const to = newArchive();
  const go = async (...flags: readonly string[]) => run(['dm', 'export', '--to', to, ...flags], {env});
  expect(await go()).toMatchObject({status: 0});
  const [{id}] = itemsOf(to, 'conversations.ndjson');
  const texts = () => itemsOf(to, id, 'messages.ndjson').map(({text}) => text);
  const ids = itemsOf(to, id, 'messages.ndjson').map(({id: own}) => own);
  for (const own of ids.slice(0, 20)) await run(['dm', 'delete-message', id, own, '--yes'], {env});
  const contents = () => Object.fromEntries(filesIn(join(to, id)).map((name) => [name, readFileSync(join(to, id, name), 'hex')]));
  return {server, env, to, id, go, texts, ids, contents, folder: join(to, id), messages: join(to, id, 'messages.ndjson')};
}

const numbered = (length: number, first = 0) => Array.from({length}, (_, index) => `Message ${index + first}`);

/** The end of a line of a file, in bytes. */
const endOfLine = (path: string, line: number): number => Buffer.byteLength(linesOf(path).slice(0, line).join('\n')) + 1;

describe('messages of an archive', () => {
  test.each<[string, (path: string) => void, string]>([
    ['without its last line break', (path) => truncateSync(path, statSync(path).size - 1), 'line 30'],
    ['cut in a line', (path) => truncateSync(path, endOfLine(path, 25) + 10), 'line 26'],
    ['cut after a line', (path) => truncateSync(path, endOfLine(path, 12)), 'is damaged at line 13: the message'],
    ['emptied', (path) => truncateSync(path, 0), 'is damaged at line 1: the message'],
    ['removed', (path) => rmSync(path), 'it is not there'],
    ['with another line', (path) => appendFileSync(path, '{"id":"9999999999999999999"}\n'), 'its 31 lines are not what was written'],
    [
      'with another text',
      (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('Message 3', 'Massage 3')),
      'its 30 lines are not what was written',
    ],
  ])('a file %s is named, and nothing of its conversation is written', async (_, damage, where) => {
    const {go, messages, contents, id, to, texts} = await exported();
    const whole = texts();
    damage(messages);
    const before = contents();
    for (const flags of [[], ['--new-only'], ['--since', '2026-01-01'], ['--drop-missing', '--yes']]) {
      const ended = await go(...flags, '--json');
      expect(ended.status).toBe(9);
      expect(JSON.parse(ended.stdout)).toMatchObject([{error: {code: 'local', message: expect.stringContaining(where)}}]);
      expect(JSON.parse(ended.stdout)[0].error.message).toContain(messages);
      expect(contents()).toEqual(before);
    }
    for (const flags of [[], ['--offline']])
      expect(await go('--verify', ...flags)).toMatchObject({status: 9, stdout: expect.stringContaining(messages)});
    const repaired = await go('--repair');
    expect(repaired).toMatchObject({status: 0});
    const left = readdirSync(join(to, id)).filter((name) => name.startsWith('messages.damaged-'));
    if (before['messages.ndjson'] === undefined) expect(left).toEqual([]);
    else expect(left.map((name) => readFileSync(join(to, id, name), 'hex'))).toEqual([before['messages.ndjson']]);
    expect(
      texts()
        .filter((text) => text !== undefined)
        .slice(-10),
    ).toEqual(whole.slice(-10));
    expect(await go('--verify')).toMatchObject({status: 0});
    expect(await go()).toMatchObject({status: 0});
  });

  test('what is readable of a cut file is kept by a repair, and only what was cut is lost', async () => {
    const {go, messages, texts} = await exported();
    truncateSync(messages, endOfLine(messages, 12) + 5);
    expect(await go('--repair')).toMatchObject({status: 0});
    expect(texts()).toEqual([...numbered(12), ...numbered(10, 20)]);
  });

  test('a damaged conversation fails alone, and its command repairs it', async () => {
    const {to, env, go, messages, texts} = await exported();
    await run(['dm', 'start', '@bob'], {env});
    truncateSync(messages, 0);
    const table = await go();
    expect(table.status).toBe(9);
    const [, command = ''] = /`pixelctl (dm export .*?)`/.exec(table.stderr) ?? [];
    expect(command).toContain('--repair');
    expect(await run(command.split(' '), {env})).toMatchObject({status: 0});
    expect(texts()).toEqual(numbered(10, 20));
    expect(to).toBeTruthy();
  });

  test('a file is kept once that was repaired twice, and a name is not used twice', async () => {
    const {go, folder, messages, server} = await exported();
    truncateSync(messages, endOfLine(messages, 12));
    server.change = ({target}) => (target.includes('/messages') ? {status: 503, text: '{"error":"later"}'} : undefined);
    expect(await go('--repair', '--retries', '0')).toMatchObject({status: 11});
    server.change = undefined;
    const kept = () => readdirSync(folder).filter((name) => name.includes('.damaged-'));
    expect(kept().length).toBe(2);
    expect(await go()).toMatchObject({status: 0});
    truncateSync(messages, endOfLine(messages, 2));
    expect(await go('--repair')).toMatchObject({status: 0});
    expect(kept().length).toBeGreaterThan(2);
  });
});

describe('the index of an archive', () => {
  test.each<[string, (path: string) => void]>([
    ['cut', (path) => truncateSync(path, endOfLine(path, 3))],
    ['emptied', (path) => truncateSync(path, 0)],
    ['removed', (path) => rmSync(path)],
  ])('an index that was %s is damaged, and a repair keeps the messages and their files', async (_, damage) => {
    const {go, folder, texts} = await exported();
    expect(await go()).toMatchObject({status: 0});
    damage(join(folder, 'index.ndjson'));
    expect(await go()).toMatchObject({status: 9, stderr: expect.stringContaining('index.ndjson is damaged')});
    expect(await go('--repair')).toMatchObject({status: 0});
    expect(texts()).toEqual(numbered(30));
    expect(await go('--verify')).toMatchObject({status: 0});
  });
});

describe('what is known of a conversation', () => {
  test.each<[string, (path: string) => void]>([
    ['removed', (path) => rmSync(path)],
    ['cut', (path) => truncateSync(path, 20)],
    ['emptied', (path) => truncateSync(path, 0)],
  ])('messages are merged with what is there where kept.json was %s', async (_, damage) => {
    const {go, folder, texts} = await exported();
    damage(join(folder, 'kept.json'));
    expect(await go('--verify', '--offline')).toMatchObject({status: 9, stdout: expect.stringContaining('kept.json is damaged or gone')});
    expect(await go('--new-only')).toMatchObject({status: 0});
    expect(texts()).toEqual(numbered(30));
    expect(await go('--verify', '--offline')).toMatchObject({status: 0});
  });

  test.each(['messages.ndjson', 'index.ndjson'])('a cut %s is found without it, too', async (name) => {
    const {go, folder, contents} = await exported();
    rmSync(join(folder, 'kept.json'));
    const path = join(folder, name);
    truncateSync(path, name === 'messages.ndjson' ? endOfLine(path, 12) : statSync(path).size - 1);
    const before = contents();
    expect(await go()).toMatchObject({status: 9, stderr: expect.stringContaining(`${path} is damaged at line`)});
    expect(contents()).toEqual(before);
  });

  test('that of a later version is left as it is', async () => {
    const {go, folder, contents} = await exported();
    const path = join(folder, 'kept.json');
    writeFileSync(path, JSON.stringify({...JSON.parse(readFileSync(path, 'utf8')), kept: 2}));
    const before = contents();
    for (const flags of [[], ['--repair']])
      expect(await go(...flags)).toMatchObject({status: 9, stderr: expect.stringContaining('Hint: upgrade pixelctl')});
    expect(contents()).toEqual(before);
  });

  test('the list of conversations is made of it', async () => {
    const {go, to, id} = await exported();
    const path = join(to, 'conversations.ndjson');
    const lines = linesOf(path).map((line) => JSON.parse(line).messages);
    for (const damage of [() => truncateSync(path, 30), () => rmSync(path), () => writeFileSync(path, '{"id":"7"}\n')]) {
      damage();
      expect(await go('--new-only')).toMatchObject({status: 0});
      expect(itemsOf(path).map(({messages}) => messages)).toEqual(lines);
    }
    rmSync(join(to, id), {recursive: true});
    expect(await go()).toMatchObject({status: 0, stderr: expect.stringContaining(`conversation ${id}: its folder is gone`)});
  });

  test('a folder that was copied under another name is not taken for a conversation', async () => {
    const {go, to, folder, texts} = await exported();
    renameSync(folder, `${folder}-old`);
    mkdirSync(join(to, '123'));
    expect(await go()).toMatchObject({status: 0});
    expect(texts()).toEqual(numbered(10, 20));
    expect(existsSync(`${folder}-old/messages.ndjson`)).toBe(true);
  });
});

describe('messages that the server does not show any more', () => {
  test('are marked, and dropped after a question with numbers, into a folder of their own', async () => {
    const {go, to, id, folder, texts} = await exported();
    const guarded = await go('--drop-missing', '--yes', '--json');
    expect(guarded).toMatchObject({status: 5});
    expect(JSON.parse(guarded.stderr).error).toMatchObject({
      code: 'refused',
      reason: 'guard',
      message: '20 messages that are no longer on the server would be dropped: @bob 20 of 30. They are marked, and nothing was dropped',
      hint: 'if the server is right, allow it with --allow-drops 20',
    });
    expect(JSON.parse(guarded.stdout)).toMatchObject([{messages: 30, missing: 20, gone: 20, dropped: 0}]);
    expect(texts()).toEqual(numbered(30));
    expect(await go('--drop-missing', '--yes', '--allow-drops', '19')).toMatchObject({status: 5});
    const dropped = await go('--drop-missing', '--yes', '--allow-drops', '20', '--json');
    expect(dropped).toMatchObject({status: 0});
    expect(JSON.parse(dropped.stdout)).toMatchObject([{messages: 10, missing: 0, dropped: 20}]);
    expect(texts()).toEqual(numbered(10, 20));
    expect(itemsOf(to, 'conversations.ndjson')).toMatchObject([{messages: 10, missing: 0}]);
    const [name = '', ...others] = readdirSync(join(to, 'dropped'));
    expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d{6}Z$/);
    expect(others).toEqual([]);
    expect(itemsOf(to, 'dropped', name, id, 'messages.ndjson').map(({text}) => text)).toEqual(numbered(20));
    expect(await go('--verify')).toMatchObject({status: 0});
    expect(await go()).toMatchObject({status: 0});
    expect(existsSync(join(to, 'dropped', name))).toBe(true);
    expect(filesIn(folder)).not.toContain('.reading.ndjson');
  });

  test('without a terminal, dropping needs --yes, and nothing is sent without it', async () => {
    const {go, server} = await exported();
    const before = server.asked.length;
    expect(await go('--drop-missing')).toMatchObject({status: 2, stderr: expect.stringContaining('pass --yes to confirm')});
    expect(server.asked.length).toBe(before);
  });

  test('one empty answer takes nothing away, and what it marked is no longer marked afterwards', async () => {
    const {go, server, texts} = await exported();
    expect(await go()).toMatchObject({status: 0});
    server.change = ({target}) =>
      target.includes('/messages')
        ? {status: 200, text: '{"data":[],"meta":{"has_more":false,"newest_id":null,"oldest_id":null}}'}
        : undefined;
    expect(await go('--drop-missing', '--yes')).toMatchObject({status: 5});
    expect(texts()).toEqual(numbered(30));
    server.change = undefined;
    expect(JSON.parse((await go('--json')).stdout)).toMatchObject([{messages: 30, missing: 20}]);
  });

  test('the files of what is dropped go with it', async () => {
    const {go, to, id, ids, env} = await exported();
    await run(['dm', 'delete-message', id, ids[25] ?? '', '--yes'], {env});
    const [file = ''] = readdirSync(join(to, id, 'media'));
    const bytes = readFileSync(join(to, id, 'media', file));
    expect(await go('--drop-missing', '--yes', '--allow-drops', '100')).toMatchObject({status: 0});
    expect(readdirSync(join(to, id, 'media'))).toEqual([]);
    const [name = ''] = readdirSync(join(to, 'dropped'));
    expect(readFileSync(join(to, 'dropped', name, id, 'media', file))).toEqual(bytes);
  });
});

describe('all that is known of a conversation', () => {
  const files = ['kept.json', 'messages.ndjson', 'index.ndjson'];

  test.each<[string, (path: string) => void]>([
    ['emptied', (path) => truncateSync(path, 0)],
    ['removed', (path) => rmSync(path)],
  ])('a conversation whose files were all %s is damaged, because the list counts its messages', async (_, damage) => {
    const {go, folder, contents} = await exported();
    for (const name of files) damage(join(folder, name));
    const before = contents();
    expect(await go()).toMatchObject({
      status: 9,
      stderr: expect.stringContaining('it has 0 of the 30 messages that conversations.ndjson counts'),
    });
    expect(contents()).toEqual(before);
  });

  test('a first line that is lost with the file that says what is there is found', async () => {
    const {go, folder} = await exported();
    rmSync(join(folder, 'kept.json'));
    for (const name of files.slice(1))
      writeFileSync(
        join(folder, name),
        linesOf(folder, name)
          .slice(1)
          .map((line) => `${line}\n`)
          .join(''),
      );
    expect(await go('--new-only')).toMatchObject({status: 9, stderr: expect.stringContaining('it has 29 of the 30 messages')});
  });

  test('a folder that is gone is told by a verification, also without a server', async () => {
    const {go, folder} = await exported();
    rmSync(folder, {recursive: true});
    for (const flags of [[], ['--offline']]) {
      const {status, stdout} = await go('--verify', ...flags);
      expect(status).toBe(flags.length === 0 ? 10 : 9);
      if (flags.length > 0) expect(stdout).toContain(`${folder} is gone: conversations.ndjson counts 30 messages in it`);
    }
  });
});

test('a repair says what it could read, and where the damaged file is', async () => {
  const {go, messages, folder} = await exported();
  truncateSync(messages, endOfLine(messages, 12) + 5);
  const {stderr} = await go('--repair');
  const [name = ''] = readdirSync(folder).filter((one) => one.startsWith('messages.damaged-'));
  const [index = ''] = readdirSync(folder).filter((one) => one.startsWith('index.damaged-'));
  expect(stderr).toContain(
    `12 messages of 30 could be read; the damaged files are kept as ${join(folder, name)} and ${join(folder, index)}`,
  );
});

describe('a verification', () => {
  test('a name that is not in the archive is refused without a server', async () => {
    const {go} = await exported();
    expect(await go('@nobody', '--verify', '--offline')).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('There is no conversation @nobody in'),
    });
    expect(await go('@bob', '--verify', '--offline')).toMatchObject({status: 0});
  });

  test('what the archive has of a conversation is told where the server cannot be asked', async () => {
    const {go, server} = await exported();
    server.change = ({target}) => (target.includes('/messages') ? {status: 503, text: '{"error":"later"}'} : undefined);
    const {status, stdout} = await go('--verify', '--json', '--retries', '0');
    expect(status).toBe(11);
    expect(JSON.parse(stdout)).toMatchObject([{with: ['@bob'], server: null, archive: {messages: 30}, error: {code: 'unavailable'}}]);
  });

  test('conversations that the server does not list are named as such', async () => {
    const {go, server} = await exported();
    server.change = ({target}) =>
      target.includes('/conversations?') ? {status: 200, text: '{"data":[],"meta":{"next_cursor":null}}'} : undefined;
    expect(await go('--verify')).toMatchObject({
      status: 0,
      stderr: 'The server does not list 1 conversation of the archive: only the files were checked.\n',
    });
  });
});

test('new messages of a conversation that was empty are read by a run for new ones', async () => {
  const server = await changingSandbox({seed: worldOf([])});
  onTestFinished(() => server[Symbol.asyncDispose]());
  const {env} = server;
  const started = await run(['dm', 'start', '@bob', '--json'], {env});
  const {id} = JSON.parse(started.stdout);
  const to = newArchive();
  expect(await run(['dm', 'export', id, '--to', to], {env})).toMatchObject({status: 0});
  await run(['dm', 'send', id, 'Hello'], {env});
  expect(await run(['dm', 'export', id, '--to', to, '--new-only'], {env})).toMatchObject({status: 0});
  expect(itemsOf(to, id, 'messages.ndjson').map(({text}) => text)).toEqual(['Hello']);
});

test('a folder of several accounts is checked without a server, and its repair names the folder of the account', async () => {
  const server = await changingSandbox();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const {sandbox, url} = server;
  const tokens = {PIXELCTL_TOKEN_ANA: sandbox.tokens.all, PIXELCTL_TOKEN_BOB: sandbox.tokens.users['bob'] ?? ''};
  const env = {PIXELCTL_PROFILES: 'ana,bob', PIXELCTL_SERVER_ANA: url, PIXELCTL_SERVER_BOB: url, ...tokens};
  const to = newArchive();
  expect(await run(['dm', 'export', '--to', to, '--all-profiles', '--no-media'], {env})).toMatchObject({status: 0});
  const bobs = readdirSync(to).find((name) => name.startsWith('bob@')) ?? '';
  const [{id}] = itemsOf(to, bobs, 'conversations.ndjson');
  truncateSync(join(to, bobs, id, 'messages.ndjson'), 0);
  const ended = await run(['dm', 'export', '--to', to, '--verify', '--offline', '--json'], {env: {}});
  expect(ended.status).toBe(9);
  expect(JSON.parse(ended.stdout)).toContainEqual({account: decodeURIComponent(bobs), item: expect.objectContaining({id})});
  const [, command = ''] = /`pixelctl (.*?)`/.exec(JSON.parse(ended.stderr).error.hint) ?? [];
  expect(await run([...command.replaceAll("'", '').split(' '), '--profile', 'bob'], {env})).toMatchObject({status: 0});
  expect(await run(['dm', 'export', '--to', to, '--verify', '--offline'], {env: {}})).toMatchObject({status: 0});
});

test.each([
  [['--verify', '--repair'], '--verify and --repair cannot be used together'],
  [['--offline'], '--offline needs --verify'],
  [['--allow-drops', '3'], '--allow-drops needs --drop-missing'],
])('%s are refused', async (flags, message) => {
  const {status, stderr} = await run(['dm', 'export', '--to', 'x', ...flags], {env: {PIXELCTL_SERVER: 'http://127.0.0.1:9'}});
  expect({status, stderr}).toMatchObject({status: 2, stderr: expect.stringContaining(message)});
});

test('files are checked without a server, and without a profile', async () => {
  const {to} = await exported();
  const ended = await run(['dm', 'export', '--to', to, '--verify', '--offline'], {env: {}});
  expect(ended).toMatchObject({status: 0, stderr: 'The files of 1 conversation are unchanged.\n'});
});
