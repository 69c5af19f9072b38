import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Endpoint, EndpointUse} from '../../../src/lib/api/endpoint.js';
import * as api from '../../../src/lib/api/index.js';
import {suggester} from '../../../src/lib/cli/suggest.js';
import {complaint} from '../../command-lines.js';
import {table} from '../../endpoints/table.js';

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

const records = Object.values(api).flatMap((one): Endpoint[] => ('path' in one ? [one] : []));
const input = {path: {id: '5', messageId: '6'}, body: {id: '5', to_id: '5', user: '5', domain: 'bad.example'}};

/** The command as the rows of the endpoints have it. */
function commandOf({endpoint, item, isGroup}: EndpointUse): string {
  const record = records.find(({name}) => name === endpoint);
  const command = table.find((row) => row.endpoint.name === endpoint)?.command ?? `api ${record?.method} ${record?.path}`;
  return isGroup === true || item !== undefined ? command.replace(/ ?[\w-]+$/, item === undefined ? '' : ' contains') : command;
}

test.each(
  records.flatMap(({name, lookWith, errors}) =>
    [lookWith, ...(errors?.hints ?? []).map(({use}) => use)].flatMap((make) => make?.(input) ?? []).map((use) => ({name, use})),
  ),
)('what "$name" points to is a command: $use', ({use}) => {
  const words = suggester().use(use).split(' ').slice(1);
  expect(words.join(' ')).toBe(
    [commandOf(use), use.of ?? use.item ?? [], Object.entries(use.query ?? {}).map(([name, value]) => `--${name}=${value}`)]
      .flat()
      .join(' '),
  );
  if (use.isGroup !== true) expect(complaint(words)).toBeUndefined();
});
