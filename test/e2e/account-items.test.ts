/** Lists of several accounts in every format: the account and then the item, and the way back as targets. */
import {parse as parseYaml} from 'yaml';
import {expect, test} from 'vitest';
import {pairwiseSampler} from '../contract/sample.js';
import {lists, rowOf} from '../endpoints/table.js';
import {serverThat} from './server.js';
import {anaAndBobOn} from './signing-in.js';
import {threeAccounts} from './three-accounts.js';

/** The documented answer of a list; of one that is documented as empty, an answer with an item. */
const answerOf = (list: string): unknown => (list === 'filters list-legacy' ? [{id: '1', phrase: 'spam'}] : rowOf(list).answer);

/** Two accounts of a server whose lists are those of the documentation. */
async function desk(list: string) {
  const server = await serverThat(() => ({text: JSON.stringify(answerOf(list))}));
  const machine = await anaAndBobOn(server);
  const {host} = new URL(server.url);
  return {
    accounts: [`ana@${host}`, `bob@${host}`],
    async printed(format: string, profiles: string, more: readonly string[] = []): Promise<string> {
      const args = [...list.split(' '), '-p', profiles, '-o', format, '--quiet', ...more];
      const {status, stdout, stderr} = await machine.run(args);
      expect({status, stderr}).toEqual({status: 0, stderr: ''});
      return stdout;
    },
    run: machine.run,
    asked: () => server.exchanges.length,
  };
}

/** The fields of the items of a list, its own `account` among them. */
function fieldsOf(list: string): readonly string[] {
  const rows = rowOf(list).endpoint.rows ?? [];
  const [item]: unknown[] = [rows.reduce<unknown>((value, name) => Object(value)[name], answerOf(list))].flat();
  if (typeof item !== 'object' || item === null) return ['domain'];
  const [first = '', second = ''] = Object.keys(item);
  return 'account' in item ? [second, 'account', 'account.acct', first] : [second, first];
}

const renamed = (name: string): string => name.replace(/^account(?=\.|$)/, 'item.account');

/** The lines of an example; no value in them has a line break. */
const linesIn = (text: string): readonly string[] => text.split(/\r?\n/).filter((line) => line !== '');

const wrapped = (accounts: readonly string[], items: readonly unknown[]): unknown[] =>
  accounts.flatMap((account) => items.map((item) => ({account, item})));

const delimited = (separator: string) => (alone: string, accounts: readonly string[]) => {
  const [header = '', ...rows] = linesIn(alone);
  const columns = ['account', ...header.split(separator).map(renamed)].join(separator);
  return [columns, ...accounts.flatMap((account) => rows.map((row) => `${account}${separator}${row}`))];
};

const cellsIn = (line: string): readonly string[] => line.trimEnd().split(/ {2,}/);

/** What is printed of two accounts, by what is printed of one; and what is comparable of a text. */
const formats: Readonly<Record<string, readonly [(text: string) => unknown, (alone: string, accounts: readonly string[]) => unknown]>> = {
  json: [(text) => JSON.parse(text), (alone, accounts) => wrapped(accounts, [JSON.parse(alone)].flat(2))],
  ndjson: [
    linesIn,
    (alone, accounts) => accounts.flatMap((account) => linesIn(alone).map((line) => `{"account":"${account}","item":${line}}`)),
  ],
  yaml: [(text) => parseYaml(text), (alone, accounts) => wrapped(accounts, parseYaml(alone))],
  csv: [linesIn, delimited(',')],
  tsv: [linesIn, delimited('\t')],
  table: [
    (text) => linesIn(text).map(cellsIn),
    (alone, accounts) => {
      const [header = [], ...rows] = linesIn(alone).map(cellsIn);
      return [['account', ...header.map(renamed)], ...accounts.flatMap((account) => rows.map((row) => [account, ...row]))];
    },
  ],
};

const outputs = lists.flatMap((list) =>
  Object.entries(formats).flatMap(([format, [read, ofTwo]]) =>
    (['all', 'chosen'] as const).map((fields) => ({list, format, read, ofTwo, fields})),
  ),
);

/** Each list in each format, and both with all fields and with chosen ones. */
const sampled = pairwiseSampler<(typeof outputs)[number]>(({list, format, fields}) => [
  `${list} ${format}`,
  `${list} ${fields}`,
  `${format} ${fields}`,
]);

test.each(sampled(outputs))(
  '$list of two accounts as $format with $fields fields has the account and the items as they are printed alone',
  async ({list, format, read, ofTwo, fields}) => {
    const {accounts, printed} = await desk(list);
    const more = fields === 'all' ? [] : ['--fields', fieldsOf(list).join(',')];
    const isInside = format === 'json' && fields === 'all';
    const alone = await printed(isInside ? 'ndjson' : format, 'ana', more);
    const items = isInside ? `[${linesIn(alone).join(',')}]` : alone;
    expect(read(await printed(format, 'ana,bob', more))).toEqual(ofTwo(items, accounts));
  },
);

