/** Whom an account follows, and who follows it, counted for each server. */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import {keptFor, readFollowed, type FollowedOptions} from '../../../src/lib/policy/followed.js';
import {answeringServer, json, type AnsweringServer} from '../operations/answering-server.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-followed-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
});

const account = (acct: string, more: object = {}) => ({id: acct, username: acct, acct, ...more});

/** @param following, followers: pages of accounts */
const serverOf = (following: readonly unknown[], followers: readonly unknown[] = []): Promise<AnsweringServer> =>
  answeringServer(({line}) => {
    if (line.includes('verify_credentials')) return {id: '1', username: 'ana', acct: 'ana'};
    return line.includes('/following') ? following : line.includes('/followers') ? followers : undefined;
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

  test('an account that does not say who it is is why it is not known', async () => {
    expect(await read(await serverOf([account('a b')]))).toMatchObject({failure: {code: 'bad_answer'}});
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
