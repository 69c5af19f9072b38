/** What is true of the arguments and flags of every command. */
import {describe, expect, test} from 'vitest';
import {commands} from '../manifest.js';
import {commandIds, commandLine} from './every-command.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {recordedSandbox} from './server.js';

describe('- is no id and no name, but where standard input is read:', () => {
  const named = commandIds.flatMap((id) => {
    const {args = {}} = commands.find((one) => one.id === id) ?? {};
    return Object.values(args).flatMap(({name, multiple, description = ''}, index) =>
      multiple === true || description.includes('-: ') ? [] : [[id.replaceAll(':', ' '), name, index] as const],
    );
  });

  test.each(named)('%s %s', async (words, name, index) => {
    await using server = await recordedSandbox();
    const {args, stdin = ''} = commandLine(words.replaceAll(' ', ':'));
    const length = words.split(' ').length;
    const typed = [...args];
    typed.splice(
      length,
      0,
      ...Array.from({length: index}, (_, place) => (args[length + place]?.startsWith('--') === false ? [] : ['1'])).flat(),
    );
    typed[length + index] = '-';
    const {status, stdout, stderr} = await run(typed, {env: server.env, stdin, folder: newFolder()});
    expect({status, stdout, sent: server.exchanges.length}, stderr).toEqual({status: 2, stdout: '', sent: 0});
    expect(stderr).toContain(`${name} `);
  });

  test.each([
    [['dm', 'send', '1', 'Hello', '--in-reply-to', '-']],
    [['dm', 'send', '1', 'Hello', '--media-id', '-']],
    [['dm', 'read', '1', '--message-id', '-']],
    [['dm', 'messages', '1', '--min-id', '-']],
    [['notifications', 'list', '--max-id', '-']],
    [['filters', 'update', '1', '--remove-keyword', '-']],
    [['filters', 'update', '1', '--rename-keyword', '-=text']],
    [['dm', 'get', '--', '-']],
    [['state', 'list', '-']],
    [['state', 'forget', '-', 'bad.example']],
    [['undo', '-', '--yes']],
  ])('%j', async (words) => {
    await using server = await recordedSandbox();
    const {status, stdout, stderr} = await run(words, {env: server.env, stdin: '', folder: newFolder()});
    expect({status, stdout, sent: server.exchanges.length}, stderr).toEqual({status: 2, stdout: '', sent: 0});
  });

  test.each([['filters delete'], ['dm accept'], ['thread mute'], ['reports handle'], ['users update']])(
    'in a list of targets of %s',
    async (words) => {
      await using server = await recordedSandbox();
      const stdin = `${JSON.stringify([{id: '-'}])}\n`;
      const action = words === 'reports handle' ? ['--action', 'ignore'] : words === 'users update' ? ['--cw'] : [];
      const {status, stderr} = await run([...words.split(' '), '-', ...action, '--yes'], {env: server.env, stdin});
      expect({status, sent: server.exchanges.length}, stderr).toEqual({status: 2, sent: 0});
    },
  );
});
