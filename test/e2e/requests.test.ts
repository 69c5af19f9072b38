import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {recordedSandbox, serverThat} from './server.js';
import {failing} from './told.js';

const conversations = '/api/v1.1/direct/conversations';

describe('an id is encoded as one path segment', () => {
  const segments: readonly (readonly [id: string, segment: string])[] = [
    ['../x', '..%2Fx'],
    ['a/b', 'a%2Fb'],
    ['1?x=1', '1%3Fx%3D1'],
    ['1#f', '1%23f'],
    ['%2e%2e', '%252e%252e'],
    ['...', '...'],
    ['a;b', 'a%3Bb'],
    [String.raw`..\x`, '..%5Cx'],
    ['é🌊', '%C3%A9%F0%9F%8C%8A'],
  ];

  test.concurrent.each(segments)('%j', async (id, segment) => {
    await using server = await serverThat(() => ({text: '{}'}));
    const {status} = await run(['dm', 'get', id], {env: server.env});
    expect(status).toBe(0);
    expect(server.exchanges.map(({received}) => received.target)).toEqual([`${conversations}/${segment}`]);
  });

  const id = '../a/b?c=d#e';
  const segment = '..%2Fa%2Fb%3Fc%3Dd%23e';
  const commands: readonly (readonly [args: string, request: string])[] = [
    ['dm messages ID', `GET ${conversations}/ID/messages`],
    ['dm send ID hello --no-limits', `POST ${conversations}/ID/messages`],
    ['dm delete-message ID ID --yes', `DELETE ${conversations}/ID/messages/ID`],
    ...['read', 'accept', 'mute', 'unmute', 'hide', 'unhide'].map((verb) => [`dm ${verb} ID`, `POST ${conversations}/ID/${verb}`] as const),
    ['dm leave ID --yes', `POST ${conversations}/ID/leave`],
    ['filters get ID', 'GET /api/v2/filters/ID'],
    ['filters update ID --title Film', 'PUT /api/v2/filters/ID'],
    ['filters delete ID --yes', 'DELETE /api/v2/filters/ID'],
  ];

  test.concurrent.each(commands)('an id is encoded as one path segment of %s', async (args, request) => {
    await using server = await serverThat(() => ({text: '{}'}));
    await run(
      args.split(' ').map((word) => (word === 'ID' ? id : word)),
      {env: server.env},
    );
    const [{received} = {received: undefined}] = server.exchanges;
    expect(`${received?.method} ${received?.target}`).toBe(request.replaceAll('ID', segment));
  });

  test.concurrent.each(['', '.', '..'])('%j is refused as an id', async (none) => {
    await using server = await serverThat(() => ({text: '{}'}));
    const {failure} = await failing(['filters', 'get', none], {env: server.env});
    expect(failure).toMatchObject({code: 'usage', exit: 2, status: null});
    expect(server.exchanges).toEqual([]);
  });
});

describe('--input', () => {
  const body = '{"title": "Film", "context": ["home"], "server_extra": 12345678901234567890, "keywords_attributes": [{"keyword": "plot"}]}';

  test.concurrent('--input is read from a file, and flags override its members', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'filter.json'), body);
    await using server = await recordedSandbox();
    const args = ['filters', 'create', '--input', 'filter.json', '--title', 'Films', '--keyword', 'twist'];
    expect(await run(args, {env: server.env, folder})).toMatchObject({status: 0, stderr: ''});
    const [{received} = {received: undefined}] = server.exchanges;
    const keywords = [
      {keyword: 'plot', whole_word: true},
      {keyword: 'twist', whole_word: true},
    ];
    expect(received?.body.toString()).toContain('"server_extra":12345678901234567890');
    expect(JSON.parse(received?.body.toString() ?? '')).toMatchObject({title: 'Films', context: ['home'], keywords_attributes: keywords});
  });

  test.concurrent('--input is read from standard input for -', async () => {
    await using server = await recordedSandbox();
    const {status, stdout} = await run(['filters', 'create', '--input', '-', '--json'], {env: server.env, stdin: `\uFEFF${body}`});
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({title: 'Film', keywords: [{keyword: 'plot', whole_word: true}]});
  });

  test.concurrent('--input can contain values of arguments', async () => {
    await using server = await serverThat(() => ({text: '{}'}));
    const stdin = '{"object_type": "post", "object_id": 1029249433829986328, "report_type": "spam", "count": 2.50}';
    const {status} = await run(['report', '--input', '-', '--type', 'scam'], {env: server.env, stdin});
    expect({status, bodies: server.exchanges.map(({received}) => received.body.toString())}).toEqual({
      status: 0,
      bodies: ['{"object_type":"post","object_id":"1029249433829986328","report_type":"scam","count":2.50}'],
    });
  });

  test.concurrent('keeps numbers unmodified', async () => {
    await using server = await serverThat(() => ({text: '{"id":"5"}'}));
    const stdin = '{"expires_in": 3600.0, "keywords_attributes": [{"id": 12345678901234567890, "keyword": "plot"}]}';
    const {status, stderr} = await run(['filters', 'update', '5', '--input', '-'], {env: server.env, stdin});
    expect({status, stderr, bodies: server.exchanges.map(({received}) => received.body.toString())}).toEqual({
      status: 0,
      stderr: '',
      bodies: ['{"expires_in":3600.0,"keywords_attributes":[{"id":12345678901234567890,"keyword":"plot"}]}'],
    });
  });

  test.concurrent.each([
    ['{"object_type": "post", "object_id": [5], "report_type": "spam"}', /object_id: expected string, got array$/],
    ['["post"]', /must be a JSON object/],
    ['{"object_type": "post",}', /is not valid JSON/],
  ])('--input is refused before anything is sent: %s', async (stdin, message) => {
    await using server = await serverThat(() => ({text: '{}'}));
    const {failure} = await failing(['report', '--input', '-'], {env: server.env, stdin});
    expect(failure).toMatchObject({code: 'usage', exit: 2, message: expect.stringMatching(message)});
    expect(server.exchanges).toEqual([]);
  });
});

describe('--dry-run', () => {
  test.concurrent('prints the request without sending or asking', async () => {
    await using server = await serverThat(() => ({text: '{}'}), 'canary-of-a-token');
    const {stdout, stderr, status} = await run(['filters', 'delete', '5', '--dry-run', '--json'], {env: server.env});
    expect({status, stderr, sent: server.exchanges.length}).toEqual({status: 0, stderr: '', sent: 0});
    const headers = {accept: 'application/json', authorization: 'Bearer $PIXELCTL_TOKEN'};
    expect(JSON.parse(stdout)).toEqual({
      dry_run: true,
      requests: [{method: 'DELETE', path: '/api/v2/filters/5', query: {}, headers, body: null}],
    });
  });
});
