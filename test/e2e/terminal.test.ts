import {stripVTControlCharacters} from 'node:util';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {account, conversation, filter} from './demo-world.js';
import {hasTerminal, run, startAtTerminal, type Circumstances} from './program.js';
import {recordedSandbox, serverThat} from './server.js';

const untried = hasTerminal ? '' : ' (not tried: the tool script of util-linux is not here)';

/** Whatever is not text, line ends and colours. */
const steering = /[^\P{Cc}\r\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const colour = new RegExp(String.raw`\u{1b}\[[\d;]*m`, 'u');

async function shown(args: string, columns: number, circumstances: Circumstances): Promise<string> {
  const {stdout, status} = await startAtTerminal(`pixelctl ${args}`, columns, circumstances).ended;
  expect({status, stdout: stdout.includes('Error')}).toEqual({status: 0, stdout: false});
  return stdout;
}

const textOf = (output: string): string => output.replaceAll(new RegExp(colour, 'gu'), '').replaceAll('\r\n', '\n');

describe.runIf(hasTerminal)(`at a terminal${untried}`, () => {
  const bob = account('bob');
  const commands = [
    'mutes list',
    'dm list',
    'filters list',
    'notifications list',
    'config',
    `dm messages ${conversation('bob').id}`,
    `filters get ${filter('Crypto')}`,
    `thread get ${bob}`,
    `dm mute ${conversation('bob').id} 999 || true`,
  ];

  describe.each([40, 80, 200])('of %d columns', (columns) => {
    test.concurrent.each(commands)('%s fits', async (args) => {
      await using server = await recordedSandbox();
      const [line, rest = ''] = args.split(' || ');
      const output = await shown(`${line} 2> /dev/null ${rest && `|| ${rest}`}`, columns, {env: server.env});
      expect(output).toMatch(colour);
      const lines = textOf(output).split('\n');
      expect(lines.length).toBeGreaterThan(2);
      for (const line of lines) {
        expect(stringWidth(line)).toBeLessThanOrEqual(columns);
        expect(line).not.toMatch(steering);
      }
    });
  });

  test.concurrent('wider terminals show more columns', async () => {
    await using server = await recordedSandbox();
    const [narrow = '', wide = ''] = await Promise.all([40, 200].map((columns) => shown('dm list', columns, {env: server.env})));
    expect(textOf(wide).split('\n')[0]).toMatch(/id +with +unread +state +flags +active +last message/);
    expect(textOf(narrow)).toMatch(/^id +\d+\nwith +@.+\nunread +\d+\n/m);
  });

  describe.each([
    ['--no-color', {}],
    ['', {NO_COLOR: '1'}],
    ['', {TERM: 'dumb'}],
  ])('with %j and %j', (flag, env) => {
    test.concurrent.each(['blocks list', 'config --json'])('prints %s without colours', async (args) => {
      await using server = await recordedSandbox();
      expect(await shown(`${args} ${flag}`, 80, {env: {...server.env, ...env}})).not.toContain('\u001B');
    });
  });

  test.concurrent.each(['blocks list', 'dm list', 'config'])('%s --json is coloured and indented, with the same content', async (args) => {
    await using server = await recordedSandbox();
    const output = await shown(`${args} --json`, 80, {env: server.env});
    expect(output).toMatch(colour);
    const text = textOf(output);
    expect(text).toMatch(/^[[{]\n {2}[{"]/);
    expect(JSON.parse(text)).toEqual(JSON.parse(server.exchanges[0]?.answered.text ?? ''));
  });

  test.concurrent('--json keeps numbers, order and repeated fields', async () => {
    await using server = await serverThat(() => ({text: '{"z":2.50,"big":12345678901234567890,"2":1,"1":[],"big":{}}'}));
    const output = await shown('dm get 1 --json', 80, {env: server.env});
    expect(textOf(output)).toBe('{\n  "z": 2.50,\n  "big": 12345678901234567890,\n  "2": 1,\n  "1": [],\n  "big": {}\n}\n');
  });

  describe('control characters are escaped', () => {
    // As escapes and as what they stand for, as far as JSON allows that.
    const hostile = String.raw`a\u001b[2J\u001b]0;owned\u0007\r\u0008\u009b31m\u202e` + '\u202Eb\u009B2J\u2066\u007F';
    const member = (name: string): string => `"${name}":"${hostile}"`;
    const fields = [
      'id',
      'title',
      'username',
      'acct',
      'display_name',
      'text',
      'type',
      'state',
      'note',
      'name',
      'content',
      'created_at',
      hostile,
    ].map(member);
    const inner = ['account', 'last_message', 'status'].map((name) => `"${name}":{${fields.join()}}`);
    const lists = [`"participants":[{${fields.join()}}]`, `"keywords":[{${member('keyword')}}]`, `"context":["${hostile}"]`];
    const object = `{${[...fields, ...inner, ...lists].join()}}`;
    // An answer about another one than was asked for is refused.
    const first = object.replace(member('id'), '"id":"1"');
    const cases = [
      ['filters list', `[${object}]`],
      ['filters get 1', first],
      ['blocks list', `[${object}]`],
      ['notifications list', `[${object}]`],
      ['domain-blocks list', `["${hostile}"]`],
      ['dm list', `{"data":[${object}],"meta":{}}`],
      ['dm get 1', first],
      ['config', object],
      ['push state', object],
    ] as const;

    describe.each(['', '--json', '-v'])('with %j', (flag) => {
      test.concurrent.each(cases)('control characters are escaped by %s', async (args, text) => {
        await using server = await serverThat(() => ({text, headers: {'x-hostile': encodeURIComponent(hostile)}}));
        const output = await shown(`${args} ${flag}`, 80, {env: server.env});
        expect(output).toMatch(/(␛|\\u001b)/);
        expect(textOf(output)).not.toMatch(steering);
        expect(stripVTControlCharacters(textOf(output))).toBe(textOf(output));
      });
    });

    test.concurrent.each(['', '--json'])('control characters are escaped in an error, with %j', async (flag) => {
      await using server = await serverThat(() => ({status: 422, text: `{${member('error')}}`}));
      const {stdout, status} = await startAtTerminal(`pixelctl filters list ${flag}`, 80, {env: server.env}).ended;
      expect(status).toBe(5);
      expect(textOf(stdout)).not.toMatch(steering);
    });

    test.concurrent.each(['', '--json'])('control characters are escaped in an id that was not asked for, with %j', async (flag) => {
      await using server = await serverThat(() => ({text: object}));
      const {stdout, status} = await startAtTerminal(`pixelctl filters get 1 ${flag}`, 80, {env: server.env}).ended;
      expect(status).toBe(8);
      expect(textOf(stdout)).not.toMatch(steering);
    });
  });
});

describe.runIf(hasTerminal)('the help at a terminal', () => {
  test.concurrent.each(['', 'plan -h', 'blocks -h'])('the help of %j has no styles with NO_COLOR', async (args) => {
    const [styled, plain] = await Promise.all(
      [{}, {NO_COLOR: '1'}].map(async (env) => (await startAtTerminal(`pixelctl ${args}`, 80, {env}).ended).stdout),
    );
    expect(styled).toContain('\u001B[1m');
    expect(plain).not.toContain('\u001B[');
  });
});

test.concurrent('only FORCE_COLOR colours output in a pipe', async () => {
  await using server = await recordedSandbox();
  const [plain, forced] = await Promise.all([{}, {FORCE_COLOR: '1'}].map((env) => run(['blocks', 'list'], {env: {...server.env, ...env}})));
  expect(plain?.stdout).not.toContain('\u001B');
  expect(textOf(forced?.stdout ?? '')).toBe(plain?.stdout);
  expect(forced?.stdout).toMatch(colour);
});
