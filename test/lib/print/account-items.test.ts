import {describe, expect, test} from 'vitest';
import {openList, type PrintSetting} from '../../../src/lib/print/print.js';
import {endOf, now, pipe, screen, values} from './setting.js';

const view = {
  kind: 'list',
  columns: [
    {header: 'id', path: 'id'},
    {header: 'account', path: 'account.acct'},
  ],
  fields: ['id', 'account', 'size'],
  empty: 'Nothing.',
} as const;

const items = [
  '{"account":"ana","item":{"id":"1","account":{"acct":"eve"},"size":2.50}}',
  '{"account":"bob","item":{"id":"2","account":{"acct":"mallory"}}}',
];

async function printed(own: Partial<PrintSetting>, texts: readonly string[] = items): Promise<string> {
  const writer = await openList({format: 'json', terminal: pipe, now, view, areOfAccounts: true, ...own});
  return writer.items(values(...texts)) + endOf(writer).stdout;
}

describe('items of several accounts', () => {
  test.each<[string, Partial<PrintSetting>, printed: string, empty: string]>([
    ['json', {format: 'json'}, `[\n${items.join(',\n')}\n]\n`, '[]\n'],
    [
      'json with --fields',
      {format: 'json', fields: ['size', 'account.acct']},
      '[\n{"account":"ana","item":{"size":2.50,"account.acct":"eve"}},\n{"account":"bob","item":{"size":null,"account.acct":"mallory"}}\n]\n',
      '[]\n',
    ],
    ['ndjson', {format: 'ndjson'}, `${items.join('\n')}\n`, ''],
    ['yaml', {format: 'yaml', fields: ['id']}, '- account: ana\n  item:\n    id: "1"\n- account: bob\n  item:\n    id: "2"\n', '[]\n'],
    [
      'csv',
      {format: 'csv'},
      'account,id,item.account,size\r\nana,1,"{""acct"":""eve""}",2.50\r\nbob,2,"{""acct"":""mallory""}",\r\n',
      'account,id,item.account,size\r\n',
    ],
    [
      'csv with --fields',
      {format: 'csv', fields: ['size', 'account.acct']},
      'account,size,item.account.acct\r\nana,2.50,eve\r\nbob,,mallory\r\n',
      'account,size,item.account.acct\r\n',
    ],
    ['tsv', {format: 'tsv', fields: ['id']}, 'account\tid\nana\t1\nbob\t2\n', 'account\tid\n'],
    ['a table', {format: 'table', terminal: screen}, 'account  id  item.account\nana      1   eve\nbob      2   mallory\n', ''],
    [
      'a table with --fields',
      {format: 'table', fields: ['size', 'account.acct']},
      'account  size  item.account.acct\nana      2.50  eve\nbob      –     mallory\n',
      '',
    ],
    [
      'a table of texts that are made of items',
      {format: 'table', view: {...view, columns: [{header: 'who', path: '', text: (row) => (row === null ? 'nobody' : 'somebody')}]}},
      'account  who\nana      somebody\nbob      somebody\n',
      '',
    ],
    [
      'a table without columns',
      {format: 'table', view: undefined},
      'account  id  item.account  size\nana      1   1 field       2.50\nbob      2   1 field       –\n',
      '',
    ],
  ])('items of several accounts are printed as %s, and without items, too', async (_, own, text, empty) => {
    expect(await printed(own)).toBe(text);
    expect(await printed(own, [])).toBe(empty);
  });
});
