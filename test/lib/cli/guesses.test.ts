import {expect, test} from 'vitest';
import {commands} from '../../../src/commands.js';
import {noCommand} from '../../../src/lib/cli/guesses.js';
import {runCommand} from '../../run-command.js';

const commandIds = Object.keys(commands);

const complaintAbout = (id: string, argv: string[] = []): unknown => noCommand([...id.split(':'), ...argv], commandIds);

test.each([
  ['blocks:lst', [], 'did you mean `pixelctl blocks list`?'],
  ['dm:sned', ['5', 'Hi'], 'did you mean `pixelctl dm send`?'],
  ['dm:stats', [], 'see `pixelctl dm --help`'],
  ['dm:seen', [], 'see `pixelctl dm --help`'],
  ['dm:find', ['bob'], 'did you mean `pixelctl dm lookup`?'],
  ['block', ['find', '@bob'], 'did you mean `pixelctl blocks contains`?'],
  ['filter', ['list'], 'did you mean `pixelctl filters list`?'],
  ['blcoks', ['list', '--json'], 'did you mean `pixelctl blocks list`?'],
  ['filters:rm', ['3'], 'did you mean `pixelctl filters delete`?'],
  ['filters:add', [], 'did you mean `pixelctl filters create`?'],
  ['filters:show', ['3'], 'did you mean `pixelctl filters get`?'],
  ['filtrs:edit', ['3'], 'did you mean `pixelctl filters update`?'],
  ['dm:ls', [], 'did you mean `pixelctl dm list`?'],
  ['dm:delete', ['1', '2'], 'did you mean `pixelctl dm delete-message`?'],
  ['dm:help', [], 'see `pixelctl dm --help`'],
  ['login', [], 'did you mean `pixelctl auth login`?'],
  ['whoami', [], 'did you mean `pixelctl auth status`?'],
  ['block', ['@spam'], 'did you mean `pixelctl blocks add`?'],
  ['block', ['list'], 'did you mean `pixelctl blocks list`?'],
  ['block', ['lst'], 'did you mean `pixelctl blocks list`?'],
  ['block', ['show', '@spam'], 'did you mean `pixelctl blocks --help`?'],
  ['message', ['stats'], 'did you mean `pixelctl dm --help`?'],
  ['mute', ['ls'], 'did you mean `pixelctl mutes list`?'],
  ['unblock', ['contains', '@spam'], 'did you mean `pixelctl blocks contains`?'],
  ['message', ['list'], 'did you mean `pixelctl dm list`?'],
  ['send', ['5', 'Hi'], 'did you mean `pixelctl dm send` or `pixelctl thread send`?'],
  ['get', ['blocks'], 'did you mean `pixelctl blocks list`?'],
  ['get', ['filter', '3'], 'did you mean `pixelctl filters get`?'],
  ['delete', ['filters', '3'], 'did you mean `pixelctl filters delete`?'],
  ['create', ['reports'], 'did you mean `pixelctl reports --help`?'],
  ['domains', ['list'], 'did you mean `pixelctl domain-blocks list`?'],
  ['message', ['@bob', 'hi'], 'did you mean `pixelctl dm send`?'],
  ['messages', ['list'], 'did you mean `pixelctl dm list`?'],
  ['search', ['bob'], 'did you mean `pixelctl dm lookup`?'],
  ['lint', ['p.yml'], 'did you mean `pixelctl validate`?'],
  ['list', [], 'see `pixelctl --help`'],
  ['frobnicate', [], 'see `pixelctl --help`'],
  ['constructor', [], 'see `pixelctl --help`'],
])('%s %j is answered with: %s', async (id, argv, hint) => {
  expect(complaintAbout(id, argv)).toMatchObject({code: 'usage', details: {hint}});
});

test.each(['block', 'unblock', 'mute', 'unmute', 'init', 'serve', 'message', 'messages', 'conversations', 'search', 'lint'])(
  'the suggestion for %s is a command',
  async (word) => {
    const {details} = Object(complaintAbout(word));
    expect(commandIds.map((id) => `did you mean \`pixelctl ${id.replaceAll(':', ' ')}\`?`)).toContain(details.hint);
  },
);

test('the message does not repeat arguments', async () => {
  expect(complaintAbout('frobnicate', ['secret'])).toMatchObject({message: 'Unknown command "frobnicate"'});
});

test.each([
  [['blocks', 'list', 'secret', '--help'], 'blocks list', 1],
  [['help', 'blocks', 'list', 'secret', 'secret'], 'blocks list', 2],
  [['config', 'secret', '-h'], 'config', 1],
])('%j has too many words, which are not repeated', async (words, command, count) => {
  expect(await runCommand(words)).toEqual({
    status: 2,
    stdout: '',
    stderr: `Error: Too many arguments (${count} unexpected)\nHint: see \`pixelctl ${command} --help\`\n`,
  });
});

const groups = [
  ...new Set(commandIds.flatMap((id) => id.split(':').flatMap((_, at, words) => (at === 0 ? [] : [words.slice(0, at).join(' ')])))),
];

test.each(groups)('%s with a flag of a command is an error, because a script would take the help for output', async (group) => {
  const list = commandIds.includes(`${group.replaceAll(' ', ':')}:list`)
    ? `did you mean \`pixelctl ${group} list\`?`
    : `see \`pixelctl ${group} --help\``;
  expect(await runCommand([...group.split(' '), '--since', '2d'])).toEqual({
    status: 2,
    stdout: '',
    stderr: `Error: "${group}" is a group of commands\nHint: ${list}\n`,
  });
  expect(await runCommand([...group.split(' '), '-h'])).toMatchObject({status: 0, stdout: expect.stringContaining('USAGE')});
});
