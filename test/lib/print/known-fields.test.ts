import {describe, expect, test} from 'vitest';
import {endpoints} from '../../../src/lib/api/index.js';
import {listBlocks, listDomainBlocks} from '../../../src/lib/api/blocks.js';
import {getConfiguration} from '../../../src/lib/api/config.js';
import {acceptConversation, listConversations} from '../../../src/lib/api/direct.js';
import {listLegacyFilters} from '../../../src/lib/api/filters.js';
import {listNotifications} from '../../../src/lib/api/notifications.js';
import {parseFields} from '../../../src/lib/print/fields.js';
import {itemSchema, knownFields, resultSchema, unknownFields} from '../../../src/lib/print/known-fields.js';

describe('unknownFields', () => {
  test.each([
    ['fields of the items of a list', listBlocks, 'id,acct,acctt', ['acctt']],
    ['of a list inside the answer', listConversations, 'id,data,meta', ['data', 'meta']],
    [
      'of objects that may be missing or null',
      listNotifications,
      'account.acct,status.account.acct,status.nope,nope.acct',
      ['status.nope', 'nope.acct'],
    ],
    ['of objects of any depth', getConfiguration, 'limits.media.max_album_limit,limits.media.nope', ['limits.media.nope']],
    ['lists and strings have no fields', listConversations, 'participants.acct,id.length', ['participants.acct', 'id.length']],
    ['inherited names are none', listBlocks, 'constructor,toString', ['constructor', 'toString']],
    ['where nothing is documented nothing is unknown', listLegacyFilters, 'anything.at.all', []],
  ] as const)('%s', (_, endpoint, fields, unknown) => {
    expect(unknownFields(parseFields(fields), itemSchema(endpoint))).toEqual(unknown);
  });

  test('knows plain strings by the name of their column', () => {
    const schema = itemSchema(listDomainBlocks);
    expect(unknownFields(parseFields('domain,value'), schema)).toEqual(['value']);
    expect(knownFields(schema)).toEqual(['domain']);
  });

  test('knows the results of many targets, and the answers in them', () => {
    const schema = resultSchema(acceptConversation);
    expect(unknownFields(parseFields('target,ok,status,body.state,error.message,state'), schema)).toEqual(['state']);
    expect(knownFields(schema)).toEqual(expect.arrayContaining(['target', 'body', 'body.state', 'error.code']));
  });
});

describe('knownFields', () => {
  test('are fields and those of the objects in them, in the documented order', () => {
    expect(knownFields(itemSchema(listNotifications)).slice(0, 6)).toEqual([
      'id',
      'type',
      'created_at',
      'account',
      'account.id',
      'account.username',
    ]);
  });

  test.each(endpoints)('of $name are all known', (endpoint) => {
    const schema = itemSchema(endpoint);
    expect(
      unknownFields(
        knownFields(schema).map((name) => ({name})),
        schema,
      ),
    ).toEqual([]);
  });
});
