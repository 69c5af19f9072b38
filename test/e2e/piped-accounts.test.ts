/** Accounts of one server as input of a command on another: their ids are used only where they are of the same people. */
import {describe, expect, test} from 'vitest';
import {serverThat, type Received, requestsTo} from './server.js';
import {machineWith, profileOn} from './signing-in.js';

const spam = {id: '70', username: 'spam', acct: 'spam', display_name: 'Spam', url: 'https://far.example/spam'};
const bare = {id: '71', username: 'bob', acct: 'bob', display_name: 'Bob', url: 'https://a.example/bob'};

/** A server on which people have these ids; it remembers what it is asked. */
function serverWith(people: Readonly<Record<string, object>>, lists: Readonly<Record<string, readonly object[]>> = {}) {
  return serverThat(({method, target}: Received) => {
    const path = target.split('?', 1)[0] ?? '';
    if (method === 'POST') return {text: path.endsWith('/lookup') ? '[]' : '{}'};
    if (path === '/api/v1/accounts/verify_credentials') return {text: '{"id":"1","username":"ana","acct":"ana"}'};
    const found = lists[path] ?? people[path.split('/').at(-1) ?? ''];
    return found === undefined ? {status: 404, text: '{"error":"Record not found"}'} : {text: JSON.stringify(found)};
  });
}

type Server = Awaited<ReturnType<typeof serverWith>>;

const asked = (server: Server): string[] => requestsTo(server);
const writes = (server: Server): string[] => asked(server).filter((line) => line.startsWith('POST /api/v1/accounts'));

async function piping(server: Server, words: readonly string[], items: readonly unknown[]) {
  const machine = await machineWith([profileOn(server.url, {name: 'b', account: {id: '1', acct: 'ana'}}), {accessToken: 'b'}]);
  return machine.run([...words, '-', '-p', 'b', '--yes', '-o', 'ndjson'], {stdin: JSON.stringify(items)});
}

