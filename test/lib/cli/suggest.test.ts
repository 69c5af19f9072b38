import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {suggester} from '../../../src/lib/cli/suggest.js';

describe('a suggested command', () => {
  test.each([
    [{}, undefined, 'pixelctl a b'],
    [{}, {args: ['x', 'y z']}, "pixelctl a b x 'y z'"],
    [{profile: 'ana'}, {args: ['x']}, 'pixelctl a b x --profile=ana'],
    [{profile: 'ana'}, {args: ['x', '-y']}, 'pixelctl a b --profile=ana -- x -y'],
    [{}, {args: ['-y']}, 'pixelctl a b -- -y'],
    [{profile: 'ana'}, {flags: {yes: true}}, 'pixelctl a b --yes --profile=ana'],
    [{profile: 'ana'}, {flags: {profile: 'bob', yes: true}}, 'pixelctl a b --profile=bob --yes'],
    [{profile: 'ana'}, {flags: {profile: undefined}}, 'pixelctl a b'],
    [
      {},
      {flags: {header: false, most: 5, on: ['a', "b'"], no: undefined}},
      String.raw`pixelctl a b --no-header --most=5 --on=a --on='b'\'''`,
    ],
  ])('of the account %j with %j is %s', (account, parts, command) => {
    expect(suggester(account)(['a', 'b'], parts)).toBe(command);
  });

  test('knows what is in use', () => {
    const {server, needsProfile, tokenVariable} = suggester({}, {server: 'https://a.example', needsProfile: true});
    expect([server, needsProfile, tokenVariable]).toEqual(['https://a.example', true, undefined]);
  });

  test('has each argument once, and before its flags unless one begins with a dash', () => {
    const word = fc.stringMatching(/^[a-z-][a-z]{0,5}$/);
    fc.assert(
      fc.property(fc.array(word, {maxLength: 4}), (args) => {
        const words = suggester({profile: 'ana'})(['x'], {args}).split(' ');
        const hasDash = args.some((arg) => arg.startsWith('-'));
        expect(words).toEqual(['pixelctl', 'x', ...(hasDash ? ['--profile=ana', '--', ...args] : [...args, '--profile=ana'])]);
      }),
    );
  });
});
