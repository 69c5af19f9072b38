/** What a command says of what nobody expected. */
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {PixelctlCommand} from '../../../src/lib/cli/command.js';
import {Io} from '../../../src/lib/cli/io.js';
import {runWith} from '../../../src/lib/cli/shell/main.js';
import {testSystem} from '../../system.js';

const root = join(import.meta.dirname, '../../..');

/** Runs a command that throws this. */
async function throwing(thrown: unknown, ...words: readonly string[]): Promise<readonly string[]> {
  class Throwing extends PixelctlCommand {
    override async run(): Promise<void> {
      throw thrown;
    }
  }
  const {system, printed} = testSystem({env: process.env});
  await runWith(['boom', ...words], {root, commands: {boom: async () => ({default: Throwing})}}, new Io(system));
  expect({stdout: printed.stdout, status: system.exitCode}).toEqual({stdout: '', status: 1});
  return printed.stderr.trim().split('\n');
}

const bug = [expect.stringMatching(/^Error: /), expect.stringContaining('this is a bug in pixelctl')];

test.each([[new TypeError('x is not a function')], [new SyntaxError('Unexpected token in "secret"')], ['secret']])(
  'an unexpected exception is a bug, without its details: %s',
  async (thrown) => {
    expect(await throwing(thrown)).toEqual(bug);
  },
);

test('with --verbose its message follows', async () => {
  for (const flag of ['-v', '--verbose']) expect(await throwing(new TypeError('x\u001b is not'), flag)).toEqual([...bug, '* x␛ is not']);
});

test.each([[new SyntaxError('Unexpected token in "secret"')], ['secret']])(
  'what may quote a secret does not follow with --verbose: %s',
  async (thrown) => {
    expect(await throwing(thrown, '--verbose')).toEqual(bug);
  },
);
