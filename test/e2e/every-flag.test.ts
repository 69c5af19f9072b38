/** What is true of each flag and each argument of every command. */
import {describe, expect, test} from 'vitest';
import {commands} from '../manifest.js';
import {commandIds, commandLine, writeFiles} from './every-command.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {pairwiseSampler} from '../contract/sample.js';
import {recordedSandbox, serverThat} from './server.js';

/** Two values of a flag, by what help calls them. */
const values: Readonly<Record<string, readonly [string, string]>> = {
  N: ['1', '2'],
  SECONDS: ['10', '20'],
  DAYS: ['1', '2'],
  DATE: ['2026-01-01', '2026-01-02'],
  SIZE: ['1M', '2M'],
  FORMAT: ['csv', 'json'],
  EXPRESSION: ['.', 'type'],
  'N/s': ['1000', '2000'],
};

describe('a flag that is given twice is not refused, and the last one counts:', () => {
  const given = commands.flatMap(({id, flags}) =>
    Object.values(flags).flatMap((flag) => {
      // Those of all commands are read alike.
      const isAsked = flag.type === 'option' && flag.multiple !== true && (flag.helpGroup !== 'GLOBAL' || id === 'blocks:list');
      // A port that is taken, and a folder that is not there.
      return isAsked && flag.name !== 'port' ? [{id, flag}] : [];
    }),
  );
  /** Each command with one of its flags, and each flag with one of the commands that have it. */
  const sample = pairwiseSampler<(typeof given)[number]>(({id, flag: {name, description}}) => [id, `${name} ${description}`]);

  test.each(sample(given).map(({id, flag}) => [id.replaceAll(':', ' '), flag.name, flag] as const))(
    '%s --%s',
    async (words, name, flag) => {
      await using server = await serverThat(() => ({status: 403, text: '{"error": "Forbidden"}'}), 'canary-of-a-token');
      const [first = 'a', last = 'b'] =
        (flag.type === 'option' && flag.options) || values[String('helpValue' in flag ? flag.helpValue : '')] || [];
      const said = async (...typed: readonly string[]) => {
        const folder = newFolder();
        writeFiles(folder);
        const {args, stdin} = commandLine(words.replaceAll(' ', ':'));
        const before = server.exchanges.length;
        const env = {...server.env, PIXELCTL_CONFIG_DIR: folder};
        const {status, stdout, stderr} = await run([...args, ...typed], {env, folder, ...(stdin !== undefined && {stdin})});
        const sent = server.exchanges.slice(before).map(({received: {method, target, body}}) => `${method} ${target} ${String(body)}`);
        return {status, stdout, stderr: stderr.replaceAll(folder, ''), sent};
      };
      const alone = await said(`--${name}=${last}`);
      expect(await said(`--${name}=${first}`, `--${name}`, last)).toEqual(alone);
      if (flag.char !== undefined) expect(await said(`-${flag.char}${first}`, `--${name}`, last)).toEqual(alone);
      if (flag.char !== undefined) expect(await said(`--${name}=${first}`, `-${flag.char}`, last)).toEqual(alone);
    },
  );
});

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
