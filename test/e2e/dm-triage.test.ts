/** Message requests decided one by one at a terminal. */
import {stripVTControlCharacters} from 'node:util';
import {describe, expect, test} from 'vitest';
import type {SeedState} from '../sandbox/seed.js';
import {run} from './in-process.js';
import {hasTerminal, newFolder, startAtTerminal} from './program.js';
import {machineWith, profileOn} from './signing-in.js';
import {pass, recordedSandbox, serverThat, type Answered, type Received, type RecordingServer} from './server.js';

const long = 'a-very-long-user-name-that-goes-on-and-on@a-very-long-server-name.example.org';
const hostile = '\u001B[2J\u001B]0;owned\u0007\u202Egnp.exe';

const seed: SeedState = {
  me: 'ana',
  accounts: [
    ...['ana', 'bob', 'clara', 'dora', 'emil', long].map((acct) => ({acct})),
    {acct: 'sly', name: hostile, note: `About ${hostile}`},
  ],
  following: ['bob', 'clara'],
  conversations: [
    {id: '71', between: ['sly', 'ana'], messages: [{id: '81', from: 'sly', text: `You have won! ${hostile}`}]},
    {id: '72', between: [long, 'ana'], messages: [{from: long, text: 'Hello'}]},
    {
      id: '73',
      between: ['dora', 'emil', 'ana'],
      messages: [
        {from: 'dora', text: 'Group?'},
        {from: 'emil', text: 'Yes!'},
      ],
    },
  ],
};

/** The order in which they are asked about. */
const [group, stranger, sly] = ['73', '72', '71'];
const [enter, down, interrupt] = ['\r', '\u001B[B', '\u0003'];
const conversations = '/api/v1.1/direct/conversations';

const writesOf = ({exchanges}: RecordingServer) =>
  exchanges.flatMap(({received: {method, target, body}}) => (method === 'GET' ? [] : `${method} ${target} ${body.toString()}`.trim()));

/** Types an answer at each question. */
async function dialogue({env: own}: RecordingServer, typing: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const {status, stderr} = await run(['dm', 'triage'], {
    env: {...own, ...env},
    typing: typing.map((keys) => keys + enter),
    columns: 80,
  });
  return {status, stderr, text: stripVTControlCharacters(stderr).replaceAll('\r', '')};
}

/** At a real terminal, where keys are typed when something was seen or has happened; a question is there when its keys are explained. */
async function keysTyped(server: RecordingServer, answers: readonly (readonly [after: string | Promise<unknown>, keys: string])[]) {
  const running = startAtTerminal('pixelctl dm triage', 80, {env: server.env, folder: newFolder()});
  for (const [after, keys] of answers) {
    await (typeof after === 'string' ? running.seen(new RegExp(`${after}[^]*(?:select|y/N)`)) : after);
    running.child.stdin?.write(keys);
  }
  const {status, stdout} = await running.ended;
  return {status, text: stripVTControlCharacters(stdout).replaceAll('\r', '')};
}

test.concurrent('what is decided about a request is done at once and said, and the next one is shown', async () => {
  await using server = await recordedSandbox({seed});
  const {status, text} = await dialogue(server, ['', 'h', 'b']);
  expect(status).toBe(0);
  const id = /accounts\/(\d+)\/block/.exec(writesOf(server).join('\n'))?.[1];
  expect(writesOf(server)).toEqual([
    `POST ${conversations}/${group}/accept`,
    `POST ${conversations}/${stranger}/hide`,
    `POST /api/v1/accounts/${id}/block`,
    `POST ${conversations}/${sly}/hide`,
  ]);
  expect(text).toMatch(/Accepted the request of @dora, @emil\.\n\nRequest 2\n/);
  expect(text).toMatch(/Blocked @sly\.\nHid the request of @sly\.\n$/);
});

test.concurrent('a request shows who wrote, since when, and what they wrote', async () => {
  await using server = await recordedSandbox({seed});
  const {text} = await dialogue(server, ['s', 'q']);
  expect(text).toMatch(/from {2,}@dora, @emil\nsince {2,}\d+ \w+ ago\n\nid .*\n\d+ +@dora .*Group\?\n\d+ +@emil .*Yes!\n/);
  expect(text).toMatch(/joined {2,}\S.*\nsince {2,}\d+ \w+ ago\n\n/);
});

test.concurrent('after a report the same request is asked about again', async () => {
  await using server = await recordedSandbox({seed});
  const {status, text} = await dialogue(server, ['s', 's', 'r', down, 'r', 'b', 'h']);
  expect({status, writes: writesOf(server)}).toEqual({
    status: 0,
    writes: [
      'POST /api/v1.1/report {"object_type":"direct_message","object_id":"81","report_type":"sensitive"}',
      `POST ${conversations}/${sly}/hide`,
    ],
  });
  expect(text).toMatch(/report the newest message of @emil[^]*report the newest message of @sly[^]*Why\?/);
  expect(text).not.toMatch(/block @(emil|dora)/);
  expect(text).toContain('Reported the newest message of @sly to the moderators.');
});

