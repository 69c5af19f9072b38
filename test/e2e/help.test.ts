import {afterAll, describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {commands} from '../manifest.js';

/** The headings of a help text, in order. */
const headingsOf = (text: string): string[] => text.match(/^[A-Z][A-Z ]+$/gm) ?? [];

describe('help of a command', () => {
  const named = commands.map(({id, summary = '', flags, args}) => ({id, summary, words: id.split(':'), flags, args: Object.keys(args)}));

  /** How many lines each command takes on a screen. */
  const lengths: number[] = [];

  /** The one text that help prints; only commands to copy are over 80 columns. */
  async function helpOf(words: readonly string[], flag: string): Promise<string> {
    const {stdout, stderr, status} = await run([...words, flag]);
    expect({stderr, status}).toEqual({stderr: '', status: 0});
    expect(stdout.split('\n').filter((line) => line.length > 80 && !/^ *\$ /.test(line))).toEqual([]);
    return stdout;
  }

  test.each(named)('$id --help shows all sections and flags, and -h fits a screen', async ({summary, words, flags, args}) => {
    const [long, short] = [await helpOf(words, '--help'), await helpOf(words, '-h')];
    expect(long.startsWith(`${summary}\n\nUSAGE\n  $ pixelctl ${words.join(' ')} `)).toBe(true);
    expect(long.split('\n').filter((line) => line.startsWith(summary))).toHaveLength(1);
    const [own = '', global = ''] = long.split(/^GLOBAL FLAGS$/m);
    expect(global).toContain('See `pixelctl help flags`.');
    const always = ['USAGE', 'DESCRIPTION', 'EXAMPLES'];
    expect(headingsOf(own).filter((heading) => always.includes(heading))).toEqual(always);
    expect(headingsOf(own).includes('ARGUMENTS')).toBe(args.length > 0);
    const [, examples = ''] = own.split(/^EXAMPLES\n/m);
    expect(examples.match(/^ {2}\$ .*pixelctl /gm)?.length).toBeGreaterThanOrEqual(2);
    for (const [, section = ''] of long.matchAll(/FLAGS[A-Z ]*\n([^]*?)(?:\n\n|\n$)/g)) {
      const columns = [...section.matchAll(/^( +(?:-\w, )?)--/gm)].map(([, before = '']) => before.length);
      expect(new Set(columns).size).toBe(1);
    }
    // Two sentences, its own flags, two examples.
    expect(short.endsWith('\n\nUse --help for more. The flags of all commands: `pixelctl help flags`\n')).toBe(true);
    lengths.push(short.split('\n').length - 1);
    expect(lengths.at(-1)).toBeLessThanOrEqual(60);
    expect(headingsOf(short).filter((heading) => / FLAGS/.test(heading))).toEqual([]);
    const [, description = ''] = /^.+\n\n([^]*?)\n\nUSAGE\n/.exec(short) ?? [];
    expect(description).toMatch(/[.]$/);
    expect(description.match(/[.](?=\s|$)/g)?.length).toBeLessThanOrEqual(2);
    expect(short.match(/^ {2}\$ /gm)?.length).toBeLessThanOrEqual(3);
    for (const [name, {hidden, helpGroup}] of Object.entries(flags)) {
      const isNamed =
        helpGroup === 'GLOBAL'
          ? global.split(/\s+/).includes(`--${name}`)
          : new RegExp(`^ +(-\\w, )?--(\\[no-\\])?${name}(?![\\w-])`, 'm').test(own);
      expect(isNamed, name).toBe(hidden !== true);
      if (hidden !== true && helpGroup !== 'GLOBAL' && helpGroup !== 'RUN')
        expect(short, name).toMatch(new RegExp(`--(\\[no-\\])?${name}\\b`));
    }
  });

  afterAll(() => {
    // Of a part of the commands nothing follows.
    if (lengths.length < named.length) return;
    expect(lengths.toSorted((one, other) => one - other)[Math.floor(lengths.length / 2)], 'the median fits 24 lines').toBeLessThanOrEqual(
      24,
    );
  });

  test('--yes is listed where a command asks before it acts', async () => {
    const {commands: all} = JSON.parse((await run(['commands', '--json'])).stdout);
    const asking = all.filter(({asks}: {asks: boolean}) => asks).map(({command}: {command: string}) => command);
    const listing = commands.filter(({flags}) => flags['yes']?.hidden !== true).map(({id}) => `pixelctl ${id.replaceAll(':', ' ')}`);
    expect(listing.toSorted()).toEqual(asking.toSorted());
    expect(listing).toContain('pixelctl blocks add');
    expect(listing).not.toContain('pixelctl mutes add');
  });
});

const ending = `

Start here:
  pixelctl auth login SERVER  sign in
  pixelctl sandbox --shell    or try the commands on a test server
  pixelctl COMMAND -h         explains a command
  pixelctl --help             says what each command does
`;

test.concurrent('without a command, help fits a screen, names each command, and ends with what to do first', async () => {
  const {stdout, stderr, status} = await run([]);
  expect({stderr, status}).toEqual({stderr: '', status: 0});
  expect(stdout.endsWith(ending)).toBe(true);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  const names = lines.slice(0, -6).flatMap((line) => line.match(/[a-z-]+(?=,|$)/g) ?? []);
  expect(names).toEqual(expect.arrayContaining(commands.map(({id}) => id.split(':')[0] ?? '')));
});

test.concurrent.each([[['--help']], [['-h']], [['help']]])('the root help has a line for each command, in columns: %j', async (args) => {
  const {stdout, stderr, status} = await run(args);
  expect({stderr, status}).toEqual({stderr: '', status: 0});
  expect(stdout.endsWith(ending)).toBe(true);
  const lines = stdout.trimEnd().split('\n');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  const topics = [...new Set(commands.map(({id}) => id.split(':')[0] ?? ''))];
  const rows = topics.map((topic) => lines.filter((line) => new RegExp(`^(?:[A-Z]+)? +${topic}  +\\w`).test(line)));
  expect(rows.map((found) => found.length)).toEqual(topics.map(() => 1));
  expect(
    new Set(
      rows.flat().map(
        (row) =>
          row.length -
          row
            .trimStart()
            .replace(/^[A-Z]+ +/, '')
            .replace(/^\S+ +/, '').length,
      ),
    ).size,
  ).toBe(1);
});

test('help flags explains the flags that all commands have', async () => {
  const {stdout, stderr, status} = await run(['help', 'flags']);
  expect({stderr, status}).toEqual({stderr: '', status: 0});
  const [command] = commands;
  for (const [name, {helpGroup}] of Object.entries(command?.flags ?? {}))
    expect(new RegExp(`^ +(-\\w, )?--${name}(?![\\w-])`, 'm').test(stdout), name).toBe(helpGroup === 'GLOBAL');
});
