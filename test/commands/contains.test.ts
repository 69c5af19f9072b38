import {describe, expect, test} from 'vitest';
import {pixelfed, runCommand, server} from '../run-command.js';

const accounts = [
  {id: '5', username: 'bo', acct: 'bo', url: 'https://pix.example/bo'},
  {id: '6', username: 'Ana', acct: 'Ana@Other.example', url: 'https://other.example/@Ana'},
];

/** Two pages, of which the second is asked for once. */
function pages(path: string, items: readonly unknown[]): void {
  const link = `<${server}${path}?page=2>; rel="next"`;
  pixelfed().get(path).reply(200, items.slice(0, 1), {link});
  pixelfed().get(`${path}?page=2`).reply(200, items.slice(1));
}

describe.each([
  ['blocks', 'blocked'],
  ['mutes', 'muted'],
])('%s contains', (topic, state) => {
  const lists = () => pages(`/api/v1/${topic}`, accounts);
  const look = (...targets: string[]) => runCommand([topic, 'contains', ...targets]);

  test.each([
    '5',
    '@bo',
    '@BO@pix.example',
    'bo@pix.example',
    'https://pix.example/@bo',
    'https://pix.example/i/web/profile/5',
    '@ana@other.example',
    'https://other.example/@ana',
  ])('finds %s, with exit status 0', async (target) => {
    lists();
    expect(await look(target, '--json')).toEqual({status: 0, stderr: '', stdout: `{"target":"${target}","contained":true}\n`});
  });

  test('prints all and exits with 10 when one is missing', async () => {
    lists();
    const {status, stdout, stderr} = await look('@bo', '7', '@ana', '--json');
    expect({status, results: JSON.parse(stdout)}).toEqual({
      status: 10,
      results: [
        {target: '@bo', contained: true},
        {target: '7', contained: false},
        {target: '@ana', contained: false},
      ],
    });
    expect(JSON.parse(stderr).error).toMatchObject({code: 'drift', exit: 10, message: `Not ${state}: 7, @ana`});
  });

  test('prints a table', async () => {
    lists();
    const {stdout} = await look('@bo', '7');
    expect(stdout).toBe('target  contained\n@bo     yes\n7       no\n');
  });

  test.each([
    ['lines', '@bo\n# comment\n7\n'],
    ['JSON', '[{"id": "5", "acct": "bo", "url": "https://pix.example/bo"}, {"id": 7}]'],
    ['CSV', 'Account address,Hide notifications\nbo@pix.example,true\nno@pix.example,false\n'],
  ])('reads %s from standard input, and every page once', async (_, input) => {
    lists();
    const {status, stdout} = await runCommand([topic, 'contains', '-', '-o', 'ndjson', '--jq', '.contained'], {input});
    expect({status, stdout}).toEqual({status: 10, stdout: 'true\nfalse\n'});
  });

  test('exits with the status of a failed page', async () => {
    pixelfed()
      .get(`/api/v1/${topic}`)
      .reply(200, accounts, {link: `<${server}/api/v1/${topic}?page=2>; rel="next"`});
    pixelfed().get(`/api/v1/${topic}?page=2`).reply(403, {error: 'No.'});
    expect(await look('5', '--json')).toMatchObject({status: 5, stdout: ''});
  });

  test.each([[['bo']], [[]]])('refuses %j before anything is read', async (targets) => {
    expect(await look(...targets)).toMatchObject({status: 2, stdout: ''});
  });
});

describe('domain-blocks contains', () => {
  const blocked = (...domains: string[]) => pixelfed().get('/api/v1/domain_blocks').reply(200, domains);

  test.each([
    ['bad.example', true],
    ['https://BAD.example/about', true],
    ['sub.bad.example', false],
    ['example', undefined],
    ['böse.example', true],
    ['xn--bse-sna.example', true],
  ])('%s: %s', async (target, contained) => {
    if (contained !== undefined) blocked('bad.example', 'xn--bse-sna.example', 'odd entry');
    const {status, stdout} = await runCommand(['domain-blocks', 'contains', target, '--jq', '.contained']);
    expect({status, stdout}).toEqual(
      contained === undefined ? {status: 2, stdout: ''} : {status: contained ? 0 : 10, stdout: `${contained}\n`},
    );
  });

  test('skips invalid domains with --skip-invalid', async () => {
    blocked('bad.example');
    const args = ['domain-blocks', 'contains', '-', '-o', 'ndjson'];
    const input = 'bad.example\nnot a domain\n';
    expect((await runCommand(args, {input})).status).toBe(2);
    expect(await runCommand([...args, '--skip-invalid'], {input})).toMatchObject({
      status: 0,
      stdout: '{"target":"bad.example","contained":true}\n',
    });
  });

  test('sends nothing for an empty list', async () => {
    expect(await runCommand(['domain-blocks', 'contains', '-', '--json'], {input: ''})).toMatchObject({status: 0, stdout: '[]\n'});
  });
});
