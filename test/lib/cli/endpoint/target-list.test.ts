import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {kinds} from '../../../../src/lib/api/kinds.js';
import {ItemReader, kindsWith, type WantedKind} from '../../../../src/lib/cli/endpoint/piped-item.js';
import {parseTargets} from '../../../../src/lib/cli/endpoint/target-list.js';
import {Mistakes} from '../../../../src/lib/cli/endpoint/targets.js';

type KindName = keyof typeof kinds;

/** What a text names, and what it says besides. */
function parse(text: string, wanted: WantedKind, name = 'standard input') {
  const mistakes = new Mistakes();
  const targets = parseTargets(text, wanted, name, mistakes);
  const said = <Part extends 'expected' | 'profile'>(part: Part) =>
    targets.flatMap((one) => (one[part] === undefined ? [] : [[one.value, one[part]]]));
  const accounts = new Set(targets.flatMap(({account}) => account ?? []));
  return {targets, mistakes, accounts, expected: said('expected'), profiles: said('profile')};
}

const read = (text: string, kind: KindName = 'filter', name?: string) => parse(text, {kind: kinds[kind]}, name);

/** As a command reads it that cannot be taken back. */
const readCertain = (text: string, kind: KindName) => parse(text, {kind: kinds[kind], mustBeCertain: true});

const isColumn = (name: string) => new ItemReader({kind: kinds.filter}).isColumn(name);

/** The targets in a text without mistakes. */
function targetsIn(text: string, wanted?: KindName): string[] {
  const {targets, mistakes} = read(text, wanted);
  expect(mistakes.text).toBe('');
  return targets.map(({value}) => value);
}

