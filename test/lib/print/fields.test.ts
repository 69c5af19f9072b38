import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Column} from '../../../src/lib/api/view.js';
import {endpoints} from '../../../src/lib/api/endpoints.js';
import {listBlocks, listDomainBlocks} from '../../../src/lib/api/blocks.js';
import {getConfiguration} from '../../../src/lib/api/config.js';
import {acceptConversation, listConversations} from '../../../src/lib/api/direct.js';
import {listLegacyFilters} from '../../../src/lib/api/filters.js';
import {listNotifications} from '../../../src/lib/api/notifications.js';
import {foreignFields, itemSchema, knownFields, parseFields, pick, unknownFields} from '../../../src/lib/print/fields.js';
import {parseExact} from '../../../src/lib/json/exact.js';
import {openList} from '../../../src/lib/print/print.js';
import {resultSchema} from '../../../src/lib/run/results.js';
import {objectTexts} from '../json/documents.js';
import {formatAnswer, now, pipe, values} from './setting.js';

test('the fields of an own view, what is inside them, and its headings are known, and no others', () => {
  const columns = [
    {header: 'WHO', path: 'account.acct'},
    {header: 'WHAT', path: ''},
    {header: 'ELSE', path: 'other'},
  ];
  const fields = ['id', 'account.id', 'WHO', 'WHAT', 'ELSE', 'ids', 'other'];
  expect(foreignFields(fields, ['id', 'account'], {kind: 'list', empty: 'none', columns})).toEqual(['ELSE', 'ids', 'other']);
});

/** What is picked of an item, as JSON. */
const pickedFrom = (text: string, fields: readonly string[], setting: Parameters<typeof pick>[2]): string =>
  JSON.stringify(pick(parseExact(text), fields, setting));

describe('pick', () => {
  const setting = {isList: true, terminal: pipe, now, form: 'nested'} as const;

  const item =
    '{"id": "1", "size": 2.50, "cursor": 12345678901234567890, "account": {"acct": "bob", "x.y": [1, 2]}, "a.b": 1, "a": {"b": 2}}';

  test.each([
    ['cursor,id', '{"cursor":12345678901234567890,"id":"1"}'],
    ['account.acct,size', '{"account.acct":"bob","size":2.50}'],
    ['account', '{"account":{"acct":"bob","x.y":[1,2]}}'],
    ['account.x.y', '{"account.x.y":[1,2]}'],
    ['a.b', '{"a.b":1}'],
    ['none,id.none,account.acct.none,account.x', '{"none":null,"id.none":null,"account.acct.none":null,"account.x":null}'],
    ['constructor,__proto__.x', '{"constructor":null,"__proto__.x":null}'],
  ])('%s', (fields, picked) => {
    expect(pickedFrom(item, parseFields(fields), setting)).toBe(picked);
  });

  test('names an item that is not an object', () => {
    expect(pickedFrom('"a.example"', parseFields('domain,id'), {...setting, view: listDomainBlocks.view})).toBe(
      '{"domain":"a.example","id":null}',
    );
  });

  test.each([
    ['name', '{"name":"Bob"}'],
    ['followers,id', '{"followers":2.50,"id":"1"}'],
    // A field of the item comes first.
    ['account', '{"account":{"acct":"other"}}'],
    ['result', '{"result":"failed"}'],
    ['gone', '{"gone":null}'],
  ])('finds what a table has under the heading %s', (fields, picked) => {
    const columns: readonly Column[] = [
      {header: 'name', path: 'display_name'},
      {header: 'followers', path: 'counts.followers', kind: 'number'},
      {header: 'account', path: 'acct', kind: 'account'},
      {header: 'result', path: '', kind: 'outcome'},
      {header: 'gone', path: 'gone_at'},
    ];
    const own = '{"id":"1","ok":false,"display_name":"Bob","acct":"bob","account":{"acct":"other"},"counts":{"followers":2.50}}';
    expect(pickedFrom(own, parseFields(fields), {...setting, view: {kind: 'list', columns, empty: ''}})).toBe(picked);
  });

  test('a heading means what the table shows there in a table and in cells, a field its value', () => {
    const {view} = listNotifications;
    const own = '{"id":"41","account":{"acct":"bob"},"status":{"content":"<p>Tram 28</p>","id":"7"},"type":"mention"}';
    const names = parseFields('id,who,what,status.id,account');
    const account = {acct: 'bob'};
    expect(JSON.parse(pickedFrom(own, names, {...setting, view}))).toMatchObject({who: 'bob', what: {id: '7'}, account});
    for (const form of ['table', 'cells'] as const)
      expect(JSON.parse(pickedFrom(own, names, {...setting, view, form}))).toEqual({
        id: '41',
        who: '@bob',
        what: 'Tram 28',
        'status.id': '7',
        account,
      });
    expect(pickedFrom('{"id":"40","account":null,"status":null}', ['who', 'what'], {...setting, view, form: 'cells'})).toBe(
      '{"who":"","what":""}',
    );
  });

  test('returns every field as it was written', () => {
    fc.assert(
      fc.property(objectTexts, (object) => {
        const value = parseExact(object);
        const picked = pick(value, Object.keys(Object(value)).reverse(), setting);
        for (const [name, member] of Object.entries(Object(value)).filter(([own]) => own !== ''))
          expect(JSON.stringify(picked[name])).toBe(JSON.stringify(member));
      }),
    );
  });
});

