/** Every list piped into every command with many targets: taken where the items are, or obviously name, what the command acts on. */
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {mkdtempSync, rmSync} from 'node:fs';
import nock from 'nock';
import {afterAll, describe, expect, test} from 'vitest';
import * as records from '../../src/lib/api/index.js';
import {isResult, shapesWith} from '../../src/lib/api/items.js';
import type {ItemKind} from '../../src/lib/api/schema.js';
import {commands} from '../manifest.js';
import {flagsOf, rowOf, table} from '../endpoints/table.js';
import {nothingFound, pixelfed, runCommand, server, serverWithNothing} from '../run-command.js';

/** The commands whose answer has items, each with what they are, as the contract has it. */
const lists: Readonly<Record<string, ItemKind>> = {
  'blocks list': 'account',
  'mutes list': 'account',
  'dm mutuals': 'account',
  'dm lookup': 'account',
  'dm list': 'conversation',
  'dm messages': 'message',
  'filters list': 'filter',
  'notifications list': 'notification',
  'domain-blocks list': 'domain',
  'admin domain-blocks list': 'domain',
  'reports list': 'report',
  'instances list': 'instance',
};

/** What the argument of a command is, by its name in help. */
const acts: Readonly<Record<string, ItemKind>> = {
  ACCOUNT: 'account',
  PID: 'account',
  RECIPIENT: 'account',
  DOMAIN: 'domain',
  'DOMAIN|ID': 'domain',
  MESSAGE_ID: 'message',
  'filters ID': 'filter',
  'dm ID': 'conversation',
  'thread ID': 'message',
  'reports ID': 'report',
};

const folder = mkdtempSync(join(tmpdir(), 'pixelctl-piped-'));
afterAll(() => rmSync(folder, {recursive: true}));

const many = commands.flatMap(({id, args, flags}) => {
  const [label] = Object.entries(args).flatMap(([name, {multiple}]) => (multiple === true ? [name] : []));
  if (label === undefined || !('from' in flags || id === 'dm:start')) return [];
  const words = [
    ...id.split(':'),
    ...Object.keys(args).flatMap((name) => (name === label ? [] : ['1'])),
    ...flagsOf(id.replaceAll(':', ' ')).map((word) => word.replace('FOLDER', folder)),
  ];
  const wants = acts[label] ?? acts[`${id.split(':')[0]} ${label}`];
  return [{command: id.replaceAll(':', ' '), words, wants, isRead: !('dry-run' in flags)}];
});

interface Person {
  readonly acct: string;
  readonly url: string;
}

const handle = ({acct, url}: Person): string => (acct.includes('@') ? `@${acct}` : `@${acct}@${new URL(url).host}`);

type Item = Person & {readonly id: string; readonly sender_id: string; readonly conversation_id: string; readonly domain?: string} & {
  readonly account?: Person;
  readonly participants?: readonly Person[];
};

/** What an item of a list names for a command that acts on a kind of things; undefined where nothing is obvious. */
const named: Readonly<Record<string, Partial<Record<ItemKind, (item: Item) => string | undefined>>>> = {
  account: {account: (item) => handle(item.account ?? item)},
  conversation: {
    conversation: ({id}) => id,
    account: ({participants}) => {
      const [one, ...more] = participants ?? [];
      return one && more.length === 0 ? handle(one) : undefined;
    },
  },
  message: {message: ({id}) => id, conversation: ({conversation_id: id}) => id, account: ({sender_id: id}) => id},
  filter: {filter: ({id}) => id},
  notification: {account: ({account}) => account && handle(account)},
  domain: {domain: (item) => (typeof item === 'string' ? item : item.domain)},
  report: {report: ({id}) => String(id)},
  instance: {instance: ({id}) => String(id), domain: ({domain}) => domain},
};

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

function itemsOf(list: string): readonly Item[] {
  const {endpoint, answer} = rowOf(list);
  const items: unknown = endpoint.rows?.reduce<unknown>((value, name) => Object(value)[name], answer);
  return Array.isArray(items) ? items : [];
}

test('every list and every command with many targets is in the table', () => {
  const listing = table.filter(({endpoint}) => endpoint.rows !== undefined && !['read thread', 'update setting'].includes(endpoint.name));
  const listed = listing.map(({command}) => command);
  expect(listed).toEqual(expect.arrayContaining(Object.keys(lists)));
  // A list that is added says itself what its items are; the test below reads them from its example.
  const others = listing.filter(({command}) => !Object.hasOwn(lists, command) && command !== 'filters list-legacy');
  expect(others.filter(({endpoint}) => endpoint.items === undefined)).toEqual([]);
  expect(many.filter(({wants}) => wants === undefined)).toEqual([]);
  expect(many.length).toBeGreaterThan(15);
});

test.each(Object.values(records).flatMap((record) => ('items' in record && record.items !== undefined ? [record] : [])))(
  '$name: what its items are is told by their members',
  ({items, rows, example}) => {
    const inside: unknown = (rows ?? []).reduce<unknown>((value, name) => Object(value)[name], example);
    for (const item of [inside].flat()) {
      if (typeof item !== 'object' || item === null) continue;
      const found = shapesWith(Object.keys(item));
      expect(found.map(({kind}) => kind)).toEqual([items]);
      expect(found.some(isResult)).toBe(false);
    }
  },
);

describe.each(Object.entries(lists))('%s', (list, kind) => {
  describe.each(many)('into $command', ({words, wants = 'filter', isRead}) => {
    const name = named[kind]?.[wants];
    const expected = itemsOf(list).map((item) => name?.(item));
    const isTaken = expected.every((value) => value !== undefined);

    test.each(formats)(`as %s is ${isTaken ? 'taken' : 'refused, and nothing is sent'}`, async (format) => {
      const input = await printed(list, format);
      if (isRead && isTaken) serverWithNothing();
      const {status, stdout, stderr} = await runCommand([...words, '-', '--json', ...(isRead ? [] : ['--dry-run'])], {input});
      if (!isTaken) {
        expect({status, stdout}).toEqual({status: 2, stdout: ''});
        expect(JSON.parse(stderr).error).toMatchObject({
          code: 'usage',
          message: expect.stringMatching(/nothing was sent$|is not an account$/),
        });
        return;
      }
      expect(isRead ? nothingFound : [0], stderr).toContain(status);
      const text = JSON.stringify(JSON.parse(stdout));
      for (const value of expected) {
        const shown = isRead || !value?.startsWith('@') ? value : `<id of ${value}>`;
        expect(text).toContain(shown ?? '');
      }
    });
  });
});

describe('items of the wrong kind', () => {
  const input = '{"id": "9", "title": "x", "keywords": []}\n{"id": "5"}\n';

  test('refuse the whole list, and say what they look like and how to name a field', async () => {
    const {status, stderr} = await runCommand(['mutes', 'add', '-'], {input});
    expect({status, stderr}).toEqual({
      status: 2,
      stderr: expect.stringMatching(/Line 1 of standard input looks like a filter, not an account: nothing was sent\nHint: .*--jq/),
    });
  });

  test('items of the wrong kind are skipped with --skip-invalid', async () => {
    pixelfed().post('/api/v1/accounts/5/mute').reply(200, {id: '5'});
    const {status, stderr} = await runCommand(['mutes', 'add', '-', '--skip-invalid', '-o', 'ndjson'], {input});
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('skipped: Line 1 of standard input looks like a filter')});
  });
});