describe('standard input', () => {
  test.each([
    ['nothing', '', []],
    ['lines without an end', '5\n6', ['5', '6']],
    ['comments behind targets', '5 # mine\n6 # spam, scams\n@ana   #x\n', ['5', '6', '@ana']],
    ['comments and blank lines', '# mine\n\n 5 \n  # more\n6\n', ['5', '6']],
    ['JSON strings', '"5"\n"6"', ['5', '6']],
    ['all of these', '5\n{"id": "6"}\n"7"\n# no\n', ['5', '6', '7']],
    ['an array of objects over many lines', '[\n  {"id": "5"},\n  {"id": "6"}\n]\n', ['5', '6']],
    ['an object over many lines', '{\n  "id": "5",\n  "title": "{"\n}\n', ['5']],
    ['several objects over many lines', '{\n  "id": "5"\n}\n{\n  "id": "6"\n}\n7\n', ['5', '6', '7']],
    ['several documents on one line', '{"id": "5"}{"id": "6"} ["7"] "8" # more', ['5', '6', '7', '8']],
    ['several arrays', '["5"]\n[\n"6"\n]', ['5', '6']],
    ['an answer without data', '{"data": []}', []],
    ['the object of an answer', '{"data": {"id": "5"}}', ['5']],
    [
      'items of several accounts',
      '[{"account": "ana@pix.example", "item": {"id": "5"}}, {"account": "bo@pix.example", "item": "6"}]',
      ['5', '6'],
    ],
    ['TSV', 'id\ttitle\n5\ta b\n6\t"quoted\n', ['5', '6']],
    ['TSV of a spreadsheet', '"title"\t"id"\r\n"a b"\t"5"\r\n', ['5']],
    ['CSV with semicolons', 'title;id\n"a; b";5\n', ['5']],
    ['CSV below a comment', '# mine\nid,title\n5,a\n', ['5']],
    ['an empty array', '[]', []],
    ['numbers', '[5, 12345678901234567890]', ['5', '12345678901234567890']],
    ['numbers in objects', '{"id": 12345678901234567890}', ['12345678901234567890']],
  ])('standard input may be %s', (_, text, targets) => {
    expect(targetsIn(text)).toEqual(targets);
  });

  test('domains are domains, and no ids', () => {
    expect(targetsIn('#domain,#severity\nbad.example,suspend\n', 'domain')).toEqual(['bad.example']);
    expect(targetsIn('bad.example # spam\n["worse.example"]', 'domain')).toEqual(['bad.example', 'worse.example']);
    expect(read('bad.example', 'filter').mistakes.text).toContain('looks like a domain');
  });

  test('domains are those that the export of a server bans or hides, and what else is in it is a mistake', () => {
    const {targets, mistakes} = read('{"banned": ["a.example", null], "unlisted": ["b.example"], "auto_cw": ["c.example"]}', 'domain');
    expect(targets.map(({value}) => value)).toEqual(['a.example', 'b.example']);
    expect(mistakes.text).toContain('Item 2 of standard input names no domain');
  });

  test('reads the account of an object', () => {
    const url = 'https://far.example/bo';
    const items = [
      {id: '1', account: {id: '5'}},
      {id: '1', 'account.id': '5'},
      {'account.acct': 'bo@far.example'},
      {acct: 'bo', url},
      {id: '7', username: 'bo', url},
      {url},
      {id: '7', url},
    ];
    const named = ['5', '5', '@bo@far.example', '@bo@far.example', '@bo@far.example', url, url];
    expect(targetsIn(JSON.stringify(items), 'account')).toEqual(named);
    expect(targetsIn('id,account.id\n1,5\n', 'account')).toEqual(['5']);
    expect(targetsIn('account.acct\nbo@far.example\n', 'account')).toEqual(['@bo@far.example']);
    expect(targetsIn('acct\nbo@far.example\n', 'account')).toEqual(['@bo@far.example']);
    expect(targetsIn(`url\n${url}\n`, 'account')).toEqual([url]);
    expect(targetsIn('Account address,Hide notifications\nbo@far.example,true\n', 'account')).toEqual(['@bo@far.example']);
  });

  test('keeps the id of an account with the URL that proves it', () => {
    const url = 'https://far.example/bo';
    const {expected} = read(
      JSON.stringify([
        {id: '5', acct: 'bo', url},
        {id: '6', acct: 'cy@far.example'},
      ]),
      'account',
    );
    expect([...expected]).toEqual([['@bo@far.example', {id: '5', url}]]);
  });

  test.each([
    ['CSV', 'id,type,account\r\n1,follow,"{""id"":""5"",""acct"":""bo@far.example"",""note"":""a \\""b\\""""}"\r\n'],
    ['TSV', 'id\ttype\taccount\n1\tfollow\t{"id":"5","acct":"bo@far.example","note":"a \\\\"b\\\\""}\n'],
    ['CSV of several accounts', 'account,item\nana@far.example,"{""id"":1,""account"":{""id"":5,""acct"":""bo""}}"\n'],
  ])('standard input of objects takes fields inside objects in the cells of %s', (name, text) => {
    expect(targetsIn(text, 'account'), name).toEqual(['@bo@far.example']);
  });

  test.each([
    ['account,id\nana@pix.example,5\n', ['5'], ['ana@pix.example']],
    ['account\tid\ttype\titem.account\nana@pix.example\t1\tfollow\t{"id":"5"}\n', ['5'], ['ana@pix.example']],
    ['account,item.account.id\nana@pix.example,5\nbo@pix.example,6\n', ['5', '6'], ['ana@pix.example', 'bo@pix.example']],
    ['account,target,ok,status,body\nana@pix.example,5,true,200,{}\n', ['5'], ['ana@pix.example']],
    ['account,item\nana@pix.example,"{""id"":5,""acct"":""bo""}"\n', ['@bo@pix.example'], ['ana@pix.example']],
    ['account,type,id\n"{""id"":""5"",""acct"":""bo@far.example""}",follow,1\n', ['@bo@far.example'], []],
  ])('standard input of several accounts begins with the account of each item: %j', (text, targets, owners) => {
    const list = read(text, 'account');
    expect(list.mistakes.text).toBe('');
    expect([list.targets.map(({value}) => value), [...list.accounts]]).toEqual([targets, owners]);
  });

  test('an object of another server that claims to be of the account acted on is judged by what it names', () => {
    const claim = {account: 'ana@pix.example', item: {id: '7'}};
    const one = {id: '5', acct: 'troll@evil.example', url: 'https://evil.example/troll'};
    const {targets, expected, accounts} = read(JSON.stringify({...one, ...claim}), 'account');
    expect([targets.map(({value}) => value), [...accounts]]).toEqual([['@troll@evil.example'], []]);
    expect([...expected]).toEqual([['@troll@evil.example', {id: '5', url: one.url}]]);
    const wrapped = read(JSON.stringify({...claim, item: one}), 'account');
    expect(wrapped.targets.map(({value}) => value)).toEqual(['@troll@evil.example']);
    expect([...wrapped.expected]).toEqual([['@troll@evil.example', {id: '5', url: one.url}]]);
  });

  test.each([
    ['an audit', {account: '@bob@b.example', server: 'https://b.example', findings: []}],
    ['a profile', {name: 'bob', account: '@bob', server: 'https://b.example', active: true}],
    ['a name without a server', {account: '@bob'}],
  ])('the account that %s is for is no target', (_, document) => {
    const {targets, mistakes} = read(JSON.stringify(document), 'account');
    expect([targets, mistakes.text]).toEqual([[], expect.stringMatching(/only names its owner|is not recognized/)]);
  });

  test.each(['{"account": {}}', '{"acct": "", "url": ""}'])('an account without an id, a name and an address is refused: %s', (text) => {
    expect(read(text, 'account').mistakes.text).toBe('Line 1 of standard input names no account');
  });

  test('standard input of several accounts has domains in a column of their own', () => {
    const {targets, accounts} = read('account,domain\r\nana@pix.example,bad.example\r\n', 'domain');
    expect([targets.map(({value}) => value), [...accounts]]).toEqual([['bad.example'], ['ana@pix.example']]);
  });

  test.each(['id,account\n1,\n2,{broken\n', '[{"id": 1, "account": null}, {"id": 2, "account": ""}]'])(
    'standard input of objects does not take the id of %j in place of that of its account',
    (text) => {
      const {targets, mistakes} = read(text, 'account');
      expect([targets, mistakes.count]).toEqual([[], 2]);
    },
  );

  test('reads the messages of a thread', () => {
    const thread = '{"id": "5", "messages": [{"id": "1", "reportId": "6"}, {"id": "2", "reportId": "7"}]}';
    expect(targetsIn(thread, 'message')).toEqual(['6', '7']);
    expect(targetsIn(`${thread}{"id": "5", "messages": []}`, 'message')).toEqual(['6', '7']);
  });

  test.each([
    ['filter', '{"id": "1", "sender_id": "2", "text": "x"}', 'looks like a message, not a filter'],
    ['account', '{"id": "1", "title": "x", "filter_action": "warn"}', 'looks like a filter, not an account'],
    ['filter', '{"id": 1, "keyword": "x", "whole_word": true}', 'is not recognized by its members (id, keyword, whole_word)'],
    ['filter', '{"account.id": "5"}', 'looks like a notification, not a filter'],
    ['filter', '{"id": "1", "acct": "bo@far.example", "title": "x"}', 'looks like an account, not a filter'],
    ['account', '{"name": "tide", "url": "https://far.example/tags/tide", "history": []}', 'is not recognized by its members'],
    ['account', '{"name": "tide", "account": {"id": "5"}}', 'is not recognized by its members'],
    ['filter', '{"id": "1", "url": "https://far.example/x"}', 'looks like an account, not a filter'],
    ['account', '{"policy": "p.yml", "account": "@bob", "changes": []}', 'looks like a row of a policy'],
    ['conversation', '{"id": "1", "conversation_id": "2", "sender_id": "3"}', 'looks like a message, not a conversation'],
    ['domain', '{"id": "5", "domain": "far.example", "isLocal": false, "username": "bo"}', 'looks like a thread, not a domain'],
    ['account', '{"id": "5", "domain": "far.example", "isLocal": false, "username": "bo"}', 'looks like a thread, not an account'],
    ['user', '{"id": "1", "type": "follow", "account": {"id": "5"}}', 'has no `acct`, by which a person is found'],
    ['user', '{"profile_id": "5", "has_token": true}', 'has no `id`'],
    ['user', '{"sender_id": "5"}', 'names no person'],
    ['conversation', '{"id": "1", "acct": "bo@far.example"}', 'looks like an account, not a conversation'],
    ['account', '{"id": "1", "participants": [{"id": "2"}, {"id": "3"}]}', 'names 2 accounts, not one'],
    ['account', '{"id": "1", "participants": []}', 'names no account'],
    ['account', '{"id": "1", "acct": "bo"}', 'looks like an account of an unknown server'],
    ['account', '{"id": "1", "acct": "12345"}', 'looks like an account of an unknown server'],
    ['account', '{"username": "bo"}', 'looks like an account of an unknown server'],
    ['account', '{"id": "1", "type": "follow", "created_at": "2026"}', 'is not recognized by its members (id, type, created_at)'],
    ['filter', '{"id": "1", "name": "x"}', 'is not recognized by its members (id, name)'],
    ['filter', '{"id": "1", "colour": "x"}', 'is not recognized by its members (id, colour)'],
    ['filter', '{"kind": "filter", "subject": "x", "id": "5"}', 'looks like a row of a policy'],
    ['account', 'id,title,context\n1,x,home\n', 'looks like a filter, not an account'],
    ['filter', 'account.id\n5\n', 'not a filter'],
    ['domain', 'id\tacct\n5\tbo@far.example\n', 'looks like an account, not a domain'],
  ] as const)('standard input for a command that wants its own kind, %s: %s is refused', (wanted, text, message) => {
    const {targets, mistakes} = read(text, wanted);
    expect({targets, text: mistakes.text}).toEqual({targets: [], text: expect.stringContaining(message)});
    if (!/^(names no|has no)/.test(message)) expect(mistakes.advice).toMatch(/--column |--jq '\.|print its url/);
  });

  test.each([
    ['a name under acct that begins with @ is of the server acted on', 'acct\n@grumpy\n', 'account', ['@grumpy']],
    ['a relationship names its account by its id', '{"id": "5", "blocking": true, "muting": false}', 'account', ['5']],
    ['a person who is registered is an account by profile_id', '{"id": "1", "profile_id": "5", "username": "bo"}', 'account', ['5']],
    ['a notification names its post', '{"id": "1", "account": {"id": "2"}, "status": {"id": "7"}}', 'post', ['7']],
    ['a report names its post', '{"id": 1, "object_type": "App\\\\Status", "status": {"id": "7", "account": {"id": "3"}}}', 'post', ['7']],
    ['an entry of the spam filter names its post', '{"id": 1, "item_id": 7, "status": {"id": "7"}}', 'post', ['7']],
    ['a message names its sender', '{"id": "1", "sender_id": "5", "text": "x"}', 'account', ['5']],
    ['a conversation names its only other participant', '{"id": "1", "participants": [{"id": "2"}]}', 'account', ['2']],
    ['a server names its domain', '{"id": 1, "domain": "far.example", "banned": false}', 'domain', ['far.example']],
    ['a block of a server names the server', '{"id": 1, "domain": "far.example", "severity": "silence"}', 'instance', ['far.example']],
  ] as const)('%s, also where that must be certain', (_, text, wanted, targets) => {
    expect(targetsIn(text, wanted)).toEqual(targets);
    expect(readCertain(text, wanted).targets.map(({value}) => value)).toEqual(targets);
  });

  test('an account is found among the people of a server by its name, and has to have that id', () => {
    const {targets, profiles, mistakes} = read(
      '{"id": "5", "acct": "bo", "url": "https://far.example/bo"}{"id": "2", "profile_id": "6"}',
      'user',
    );
    expect([targets.map(({value}) => value), [...profiles], mistakes.text]).toEqual([
      ['@bo', '2'],
      [
        ['@bo', '5'],
        ['2', '6'],
      ],
      '',
    ]);
  });

  test('a report names the author of its post or the reported account, never who reported', () => {
    const report = {id: 1, object_type: 'App\\Status', reported_by_account: {id: '9'}};
    const about = [{status: {account: {id: '3'}}}, {account: {id: '4'}}, {status: {account: {id: '5'}}, account: {id: '5'}}];
    expect(targetsIn(JSON.stringify(about.map((what) => ({...report, ...what}))), 'account')).toEqual(['3', '4', '5']);
    const {targets, mistakes} = read(JSON.stringify([report, {...report, status: {account: {id: '3'}}, account: {id: '4'}}]), 'account');
    expect([targets, mistakes.text, mistakes.advice]).toEqual([
      [],
      'Item 1 of standard input names no account; Item 2 of standard input is a report with several accounts',
      'name the column or member that holds an account: --column status.account or --column account',
    ]);
  });

  test.each([
    ['[1, 2', 'Line 1 of standard input is not valid JSON'],
    ['5\n{\n  "id": "6",\n}\n', 'Line 2 of standard input is not valid JSON'],
    [`{"a": ${'['.repeat(3000)}${']'.repeat(3000)}}`, 'Line 1 of standard input is nested deeper than 500 levels'],
    ['{"id": "5"} 6', 'Line 1 of standard input has text after its JSON'],
    ['{"id": "5"},\n', 'Line 1 of standard input has text after its JSON'],
    ['{"data": [{"id": "5"}, {"name": "x"}]}', 'Item 2 of standard input is not recognized'],
    ['{"account": "ana@pix.example", "item": {}}', 'Line 1 of standard input names no filter'],
    ['id  title\n5   a b\n6   c\n', 'Line 1 of standard input looks like a table row, and 2 more like it'],
    ['- id: "5"\n  title: x\n', 'Line 1 of standard input looks like YAML, and 1 more like it'],
    ['5\ta b\n', 'Line 1 of standard input is a table row, but the header is missing'],
    ['5,a\n', 'Line 1 of standard input is a table row, but the header is missing'],
    ['5\n{"id": "6"\n', 'Line 2 of standard input is not valid JSON'],
    ['5\n\n{"title": "x"}', 'Line 3 of standard input names no filter'],
    ['{"id": null}', 'Line 1 of standard input names no filter'],
    ['{"id": ""}', 'Line 1 of standard input names no filter'],
    ['{"id": {"deep": 1}}', 'Line 1 of standard input names no filter'],
    ['""', 'Line 1 of standard input names no filter'],
    ['["5", {}]', 'Item 2 of standard input names no filter'],
    ['["5", null]', 'Item 2 of standard input names no filter'],
    ['["5", ["6"]]', 'Item 2 of standard input names no filter'],
    ['[" "]', 'Item 1 of standard input names no filter'],
  ])('standard input that is %j is refused: %s', (text, message) => {
    expect(read(text).mistakes.text).toContain(message);
  });

  test('ignores inherited members of objects', () => {
    expect(read('{}').mistakes.text).toContain('names no filter');
    expect(read('{"constructor": 1}').mistakes.text).toContain('is not recognized');
  });

  test('standard input is parsed in linear time, also with many unclosed brackets', () => {
    const {mistakes} = read('{"a": [\n'.repeat(100_000));
    expect(mistakes.count).toBe(100_000);
  });

  // A first line that is the name of a field is the header of a table.
  // A text with a dot may be a domain, which is no id.
  const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,30}$/).filter((text) => !isColumn(text));

  test('reads every target in every notation', () => {
    const written = fc.array(fc.tuple(id, fc.constantFrom('plain', 'string', 'object', 'result')));
    fc.assert(
      fc.property(written, fc.constantFrom('\n', '\r\n', '\n\n', '\n# more\n'), (lines, end) => {
        const text = lines.map(([target, form]) => {
          if (form === 'plain') return target;
          if (form === 'string') return JSON.stringify(target);
          return JSON.stringify(form === 'object' ? {title: 'x', id: target} : {target, ok: false, id: 'other'});
        });
        expect(targetsIn(text.join(end))).toEqual(lines.map(([target]) => target));
      }),
    );
  });
});

