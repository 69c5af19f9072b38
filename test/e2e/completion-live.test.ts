/** Tab that asks the server, which is off unless PIXELCTL_COMPLETE_LIVE is 1. */
import {expect, test} from 'vitest';
import {newFolder} from './program.js';
import {serverThat} from './server.js';
import {machineWith, profileOn} from './signing-in.js';

const filters = JSON.stringify([{id: '7', title: 'Spoilers'}]);
const question = ['__complete', 'fish', '2', 'filters', 'get', ''];

async function tab(server: string, env: Readonly<Record<string, string>> = {}, own: Parameters<typeof profileOn>[1] = {}) {
  const around = await machineWith([profileOn(server, own), {accessToken: 'SECRET-TOKEN'}]);
  const all = {PIXELCTL_COMPLETE_LIVE: '1', XDG_CACHE_HOME: newFolder(), ...env};
  return {again: () => around.start(question, {env: all}).ended, ...(await around.start(question, {env: all}).ended)};
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
  let answer: (value: {text: string}) => void = () => {};
  await using server = await serverThat(() => new Promise((resolve) => (answer = resolve)));
  expect(await tab(server.url)).toMatchObject(silent);
  answer({text: filters});
});

test('a server that cannot be reached is no error', async () => {
  expect(await tab('http://127.0.0.1:1')).toMatchObject(silent);
});
