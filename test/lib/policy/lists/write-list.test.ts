/** What each format of other tools holds of a list, and what is said about the rest. */
import {describe, expect, test} from 'vitest';
import type {DomainFacts} from '../../../../src/lib/policy/model/domain-facts.js';
import {type WritableDomain, writeDomainList} from '../../../../src/lib/policy/lists/write-list.js';

const entry = (domain: string, facts: Partial<DomainFacts> = {}, until?: string): WritableDomain => ({
  domain,
  facts: {severity: 'suspend', ...facts},
  until,
});

const plain = [entry('a.example'), entry('b.example')];
const rich = [
  entry('a.example', {severity: 'silence', public_comment: 'loud, often', private_comment: 'see 12', reject_media: true}),
  entry('b.example', {severity: 'noop', reject_reports: true, obfuscate: false}),
  entry('c.example', {obfuscate: true, reject_media: false}, '2027-01-31'),
];

describe('a list of domains', () => {
  test.each([
    ['plain', 'a.example\nc.example\n'],
    ['mastodon-csv', 'a.example\nc.example\n'],
    [
      'mastodon-admin',
      '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\na.example,silence,true,false,"loud, often",false\nb.example,noop,false,true,,false\nc.example,suspend,false,false,,true\n',
    ],
    [
      'fediblockhole',
      'domain,severity,public_comment,private_comment,reject_media,reject_reports,obfuscate\na.example,silence,"loud, often",see 12,true,false,false\nb.example,noop,,,false,true,false\nc.example,suspend,,,false,false,true\n',
    ],
  ] as const)('is written as %s', (format, text) => {
    expect(writeDomainList(format, rich).text).toBe(text);
  });

  test.each([
    [
      'plain',
      [
        '1 domain with the severity noop',
        'severity of 1 domain, public_comment of 1 domain, private_comment of 1 domain, reject_media of 1 domain, obfuscate of 1 domain, until of 1 domain',
      ],
    ],
    ['mastodon-admin', ['private_comment of 1 domain, until of 1 domain']],
    ['fediblockhole', ['until of 1 domain']],
  ] as const)('as %s leaves out what is said', (format, leftOut) => {
    expect(writeDomainList(format, rich).leftOut).toEqual(leftOut);
    expect(writeDomainList(format, plain).leftOut).toEqual([]);
  });

  test('has the chosen columns, and then says nothing of the others', () => {
    const {text, leftOut} = writeDomainList('fediblockhole', rich, {fields: ['severity', 'domain']});
    expect([text, leftOut]).toEqual(['severity,domain\nsilence,a.example\nnoop,b.example\nsuspend,c.example\n', []]);
    const few = writeDomainList('fediblockhole', rich, {fields: ['domain']});
    expect([few.text, few.leftOut]).toEqual(['domain\na.example\nc.example\n', ['1 domain with the severity noop']]);
  });

  test('has no header where none is wanted', () => {
    expect(writeDomainList('mastodon-admin', plain.slice(0, 1), {header: false}).text).toBe('a.example,suspend,false,false,,false\n');
  });

  test.each([
    [['domain', 'reason'], '--fields: mastodon-admin has no column "reason"'],
    [['severity'], '--fields: a list needs the column domain'],
  ])('cannot have the columns %j', (fields, message) => {
    const hint = 'it has: domain, severity, reject_media, reject_reports, public_comment, obfuscate';
    expect(() => writeDomainList('mastodon-admin', plain, {fields})).toThrow(
      expect.objectContaining({code: 'usage', message, details: expect.objectContaining({hint})}),
    );
  });

  test('has no formulas for a spreadsheet where that is wanted, and comments as they are otherwise', () => {
    const formula = [entry('a.example', {public_comment: '=1+1', private_comment: 'a=1'})];
    const fields = ['domain', 'public_comment', 'private_comment'];
    const written = (spreadsheetSafe?: boolean) => writeDomainList('fediblockhole', formula, {fields, header: false, spreadsheetSafe}).text;
    expect([written(true), written(false), written()]).toEqual(["a.example,'=1+1,a=1\n", 'a.example,=1+1,a=1\n', 'a.example,=1+1,a=1\n']);
  });
});
