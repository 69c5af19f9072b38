import {describe, expect, test} from 'vitest';
import {runCommand} from '../../run-command.js';

const authorization = 'Bearer $PIXELCTL_TOKEN';
const accept = 'application/json';

async function requestsOf(...words: readonly string[]): Promise<unknown> {
  const {status, stdout, stderr} = await runCommand([...words, '--dry-run', '--json']);
  expect({status, stderr}).toEqual({status: 0, stderr: ''});
  expect(stdout.endsWith('\n')).toBe(true);
  const {dry_run: isDry, requests} = JSON.parse(stdout);
  expect(isDry).toBe(true);
  return requests;
}

describe('as JSON', () => {
  test('prints a request as one object', async () => {
    expect(await requestsOf('filters', 'create', '--title', 'A', '--context', 'home', '--keyword', 'x')).toEqual([
      {
        method: 'POST',
        path: '/api/v2/filters',
        query: {},
        headers: {accept, 'content-type': 'application/json', authorization},
        body: {title: 'A', context: ['home'], keywords_attributes: [{keyword: 'x', whole_word: true}]},
      },
    ]);
  });

  test('prints null for a request without a body', async () => {
    expect(await requestsOf('filters', 'delete', 'a/b')).toEqual([
      {method: 'DELETE', path: '/api/v2/filters/a%2Fb', query: {}, headers: {accept, authorization}, body: null},
    ]);
  });

  test('prints the query, with lists', async () => {
    expect(await requestsOf('api', 'GET', '/api/v1/notifications?limit=2', '--field', 'types[]=a', '--field', 'types[]=b')).toEqual([
      expect.objectContaining({query: {limit: '2', 'types[]': ['a', 'b']}}),
    ]);
  });
});

describe('as text', () => {
  test('prints only the request on standard output', async () => {
    const {status, stdout, stderr} = await runCommand(['domain-blocks', 'remove', 'bad.example', '--dry-run']);
    expect(status).toBe(0);
    expect(stdout).toBe(
      [
        'DELETE https://pix.example/api/v1/domain_blocks',
        '  accept: application/json',
        '  content-type: application/json',
        `  authorization: ${authorization}`,
        '',
        '  {',
        '    "domain": "bad.example"',
        '  }',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('Nothing was sent.\n');
  });

  test('escapes control characters of arguments', async () => {
    const {stdout} = await runCommand(['dm', 'send', '5', 'a\u001b[2Jb\u202ec', '--dry-run']);
    expect(stdout).not.toContain('\u001b[2J');
    expect(stdout).not.toContain('\u202e');
  });
});

describe('in another format', () => {
  test('prints one item per request', async () => {
    const {stdout} = await runCommand(['dm', 'mute', '5', '6', '--dry-run', '-o', 'ndjson', '--fields', 'method,path']);
    expect(stdout.split('\n').slice(0, 2)).toEqual(
      ['5', '6'].map((id) => JSON.stringify({method: 'POST', path: `/api/v1.1/direct/conversations/${id}/mute`})),
    );
  });

  test('filters the document with --jq', async () => {
    expect((await runCommand(['dm', 'mute', '5', '6', '--dry-run', '--jq', '.requests | length'])).stdout).toBe('2\n');
  });
});

test('CSV and TSV of nothing to add have the header of requests', async () => {
  const printed = async (...flags: readonly string[]) =>
    (await runCommand(['blocks', 'add', '-', '--dry-run', ...flags], {input: ''})).stdout;
  expect(await printed('-o', 'csv')).toBe('method,path,query,headers,body\r\n');
  expect(await printed('-o', 'tsv')).toBe('method\tpath\tquery\theaders\tbody\n');
  expect(await printed('-o', 'csv', '--fields', 'path')).toBe('path\r\n');
  expect(await printed('-o', 'csv', '--no-header')).toBe('');
});

describe('secrets', () => {
  test.each([[[]], [['--json']], [['-o', 'curl']], [['-o', 'ndjson']], [['-o', 'csv']]])('secrets are not printed: %j', async (flags) => {
    for (const deviceToken of ['ExponentPushToken[abcdef]', "it's", 'quo"ted', 'back\\slash', 'sla/sh']) {
      const {status, stdout} = await runCommand(['push', 'update', deviceToken, '--notify', '--dry-run', ...flags]);
      expect(status).toBe(0);
      expect(stdout).toContain('***');
      expect(stdout).not.toContain(deviceToken);
      expect(stdout).not.toContain(deviceToken.replaceAll("'", String.raw`'\''`));
      expect(stdout).not.toContain(JSON.stringify(deviceToken).slice(1, -1));
      expect(stdout).toContain(authorization);
      expect(stdout).not.toContain('token-of-the-test');
    }
  });

  test('secrets are not required', async () => {
    const environment = {PIXELCTL_TOKEN: undefined};
    expect((await runCommand(['dm', 'mute', '5', '--dry-run'], {environment})).status).toBe(0);
  });
});

test.each([
  ['wrong input', ['filters', 'create', '--title', 'A', '--dry-run']],
  ['an id that cannot be one', ['dm', 'mute', '..', '--dry-run']],
  ['no server', ['dm', 'mute', '5', '--dry-run']],
])('a dry run refuses %s', async (what, words) => {
  const environment = what === 'no server' ? {PIXELCTL_SERVER: undefined} : {};
  const {status, stdout} = await runCommand(words, {environment});
  expect({status, stdout}).toEqual({status: 2, stdout: ''});
});

test('reads have no --dry-run', async () => {
  for (const words of [['blocks', 'list'], ['dm', 'lookup', 'bo'], ['config']]) {
    expect((await runCommand([...words, '--dry-run'])).stderr).toContain('Unknown flag --dry-run');
  }
});
