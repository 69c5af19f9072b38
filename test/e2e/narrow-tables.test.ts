/** What is said of tables that are wider than the terminal. */
import {describe, expect, test} from 'vitest';
import {run, type Setting} from './in-process.js';
import {desk} from './admin-desk.js';
import {isOtherProgram} from './program.js';
import {recordedSandbox} from './server.js';

const failing = ['dm', 'mute', '1', '2'];

// Another program runs as a process, which has no terminal of this kind.
describe.skipIf(isOtherProgram)('a table that is wider than the terminal', () => {
  const shown = async (args: readonly string[], setting: Setting) => {
    await using server = await recordedSandbox();
    const {stdout, stderr} = await run(args, {env: {...server.env, NO_COLOR: '1'}, ...setting});
    return {stdout, stderr};
  };

  test.each([40, 80])('shows at %d columns why targets failed for the same cause', async (columns) => {
    const {stdout} = await shown(failing, {columns});
    const words = stdout.replaceAll(/\s+/g, ' ');
    expect(words).toMatch(/error/);
    expect(words).toContain('not found (404)');
    expect(words).toMatch(/1 failed|target 1 result failed/);
  });

  test('names what it leaves out, once and on standard error', async () => {
    const {stdout, stderr} = await shown(['dm', 'list'], {columns: 60});
    expect(stdout.split('\n')).toContain('id                   with                      unread');
    const notes = stderr.replaceAll(/\s+/g, ' ').match(/Not shown: .*?\)/g);
    expect(notes).toEqual([expect.stringMatching(/^Not shown: .*last message \(wider terminal, --fields or -o yaml\)$/)]);
  });

  test('cuts the addresses of held-back posts, and shows them whole with -o', async () => {
    await using one = await desk();
    const printed = (...args: readonly string[]) => one.run(['autospam', 'list', ...args], {columns: 80});
    const {stdout, stderr} = await printed();
    expect(stdout).toMatch(/address[^]*https?:\/\/\S*…\n/);
    expect(stderr).not.toContain('Not shown');
    expect((await printed('-o', 'yaml')).stdout).toMatch(/url: "?https?:\/\/\S*\/p\/\S+\d"?\n/);
  });

  test('says nothing of it with --quiet, in a pipe, or where there is room', async () => {
    for (const [args, columns] of [
      [['dm', 'list', '--quiet'], 60],
      [['dm', 'list'], undefined],
      [['dm', 'list'], 200],
      [['dm', 'list', '--fields', 'id,participants,last_message.text'], 60],
    ] as const) {
      const {stderr} = await shown(args, {columns});
      expect(stderr).not.toContain('Not shown');
    }
  });
});
