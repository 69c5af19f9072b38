/** A real terminal, of which what only it can tell is tried: its width, and whether it has colours. All commands at all widths: terminal-widths.test.ts. */
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {hasTerminal, startAtTerminal, type Circumstances} from './program.js';
import {recordedSandbox, serverThat} from './server.js';

const untried = hasTerminal ? '' : ' (not tried: the tool script of util-linux is not here)';

const colour = new RegExp(String.raw`\u{1b}\[[\d;]*m`, 'u');

async function shown(args: string, columns: number, circumstances: Circumstances): Promise<string> {
  const {stdout, status} = await startAtTerminal(`pixelctl ${args}`, columns, circumstances).ended;
  expect({status, stdout: stdout.includes('Error')}).toEqual({status: 0, stdout: false});
  return stdout;
}

const textOf = (output: string): string => output.replaceAll(new RegExp(colour, 'gu'), '').replaceAll('\r\n', '\n');

describe.runIf(hasTerminal)(`at a terminal${untried}`, () => {
  test.concurrent.each([
    [40, /^id +\d+\nwith +@.+\nunread +\d+\n/m],
    [200, /^id +with +unread +state +flags +active +last message/],
  ])('a list fits %d columns, and shows what there is room for', async (columns, has) => {
    await using server = await recordedSandbox();
    const output = await shown('dm list 2> /dev/null', columns, {env: server.env});
    expect(output).toMatch(colour);
    expect(textOf(output)).toMatch(has);
    for (const line of textOf(output).split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  test.concurrent.each([
    ['blocks list --no-color', {}],
    ['blocks list', {NO_COLOR: '1'}],
    ['config --json', {TERM: 'dumb'}],
    ['plan -h', {NO_COLOR: '1'}],
  ])('prints %s without styles with %j', async (args, env) => {
    await using server = await recordedSandbox();
    expect(await shown(args, 80, {env: {...server.env, ...env}})).not.toContain('\u001B');
  });

  test.concurrent('the help has styles', async () => {
    expect(await shown('', 80, {})).toContain('\u001B[1m');
  });

  test.concurrent('--json is coloured and indented, and keeps numbers, order and repeated fields', async () => {
    await using server = await serverThat(() => ({text: '{"z":2.50,"big":12345678901234567890,"2":1,"1":[],"big":{}}'}));
    const output = await shown('dm get 1 --json', 80, {env: server.env});
    expect(output).toMatch(colour);
    expect(textOf(output)).toBe('{\n  "z": 2.50,\n  "big": 12345678901234567890,\n  "2": 1,\n  "1": [],\n  "big": {}\n}\n');
  });
});

test('only FORCE_COLOR colours output in a pipe', async () => {
  await using server = await recordedSandbox();
  const [plain, forced] = await Promise.all([{}, {FORCE_COLOR: '1'}].map((env) => run(['blocks', 'list'], {env: {...server.env, ...env}})));
  expect(plain?.stdout).not.toContain('\u001B');
  expect(textOf(forced?.stdout ?? '')).toBe(plain?.stdout);
  expect(forced?.stdout).toMatch(colour);
});
