import {Flags} from '@oclif/core';
import {expect, test} from 'vitest';
import {listDomainBlocks} from '../../../src/lib/api/blocks.js';
import {commands} from '../../../src/commands.js';
import {endpointCommand} from '../../../src/lib/cli/endpoint/endpoint-command.js';
import {accountsFlags, globalFlags, joinFlags, numberIn, sizeFlag} from '../../../src/lib/cli/flags.js';
import {command} from '../../../src/lib/cli/command.js';
import {policyCommand} from '../../../src/lib/cli/policy/policy-command.js';
import {runCommand} from '../../run-command.js';

/** Every flag whose value becomes a timer. A timer that is set for more than 2,147,483,647 ms goes off at once. */
const timers = [
  [['blocks', 'list'], '--timeout', '2147484'],
  [['blocks', 'list'], '--max-wait', '2147484'],
  [['notifications', 'list', '--follow'], '--interval', '2147484'],
] as const;

test.each(timers)('%j refuses %s %s, which is too long for a timer', async (command, flag, value) => {
  for (const tooLong of [value, '9'.repeat(20), '9'.repeat(400)]) {
    const {status, stderr} = await runCommand([...command, flag, tooLong]);
    expect({status, stderr}).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(new RegExp(`^Error: ${flag} must be a (whole )?number from [\\d.]+ to \\d+\n`)),
    });
  }
});

test.each(['filters create --title x --context home --keyword a', 'filters update 5'])(
  '%s refuses an expiry after more than two years',
  async (line) => {
    for (const time of ['63072001', '731d', '17521h', '9'.repeat(400)]) {
      const {status, stderr} = await runCommand([...line.split(' '), '--dry-run', '--expires-in', time]);
      expect({status, stderr}).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/^Error: Invalid value "\d+[hd]?" for --expires-in\n/),
      });
    }
    for (const time of ['0', '63072000', '730d', 'never']) {
      expect((await runCommand([...line.split(' '), '--dry-run', '--expires-in', time])).status).toBe(0);
    }
  },
);

const sizeOf = async (text: string) => Reflect.apply(sizeFlag({}).parse, undefined, [text, {}, {name: 'max-size'}]);

test.each([
  ['7', 7],
  ['7B', 7],
  ['1.5k', 1536],
  ['500M', 500 * 1024 ** 2],
  ['2GiB', 2 * 1024 ** 3],
  ['1TB', 1024 ** 4],
])('the size %s is %i bytes', async (text, size) => {
  expect(await sizeOf(text)).toBe(size);
});

test.each(['', 'much', '-1', '1P', '1.', '1 M', 'M'])('%j is no size', async (text) => {
  await expect(sizeOf(text)).rejects.toMatchObject({code: 'usage', message: '--max-size takes a size, as in 500M or 2G'});
});

test.each([
  ['1', {least: 1, whole: true}, 1],
  ['1.5', {least: 1, most: 2, whole: false}, 1.5],
])('%s is a number', (text, bounds, number) => {
  expect(numberIn(text, 'x', bounds)).toBe(number);
});

test.each([
  ['0', {least: 1, whole: true}, '--x must be a whole number of at least 1'],
  ['1.5', {least: 1, whole: true}, '--x must be a whole number of at least 1'],
  ['3', {least: 1, most: 2, whole: false}, '--x must be a number from 1 to 2'],
  ['1e3', {least: 1, whole: false}, '--x must be a number of at least 1'],
  ['-1', {least: 0, whole: false}, '--x must be a number of at least 0'],
  ['', {least: 0, whole: false}, '--x must be a number of at least 0'],
])('%j is refused', (text, bounds, message) => {
  expect(() => numberIn(text, 'x', bounds)).toThrow(expect.objectContaining({code: 'usage', message}));
});

const example = {does: '', line: ''};
const words = {summary: '', description: '', examples: [example, example] as const};

test('a flag that two parts of a command define is an error when the command is made', () => {
  const own = {'all-profiles': Flags.boolean()};
  expect(() => joinFlags({one: Flags.boolean()}, {other: Flags.string()}, {one: Flags.string()})).toThrow(
    'Two parts of a command define --one',
  );
  expect(() => command({...words, flags: {json: Flags.boolean()}, run: async () => {}})).toThrow(
    'A command defines --json, which all commands have',
  );
  expect(() => policyCommand({...words, args: {}, flags: own, several: true, run: async () => ({})})).toThrow('define --all-profiles');
  for (const flag of ['limit', 'all'])
    expect(() => endpointCommand({...words, endpoint: listDomainBlocks, own: {flags: {[flag]: Flags.string()}}})).toThrow(
      `define --${flag}`,
    );
});

test('no command defines a global flag anew, but for what names accounts and --yes', async () => {
  for (const load of Object.values(commands)) {
    const {flags = {}} = (await load()).default;
    const twice = Object.keys(flags).filter((name) => name in globalFlags && !(name in accountsFlags));
    expect(twice).toEqual([]);
  }
});
