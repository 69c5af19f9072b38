import {describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {serverThat, type Exchange} from './server.js';

describe('api follows the pages of a list', () => {
  /** Three pages of accounts, each of which names the next one. @param broken the page that fails */
  const paged = (broken?: number) =>
    serverThat(({target}) => {
      const page = Number(new URL(target, 'http://x.invalid').searchParams.get('page') ?? 1);
      if (page === broken) return {status: 404, text: '{"error": "Gone"}'};
      const link = `<https://other.example/api/v1/accounts/5/followers?page=${page + 1}>; rel="next"`;
      return {
        text: JSON.stringify([{id: `${page}1`, n: 2.5}, {id: `${page}2`}]),
        headers: page < 3 ? {link} : {link: link.replace('next', 'prev').replace(/\d>/, '2>')},
      };
    });
  const followers = ['api', '/api/v1/accounts/5/followers', '--field', 'limit=2'];
  const targets = (server: {readonly exchanges: readonly Exchange[]}) => server.exchanges.map(({received: {target}}) => target);

  test.concurrent.each([
    [
      ['--all', '--json'],
      '[\n{"id":"11","n":2.5},\n{"id":"12"},\n{"id":"21","n":2.5},\n{"id":"22"},\n{"id":"31","n":2.5},\n{"id":"32"}\n]\n',
      3,
    ],
    [['--all', '-o', 'ndjson', '--fields', 'id'], ['11', '12', '21', '22', '31', '32'].map((id) => `{"id":"${id}"}\n`).join(''), 3],
    [['--max', '3', '--jq', '.[].id'], '11\n12\n21\n', 2],
    [['--max', '2', '-o', 'csv', '--fields', 'id'], 'id\r\n11\r\n12\r\n', 1],
  ] as const)('%j', async (flags, stdout, pages) => {
    await using server = await paged();
    expect(await run([...followers, ...flags], {env: server.env})).toMatchObject({status: 0, stdout, stderr: ''});
    const path = '/api/v1/accounts/5/followers';
    const all = [`${path}?limit=2`, `${path}?limit=2&page=2`, `${path}?limit=2&page=3`];
    expect(targets(server)).toEqual(all.slice(0, pages));
  });

  test.concurrent('prints what came before a page that fails, and says where to go on', async () => {
    await using server = await paged(2);
    const {status, stdout, stderr} = await run([...followers, '--all', '--json'], {env: server.env});
    expect({status, stdout: JSON.parse(stdout)}).toEqual({status: 4, stdout: [{id: '11', n: 2.5}, {id: '12'}]});
    const [, cursor = ''] = /--resume-from '([^']+)'/.exec(stderr) ?? [];
    await using whole = await paged();
    const rest = await run([...followers, '--resume-from', cursor, '--jq', '.[].id'], {env: whole.env});
    expect(rest).toMatchObject({status: 0, stdout: '21\n22\n31\n32\n'});
  });

  test.concurrent.each([
    [['/x', '--all'], '{"data":[]}', 8, 'the response is no list (200)\nHint: leave out --all\n'],
    [['/x', '--max', '2'], '', 8, 'the response is no list (200)\nHint: leave out --max\n'],
    [['/x', '--all'], '{"error":"Gone"}', 8, 'the response is an error (200): Gone'],
    [['/x', '--all'], '<p>', 8, 'expected JSON'],
    [['POST', '/x', '--all'], '[]', 2, '--all is for GET'],
    [['DELETE', '/x', '--max', '2'], '[]', 2, '--max is for GET'],
    [['/x', '--all', '--resume-from', '/y?page=2'], '[]', 2, 'The cursor belongs to another list'],
  ] as const)('refuses %j of %j', async (words, text, status, message) => {
    await using server = await serverThat(() => ({text}));
    expect(await run(['api', ...words], {env: server.env})).toMatchObject({status, stdout: '', stderr: expect.stringContaining(message)});
    expect(server.exchanges).toHaveLength(status === 2 ? 0 : 1);
  });
});
