import {chmodSync, existsSync, mkdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseFault} from '../../src/lib/sandbox/fault.js';
import {routes} from '../../src/lib/sandbox/routes/index.js';
import {listConversations} from '../../src/lib/api/direct.js';
import {changing, filesIn, itemsOf, linesOf, longWorld, newArchive, numbered, sandboxOf} from './archives.js';
import {run} from './in-process.js';
import {serverThat} from './server.js';

const bobs = '1029249430941045799';
const group = '1029249428955471394';

/** The archive has everything that the server shows of a conversation, oldest first, as its own JSON. */
async function served(url: string, token: string, id: string): Promise<unknown[]> {
  const all: unknown[] = [];
  let above = '1';
  for (;;) {
    const answer = await fetch(`${url}/api/v1.1/direct/conversations/${id}/messages?limit=50&min_id=${above}`, {
      headers: {authorization: `Bearer ${token}`, accept: 'application/json'},
    });
    const {data, meta} = JSON.parse(await answer.text());
    all.push(...data.toReversed());
    if (!meta.has_more) return all;
    above = meta.newest_id;
  }
}

describe('an export', () => {
  test('an export has all messages of the inbox and of requests, oldest first, and those of hidden conversations when asked for', async () => {
    const {sandbox, env} = await sandboxOf();
    const to = newArchive();
    expect(await run(['dm', 'export', '--to', to], {env})).toMatchObject({status: 0});
    const conversations = itemsOf(to, 'conversations.ndjson');
    expect(conversations.map(({people}) => Object.values(people).map((person) => Object(person).acct))).toEqual([
      ['sly'],
      ['bob'],
      ['bob', 'clara', 'eiko'],
      ['kenji@photos.example.jp'],
    ]);
    for (const {id, messages} of conversations) {
      const kept = itemsOf(to, id, 'messages.ndjson');
      expect(kept).toEqual(await served(sandbox.url, sandbox.tokens.all, id));
      expect(kept.length).toBe(messages);
    }
    const hidden = await run(['dm', 'export', '--to', to, '--hidden', '--json'], {env});
    expect(JSON.parse(hidden.stdout).map((one: {new: number}) => one.new)).toEqual([0, 0, 0, 0, 1]);
  });

  test('a long conversation is read from its newest message down, fifty messages a request', async () => {
    const server = await changing({seed: longWorld});
    const to = newArchive();
    const {stdout} = await run(['dm', 'export', '@bob', '--to', to, '-o', 'ndjson'], {env: server.env});
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({messages: 120, new: 120, with: ['@bob'], error: null, not_read: []});
    const kept = itemsOf(to, result.id, 'messages.ndjson');
    expect(kept.map(({text}) => text)).toEqual(numbered(120));
    expect(server.asked.filter((line) => line.includes('/messages'))).toEqual([
      expect.stringMatching(/messages\?limit=50$/),
      expect.stringContaining(`max_id=${kept[70].id}`),
      expect.stringContaining(`max_id=${kept[20].id}`),
    ]);
  });

  test('messages are kept with every digit, and in their order, one a line', async () => {
    const texts = [
      String.raw`{"id": "1", "text":"a\/b \u00e9 😀", "x":12345678901234567890, "y":2.50, "created_at":"2026-01-01T00:00:00.000Z"}`,
      '{"text":null,"id":"20","media":[],"deep":{"a":[1,{"b":"}"}]},"created_at":"2026-01-01T00:00:00.000Z"}',
    ];
    const conversation = {...JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/archive/conversation.json'), 'utf8')), id: '7'};
    const page = `{"data":[${texts.toReversed().join()}],"meta":{"has_more":false,"newest_id":"20","oldest_id":"1"}}`;
    await using server = await serverThat(({target}) => {
      if (target.includes('verify_credentials')) return {text: '{"id":"9","acct":"ana","username":"ana"}'};
      if (target.includes('/messages')) return {text: page};
      return {text: target.endsWith('/7') ? JSON.stringify(conversation) : '{"data":[],"meta":{"next_cursor":null}}'};
    });
    const to = newArchive();
    const twice = [
      await run(['dm', 'export', '7', '--to', to], {env: server.env}),
      await run(['dm', 'export', '7', '--to', to], {env: server.env}),
    ];
    expect(twice.map(({status}) => status)).toEqual([0, 0]);
    expect(linesOf(to, '7', 'messages.ndjson')).toEqual([
      '{"id":"1","text":"a/b é 😀","x":12345678901234567890,"y":2.50,"created_at":"2026-01-01T00:00:00.000Z"}',
      texts[1],
    ]);
    expect(linesOf(to, 'conversations.ndjson')[0]).toContain(`"conversation":${JSON.stringify(conversation)}}`);
  });

  test('nobody else can read an archive, and the token is not in it', async () => {
    const {sandbox, env} = await sandboxOf();
    const to = newArchive();
    mkdirSync(to);
    chmodSync(to, 0o755);
    await run(['dm', 'export', '--to', to], {env});
    expect(statSync(to).mode & 0o777).toBe(0o700);
    for (const name of filesIn(to)) {
      expect(statSync(join(to, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(to, name), 'utf8')).not.toContain(sandbox.tokens.all);
    }
    expect(filesIn(to).filter((name) => name.includes('/.') || name.startsWith('.'))).toEqual([]);
  });

  test('conversations can be named by accounts, and piped; one that is named twice is exported once', async () => {
    const {env} = await sandboxOf();
    const to = newArchive();
    const listed = await run(['dm', 'list', '--filter', 'requests', '-o', 'ndjson'], {env});
    const piped = await run(['dm', 'export', '-', '@bob', bobs, '--to', to, '--json'], {env, stdin: listed.stdout});
    expect(JSON.parse(piped.stdout).map((one: {with: string[]}) => one.with)).toEqual([['@sly'], ['@bob']]);
    const why = '".." is not the id of a conversation';
    const wrong = (...flags: readonly string[]) =>
      run(['dm', 'export', '-', '--to', to, '--json', ...flags], {env, stdin: `..\n${bobs}\n`});
    expect(await wrong()).toMatchObject({status: 2, stdout: '', stderr: expect.stringContaining(JSON.stringify(why).slice(1, -1))});
    const skipped = await wrong('--skip-invalid');
    expect(skipped).toMatchObject({status: 0, stderr: expect.stringMatching(/^Warning: .*"\.\." is not the id of a conversation/m)});
    expect(JSON.parse(skipped.stdout)).toMatchObject([{with: ['@bob']}]);
  });
});

describe('the folder of an export', () => {
  test('where the server does not name the account there is none', async () => {
    const {env} = await sandboxOf({faults: [parseFault('status=404,at=GET /api/v1/accounts/verify_credentials')]});
    const to = newArchive();
    const {status, stderr} = await run(['dm', 'export', '--to', to], {env});
    expect({status, stderr}).toEqual({
      status: 4,
      stderr: expect.stringMatching(/^Error: \S+ did not return the account of this token: nothing was exported\n/),
    });
    expect(existsSync(to)).toBe(false);
  });

  test('an archive that another process uses is refused', async () => {
    const {promise, resolve: release} = Promise.withResolvers<void>();
    const held = routes.filter(({record}) => record.path === listConversations.path);
    const {env} = await sandboxOf({
      routes: held.map((route) => ({...route, answer: async (call) => (await promise, route.answer(call))})),
    });
    const to = newArchive();
    const both = [run(['dm', 'export', '--to', to], {env}), run(['dm', 'export', '--to', to], {env})];
    expect(await Promise.race(both)).toMatchObject({
      status: 9,
      stderr: expect.stringMatching(/^Error: Another pixelctl \(process \d+\) is using .* \(since [-\d]+ [:\d]+ UTC\): nothing was sent/),
    });
    release();
    expect((await Promise.all(both)).map(({status}) => status).toSorted()).toEqual([0, 9]);
  });
});

describe('an export that is run again', () => {
  test('new messages are added, and deleted ones are marked and stay', async () => {
    const {env} = await sandboxOf();
    const to = newArchive();
    await run(['dm', 'export', '--to', to], {env});
    const own = itemsOf(to, bobs, 'messages.ndjson').find(({is_author: isOwn}) => isOwn === true);
    await run(['dm', 'delete-message', bobs, own.id, '--yes'], {env});
    await run(['dm', 'send', bobs, 'New'], {env});
    const again = await run(['dm', 'export', '@bob', '--to', to, '-o', 'ndjson'], {env});
    expect(JSON.parse(again.stdout)).toMatchObject({messages: 11, new: 1, gone: 1, missing: 1, changed: 0});
    const entry = itemsOf(to, bobs, 'index.ndjson').find(({id}) => id === own.id);
    expect(entry.missing_since > entry.first_seen).toBe(true);
    expect(itemsOf(to, bobs, 'messages.ndjson')).toContainEqual(own);
    const third = await run(['dm', 'export', bobs, '--to', to, '-o', 'ndjson'], {env});
    expect(JSON.parse(third.stdout)).toMatchObject({messages: 11, new: 0, gone: 0, missing: 1});
    expect(itemsOf(to, bobs, 'index.ndjson').find(({id}) => id === own.id)).toEqual(entry);
  });

  test('a conversation that is gone is in doubt once, and stays', async () => {
    const server = await changing();
    const to = newArchive();
    await run(['dm', 'export', '--to', to], {env: server.env});
    server.change = ({target}, answered) => {
      if (target.includes(`conversations/${group}`)) return {status: 404, text: '{"error":""}'};
      if (!target.includes('/conversations?')) return undefined;
      const answer = JSON.parse(answered.text);
      return {...answered, text: JSON.stringify({...answer, data: answer.data.filter(({id}: {id: string}) => id !== group)})};
    };
    const again = await run(['dm', 'export', '--to', to], {env: server.env});
    expect(again).toMatchObject({status: 10, stdout: expect.stringContaining('the server suddenly shows little')});
    expect(again.stderr).toContain(
      `The server no longer shows much of what it had: @bob, @clara, @eiko: 4 messages. All of it stays in ${to}.`,
    );
    expect(itemsOf(to, group, 'messages.ndjson').length).toBe(4);
    expect(itemsOf(to, 'conversations.ndjson').find(({id}) => id === group)).toMatchObject({messages: 4, missing: 4});
    expect(await run(['dm', 'export', '--to', to], {env: server.env})).toMatchObject({status: 0});
    expect(await run(['dm', 'export', group, '--to', to], {env: server.env})).toMatchObject({status: 0});
    server.change = undefined;
    const back = await run(['dm', 'export', '--to', to], {env: server.env});
    expect(back).toMatchObject({status: 0, stderr: expect.stringContaining('4 back on the server')});
  });

  test('a dry run says what is new, changed and gone, and writes nothing', async () => {
    const server = await changing();
    const {env} = server;
    const to = newArchive();
    const dry = (...flags: readonly string[]) => run(['dm', 'export', '--to', to, '--dry-run', ...flags], {env});
    expect(await dry()).toMatchObject({status: 10, stderr: `${to} and the server differ: 17 new.\n`});
    expect(existsSync(to)).toBe(false);
    await run(['dm', 'export', '--to', to], {env});
    expect(await dry()).toMatchObject({status: 0, stderr: ''});
    const own = itemsOf(to, bobs, 'messages.ndjson').find(({is_author: isOwn}) => isOwn === true);
    await run(['dm', 'delete-message', bobs, own.id, '--yes'], {env});
    await run(['dm', 'send', bobs, 'New'], {env});
    server.change = ({target}, answered) =>
      target.includes('/messages') ? {...answered, text: answered.text.replace('"text":"The dog."', '"text":"The cat."')} : undefined;
    const before = filesIn(to).map((name) => readFileSync(join(to, name), 'utf8'));
    const ended = await dry('@bob', '-o', 'ndjson');
    expect(ended).toMatchObject({status: 10});
    expect(JSON.parse(ended.stdout)).toMatchObject({id: bobs, new: 1, changed: 1, gone: 1, error: null});
    expect(filesIn(to).map((name) => readFileSync(join(to, name), 'utf8'))).toEqual(before);
  });
});

test('flags of an export that contradict each other are refused before anything is sent', async () => {
  const to = newArchive();
  for (const flags of [
    ['--verify', '--dry-run'],
    ['--verify', '--new-only'],
    ['--no-media', '--max-size', '1G'],
    ['--since', 'tomorrow'],
    ['--max-size', 'much'],
  ]) {
    expect(await run(['dm', 'export', '--to', to, ...flags], {env: {PIXELCTL_SERVER: 'http://127.0.0.1:9'}})).toMatchObject({status: 2});
  }
  expect(existsSync(to)).toBe(false);
});