test.concurrent('an action that fails is said and asked about again; the status is 11 if it was not done later', async () => {
  let hides = 0;
  await using server = await recordedSandbox({seed}, (moment, {target}) => {
    const fails = target.endsWith('/accept') || (target.endsWith('/hide') && (hides += 1) === 1);
    return moment === 'before' && fails ? {status: 422, text: '{"error": "Not now"}'} : undefined;
  });
  const {status, text} = await dialogue(server, ['h', 'h', '', 'q']);
  expect(status).toBe(11);
  expect(text).toMatch(/Error: .*Not now[^]*Hid the request of @dora, @emil\.[^]*Error: .*Not now/);
});

test.concurrent('a token that is not accepted ends the run', async () => {
  await using server = await recordedSandbox({seed}, (_, {method}) =>
    method === 'POST' ? {status: 401, text: '{"error": "Unauthenticated."}'} : undefined,
  );
  expect(await dialogue(server, [''])).toMatchObject({status: 3});
});

test.concurrent('a protected profile is confirmed once, before the first request is read', async () => {
  await using server = await recordedSandbox({seed});
  const {env} = await machineWith([profileOn(server.url, {isProtected: true}), {accessToken: server.sandbox.tokens.all}]);
  const {exchanges} = server;
  const around = {...env, PIXELCTL_SERVER: '', PIXELCTL_TOKEN: ''};
  const {status, text} = await dialogue(server, ['y', 'h', 'q'], around);
  expect({status, writes: writesOf(server)}).toEqual({status: 0, writes: [`POST ${conversations}/${group}/hide`]});
  expect(text.replaceAll(/\s+/g, ' ')).toMatch(/Decide on message requests\? This is .*, a protected profile\./);
  const {length} = exchanges;
  expect(await dialogue(server, ['n'], around)).toMatchObject({status: 2});
  expect(exchanges).toHaveLength(length);
});

test.concurrent('without requests nothing is asked', async () => {
  await using server = await recordedSandbox({seed: {me: 'ana', accounts: [{acct: 'ana'}]}});
  const {status, text} = await dialogue(server, []);
  expect({status, text}).toEqual({status: 0, text: `No message requests on ${new URL(server.url).host}.\n`});
});

test.concurrent('a server without conversations is named (4)', async () => {
  await using server = await recordedSandbox({like: '0.12.6'});
  const {status, text} = await dialogue(server, []);
  expect(status).toBe(4);
  expect(text.replaceAll(/\s+/g, ' ')).toContain('servers before 2026 have no conversations');
});

describe.runIf(hasTerminal)(`at a terminal${hasTerminal ? '' : ' (not tried: the tool script of util-linux is not here)'}`, () => {
  test.concurrent('Ctrl-C ends with 130, and what was done stays done', async () => {
    await using server = await recordedSandbox({seed});
    const {status, text} = await keysTyped(server, [
      ['Request 1', `h${enter}`],
      ['Request 2', interrupt],
    ]);
    expect({status, writes: writesOf(server)}).toEqual({status: 130, writes: [`POST ${conversations}/${group}/hide`]});
    expect(text).toMatch(/Cancelled\.\n$/);
    const {stdout} = await run(['dm', 'list', '--filter', 'hidden', '--jq', '.data[].id'], {env: server.env});
    expect(stdout).toBe(`${group}\n`);
  });

  test.concurrent('the fate of an action that Ctrl-C cuts off is told as unknown', async () => {
    await using sandbox = await recordedSandbox({seed});
    const arrived = Promise.withResolvers<'hide'>();
    await using server = await serverThat((received: Received) => {
      if (received.method !== 'POST') return pass(received, sandbox.url);
      arrived.resolve('hide');
      return Promise.withResolvers<Answered>().promise;
    }, sandbox.sandbox.tokens.all);
    const {status, text} = await keysTyped(server, [
      ['Request 1', `h${enter}`],
      [arrived.promise, interrupt],
    ]);
    expect(status).toBe(130);
    expect(text).toMatch(/it is not known whether this was carried out/);
  });
});

test('without a terminal nothing is asked or sent (2)', async () => {
  await using server = await recordedSandbox({seed});
  const {status, stderr} = await run(['dm', 'triage', '--yes'], {env: server.env, stdin: 'a\n'});
  expect({status, exchanges: server.exchanges}).toEqual({status: 2, exchanges: []});
  expect(stderr).toContain(
    'Error: dm triage needs a terminal: nothing was sent\nHint: list requests with `pixelctl dm list --filter=requests',
  );
});
