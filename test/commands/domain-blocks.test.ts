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
  ])('of %s sends %s, for servers want a URL', async (typed, sent) => {
    adds(sent);
    const {status, stdout} = await runCommand(['domain-blocks', 'add', typed, '--yes', '--json']);
    expect({status, stdout}).toEqual({status: 0, stdout: '[]\n'});
  });

  test('says what was done, where the answer says nothing', async () => {
    adds('https://bad.example');
    const {stdout, stderr} = await runCommand(['domain-blocks', 'add', 'Bad.example', '--yes']);
    expect({stdout, stderr}).toEqual({stdout: '', stderr: 'Blocked bad.example.\n'});
  });

  test('asks first, and names the domains and the server', async () => {
    adds('https://bad.example');
    adds('https://worse.example');
    const {status, stderr} = await runCommand(['domain-blocks', 'add', 'bad.example', 'worse.example'], {typing: 'y\n'});
    expect(status).toBe(0);
    expect(stderr).toContain('Block bad.example, worse.example on pix.example? Followers there are dropped for good.');
  });

  test('sends nothing when one of many is no domain', async () => {
    const {status, stdout, stderr} = await runCommand(['domain-blocks', 'add', 'bad.example', 'ana@worse.example', '--yes']);
    expect({status, stdout}).toEqual({status: 2, stdout: ''});
    expect(stderr).toContain('is an account, not a domain');
  });

  test('with a refusal about the domain is refused, though the status is 500', async () => {
    pixelfed().post(path).reply(500, {error: 'Invalid domain'});
    const {status, stderr} = await runCommand(['domain-blocks', 'add', 'bad.example', '--yes']);
    expect(status).toBe(5);
    expect(stderr).toContain('Invalid domain');
  });

  test('takes the domain from --input as well', async () => {
    adds('https://bad.example');
    expect((await runCommand(['domain-blocks', 'add', '--input', '-', '--yes'], {input: '{"domain":"bad.example"}'})).status).toBe(0);
  });
});

describe('domain-blocks remove', () => {
  test.each(['bad.example', 'https://bad.example/', 'BAD.example.'])('of %s sends the bare host, and does not ask', async (typed) => {
    removes('bad.example');
    const {status, stdout, stderr} = await runCommand(['domain-blocks', 'remove', typed]);
    expect({status, stdout, stderr}).toEqual({status: 0, stdout: '', stderr: 'Unblocked bad.example.\n'});
  });

  test('takes what the list prints', async () => {
    removes('bad.example');
    removes('worse.example');
    const {status} = await runCommand(['domain-blocks', 'remove', '-', '--json'], {input: '["bad.example","worse.example"]\n'});
    expect(status).toBe(0);
  });

  test('of an empty list does nothing, and that is fine', async () => {
    const {status, stdout} = await runCommand(['domain-blocks', 'remove', '-', '--json'], {input: '[]'});
    expect({status, stdout}).toEqual({status: 0, stdout: '[]\n'});
  });
});
