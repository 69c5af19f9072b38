import {expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {hintFor} from '../../../../src/lib/command/failure/hints.js';

const conversations = '/api/v1.1/direct/conversations';

function refused(words: string, path: string): string | undefined {
  return hintFor(new Failure('refused', `pix.example refused the input (422): ${words}`, {status: 422, path}));
}

test('a group that cannot be started points to what the server allows', () => {
  expect(refused('Group chats are disabled.', conversations)).toContain('pixelctl config');
});

test('a conversation of two that cannot be left is to be hidden', () => {
  expect(refused('Only group conversations can be left.', `${conversations}/1/leave`)).toBe('a conversation of two can be hidden: `pixelctl dm hide ID`');
});
