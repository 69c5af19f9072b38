/** How suggested commands get the flags of the account in use. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {records} from '../../../src/lib/api/endpoints.js';
import {completeCommand, completeCommands} from '../../../src/lib/cli/account-in-use.js';
import {commandText, type FlagValues} from '../../../src/lib/files/command-text.js';
import {wordsOfShell} from '../../shell-words.js';
import {complaint} from '../../command-lines.js';

describe('a suggested command', () => {
  test.each<[FlagValues, string, string]>([
    [{}, 'pixelctl a b', 'pixelctl a b'],
    [{profile: 'ana'}, 'pixelctl a b x', 'pixelctl a b x --profile=ana'],
    [
      {profile: 'at work', server: undefined, 'allow-http': true},
      'pixelctl a 5 --yes',
      "pixelctl a 5 --yes --profile='at work' --allow-http",
    ],
    [{profile: 'ana'}, 'pixelctl a b -- x -y', 'pixelctl a b --profile=ana -- x -y'],
    [{profile: 'ana'}, "pixelctl a '-- `x' y", "pixelctl a '-- `x' y --profile=ana"],
    [{profile: 'ana'}, 'pixelctl plan p.yml # save it first', 'pixelctl plan p.yml --profile=ana # save it first'],
    [{profile: 'ana'}, 'pixelctl a < file', 'pixelctl a --profile=ana < file'],
    [{profile: 'ana'}, 'pixelctl a --profile=bob --yes', 'pixelctl a --profile=bob --yes'],
    [{'allow-http': true}, 'pixelctl a --no-allow-http', 'pixelctl a --no-allow-http'],
    [{'all-profiles': true}, 'pixelctl auth login --admin', 'pixelctl auth login --admin'],
    [{profile: 'ana', server: 'https://a.example'}, 'pixelctl auth login', 'pixelctl auth login --profile=ana --server=https://a.example'],
    [{profile: ['ana', 'bob']}, 'pixelctl auth login', 'pixelctl auth login'],
    [{profile: 'ana'}, 'pixelctl filters --help', 'pixelctl filters --help'],
    [{profile: 'ana'}, 'pixelctl help thread', 'pixelctl help thread'],
    [{'all-profiles': true}, 'pixelctl a --profile=ana', 'pixelctl a --profile=ana'],
    [{profile: 'ana'}, 'pixelctl a --all-profiles', 'pixelctl a --all-profiles'],
    [{profile: 'ana'}, 'pixelctl sandbox', 'pixelctl sandbox'],
    [{profile: 'ana'}, 'pixelctl', 'pixelctl'],
  ])('of the account %j: %s is %s', (flags, command, completed) => {
    expect(completeCommand(command, {flags})).toBe(completed);
  });

  test.each([
    ['pixelctl auth login --admin', 'PIXELCTL_PROFILE', 'pixelctl auth login --admin --server=https://a.example'],
    ['pixelctl auth login', undefined, 'pixelctl auth login --server=https://a.example'],
    ['pixelctl auth login', 'PIXELCTL_SERVER', 'pixelctl auth login'],
    ['pixelctl auth login b.example', undefined, 'pixelctl auth login b.example'],
    ['pixelctl a', undefined, 'pixelctl a'],
  ])('%s, where the server is from %s, names the server that a sign-in needs: %s', (command, from, completed) => {
    expect(completeCommand(command, {flags: {}, server: 'https://a.example', from: {server: from}})).toBe(completed);
  });

  test.each<[FlagValues, string, string]>([
    [{profile: 'ana'}, 'pixelctl auth login', 'pixelctl auth login --profile=ana'],
    [{profile: 'ana'}, 'pixelctl auth login --admin', 'pixelctl auth login --admin'],
    [{profile: 'a+admin', admin: true}, 'pixelctl auth login', 'pixelctl auth login --profile=a+admin --admin'],
    [{profile: 'a+admin', admin: true}, 'pixelctl auth login --admin', 'pixelctl auth login --admin --profile=a+admin'],
    [{profile: 'a+admin', admin: true}, 'pixelctl a', 'pixelctl a'],
  ])('where a sign-in makes %j anew: %s is %s', (signIn, command, completed) => {
    expect(completeCommand(command, {flags: {}, signIn})).toBe(completed);
  });

  test.each([
    ['see `pixelctl a` or `pixelctl b x`', 'see `pixelctl a --profile=ana` or `pixelctl b x --profile=ana`'],
    ["see `pixelctl a 'touch `x`'`.", "see `pixelctl a 'touch `x`' --profile=ana`."],
    ['To list all: pixelctl a --all', 'To list all: pixelctl a --all --profile=ana'],
    ['pixelctl is `a program`, and "pixelctl a" is no command', 'pixelctl is `a program`, and "pixelctl a" is no command'],
  ])('in a text: %s', (text, completed) => {
    expect(completeCommands(text, {flags: {profile: 'ana'}})).toBe(completed);
  });

  test('keeps its words, and gets flags once (property)', () => {
    const word = fc.string({unit: fc.constantFrom(...`a0-=' \`;#~\\é`), maxLength: 6});
    fc.assert(
      fc.property(fc.array(word, {maxLength: 4}), (args) => {
        const inUse = {flags: {profile: 'at work'}};
        const text = `see \`${commandText('x', {args})}\``;
        const [once, twice] = [completeCommands(text, inUse), completeCommands(completeCommands(text, inUse), inUse)];
        const words = wordsOfShell(once.slice('see `'.length, -1));
        const hasDash = args.some((arg) => arg.startsWith('-') && arg !== '-');
        expect(words).toEqual(['pixelctl', 'x', ...(hasDash ? ['--profile=at work', '--', ...args] : [...args, '--profile=at work'])]);
        expect(twice).toBe(once);
      }),
    );
  });
});

const input = {path: {id: '5', messageId: '6'}, body: {id: '5', to_id: '5', user: '5', domain: 'bad.example'}};

test.each(
  records.flatMap(({name, lookWith, errors}) =>
    [lookWith, ...(errors?.hints ?? []).map(({use}) => use)].flatMap((make) => make?.(input) ?? []).map((use) => ({name, use})),
  ),
)('what "$name" points to is a command: $use', ({use}) => {
  const words = wordsOfShell(commandText(use.command, use)).slice(1);
  if (!use.command.startsWith('help ')) expect(complaint(words)).toBeUndefined();
});
