import {describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {rowOf, table} from '../endpoints/table.js';
import {commands} from '../manifest.js';

/** The headings of a help text, in order. */
const headingsOf = (text: string): string[] => text.match(/^[A-Z][A-Z ]+$/gm) ?? [];

describe('help of a command', () => {
  const named = commands.map(({id, summary = '', flags, args}) => ({id, summary, words: id.split(':'), flags, args: Object.keys(args)}));

  test.concurrent.each(named)('$id --help shows all sections and flags', async ({summary, words, flags, args}) => {
    const {stdout, stderr, status} = await run([...words, '--help']);
    expect({stderr, status}).toEqual({stderr: '', status: 0});
    expect(stdout.startsWith(`${summary}\n\nUSAGE\n  $ pixelctl ${words.join(' ')} `)).toBe(true);
    expect(stdout.split('\n').filter((line) => line.startsWith(summary))).toHaveLength(1);
    const [own = '', global = ''] = stdout.split(/^GLOBAL FLAGS$/m);
    const always = ['USAGE', 'DESCRIPTION', 'EXAMPLES'];
    expect(headingsOf(own).filter((heading) => always.includes(heading))).toEqual(always);
    expect(headingsOf(own).includes('ARGUMENTS')).toBe(args.length > 0);
    const [, examples = ''] = own.split(/^EXAMPLES\n/m);
    expect(examples.match(/^ {2}\$ .*pixelctl /gm)?.length).toBeGreaterThanOrEqual(2);
    for (const [, section = ''] of stdout.matchAll(/FLAGS[A-Z ]*\n([^]*?)(?:\n\n|\n$)/g)) {
      const columns = [...section.matchAll(/^( +(?:-\w, )?)--/gm)].map(([, before = '']) => before.length);
      expect(new Set(columns).size).toBe(1);
    }
    for (const [name, {hidden, helpGroup}] of Object.entries(flags)) {
      const isShown = hidden !== true;
      expect(new RegExp(`^ +(-\\w, )?--(\\[no-\\])?${name}(?![\\w-])`, 'm').test(helpGroup === 'GLOBAL' ? global : own), name).toBe(
        isShown,
      );
    }
  });

  test.concurrent.each(['plan', 'audit', 'apply', 'undo', 'diff'])('%s --help says what takes the token of an admin', async (id) => {
    const {stdout} = await run([id, '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('for what a whole server blocks, that of an admin');
  });

  test.concurrent.each(named)('$id -h shows its own flags, and names --help for the others', async ({words}) => {
    const [{stdout: short, stderr, status}, {stdout: long}] = await Promise.all([run([...words, '-h']), run([...words, '--help'])]);
    expect({stderr, status}).toEqual({stderr: '', status: 0});
    const last = 'Use --help to show the global flags, too.\n';
    expect(short.endsWith(`\n\n${last}`)).toBe(true);
    expect(long.startsWith(short.slice(0, -last.length))).toBe(true);
    expect(headingsOf(short).filter((heading) => / FLAGS/.test(heading))).toEqual([]);
  });

  test.each(table)('$command says which endpoint it calls, and which scope it needs', ({command, on2026, endpoint, scope}) => {
    const {description = ''} = commands.find(({id}) => id === command.replaceAll(' ', ':')) ?? {};
    const [, method, path = '', rest] =
      /^Calls (\w+) (\S+?)(?: \(undocumented, but servers support it\))?\. (.+)\.$/m.exec(description) ?? [];
    const asked = on2026.sent.map(({line}) => line.split('?')[0] ?? '');
    const other = /^With --\S+ it calls (\S+ \S+)\.$/m.exec(description)?.[1];
    expect(asked.filter((line) => line === other)).toEqual(endpoint === rowOf(command).endpoint ? [] : [other]);
    if (endpoint === rowOf(command).endpoint)
      expect(asked).toContainEqual(expect.stringMatching(new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)));
    const way = scope?.startsWith('admin:') === true ? ': `auth login --admin` gets one' : '';
    const needs = scope === undefined ? 'needs a token; no scope is documented for it' : `needs a token with the scope ${scope}${way}`;
    expect(rest).toBe(`It ${endpoint.anonymous ? 'never sends the token' : needs}`);
  });
});

test.concurrent.each([[[]], [['--help']], [['-h']]])('the root help fits a screen: %j', async (args) => {
  const {stdout, stderr, status} = await run(args);
  expect({stderr, status}).toEqual({stderr: '', status: 0});
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  for (const topic of new Set(commands.map(({id}) => id.split(':')[0] ?? '')))
    expect(stdout).toMatch(new RegExp(`^[A-Z ]* +(?:[\\w-]+, )*${topic}[ ,]`, 'm'));
});
