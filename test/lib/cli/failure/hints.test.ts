import {expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {suggester} from '../../../../src/lib/client/suggest.js';
import {hintFor} from '../../../../src/lib/cli/failure/hints.js';

const conversations = '/api/v1.1/direct/conversations';

function refused(words: string, path: string): string | undefined {
  return hintFor(
    new Failure('refused', `pix.example refused the input (422): ${words}`, {status: 422, path}),
    suggester({profile: 'work'}),
  );
}

test('a group that cannot be started points to what the server allows', () => {
  expect(refused('Group chats are disabled.', conversations)).toContain('`pixelctl config --profile=work`');
});

test('a conversation of two that cannot be left is to be hidden', () => {
  expect(refused('Only group conversations can be left.', `${conversations}/1/leave`)).toBe(
    'a conversation of two can be hidden: `pixelctl dm hide 1 --profile=work`',
  );
});

test('a suggested command acts on the account that the failure is about', () => {
  const failure = new Failure('auth', 'x', {hint: (suggest) => suggest(['config']), suggest: suggester({profile: 'other'})});
  expect(hintFor(failure, suggester({profile: 'work'}))).toBe('pixelctl config --profile=other');
});
