/** The file in which admins of Pixelfed servers export and import what they did about other servers. */
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {readList, refuseRowMistakes} from '../../../../src/lib/policy/lists/read-list.js';
import {type WritableDomain, writeDomainList} from '../../../../src/lib/policy/lists/write-list.js';
import {isPolicy} from '../../../../src/lib/policy/reading/read-policy.js';

const recorded = readFileSync(join(import.meta.dirname, '../../../fixtures/pixelfed-instances-mod.json'), 'utf8');
const now = () => new Date('2026-11-22T02:24:00.123Z');

const domains = (text: string) => readList(text, 'l');

const told = (text: string) => domains(text).entries.map(({domain, facts, line}) => `${line} ${domain} ${facts.severity}`);

test('the file of a real server is read', () => {
  const {mistakes} = domains(recorded);
  expect(told(recorded)).toEqual([
    '8 bad.example suspend',
    '9 xn--mnchen-3ya.example suspend',
    '10 xn--mnchen-3ya.example suspend',
    '4 art.example noop',
  ]);
  expect(mistakes.first).toMatchObject([{line: 11, message: expect.stringContaining('is not a domain')}]);
});

test('the file has a version and is no policy', () => {
  expect(isPolicy(recorded)).toBe(false);
  expect(isPolicy(JSON.stringify(JSON.parse(recorded)))).toBe(false);
  expect(isPolicy('{"version": 1, "domain_blocks": {"must": ["banned.example"]}}')).toBe(true);
});

test('a server in several lists counts as in the most severe one', () => {
  expect(told('{"auto_cw": ["a.example", "b.example"],\n"banned": ["a.example"],\n"unlisted": ["a.example", "b.example"]}')).toEqual([
    '2 a.example suspend',
    '3 b.example silence',
  ]);
});

test.each([
  ['{"banned": ["a.example", 5, {}]}', 2],
  ['{"banned": ["https://a.example/x", "b"], "unlisted": [null]}', 2],
])('what is no domain is a mistake: %s', (text, rows) => {
  const list = domains(text);
  expect(list.mistakes.count).toBe(rows);
  expect(() => refuseRowMistakes(list)).toThrow(/l:1/);
});

const entries = fc
  .uniqueArray(
    fc.record({
      domain: fc.domain().map((text) => text.toLowerCase()),
      facts: fc.record({severity: fc.constantFrom('suspend' as const, 'silence' as const)}),
    }),
    {selector: (one) => one.domain},
  )
  .map((all) => all.toSorted((one, other) => (one.domain < other.domain ? -1 : 1)));

describe('a written file', () => {
  const write = (all: readonly WritableDomain[]) => writeDomainList('pixelfed-instances', all, {now});

  test('has the form of a recorded one, to the byte', () => {
    const all: WritableDomain[] = [
      {domain: 'bad.example', facts: {severity: 'suspend', public_comment: 'Spam', reject_media: true}},
      {domain: 'loud.example', facts: {severity: 'silence'}},
      {domain: 'watched.example', facts: {severity: 'noop'}},
    ];
    const {text, leftOut} = write(all);
    const before = [
      '{',
      '    "version": 1,',
      '    "auto_cw": [],',
      '    "unlisted": [',
      '        "loud.example"',
      '    ],',
      '    "banned": [',
      '        "bad.example"',
      '    ],',
      '    "created_at": "2026-11-22T02:24:00+00:00"',
    ].join('\n');
    const checksum = createHash('sha256').update(`${before}\n}`).digest('hex');
    expect(text).toBe(`${before},\n    "_sha256": "${checksum}"\n}`);
    expect(leftOut).toEqual(['1 domain with the severity noop', 'public_comment of 1 domain, reject_media of 1 domain']);
  });

  test('is read back as it was', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const {entries: read, mistakes} = domains(write(all).text);
        const found = read.map(({domain, facts}) => ({domain, facts})).toSorted((one, other) => (one.domain < other.domain ? -1 : 1));
        expect({found, first: mistakes.first}).toEqual({found: all, first: []});
      }),
    );
  });

  test('has valid hosts only', () => {
    const odd = ['a/b.example', 'https://c.example', 'D.example', 'e', 'münchen.example', 'cf'];
    const all = [...odd, 'f.example'].map((domain): WritableDomain => ({domain, facts: {severity: 'suspend'}}));
    expect(JSON.parse(write(all).text)).toMatchObject({banned: ['f.example']});
    expect(write(all).leftOut).toEqual(['6 entries that are not domains']);
  });
});
