/** Whom an account follows, and who follows it: counted for each server, and saved before blocks end it. */
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import {keptFor, readFollowed, type FollowedOptions} from '../../../src/lib/policy/followed.js';
import {saveRelations} from '../../../src/lib/policy/relations.js';
import {answeringServer, json, type AnsweringServer} from '../operations/answering-server.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-relations-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
});

const account = (acct: string, more: object = {}) => ({id: acct, username: acct, acct, ...more});

/** @param following, followers: pages of accounts */
const serverOf = (following: readonly unknown[], followers: readonly unknown[] = []): Promise<AnsweringServer> =>
  answeringServer(({line}) => {
    if (line.includes('verify_credentials')) return {id: '1', username: 'ana', acct: 'ana'};
    return line.includes('/following') ? following : line.includes('/followers') ? followers : undefined;
  });

describe('relations to domains', () => {
  const save = async ({client}: AnsweringServer, ...domains: readonly string[]) => {
    const file = join(folder, 'follows.ndjson');
    const counts = await saveRelations({client, own: {id: '1', handle: '@ana@pix.example'}, domains: new Set(domains), file});
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return {counts, items: lines.map((line) => JSON.parse(line)), file};
  };

  test('relations are saved of a domain and those below it, each account once', async () => {
    const server = await serverOf(
      [account('bo@bad.example'), account('eve@sub.BAD.example'), account('kim@good.example'), account('local')],
      [account('Bo@bad.example'), account('zed@bad.example')],
    );
    const {counts, items} = await save(server, 'bad.example');
    expect(counts).toEqual({following: 2, followed_by: 2});
    expect(items.map(({account: own, item}) => [own, item.acct, item.following, item.followed_by])).toEqual([
      ['@ana@pix.example', 'Bo@bad.example', true, true],
      ['@ana@pix.example', 'eve@sub.BAD.example', true, false],
      ['@ana@pix.example', 'zed@bad.example', false, true],
    ]);
    expect(server.asked).toEqual(['GET /api/v1/accounts/1/following?limit=80', 'GET /api/v1/accounts/1/followers?limit=80']);
  });

  test('digits of what a server sent stay, and its own members of the same names are replaced', async () => {
    const text = '[{"id": 12345678901234567890, "username": "bo", "acct": "bo@bad.example", "following": "x"}]';
    const server = await answeringServer(({line}) =>
      line.includes('/following')
        ? (response: {writeHead(status: number, headers: object): {end(text: string): void}}) =>
            response.writeHead(200, {'content-type': 'application/json'}).end(text)
        : [],
    );
    const {file} = await save(server, 'bad.example');
    expect(readFileSync(file, 'utf8')).toBe(
      '{"account":"@ana@pix.example","item":{"id":12345678901234567890,"username":"bo","acct":"bo@bad.example","following":true,"followed_by":false}}\n',
    );
  });

  test('what a file has stays, and is completed by what is read', async () => {
    const saved = (acct: string, following: boolean, own = '@ana@pix.example') =>
      JSON.stringify({account: own, item: {id: '9', acct, following, followed_by: !following}});
    const others = [
      saved('old@bad.example', true),
      '',
      saved('bo@bad.example', false),
      ' ',
      saved('bo@bad.example', true, '@cy@pix.example'),
    ];
    writeFileSync(join(folder, 'follows.ndjson'), others.join('\n'));
    const {counts, items} = await save(await serverOf([account('BO@bad.example')]), 'bad.example');
    expect(counts).toEqual({following: 1, followed_by: 0});
    expect(items.map(({account: own, item}) => [own, item.acct, item.following, item.followed_by])).toEqual([
      ['@ana@pix.example', 'old@bad.example', true, false],
      ['@ana@pix.example', 'BO@bad.example', true, true],
      ['@cy@pix.example', 'bo@bad.example', true, false],
    ]);
  });

  test.each([
    'x',
    '{}',
    '{"account":"@ana","item":{"acct":"a b","following":true,"followed_by":true}}',
    '{"account":"@ana","item":{"acct":"a"}}',
  ])('a file of anything else is not written to: %s', async (line) => {
    writeFileSync(join(folder, 'follows.ndjson'), `\n${line}\n`);
    const server = await serverOf([]);
    await expect(save(server, 'bad.example')).rejects.toMatchObject({
      code: 'usage',
      message: `${join(folder, 'follows.ndjson')} exists, and its line 2 is no saved relation: nothing was sent`,
      details: {hint: 'choose another file'},
    });
    expect(server.asked).toEqual([]);
  });

  test('an account that does not say who it is ends it', async () => {
    await expect(save(await serverOf([account('a b')]), 'bad.example')).rejects.toMatchObject({code: 'bad_answer'});
  });

  test('a file that cannot be written any more once the relations are read fails', async () => {
    const file = join(folder, 'follows.ndjson');
    const server = await answeringServer(({line}) => {
      mkdirSync(join(file, 'other'), {recursive: true});
      return line.includes('/following') ? [account('bo@bad.example')] : [];
    });
    await expect(save(server, 'bad.example')).rejects.toMatchObject({
      code: 'local',
      message: expect.stringMatching(/^Cannot (?:read the relations in|write the relations to) /),
    });
  });
});

describe('those who are followed', () => {
  const start = new Date('2026-11-22T10:00:00Z');
  const read = ({client}: AnsweringServer, more: Partial<FollowedOptions> = {}) =>
    readFollowed({client, server: 'https://pix.example', id: '1', folder, now: start, oldest: keptFor.showing, ...more});
  const after = (milliseconds: number) => new Date(start.getTime() + milliseconds);

  test('accounts are counted for their servers and all above them, once where they follow as well', async () => {
    const server = await serverOf(
      [account('bo@a.bad.example'), account('eve@bad.example')],
      [account('Bo@a.bad.example'), account('kim@good.example')],
    );
    const found = await read(server, {folder: undefined});
    expect(found).toEqual({
      value: {
        counts: new Map([
          ['a.bad.example', 1],
          ['bad.example', 2],
          ['example', 3],
          ['good.example', 1],
        ]),
        readAt: start,
      },
    });
  });

  test('what was read is used for a day to show, and for ten minutes to apply, by the same account', async () => {
    const server = await serverOf([account('bo@bad.example')]);
    const first = await read(server);
    expect(server.asked).toHaveLength(2);
    expect(await read(server, {now: after(86_400_000 - 1)})).toEqual(first);
    expect(await read(server, {now: after(599_999), oldest: keptFor.applying})).toEqual(first);
    expect(server.asked).toHaveLength(2);
    await read(server, {now: after(600_000), oldest: keptFor.applying});
    expect(server.asked).toHaveLength(4);
    await read(server, {id: '2'});
    await read(server, {server: 'https://other.example'});
    expect(server.asked).toHaveLength(8);
  });

  test('the account of the token is asked for where it is not known', async () => {
    const server = await serverOf([]);
    expect(await read(server, {id: undefined, folder: undefined})).toHaveProperty('value');
    expect(server.asked[0]).toBe('GET /api/v1/accounts/verify_credentials');
    expect(server.asked).toHaveLength(3);
  });

  test.each([
    ['a server that does not say whose token it is', undefined, 'not_found'],
    ['a server that fails', json({}, 500), 'unavailable'],
  ])('%s is why it is not known', async (_, answer, code) => {
    const {client} = await answeringServer(() => answer);
    const failed = await readFollowed({client, server: 'https://pix.example', id: undefined, folder, now: start, oldest: keptFor.showing});
    expect(failed).toMatchObject({failure: {code}});
  });
});