test.each(['csv', 'json', 'table'])('the own account of items can be named as its column is: %s', async (format) => {
  const {printed} = await desk('notifications list');
  const chosen = (fields: string) => printed(format, 'ana,bob', ['--fields', fields]);
  expect(await chosen('id,item.account.acct,account.acct')).toBe(await chosen('id,account.acct'));
  expect(await chosen('item.account')).toBe(await chosen('account'));
});

test('fields are those of the items, and an unknown one is a warning', async () => {
  const {run, accounts} = await desk('domain-blocks list');
  const {stdout, stderr} = await run('domain-blocks list -p ana -p bob -o csv --fields account,item --max 1'.split(' '));
  expect(linesIn(stdout)).toEqual(['account,item.account,item', ...accounts.map((account) => `${account},,`)]);
  expect(stderr).toBe('Warning: unknown field account, item; known fields are domain\n');
});

interface Way {
  readonly list: string;
  readonly command: string;
  /** The fields that are enough. */
  readonly field: string;
}

/** Commands that take what a list prints. */
const ways: readonly Way[] = [
  {list: 'blocks list', command: 'blocks remove', field: 'id'},
  {list: 'mutes list', command: 'mutes remove', field: 'id'},
  {list: 'dm mutuals', command: 'mutes add', field: 'id'},
  {list: 'notifications list', command: 'blocks add', field: 'account'},
  {list: 'domain-blocks list', command: 'domain-blocks remove', field: 'domain'},
  {list: 'filters list', command: 'filters delete', field: 'id,filter_action'},
  {list: 'dm list', command: 'dm accept', field: 'id'},
];

/** Where the requests of a dry run would go. */
const pathsIn = (text: string): string[] =>
  JSON.parse(text).requests.map(({path, body}: {path: string; body: unknown}) => `${path} ${JSON.stringify(body)}`);

const pipes = ways.flatMap((way) =>
  ['json', 'ndjson', 'csv', 'tsv'].flatMap((format) => (['all', 'chosen'] as const).map((fields) => ({...way, format, fields}))),
);

/** Each command, and each format, with all fields and with the one that is enough. */
const someOf = pairwiseSampler<(typeof pipes)[number]>(({list, format, fields}) => [`${list} ${fields}`, `${format} ${fields}`]);

test.each(someOf(pipes))(
  '$list of two accounts as $format with $fields fields into $command acts on the items of its account, and those of others are refused',
  async ({list, command, field, format, fields}) => {
    const more = fields === 'all' ? [] : ['--fields', field];
    const {accounts, printed, run, asked} = await desk(list);
    const [ana = '', bob = ''] = accounts;
    const both = await printed(format, 'ana,bob', more);
    const alone = await printed('ndjson', 'ana', more);
    const before = asked();
    const words = [...command.split(' '), '-', '--dry-run', '--json'];
    const own =
      format === 'json'
        ? JSON.stringify(JSON.parse(both).filter(({account}: {account: string}) => account === ana))
        : linesIn(both)
            .filter((line) => !line.includes(bob))
            .join('\n');
    const [acted, expected] = [await run([...words, '-p', 'ana'], {stdin: own}), await run([...words, '-p', 'ana'], {stdin: alone})];
    expect(acted, acted.stderr).toMatchObject({status: 0});
    expect(pathsIn(expected.stdout)).not.toEqual([]);
    expect(pathsIn(acted.stdout)).toEqual(pathsIn(expected.stdout));
    for (const [profile, text] of [
      ['ana', both],
      ['bob', own],
    ] as const) {
      const refused = await run([...words, '-p', profile], {stdin: text});
      expect(refused).toMatchObject({status: 2, stdout: '', stderr: expect.stringContaining('The list has items of')});
    }
    expect(asked()).toBe(before);
  },
);

test('results of several accounts have a column for the account', async () => {
  await using three = await threeAccounts();
  three.write('p.yml', 'version: 1\ndomain_blocks: {must: [bad.example]}\n');
  const {status, stdout} = await three.run('apply p.yml --yes --quiet -o csv -p ana,clara'.split(' '));
  const [header = '', ...rows] = linesIn(stdout).map((line) => line.split(','));
  expect({status, header: header.slice(0, 4), rows: rows.map((row) => row.slice(0, 4))}).toEqual({
    status: 0,
    header: ['account', 'target', 'ok', 'status'],
    rows: [three.ana, three.clara].map((account) => [account, 'add domain block bad.example', 'true', '200']),
  });
});
