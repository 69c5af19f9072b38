import fc from 'fast-check';
import {expect, test} from 'vitest';
import {fediBlockHole, mastodonBlocks, mastodonDomainBlocks, mastodonFilters, mastodonMutes} from '../../../../src/lib/policy/export.js';
import type {DomainList, List, ListedDomain} from '../../../../src/lib/policy/lists/list.js';
import {readList} from '../../../../src/lib/policy/lists/read-list.js';
import {expiryAt} from '../../../../src/lib/policy/time.js';
import {aFilter, inDays} from '../model-server.js';

function domains(text: string): DomainList {
  const list = readList(text, 'l');
  if (list.kind !== 'domains') throw new Error(`It is a list of ${list.kind}`);
  return list;
}

const domain = fc.domain().map((text) => text.toLowerCase());
const comment = fc
  .oneof(fc.string(), fc.constantFrom('', ' a ', '"', 'a,b', 'x\ny', 'x\r\ny', '#', 'é…'))
  .filter((text) => !text.includes('\u{feff}'));
const entry = fc.record({
  domain,
  severity: fc.constantFrom('noop', 'silence', 'suspend'),
  publicComment: comment,
  privateComment: comment,
  rejectMedia: fc.boolean(),
  rejectReports: fc.boolean(),
  obfuscate: fc.boolean(),
});

function withoutPlaces(list: List): Omit<ListedDomain, 'location'>[] {
  return list.kind === 'domains' ? list.entries.map(({location: _, ...rest}) => rest) : [];
}

test('reads back a FediBlockHole list, with any comments', () => {
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      expect(withoutPlaces(readList(fediBlockHole(entries), 'l'))).toEqual(entries);
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
    fc.property(fc.array(entry, {minLength: 1}), dress, (entries, {mark, end, quoted, padded, upper, ends}) => {
      const cell = (text: string) => (quoted ? `"${text}"` : text) + (padded ? ' ' : '');
      const cased = (text: string) => (upper ? text.toUpperCase() : text);
      const rows = entries.map((one) => [one.domain, one.severity, String(one.rejectMedia)].map((text) => cell(cased(text))).join(','));
      const text = (mark ? '\u{feff}' : '') + ['#domain,#severity,#reject_media', ...rows].join(end) + (ends ? end : '');
      const read = domains(text).entries.map(({domain: name, severity, rejectMedia}) => ({name, severity, rejectMedia}));
      expect(read).toEqual(entries.map(({domain: name, severity, rejectMedia}) => ({name, severity, rejectMedia})));
      expect(domains(text).entries.map(({location}) => location.line)).toEqual(entries.map((_, index) => index + 2));
    }),
  );
});

test('reads back lists for Mastodon', () => {
  const account = fc.tuple(fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/), domain).map((parts) => parts.join('@'));
  fc.assert(
    fc.property(fc.array(domain), fc.array(account, {minLength: 1}), (names, accounts) => {
      expect(domains(mastodonDomainBlocks(names)).entries.map((one) => one.domain)).toEqual(names);
      for (const text of [mastodonBlocks(accounts), mastodonMutes(accounts)]) {
        const list = readList(text, 'l');
        expect(list.kind === 'accounts' && list.entries.map((one) => one.account)).toEqual(accounts);
      }
    }),
  );
});

test('reads back filters for Mastodon', () => {
  const filters = [
    aFilter('A "b"', {
      context: ['home', 'tags'],
      action: 'blur',
      expiresAt: inDays(3),
      keywords: ['x, y', {id: 1, keyword: 'z', wholeWord: false}],
    }),
    aFilter('Ü'),
  ];
  const list = readList(mastodonFilters(filters), 'l');
  expect(list.kind === 'filters' && list.entries.map(({location: _, ...rest}) => rest)).toEqual(
    filters.map(({title, context, action, expiresAt, keywords}) => ({
      title,
      context,
      action,
      expires: expiryAt(expiresAt),
      exactly: true,
      keywords: keywords.map(({keyword, wholeWord}) => ({keyword, wholeWord})),
    })),
  );
});
