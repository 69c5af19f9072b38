/** Every list piped into every command with many targets: taken where the items are, or obviously name, what the command acts on. */
import nock from 'nock';
import {describe, expect, test} from 'vitest';
import {isWrite} from '../../src/lib/api/endpoint.js';
import type {Kind} from '../../src/lib/api/kind.js';
import {kinds} from '../../src/lib/api/kinds.js';
import {inputFields} from '../../src/lib/cli/endpoint/input-fields.js';
import {kindsWith} from '../../src/lib/cli/endpoint/piped-item.js';
import {wantedKindOf} from '../../src/lib/cli/endpoint/command-input.js';
import {at} from '../../src/lib/json/path.js';
import {pairwiseSampler} from '../contract/sample.js';
import {endpointCommands} from '../endpoint-commands.js';
import {commands} from '../manifest.js';
import {flagsOf, rowOf, table} from '../endpoints/table.js';
import {expectFailure, nothingFound, pixelfed, runCommand, server, serverWithNothing} from '../run-command.js';
import {newFolder} from '../new-folder.js';

const folder = newFolder();

const specs = new Map((await endpointCommands()).map(({command, spec}) => [command, spec]));

/** What the argument of a command is that takes many: as its record has it, or as the list has it in which it looks. */
function wantedOf(command: string, label: string): Kind | undefined {
  const spec = specs.get(command);
  if (spec === undefined) return rowOf(command.replace(/ (contains|export)$/, ' list')).endpoint.items;
  const [name] = Object.entries(spec.arguments ?? {}).find(([, shown]) => shown === label) ?? [];
  const field = inputFields(spec.endpoint).find((one) => one.name === name);
  return field && wantedKindOf(field, spec).kind;
}

const many = commands.flatMap(({id, args, flags}) => {
  const [label] = Object.entries(args).flatMap(([name, {multiple}]) => (multiple === true ? [name] : []));
  if (label === undefined || !('column' in flags)) return [];
  const command = id.replaceAll(':', ' ');
  const words = [
    ...command.split(' '),
    ...Object.keys(args).flatMap((name) => (name === label ? [] : ['1'])),
    ...flagsOf(command).map((word) => word.replace('FOLDER', folder)),
  ];
  const wants = wantedOf(command, label);
  if (wants === undefined) throw new Error(`${command} does not say what ${label} is`);
  const isCertain = specs.get(command)?.question !== undefined;
  return [{command, words, wants, isCertain, isRead: !('dry-run' in flags) || command === 'dm export'}];
});

interface Person {
  readonly acct: string;
  readonly url: string;
}

const isPerson = (value: unknown): value is Person => typeof value === 'object' && value !== null && 'acct' in value && 'url' in value;

/** What names a person; of those who are registered, the id of the account is compared. */
const handle = ({acct, url}: Person, wanted: Kind): string =>
  acct.includes('@') || wanted === kinds.user ? `@${acct}` : `@${acct}@${new URL(url).host}`;

/** Where an item of a kind names what a command acts on, by the table of the guide. */
function placesIn(kind: Kind, wanted: Kind): readonly string[] {
  if (kind === wanted) return kind === kinds.user ? ['id'] : kind.names;
  // Commands know their own kind and those of the table.
  if (!Object.values<Kind>(kinds).includes(kind)) return [];
  const named =
    wanted === kinds.user ? 'account' : (['account', 'domain', 'instance', 'post'] as const).find((name) => kinds[name] === wanted);
  return (named && kind.gives?.[named]) ?? [];
}

/** What an item of a kind names for a command that acts on another; undefined where nothing is obvious. */
function namedIn(item: unknown, kind: Kind, wanted: Kind): string | undefined {
  if (typeof item === 'string') return kind === wanted || wanted === kinds.instance ? item : undefined;
  if (isPerson(item)) return kind === wanted || wanted === kinds.user ? handle(item, wanted) : undefined;
  const found = placesIn(kind, wanted)
    .map((place) => at(item, place.split('.')))
    .find(({present}) => present)?.value;
  const [one, ...more] = Array.isArray(found) ? found : [found];
  if (one === undefined || one === null || more.length > 0) return undefined;
  if (isPerson(one)) return handle(one, wanted);
  return wanted === kinds.user && kind !== kinds.user ? undefined : String(one);
}

/** The lists of which an item is of a kind, as their records have them. */
const lists = table.flatMap(({command, endpoint, endpoint: {items, view}}) =>
  items !== undefined && view?.kind === 'list' && !isWrite(endpoint) && itemsOf(command).length > 0 ? [[command, items] as const] : [],
);

const formats = ['json', 'ndjson', 'csv', 'tsv'] as const;

const answers = new Map<string, string>();

/** What a list prints. */
async function printed(list: string, format: string): Promise<string> {
  const key = `${list} ${format}`;
  const known = answers.get(key);
  if (known !== undefined) return known;
  const {endpoint, answer} = rowOf(list);
  nock(server).intercept(/./, endpoint.method).query(true).reply(200, JSON.stringify(answer));
  const args = list === 'dm messages' || list === 'dm lookup' ? ['1'] : [];
  const {status, stdout, stderr} = await runCommand([...list.split(' '), ...args, '-o', format, '--quiet']);
  expect(status, stderr).toBe(0);
  answers.set(key, stdout);
  return stdout;
}

function itemsOf(list: string): readonly unknown[] {
  const {endpoint, answer} = rowOf(list);
  const items: unknown = at(answer, endpoint.rows ?? []).value;
  return Array.isArray(items) ? items : [];
}