describe('every format shows only the given fields, in order', () => {
  const answer = '[{"id":"1","account":{"acct":"bob","id":"7"},"size":2.50},{"size":12345678901234567890,"account":null}]';
  const setting = {rows: [], fields: parseFields('size,account.acct'), terminal: pipe, now} as const;

  test.each([
    ['table', '                size  account.acct\n2.50                  bob\n12345678901234567890  –\n'.trimStart()],
    ['json', '[\n{"size":2.50,"account.acct":"bob"},\n{"size":12345678901234567890,"account.acct":null}\n]\n'],
    ['ndjson', '{"size":2.50,"account.acct":"bob"}\n{"size":12345678901234567890,"account.acct":null}\n'],
    ['csv', 'size,account.acct\r\n2.50,bob\r\n12345678901234567890,\r\n'],
    ['tsv', 'size\taccount.acct\n2.50\tbob\n12345678901234567890\t\n'],
    ['yaml', '- size: 2.50\n  account.acct: bob\n- size: 12345678901234567890\n  account.acct: null\n'],
  ] as const)('%s', async (format, text) => {
    const {stdout} = await formatAnswer(answer, {...setting, format});
    expect(format === 'table' ? stdout.replace(/^size +/, 'size  ') : stdout).toBe(text);
  });

  test('a record shows only the given fields, too', async () => {
    const one = {...setting, rows: undefined, fields: parseFields('limits.size,none')};
    const {stdout} = await formatAnswer('{"id":"1","limits":{"size":2.50}}', {...one, format: 'table'});
    expect(stdout).toBe('limits.size  2.50\nnone         –\n');
  });

  test('every format shows only the given fields, in order, also on later pages with other fields', async () => {
    const writer = await openList({...setting, format: 'csv'});
    expect(writer.items(values('{"other":1}'))).toBe('size,account.acct\r\n,\r\n');
    expect(writer.items(values('{"size":1,"more":2}'))).toBe('1,\r\n');
    expect(writer.end()).toEqual({stdout: ''});
  });
});

describe('unknownFields', () => {
  test.each([
    ['fields of the items of a list', listBlocks, 'id,acct,acctt', ['acctt']],
    ['fields of a list inside the answer', listConversations, 'id,data,meta', ['data', 'meta']],
    ['fields of objects at any depth', getConfiguration, 'limits.media.max_album_limit,limits.media.nope', ['limits.media.nope']],
    ['no fields of lists and strings', listConversations, 'participants.acct,id.length', ['participants.acct', 'id.length']],
    ['no inherited names', listBlocks, 'constructor,toString', ['constructor', 'toString']],
    ['any field where nothing is documented', listLegacyFilters, 'anything.at.all', []],
  ] as const)('knows %s', (_, endpoint, fields, unknown) => {
    expect(unknownFields(parseFields(fields), itemSchema(endpoint))).toEqual(unknown);
  });

  test('knows plain strings by the name of their column', () => {
    const schema = itemSchema(listDomainBlocks);
    expect(unknownFields(parseFields('domain,value'), schema)).toEqual(['value']);
    expect(knownFields(schema)).toEqual(['domain']);
  });

  test('knows the fields of results, and of the answers in them', () => {
    const schema = resultSchema(acceptConversation);
    expect(unknownFields(parseFields('target,ok,status,body.state,error.message,state'), schema)).toEqual(['state']);
    expect(knownFields(schema)).toEqual(expect.arrayContaining(['target', 'body', 'body.state', 'error.code']));
  });
});

describe('knownFields', () => {
  test.each(endpoints)('lists only known fields of $name', (endpoint) => {
    const schema = itemSchema(endpoint);
    expect(unknownFields(knownFields(schema), schema)).toEqual([]);
  });
});
