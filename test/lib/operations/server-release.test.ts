/** What a server says of itself: its version, its software, its hosts, and what it means that it says nothing. */
import {expect, test} from 'vitest';
import {ownHosts, serverRelease, serverSoftware} from '../../../src/lib/operations/server-release.js';
import {answeringServer, json, noRoute, serverWith} from './answering-server.js';

const configuration = 'GET /api/v2.1/config';
const instance = 'GET /api/v1/instance';
const pixelfed = '3.5.3 (compatible; Pixelfed 0.12.6)';

test('a release is that of the configuration, where there is one', async () => {
  const said = {version: '0.13.0', limits: {}};
  const {client, asked} = await serverWith({[configuration]: json(said, 200, {date: 'Sun, 22 Nov 2026 10:00:00 GMT'})});
  expect(await serverRelease(client)).toEqual({version: '0.13.0', date: 'Sun, 22 Nov 2026 10:00:00 GMT', configuration: said});
  expect(asked).toEqual([configuration]);
});

test('a configuration without a version names none', async () => {
  const {client} = await serverWith({[configuration]: {version: 5}});
  expect(await serverRelease(client)).toMatchObject({version: null, configuration: {version: 5}});
});

test.each([
  [pixelfed, '0.12.6'],
  ['4.3.0', '4.3.0'],
  ['', null],
  [undefined, null],
  [7, null],
])('the release of an older server that says %j is %j', async (version, release) => {
  const {client} = await serverWith({[instance]: json({version}, 200, {date: 'Sun, 22 Nov 2026 10:00:00 GMT'}), [configuration]: noRoute});
  expect(await serverRelease(client)).toEqual({version: release, date: 'Sun, 22 Nov 2026 10:00:00 GMT', configuration: undefined});
});

test('a server that fails is not asked in another way', async () => {
  const {client, asked} = await serverWith({[configuration]: json({}, 500), [instance]: {version: pixelfed}});
  await expect(serverRelease(client)).rejects.toMatchObject({code: 'unavailable'});
  expect(asked).toEqual([configuration]);
});

test.each([
  ['a Pixelfed server', {version: pixelfed}, 'pixelfed'],
  ['a Mastodon server', {version: '4.3.0'}, 'mastodon'],
  ['a server without a version', {}, 'mastodon'],
  ['a server that wants a token', json({error: 'Unauthenticated.'}, 401), 'mastodon'],
  ['a server that sends no JSON', (response: {end(text: string): void}) => response.end('Hello'), 'mastodon'],
  ['a server without instance data', noRoute, 'mastodon'],
  ['a server that refuses', json({error: 'No'}, 422), 'mastodon'],
])('the software of %s is known, and asked for once', async (_, said, software) => {
  const {client, asked} = await answeringServer(() => said);
  expect([await serverSoftware(client), await serverSoftware(client)]).toEqual([software, software]);
  expect(asked).toHaveLength(1);
});

test('a server that could not be asked is asked again', async () => {
  const {client, asked} = await answeringServer((_, before) => (before === 0 ? json({}, 502) : {version: pixelfed}));
  await expect(serverSoftware(client)).rejects.toMatchObject({code: 'unavailable'});
  expect(await serverSoftware(client)).toBe('pixelfed');
  expect(asked).toHaveLength(2);
});

test.each([
  ['its own alone, where it says nothing', {}, []],
  ['those that it names', {uri: 'https://Pix.example', domain: 'names.example'}, ['pix.example', 'names.example']],
  ['each once', {uri: 'pix.example', domain: 'pix.example'}, ['pix.example']],
  ['without what is no domain', {uri: 'no domain', domain: 7}, []],
  ['its own alone, where it fails', json({}, 500), []],
])('the hosts of a server are %s', async (_, said, others) => {
  const {client} = await serverWith({[instance]: said});
  expect(await ownHosts(client)).toEqual([client.host, ...others]);
});
