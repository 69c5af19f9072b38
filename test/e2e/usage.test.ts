import {describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {commands as manifest} from '../manifest.js';
import {recordedSandbox} from './server.js';
import {failing} from './told.js';

describe('what people type', () => {
  test.concurrent('global flags may stand before the command', async () => {
    await using server = await recordedSandbox();
    const [after, before, between] = await Promise.all(
      ['blocks list --json --jq .[0].acct', '--json --jq .[0].acct blocks list', 'blocks --json --jq .[0].acct list'].map((line) =>
        run(line.split(' '), {env: server.env}),
      ),
    );
    expect(after).toMatchObject({status: 0, stdout: expect.stringContaining('spam')});
    expect([before, between]).toEqual([after, after]);
  });

  test.concurrent.each([
    [['help'], ['--help']],
    [['-h'], ['--help']],
    [
      ['help', 'blocks', 'list'],
      ['blocks', 'list', '--help'],
    ],
    [
      ['help', 'filters'],
      ['filters', '--help'],
    ],
    [['version'], ['--version']],
    [['-V'], ['--version']],
  ])('%j is %j', async (typed, meant) => {
    const [one, other] = await Promise.all([run(typed), run(meant)]);
    expect(one).toEqual(other);
    expect(one).toMatchObject({status: 0, stderr: ''});
    expect(one.stdout).not.toBe('');
  });

  test.concurrent('help of a command that does not exist suggests one that does', async () => {
    expect(await run(['help', 'filtrs', 'list'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('did you mean `pixelctl filters list`?'),
    });
  });
});

describe('a wrong command line sends nothing and repeats nothing that may be a secret:', () => {
  const secret = 'canary-in-an-argument';
  const cases: readonly (readonly [args: string, message: RegExp])[] = [
    [`--token=${secret} blocks list`, /^Unknown global flag --token$/],
    [`-x${secret} blocks list`, /^Unknown global flag -x$/],
    [`blocks list ${secret}`, /^Too many arguments \(1 unexpected\)$/],
    [`dm get 1 -x${secret}`, /^Unknown flag -x$/],
    ['blocks list --profile=', /^--profile needs a name$/],
    ['blocks add 1 --profile=', /^--profile needs a name$/],
    [`blocks list --limit ${secret}`, /^--limit takes a whole number$/],
    [`blocks list --server https://${secret}@pix.example`, /^--server must not contain a user name or password$/],
    [`blocks list --limit 1 --limit ${secret}`, /--limit/],
    ['blocks list --server http://pix.example', /plain http/],
    ['api GET https://elsewhere.example/api', /PATH is not on/],
    [`api GET / --header Authorization:${secret}`, /cannot set authorization/],
  ];

  test.concurrent.each(cases)('%s', async (args, message) => {
    await using server = await recordedSandbox();
    const {failure, people, scripts} = await failing(args.split(' '), {env: {...server.env, PIXELCTL_TOKEN: secret}});
    expect(failure).toMatchObject({code: 'usage', exit: 2, status: null});
    expect(failure.message).toMatch(message);
    for (const {stderr} of [people, scripts]) expect(stderr).not.toContain(secret);
    expect(server.exchanges).toEqual([]);
  });
});

/** Flags of commands that can be said and unsaid. */
const switches = manifest.flatMap(({id, args, flags}) =>
  Object.entries(flags).flatMap(([name, flag]) =>
    flag.type === 'boolean' && flag.allowNo === true && flag.helpGroup !== 'GLOBAL' ? [{id, args: Object.keys(args), name}] : [],
  ),
);

test('there are flags that can be unsaid', () => {
  expect(switches.map(({id, name}) => `${id} --${name}`)).toEqual(expect.arrayContaining(['users:update --cw', 'posts:moderate --cw']));
});

test.concurrent.each(switches)('$id refuses --$name beside --no-$name, and sends nothing', async ({id, args, name}) => {
  await using server = await recordedSandbox();
  const words = [...id.split(':'), ...args.map(() => '1'), `--${name}`, `--no-${name}`, '--yes'];
  const {status, stderr} = await run(words, {env: server.env});
  expect({status, stderr}).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`--${name} and --no-${name} cannot be used together`),
  });
  expect(server.exchanges).toEqual([]);
});
