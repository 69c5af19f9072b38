import {describe, expect, test} from 'vitest';
import {pixelfed, runCommand} from '../run-command.js';

const path = '/api/v1/domain_blocks';
const adds = (domain: string) => pixelfed().post(path, {domain}).reply(200, []);
const lists = (domains: readonly string[]) => pixelfed().get(path).reply(200, domains);
const removes = (domain: string) => pixelfed().delete(path, {domain}).reply(200, []);

describe('domain-blocks add', () => {
  test.each([
    ['bad.example', 'https://bad.example'],
    ['https://Bad.example/about', 'https://bad.example'],
    ['http://bad.example', 'https://bad.example'],
    ['bücher.example', 'https://xn--bcher-kva.example'],
  ])('domain-blocks add of %s sends %s, because servers expect a URL', async (typed, sent) => {
    adds(sent);
    const {status, stdout} = await runCommand(['domain-blocks', 'add', typed, '--yes', '--json']);
    expect({status, stdout}).toEqual({status: 0, stdout: '[]\n'});
  });

  test('sends nothing when one of many is not a domain', async () => {
    const {status, stdout, stderr} = await runCommand(['domain-blocks', 'add', 'bad.example', 'ana@worse.example', '--yes']);
    expect({status, stdout}).toEqual({status: 2, stdout: ''});
    expect(stderr).toContain('is an account, not a domain');
  });
});

describe('domain-blocks remove', () => {
  test.each(['bad.example', 'https://bad.example/', 'BAD.example.'])(
    'domain-blocks remove of %s sends the bare host, without confirmation',
    async (typed) => {
      lists(['other.example', 'bad.example']);
      removes('bad.example');
      const {status, stdout, stderr} = await runCommand(['domain-blocks', 'remove', typed]);
      expect({status, stdout, stderr}).toEqual({status: 0, stdout: '', stderr: 'Unblocked bad.example.\n'});
    },
  );

  test('reports a domain that was not blocked, although servers do not', async () => {
    lists(['other.example']);
    removes('typo.example');
    expect(await runCommand(['domain-blocks', 'remove', 'typo.example'])).toEqual({
      status: 0,
      stdout: '',
      stderr: 'typo.example was not blocked.\n',
    });
  });

  test('finds a domain on a later page', async () => {
    pixelfed()
      .get(path)
      .reply(200, ['a.example'], {link: `<https://pix.example${path}?cursor=x>; rel="next"`});
    pixelfed().get(path).query({cursor: 'x'}).reply(200, ['bad.example']);
    removes('bad.example');
    expect((await runCommand(['domain-blocks', 'remove', 'bad.example'])).stderr).toBe('Unblocked bad.example.\n');
  });

  test('reports only the request when the blocked domains cannot be read', async () => {
    pixelfed().get(path).reply(404, {error: ''});
    removes('bad.example');
    expect(await runCommand(['domain-blocks', 'remove', 'bad.example'])).toEqual({
      status: 0,
      stdout: '',
      stderr: 'Sent the request to unblock bad.example.\n',
    });
  });

  test('domain-blocks remove of many reads the list once, and marks in the table which were not blocked', async () => {
    lists(['a.example', 'c.example']);
    for (const domain of ['a.example', 'b.example', 'c.example']) removes(domain);
    const {stdout} = await runCommand(['domain-blocks', 'remove', 'a.example', 'b.example', 'c.example']);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ['target', 'result'],
      ['a.example', 'ok'],
      ['b.example', 'was not blocked'],
      ['c.example', 'ok'],
      [''],
    ]);
  });

  test('domain-blocks remove of many requests an unreadable list only once', async () => {
    pixelfed().get(path).reply(404, {error: ''});
    for (const domain of ['a.example', 'b.example']) removes(domain);
    expect((await runCommand(['domain-blocks', 'remove', 'a.example', 'b.example'])).stdout).toMatch(
      /^target +result.*\na\.example +ok .*\nb\.example +ok /,
    );
  });

  test.each([['--json'], ['-o', 'ndjson'], ['-o', 'csv'], ['--jq', '.'], ['--fields', 'target']])(
    'domain-blocks remove does not read the list with %s %s',
    async (...flags) => {
      for (const domain of ['a.example', 'b.example']) removes(domain);
      const {status, stdout} = await runCommand(['domain-blocks', 'remove', 'a.example', 'b.example', ...flags]);
      expect({status, hasNote: stdout.includes('not blocked')}).toEqual({status: 0, hasNote: false});
    },
  );

  test('domain-blocks remove of an empty list does nothing, and succeeds', async () => {
    expect(await runCommand(['domain-blocks', 'remove', '-', '--json'], {input: '[]'})).toMatchObject({status: 0, stdout: '[]\n'});
  });
});