test('reads a line of 200,000 quotes in linear time', () => {
  const {targets, mistakes} = parse('"'.repeat(200_000), {kind: kinds.domain}, 'quotes.txt');
  expect(targets).toEqual([]);
  expect(mistakes.text).toBe('Line 1 of quotes.txt names no domain, and 99,999 more like it');
});

describe('CSV', () => {
  test('names the line of a row without a target', () => {
    const {targets, mistakes} = read('id,title\n5,a\n,b\n', 'filter', 'list.csv');
    expect(targets).toMatchObject([{value: '5', place: {unit: 'Line', number: 2, source: 'list.csv'}}]);
    expect(mistakes.text).toBe('Line 3 of list.csv names no filter');
  });

  test('names the line of a quote that is not closed, and keeps the rows before it', () => {
    const {targets, mistakes} = read('id,title\n5,a\n6,"b\n', 'filter', 'list.csv');
    expect(targets).toMatchObject([{value: '5'}]);
    expect(mistakes.text).toMatch(/^Line 3 of list\.csv cannot be read: /);
  });
});

describe('an object with any members', () => {
  const members = [
    'acct',
    'account',
    'title',
    'type',
    'sender_id',
    'participants',
    'url',
    'domain',
    'target',
    'created_at',
    'status',
    'keyword',
  ];
  const item = fc.dictionary(fc.constantFrom(...members), fc.constantFrom('x@far.example', '7', {id: '8'}, null), {minKeys: 1});
  const kindNames = fc.constantFrom('account', 'conversation', 'domain', 'filter', 'message');

  test('an object with any members never gives its own id to a command that wants another kind than it is of', () => {
    fc.assert(
      fc.property(item, kindNames, (object, wanted) => {
        const {targets} = read(JSON.stringify([{id: 'own', ...object}]), wanted);
        if (targets.some(({value}) => value === 'own')) {
          expect(kindsWith(Object.keys(object), kinds[wanted])).toEqual([kinds[wanted]]);
        }
      }),
    );
  });
});

