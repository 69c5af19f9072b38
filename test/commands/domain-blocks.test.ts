import {describe, expect, test} from 'vitest';
import {pixelfed, runCommand} from '../run-command.js';

const path = '/api/v1/domain_blocks';
const adds = (domain: string) => pixelfed().post(path, {domain}).reply(200, []);
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

test.each(['bad.example', 'https://bad.example/', 'BAD.example.'])(
  'domain-blocks remove of %s sends the bare host, without confirmation',
  async (typed) => {
    removes('bad.example');
    const {status, stdout, stderr} = await runCommand(['domain-blocks', 'remove', typed]);
    expect({status, stdout, stderr}).toEqual({status: 0, stdout: '', stderr: 'Unblocked bad.example.\n'});
  },
);

test('domain-blocks remove of an empty list does nothing, and succeeds', async () => {
  expect(await runCommand(['domain-blocks', 'remove', '-', '--json'], {input: '[]'})).toMatchObject({status: 0, stdout: '[]\n'});
});
