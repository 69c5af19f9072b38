/** Tab that asks the server, which is off unless PIXELCTL_COMPLETE_LIVE is 1. */
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, expect, test} from 'vitest';
import {holdTimeOuts} from '../loopback-server.js';
import {newFolder} from './program.js';
import {serverThat, type Answered} from './server.js';
import {machineWith, profileOn, type Machine} from './signing-in.js';

const filters = JSON.stringify([{id: '7', title: 'Spoilers'}]);
const question = ['__complete', 'fish', '2', 'filters', 'get', ''];

async function tab(server: string, env: Readonly<Record<string, string>> = {}, own: Parameters<typeof profileOn>[1] = {}) {
  const around = await machineWith([profileOn(server, own), {accessToken: 'SECRET-TOKEN'}]);
  const all = {PIXELCTL_COMPLETE_LIVE: '1', XDG_CACHE_HOME: newFolder(), ...env};
  return {again: () => around.run(question, {env: all}), ...(await around.run(question, {env: all}))};
}

/** Lets time pass: a busy machine may need more than the moment for which Tab waits. */
let pass: (milliseconds: number) => void;
beforeEach(() => {
  pass = holdTimeOuts();
});

function changeProfiles(folder: string, before: string, after: string): void {
  const file = join(folder, 'profiles.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(before, after));
}

const silent = {stdout: 'space\n\n\n', stderr: '', status: 0};

test('the server is asked once, with the token of the profile', async () => {
  await using server = await serverThat(() => ({text: filters}));
  const {again, ...first} = await tab(server.url);
  expect(first).toMatchObject({stdout: 'space\n\n\n7\tSpoilers\n', stderr: '', status: 0});
  expect(server.exchanges[0]?.received).toMatchObject({target: '/api/v2/filters', headers: {authorization: 'Bearer SECRET-TOKEN'}});
  expect(await again()).toMatchObject({stdout: first.stdout});
  expect(server.exchanges).toHaveLength(1);
});

test('ids that are numbers keep all their digits', async () => {
  await using server = await serverThat(() => ({text: '[{"id": 12345678901234567890, "title": "Spoilers"}]'}));
  const {again, ...first} = await tab(server.url);
  expect(first).toMatchObject({stdout: 'space\n\n\n12345678901234567890\tSpoilers\n', status: 0});
  expect(await again()).toMatchObject({stdout: first.stdout});
});

test.each([
  ['PIXELCTL_COMPLETE_LIVE is not set', {PIXELCTL_COMPLETE_LIVE: ''}, {}],
  ['the token has expired', {}, {expiresAt: '2020-01-01T00:00:00Z'}],
])('the server is not asked when %s', async (_, env, own) => {
  await using server = await serverThat(() => ({text: filters}));
  expect(await tab(server.url, env, own)).toMatchObject(silent);
  expect(server.exchanges).toEqual([]);
});

test('a token of the environment is used', async () => {
  await using server = await serverThat(() => ({text: filters}));
  const env = {PIXELCTL_PROFILES: 'job', PIXELCTL_SERVER_JOB: server.url, PIXELCTL_TOKEN_JOB: 'TOKEN-OF-THE-JOB'};
  expect(await tab('http://127.0.0.1:1', env)).toMatchObject({stdout: 'space\n\n\n7\tSpoilers\n', stderr: ''});
  expect(server.exchanges[0]?.received.headers).toMatchObject({authorization: 'Bearer TOKEN-OF-THE-JOB'});
});

test.each([
  ['the token is in the keyring', async ({folder}: Machine) => changeProfiles(folder, '"file"', '"keyring"'), []],
  ['there is no token for the server', async ({store}: Machine) => void (await store.remove('ana')), []],
  ['a certificate authority cannot be read', async () => {}, ['--cacert', '/nonexistent/ca.pem']],
])('the server is not asked when %s', async (_, change, flags) => {
  await using server = await serverThat(() => ({text: filters}));
  const around = await machineWith([profileOn(server.url), {accessToken: 'SECRET-TOKEN'}]);
  await change(around);
  const words = ['filters', 'get', '--server', server.url, ...flags, ''];
  const env = {PIXELCTL_COMPLETE_LIVE: '1', XDG_CACHE_HOME: newFolder()};
  expect(await around.run(['__complete', 'fish', String(words.length - 1), ...words], {env})).toMatchObject(silent);
  expect(server.exchanges).toEqual([]);
});

test.each([
  ['refuses', {status: 401, text: '{"error": "Unauthenticated."}'}],
  ['is broken', {status: 500, text: '<html>'}],
  ['loses the connection', {text: filters, lost: 'within'}],
  ['answers something else', {text: '{"a": 1}'}],
] as const)('nothing is offered, and nothing is said, when the server %s', async (_, answered) => {
  await using server = await serverThat(() => answered);
  expect(await tab(server.url)).toMatchObject(silent);
});

test('a slow server is not waited for', async () => {
  await using server = await serverThat(() => {
    pass(300);
    return new Promise<Answered>(() => {});
  });
  expect(await tab(server.url)).toMatchObject(silent);
  await server.arrived(1);
});

test('a server that cannot be reached is no error', async () => {
  expect(await tab('http://127.0.0.1:1')).toMatchObject(silent);
});
