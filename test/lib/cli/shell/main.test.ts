import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {commandFirst} from '../../../../src/lib/cli/shell/main.js';

const words = (line: string): string[] => line.split(' ').filter((word) => word !== '');

describe('a command line', () => {
  test.each([
    ['blocks list --json', 'blocks list --json'],
    ['--json blocks list', 'blocks list --json'],
    ['blocks --json list', 'blocks list --json'],
    ['-s pix.example blocks list --limit 5', 'blocks list -s pix.example --limit 5'],
    ['-spix.example blocks list', 'blocks list -spix.example'],
    ['--server=pix.example blocks list', 'blocks list --server=pix.example'],
    ['-vy blocks list', 'blocks list -vy'],
    ['-vs pix.example blocks list', 'blocks list -vs pix.example'],
    ['--profile work -o json filters delete 3', 'filters delete 3 --profile work -o json'],
    ['--yes filters delete -- -3', 'filters delete --yes -- -3'],
    ['--max 5 blocks list', 'blocks list --max 5'],
    ['dm send 5 --media a.jpg --json', 'dm send 5 --media a.jpg --json'],
    ['dm send 5 -', 'dm send 5 -'],
    ['help', '--help'],
    ['help blocks list', 'blocks list --help'],
    ['--json help', '--help'],
    ['-s pix.example help blocks list', 'blocks list -s pix.example --help'],
    ['--json version', 'version --json'],
    ['--json --version', '--version --json'],
    ['-V', '-V'],
    ['-h', '-h'],
    ['', ''],
  ])('%j is read as %j', (typed, read) => {
    expect(commandFirst(words(typed))).toEqual(words(read));
  });

  test('keeps all words, and the order of arguments', () => {
    const part = fc.constantFrom(
      ['blocks'],
      ['list'],
      ['5'],
      ['-'],
      ['--json'],
      ['--server', 'x'],
      ['--server=x'],
      ['-s', 'x'],
      ['-ofile'],
      ['--limit', '5'],
      ['--no-like'],
      ['--'],
      ['-x'],
    );
    fc.assert(
      fc.property(
        fc.array(part).map((some) => ['config', ...some.flat()]),
        (typed) => {
          const read = commandFirst(typed);
          expect(read.toSorted()).toEqual(typed.toSorted());
          expect(commandFirst(read)).toEqual(read);
          const end = typed.indexOf('--');
          if (end !== -1) expect(read.slice(end)).toEqual(typed.slice(end));
        },
      ),
    );
  });

  test.each([
    ['--json', 'No command given'],
    ['-v', 'No command given'],
    ['--json --', 'Unknown global flag --'],
    ['--limit 5 blocks list', 'Unknown global flag --limit'],
    ['--token=secret blocks list', 'Unknown global flag --token'],
    ['-xsecret blocks list', 'Unknown global flag -x'],
  ])('%j is refused: %s', (typed, message) => {
    expect(() => commandFirst(words(typed))).toThrow(expect.objectContaining({code: 'usage', message}));
  });

  test.each(['__proto__', 'constructor', 'toString'])('--%s before the command is refused as unknown', (name) => {
    const message = `Unknown global flag --${name}`;
    expect(() => commandFirst(words(`--${name} blocks list`))).toThrow(expect.objectContaining({code: 'usage', message}));
  });
});
