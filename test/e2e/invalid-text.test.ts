/** Text that is not UTF-8: Node puts U+FFFD in place of each byte of an argument that is not, and the server would keep that. */
import {describe, expect, test} from 'vitest';
import {commands} from '../../src/commands.js';
import {pairwiseSampler} from '../contract/sample.js';
import {run} from './in-process.js';
import {newFolder, runShell, type Ended} from './program.js';
import {serverThat} from './server.js';

/** What help calls the values that no server gets. */
const local = ['DIR', 'EXPRESSION', 'FILE', 'FORMAT=FILE', 'NAMES', 'POLICY', 'SEED'];

interface Place {
  readonly id: string;
  /** As it is typed and named in messages. */
  readonly name: string;
  readonly value: string;
  /** Words after the command that have the text in this place. */
  readonly words: readonly string[];
}

const places = (
  await Promise.all(
    Object.entries(commands).map(async ([id, load]): Promise<Place[]> => {
      const {default: command} = await load();
      const labels = Object.keys(command.args);
      const usual = labels.map((name) => command.args[name]?.options?.[0] ?? '1');
      const options = Object.entries({...command.baseFlags, ...command.flags}).filter(([, {type}]) => type === 'option');
      const required = options.flatMap(([name, flag]) => (flag.required === true ? [`--${name}=1`] : []));
      const args = labels.flatMap((name, index) =>
        command.args[name]?.options === undefined ? {id, name, value: name, words: [...usual.with(index, 'a\ufffd'), ...required]} : [],
      );
      const flags = options.flatMap(([name, flag]) => {
        if (flag.type !== 'option' || flag.options !== undefined) return [];
        const others = required.filter((word) => !word.startsWith(`--${name}=`));
        return [{id, name: `--${name}`, value: String(flag.helpValue), words: [...usual, ...others, `--${name}=a\ufffd`]}];
      });
      return [...args, ...flags];
    }),
  )
).flat();

const isNumber = ({value}: Place): boolean => ['DATE', 'DAYS', 'DURATION', 'MS', 'N', 'N/s', 'SECONDS', 'SIZE'].includes(value);

test('the table has arguments and flags of all kinds', () => {
  expect(places.map(({id, name}) => `${id} ${name}`)).toEqual(
    expect.arrayContaining(['dm:send MESSAGE', 'filters:create --title', 'api --field', 'api --header', 'blocks:list --jq', 'api PATH']),
  );
});

describe('an argument or flag that is not UTF-8 is refused before anything is sent', () => {
  /** Each argument, each flag with one of the commands that have it, and each command with one of its flags. */
  const sample = pairwiseSampler<Place>(({id, name}) => (name.startsWith('--') ? [id, name] : [`${id} ${name}`]));
  const sent = sample(places.filter((place) => !local.includes(place.value) && !isNumber(place)));
  test.concurrent.each(sent)('$id $name', async ({id, name, words}) => {
    await using server = await serverThat(() => ({text: '{}'}));
    const ended = await run([...id.split(':'), ...words, '--yes'], {env: server.env, folder: newFolder()});
    expect(ended).toMatchObject({status: 2, stdout: ''});
    expect(ended.stderr).toContain(`${name} is not valid UTF-8`);
    expect(server.exchanges).toEqual([]);
  });
});

/** Four letters in Latin 1. */
const latin = String.raw`caf\351`;

/** A message that the server gets as it is. */
const kept = 'caf\ufffd';

async function sending(line: string): Promise<{readonly ended: Ended; readonly sent: readonly string[]}> {
  await using server = await serverThat(() => ({text: '{"id":"1"}'}));
  const ended = await runShell(line, {env: server.env});
  return {ended, sent: server.exchanges.filter(({received}) => received.method === 'POST').map(({received}) => received.body.toString())};
}

// In files and on standard input: lib/files/text.test.ts.
test.concurrent('bytes of arguments that are not UTF-8 end with 2, and nothing is sent', async () => {
  const {ended, sent} = await sending(`pixelctl dm send 1 "$(printf '${latin}')" --no-limits`);
  expect(ended).toMatchObject({status: 2, stdout: '', stderr: expect.stringContaining('UTF-8')});
  expect(sent).toEqual([]);
});

test.concurrent('U+FFFD itself is sent from a file', async () => {
  const {ended, sent} = await sending(`printf '{"message": "${kept}"}' | pixelctl dm send 1 --input - --no-limits`);
  expect({status: ended.status, sent}).toEqual({status: 0, sent: [expect.stringContaining(kept)]});
});