describe.each([
  ['blocks', 'block'],
  ['mutes', 'mute'],
])('%s add', (topic, verb) => {
  test('uses the id of an account where the server has the same account under it, and asks once', async () => {
    const server = await serverWith({'70': spam});
    const {status, stdout} = await piping(server, [topic, 'add'], [spam, {...spam, display_name: 'Again'}]);
    expect({status, target: JSON.parse(stdout).target}).toEqual({status: 0, target: '@spam@far.example'});
    expect(asked(server)).toEqual(['GET /api/v1/accounts/70', `POST /api/v1/accounts/70/${verb}`]);
  });

  test.each([
    ['somebody else', {...spam, acct: 'eve', url: 'https://far.example/eve'}],
    ['somebody else, whose URL the object names', {...spam, acct: 'dmitri'}],
    ['one of the same name', {...spam, url: 'https://b.example/spam'}],
    ['one that tells no URL', {...spam, url: undefined}],
    ['one with another id', {...spam, id: '75'}],
  ])('looks an account up by its handle where its id is of %s', async (_, other) => {
    const server = await serverWith({'70': other, lookup: {...spam, id: '99', acct: 'spam@far.example'}});
    expect((await piping(server, [topic, 'add'], [spam])).status).toBe(0);
    expect(writes(server)).toEqual([`POST /api/v1/accounts/99/${verb}`]);
    expect(asked(server)).toContain('GET /api/v1/accounts/lookup?acct=%40spam%40far.example');
  });

  test('a local name of another server is never taken for an own one', async () => {
    const own = {...bare, id: '5', url: 'https://b.example/bob'};
    const server = await serverWith({'71': own, bob: own});
    const {status, stdout} = await piping(server, [topic, 'add'], [bare]);
    expect({status, result: JSON.parse(stdout)}).toMatchObject({status: 11, result: {target: '@bob@a.example', ok: false, status: null}});
    expect(writes(server)).toEqual([]);
    const {url: _, ...without} = bare;
    expect((await piping(server, [topic, 'add'], [without])).status).toBe(2);
    expect((await piping(server, [topic, 'add'], [{acct: 'bob'}])).status).toBe(2);
    expect(writes(server)).toEqual([]);
  });

  test('the id in a list of several accounts is compared, too: any server can name the acting account', async () => {
    const dmitri = {id: '70', username: 'dmitri', acct: 'dmitri', url: 'https://b.example/dmitri'};
    const server = await serverWith({'70': dmitri, lookup: {...spam, id: '99', acct: 'spam@far.example'}});
    const own = `ana@${new URL(server.url).host}`;
    expect((await piping(server, [topic, 'add'], [{account: own, item: spam}])).status).toBe(0);
    expect((await piping(server, [topic, 'add'], [{...spam, account: own, item: {id: '70'}}])).status).toBe(0);
    expect(writes(server)).toEqual([`POST /api/v1/accounts/99/${verb}`, `POST /api/v1/accounts/99/${verb}`]);
  });

  test.each<[string, (host: string) => object]>([
    ['an account', (host) => ({id: '1', acct: 'ana', url: `http://${host}/ana`})],
    ['an account of a server with another address', () => ({id: '1', acct: 'ana', url: 'https://web.example/ana'})],
    ['a notification', (host) => ({id: '8', type: 'poll', account: {id: '1', acct: 'ana', url: `http://${host}/ana`}})],
    ['a message', () => ({id: '8', sender_id: '1', is_author: true, text: 'x'})],
    ['a list of the account itself', (host) => ({account: `ana@${host}`, item: {id: '1', acct: 'ana'}})],
  ])("refuses one's own account, in %s", async (_, item) => {
    const server = await serverWith({'70': spam});
    const {host} = new URL(server.url);
    const {status, stderr} = await piping(server, [topic, 'add'], [spam, item(host)]);
    expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining('is your own account: nothing was sent')});
    expect(asked(server)).toEqual([]);
    const skipping = await piping(server, [topic, 'add', '--skip-invalid'], [spam, item(host)]);
    expect({status: skipping.status, writes: writes(server)}).toEqual({status: 0, writes: [`POST /api/v1/accounts/70/${verb}`]});
  });

  test('asks the server who acts where no profile tells', async () => {
    const server = await serverWith({'70': spam});
    const machine = await machineWith();
    const stdin = JSON.stringify([{id: '1', acct: 'ana', url: `${server.url}/ana`}]);
    expect(await machine.run([topic, 'add', '-', '--yes'], {env: server.env, stdin})).toMatchObject({status: 2});
    expect(asked(server)).toEqual(['GET /api/v1/accounts/verify_credentials']);
  });
});

describe.each([
  ['blocks', 'unblock'],
  ['mutes', 'unmute'],
])('%s remove', (topic, verb) => {
  test('compares accounts with the list itself, which it reads once', async () => {
    const eve = {...spam, id: '60', acct: 'eve', url: 'https://far.example/eve'};
    const server = await serverWith({'70': eve}, {[`/api/v1/${topic}`]: [{...spam, id: '99', acct: 'spam@far.example'}, eve]});
    expect((await piping(server, [topic, 'remove'], [spam, eve])).status).toBe(0);
    expect(writes(server).toSorted()).toEqual([`POST /api/v1/accounts/60/${verb}`, `POST /api/v1/accounts/99/${verb}`]);
    expect(asked(server).filter((line) => line.startsWith('GET'))).toEqual([`GET /api/v1/${topic}`]);
  });

  test('one who has the URL that an object names, and another handle, stays', async () => {
    const dmitri = {...spam, acct: 'dmitri', url: 'https://b.example/dmitri'};
    const server = await serverWith({}, {[`/api/v1/${topic}`]: [dmitri]});
    const {stdout} = await piping(server, [topic, 'remove'], [{...spam, acct: 'spam@far.example', url: dmitri.url}]);
    expect(JSON.parse(stdout)).toMatchObject({target: '@spam@far.example', ok: false});
    expect(writes(server)).toEqual([]);
  });
});

test('a dry run reads nothing, and names whom it would look up', async () => {
  const server = await serverWith({'70': spam});
  for (const words of [
    ['mutes', 'add'],
    ['blocks', 'remove'],
    ['thread', 'mute'],
  ]) {
    const {status, stdout} = await piping(server, [...words, '--dry-run'], [spam]);
    expect({status, stdout}).toEqual({status: 0, stdout: expect.stringContaining('<id of @spam@far.example>')});
  }
  expect(asked(server)).toEqual([]);
});
