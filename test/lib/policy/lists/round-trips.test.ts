import fc from 'fast-check';
import {expect, test} from 'vitest';
import {commentOf, severities} from '../../../../src/lib/policy/model/domain-facts.js';
import {blocks, mutes} from '../../../../src/lib/policy/sections/names.js';
import {filters} from '../../../../src/lib/policy/sections/filter-section.js';
import {writeList} from '../../../../src/lib/policy/sections/written.js';
import {mergedEntries} from '../../../../src/lib/policy/lists/merge.js';
import {readList} from '../../../../src/lib/policy/lists/read-list.js';
import {type WritableDomain, writeDomainList} from '../../../../src/lib/policy/lists/write-list.js';
import {textOfBytes} from '../../../../src/lib/files/read-text.js';
import {codePoint} from '../../../arbitraries.js';
import {domainList} from './used.js';

const domains = (text: string) => domainList('l', text);

const place = {now: () => new Date(0)};
const domain = fc.domain().map((text) => text.toLowerCase());
/** Any text, and what CSV, spreadsheets and terminals care about. */
const comment = fc
  .oneof(
    fc.string({unit: codePoint}),
    fc.constantFrom(
      '',
      ' a ',
      '"',
      'a,b',
      'x\ny',
      'x\r\ny',
      '\r',
      '#',
      'é…',
      '=1+1',
      '@x',
      "'",
      '\t',
      '\u001b[2J',
      '\u202e',
      '\u{feff}a',
      '<!doctype html>',
    ),
  )
  .map(commentOf);
const entry = fc.record({
  domain,
  facts: fc.record({
    severity: fc.constantFrom(...severities),
    public_comment: comment,
    private_comment: comment,
    reject_media: fc.boolean(),
    reject_reports: fc.boolean(),
    obfuscate: fc.boolean(),
  }),
});
const entries = fc
  .uniqueArray(entry, {selector: (one) => one.domain})
  .map((all) => all.toSorted((one, other) => (one.domain < other.domain ? -1 : 1)));

/** What is read from a file of this text, as it would be written. */
function readBack(text: string): WritableDomain[] {
  const {entries: read, mistakes} = domains(textOfBytes(Buffer.from(text), 'l'));
  expect(mistakes.first).toEqual([]);
  return read.map(({domain: name, facts}) => ({domain: name, facts}));
}

test('reads back a FediBlockHole list, with any comments', () => {
  fc.assert(
    fc.property(entries, (all) => {
      expect(readBack(writeDomainList('fediblockhole', all).text)).toEqual(all);
    }),
  );
});

test("reads back a list of Mastodon's administrators, with all but private comments", () => {
  fc.assert(
    fc.property(entries, (all) => {
      const {text, leftOut} = writeDomainList('mastodon-admin', all);
      expect(readBack(text)).toEqual(all.map((one) => ({...one, facts: {...one.facts, private_comment: undefined}})));
      const count = all.filter(({facts}) => facts.private_comment !== undefined).length;
      expect(leftOut).toEqual(count === 0 ? [] : [`private_comment of ${count} ${count === 1 ? 'domain' : 'domains'}`]);
    }),
  );
});

test.each(['plain', 'mastodon-csv'] as const)('reads back the domains of a list as %s', (format) => {
  fc.assert(
    fc.property(entries, (all) => {
      const blockedOnes = all.filter(({facts}) => facts.severity !== 'noop');
      expect(readBack(writeDomainList(format, all).text)).toEqual(blockedOnes.map((one) => ({...one, facts: {severity: 'suspend'}})));
    }),
  );
});

test('merges a list with itself to the same list', () => {
  fc.assert(
    fc.property(entries, (all) => {
      const {text} = writeDomainList('fediblockhole', all);
      expect([...mergedEntries([domains(text), domains(text)])]).toEqual(all);
    }),
  );
});

test('reads the same rows whatever the delimiter, quotes and line ends', () => {
  const dress = fc.record({
    mark: fc.boolean(),
    end: fc.constantFrom('\n', '\r\n'),
    quoted: fc.boolean(),
    padded: fc.boolean(),
    upper: fc.boolean(),
    ends: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(entry, {minLength: 1}), dress, (all, {mark, end, quoted, padded, upper, ends}) => {
      const cell = (text: string) => (quoted ? `"${text}"` : text) + (padded ? ' ' : '');
      const cased = (text: string) => (upper ? text.toUpperCase() : text);
      const rows = all.map((one) =>
        [one.domain, one.facts.severity, String(one.facts.reject_media)].map((text) => cell(cased(text))).join(','),
      );
      const text = (mark ? '\u{feff}' : '') + ['#domain,#severity,#reject_media', ...rows].join(end) + (ends ? end : '');
      const told = (some: readonly WritableDomain[]) => some.map(({domain: name, facts}) => [name, facts.severity, facts.reject_media]);
      expect(told(domains(text).entries)).toEqual(told(all));
      expect(domains(text).entries.map(({line}) => line)).toEqual(all.map((_, index) => index + 2));
    }),
  );
});

test('reads back lists of accounts for Mastodon', () => {
  const account = fc.tuple(fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/), domain).map((parts) => parts.join('@'));
  fc.assert(
    fc.property(fc.uniqueArray(account, {minLength: 1}), (accounts) => {
      const items = new Map(accounts.map((name) => [name, {value: true as const}]));
      for (const kind of [blocks, mutes]) {
        const read = readList(writeList(kind, 'mastodon-csv', {items}, place).text, 'l');
        expect(read.kind === 'accounts' && read.entries).toEqual(accounts.toSorted());
      }
    }),
  );
});

test('reads back filters for Mastodon', () => {
  const all = [
    [
      'A "b"',
      {
        context: ['home', 'tags'],
        action: 'blur',
        expires: '2027-01-03T00:00:00.000Z',
        keywords: [
          {keyword: 'x, y', whole_word: true},
          {keyword: 'z', whole_word: false},
        ],
      },
    ],
    ['Ü', {context: ['home'], action: 'warn', expires: 'never', keywords: [{keyword: 'w', whole_word: true}]}],
  ] as const;
  const items = new Map(all.map(([title, value]) => [title, {value}]));
  const list = readList(writeList(filters, 'mastodon-json', {items}, place).text, 'l');
  // Lists are compared without the end of a filter.
  expect(list.entries).toEqual(all.map(([title, value]) => [title, {...value, expires: undefined}]));
});