test('every list says what its items are, and every command with many targets what it acts on', () => {
  const printing = table.filter(({endpoint: {rows, view}}) => rows !== undefined && view?.kind === 'list');
  const silent = printing.filter(({endpoint}) => endpoint.items === undefined).map(({command}) => command);
  // It answers ids of messages.
  expect(silent).toEqual(['thread read']);
  expect(lists.length).toBeGreaterThan(10);
  expect(many.length).toBeGreaterThan(15);
});

test.each(table.flatMap(({endpoint: {name, items, rows}, answer}) => (items === undefined ? [] : [{name, items, rows, answer}])))(
  '$name: what its items are is told by their members',
  ({items, rows = [], answer}) => {
    for (const item of [at(answer, rows).value].flat()) {
      if (typeof item === 'object' && item !== null) expect(kindsWith(Object.keys(item), items)).toEqual([items]);
    }
  },
);

/** Words tell nothing: those of a list of words are refused only where they would be an id, or no account. */
const isTold = (list: string, {wants}: (typeof many)[number]): boolean =>
  itemsOf(list).every((item) => typeof item !== 'string') || wants === kinds.domain || wants.isSameEverywhere !== true;

/** Each list into each command, and either in each format. */
const sampled = pairwiseSampler<{readonly list: string; readonly command: string; readonly format: (typeof formats)[number]}>(
  ({list, command, format}) => [`${list} into ${command}`, `${list} as ${format}`, `${command} of ${format}`],
)(
  lists.flatMap(([list]) =>
    many.filter((one) => isTold(list, one)).flatMap(({command}) => formats.map((format) => ({list, command, format}))),
  ),
);

describe.each(lists)('%s', (list, kind) => {
  describe.each(many.filter((one) => isTold(list, one)))('into $command', ({command, words, wants, isRead}) => {
    const expected = itemsOf(list).map((item) => namedIn(item, kind, wants));
    const isTaken = expected.every((value) => value !== undefined);

    test.each(sampled.filter((one) => one.list === list && one.command === command).map(({format}) => format))(
      `as %s is ${isTaken ? 'taken' : 'refused, and nothing is sent'}`,
      async (format) => {
        const input = await printed(list, format);
        if (isRead && isTaken) serverWithNothing();
        const {status, stdout, stderr} = await runCommand([...words, '-', '--json', ...(isRead ? [] : ['--dry-run'])], {input});
        if (!isTaken) {
          expect({status, stdout}).toEqual({status: 2, stdout: ''});
          expect(JSON.parse(stderr).error).toMatchObject({
            code: 'usage',
            message: expect.stringMatching(/nothing was sent$|is not an account$|begins with @/),
          });
          return;
        }
        expect(isRead ? nothingFound : [0], stderr).toContain(status);
        const text = JSON.stringify(JSON.parse(stdout));
        for (const value of expected) {
          const shown = isRead || !value?.startsWith('@') ? value : `<id of ${value}>`;
          expect(text).toContain(shown ?? '');
        }
      },
    );
  });
});

/** Runs a command on a list. Commands that read meet a server with nothing. */
async function runOn(input: string, {words, isRead}: (typeof many)[number], ...flags: readonly string[]) {
  if (isRead) serverWithNothing();
  return runCommand([...words, '-', '--json', ...flags, ...(isRead ? [] : ['--dry-run'])], {input});
}

test.each(many.filter(({wants}) => wants.isSameEverywhere !== true))(
  '$command takes an object with nothing but an id, unless it asks first: $isCertain',
  async (one) => {
    const {status, stdout, stderr} = await runOn('{"id": "71"}', one);
    if (one.isCertain) {
      expect({status, stdout}).toEqual({status: 2, stdout: ''});
      expect(JSON.parse(stderr).error.hint).toContain('--column id');
    } else {
      expect(one.isRead ? nothingFound : [0], stderr).toContain(status);
      expect(stdout).toContain('71');
    }
  },
);

describe('--column', () => {
  test.each(many)('$command takes the targets from a column of a spreadsheet', async (one) => {
    const target = one.wants === kinds.domain ? 'a.example' : '71';
    const plain = await runOn(`${target}\n`, one);
    const named = await runOn(`"Who; what";id;title;its own\n"x; y";99;z;${target}\n`, one, '--column', 'its own');
    expect(named).toEqual(plain);
  });

  test('is the hint for a table of which no column is known', async () => {
    await expectFailure(2, /missing or unknown, and 1 more[^]*--column NAME/, ['mutes', 'add', '-'], {
      input: 'who,why\n@bo@far.example,spam\n',
    });
  });

  test.each(many)('$command refuses it without a list', async ({words}) => {
    await expectFailure(2, '--column is for lists of targets', [...words, '71', '--column', 'id', '--yes']);
  });
});

describe('items of the wrong kind', () => {
  const input = '{"id": "9", "title": "x", "keywords": []}\n{"id": "5"}\n';

  test('refuse the whole list, and say what they look like and how to name a field', async () => {
    await expectFailure(
      2,
      /Line 1 of standard input looks like a filter, not an account: nothing was sent\nHint: .*--column NAME/,
      ['mutes', 'add', '-'],
      {input},
    );
  });

  test('items of the wrong kind are skipped with --skip-invalid', async () => {
    pixelfed().post('/api/v1/accounts/5/mute').reply(200, {id: '5'});
    const {status, stderr} = await runCommand(['mutes', 'add', '-', '--skip-invalid', '-o', 'ndjson'], {input});
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('skipped: Line 1 of standard input looks like a filter')});
  });
});