describe('a column', () => {
  const inColumn = (column: string, text: string, kind: KindName = 'filter') =>
    parse(text, {kind: kinds[kind], mustBeCertain: true, column}, 'list.csv');

  test.each([
    ['of a spreadsheet', 'who', 'Name;who;seen\n"A; b";@bo@far.example;yes\n', 'account', ['@bo@far.example']],
    ['with a comma in another heading', 'who', '"Name, full",who\nBo,@bo@far.example\n', 'account', ['@bo@far.example']],
    ['that is the only one', 'host', 'host\r\nbad.example\r\n', 'domain', ['bad.example']],
    ['of TSV', 'number', 'a b\tnumber\nx\t5\n', 'filter', ['5']],
    ['below a comment', 'number', '# mine, yours\nname,number\nx,5\n', 'filter', ['5']],
    ['with a comment mark', '#host', '#host,#why\nbad.example,spam\n', 'domain', ['bad.example']],
    ['with a dot in its name', 'its.id', 'its.id,x\n5,y\n', 'filter', ['5']],
    ['with a known name, of rows that look like something else', 'title', 'id,title\n5,6\n', 'filter', ['6']],
    ['that holds a result', 'body', '{"target": "9", "ok": true, "body": "5"}', 'filter', ['5']],
    ['of JSON', 'colour', '[{"colour": "5"}, {"colour": 6, "title": "x"}]', 'filter', ['5', '6']],
    ['of JSON with long numbers', 'n', '{"n": 12345678901234567890}', 'filter', ['12345678901234567890']],
    ['inside an object', 'a.b', '{"a": {"b": "5"}}\n{"a.b": "6"}', 'filter', ['5', '6']],
    ['inside an object in a cell', 'a.b', 'x,a\n1,"{""b"": ""5""}"\n', 'filter', ['5']],
    ['with an account in it', 'who', '{"who": {"id": "7", "acct": "bo", "url": "https://far.example/bo"}}', 'account', ['@bo@far.example']],
    ['called account', 'account', 'account,why\n@bo@far.example,spam\n', 'account', ['@bo@far.example']],
    ['beside one called account', 'host', 'account,host\nx@pix.example,bad.example\n', 'domain', ['bad.example']],
    [
      'of reports, which have several accounts',
      'status.account',
      '{"object_id": 1, "status": {"account": {"url": "https://far.example/bo"}}}',
      'account',
      ['https://far.example/bo'],
    ],
  ] as const)('%s is read, whatever the rest looks like', (_, column, text, kind, targets) => {
    const {mistakes, ...list} = inColumn(column, text, kind);
    expect([list.targets.map(({value}) => value), mistakes.text]).toEqual([targets, '']);
    expect([...list.accounts]).toEqual([]);
  });

  test.each([
    ['number', 'a,b\n1,2\n', 'Line 1 of list.csv has no column or member "number", and 1 more like it'],
    ['number', '5\n', 'Line 1 of list.csv has no column or member "number"'],
    ['number', '"5"\n', 'Line 1 of list.csv has no column or member "number"'],
    ['number', '[{"number": "5"}, {"id": "6"}]', 'Item 2 of list.csv has no column or member "number"'],
    ['number', 'number,b\n,2\n', 'Line 2 of list.csv names no filter'],
    ['number', '{"number": null}', 'Line 1 of list.csv names no filter'],
    ['number', '{"number": {"id": "5"}}', 'Line 1 of list.csv names no filter'],
    ['number', '{"number": ["5", "6"]}', 'Line 1 of list.csv names 2 filters, not one'],
    ['host', '{"host": "bad.example"}', 'Line 1 of list.csv looks like a domain, not a filter'],
    ['constructor', '{"id": "5"}', 'has no column or member "constructor"'],
  ])('%s that is not there or empty is a mistake: %j', (column, text, message) => {
    const {targets, mistakes} = inColumn(column, text);
    if (!text.startsWith('[')) expect(targets).toEqual([]);
    expect(mistakes.text).toContain(message);
  });

  test.each([
    ['JSON', '[{"account": "ana@pix.example", "item": {"id": "7", "title": "5"}}]'],
    ['CSV', 'account,id,title\nana@pix.example,7,5\n'],
  ])('of a list of several accounts is that of the item, whose account is told: %s', (_, text) => {
    const {targets, accounts} = inColumn('title', text);
    expect([targets.map(({value}) => value), [...accounts]]).toEqual([['5'], ['ana@pix.example']]);
  });
});
