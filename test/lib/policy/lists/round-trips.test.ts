import fc from 'fast-check';
import {expect, test} from 'vitest';
import {commentOf, severities} from '../../../../src/lib/policy/model/domain-facts.js';
import {mergedEntries} from '../../../../src/lib/policy/lists/merge.js';
import {readList} from '../../../../src/lib/policy/lists/read-list.js';
import {type WritableDomain, writeDomainList} from '../../../../src/lib/policy/lists/write-list.js';
import {textOfBytes} from '../../../../src/lib/files/read-text.js';
import {codePoint} from '../../../arbitraries.js';

const domains = (text: string) => readList(text, 'l');

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
