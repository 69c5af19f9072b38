/** What all formats of reports have in common. */
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import type {AuditReport} from '../../../../src/lib/policy/rows/audit.js';
import {reportFormats, reportText} from '../../../../src/lib/policy/reports/formats/index.js';
import {row} from '../compared.js';
import {clean, drifted, hostile, many, numbered, reported, textOf, withFindings} from './audits.js';
import {junitMistakes, sarifMistakes} from './schemas.js';

const names = ['github', 'html', 'json', 'junit', 'markdown', 'sarif'] as const;
const bounded = ['html', 'junit', 'markdown', 'sarif'] as const;

const written = async (name: string, reports: readonly AuditReport[]): Promise<string> => textOf(await reportText(name, reports));

/** Without the escapes of its format. */
const plain = (text: string): string => text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** The domains that a report names, each once. */
const domainsIn = (text: string): ReadonlySet<string> => new Set(plain(text).match(/\bd\d+\.example\b/g));

test('the formats are those of the contract', () => {
  expect(Object.keys(reportFormats)).toEqual(names);
});

describe.each(names)('%s', (name) => {
  test('is of one form for no, one and several audits', async () => {
    for (const text of [
      await written(name, []),
      await written(name, [clean]),
      await written(name, [clean, drifted, many]),
      await written(name, [hostile]),
    ]) {
      if (name === 'sarif') expect(sarifMistakes(text)).toEqual([]);
      if (name === 'junit') expect(await junitMistakes(text)).toEqual([]);
      if (name === 'json') expect(() => JSON.parse(text)).not.toThrow();
    }
  });

  test('names what differs, and each of several accounts', async () => {
    const two = plain(await written(name, [drifted, {...drifted, account: '@bo'}]));
    for (const word of ['two.example', 'worse.example', 'Spoilers', 'friend']) expect(two).toContain(word);
    if (name !== 'json') expect(two).toContain('made weaker by hand');
    if (name !== 'json') for (const account of ['ana@pix.example', 'bo@pix.example']) expect(two).toContain(account);
  });

  test('is inert, whatever servers say', async () => {
    const text = await written(name, [hostile]);
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
    if (name === 'html' || name === 'junit' || name === 'markdown') expect(text).not.toContain('<script>alert');
  });

  test('has no private comment, unless they are asked for', async () => {
    expect(await written(name, [drifted])).not.toContain('secret 7');
    const shown = {...drifted, showsPrivate: true};
    expect(await written(name, [shown])).toContain('secret 7');
  });

  test('says why an account could not be read', async () => {
    const unseen = {...clean, failure: new Failure('unavailable', 'No answer from pix.example')};
    expect(plain(await written(name, [unseen]))).toContain('No answer from pix.example');
  });
});

describe.each(bounded)('%s of very many differences', (name) => {
  const most = name === 'sarif' ? 4000 : 500;

  test('has the first of a kind, and counts the rest', async () => {
    const text = await written(name, [many]);
    expect(domainsIn(text).size).toBe(most);
    expect(text).toContain(`and ${(6000 - most).toLocaleString('en')} more`);
  });

  test('has all of another kind beside them', async () => {
    const text = await written(name, [
      withFindings([...many.findings, row('filters.must', 'Spoilers'), ...numbered(3, 'x', 'blocks.must')]),
    ]);
    for (const word of ['Spoilers', 'x0.example', 'x2.example']) expect(plain(text)).toContain(word);
  });

  test('has the same number of them for several accounts', async () => {
    const accounts = Array.from({length: 20}, (_, index) => ({...withFindings(numbered(1000, `d${index}0000`)), account: `@a${index}`}));
    expect(domainsIn(await written(name, accounts)).size).toBe(most);
  });

  test('has few of those that are left as they are', async () => {
    const held = numbered(2000, 'd').map((one, index) => ({...one, action: 'held' as const, says: `reason ${index}`}));
    const text = await written(name, [{...clean, held}]);
    expect(domainsIn(text).size).toBe(500);
  });
});

test('JSON has all of them', async () => {
  expect(domainsIn(await written('json', [many])).size).toBe(6000);
});

test('what is new comes first in every group', () => {
  const findings = numbered(1000, 'd');
  const added = new Set(findings.slice(-2));
  const since = {file: 'last.json', added, resolved: [], unread: [], isOpenAccepted: false};
  const [part] = reported({...withFindings(findings), since})[0]?.parts ?? [];
  expect(part?.lines.slice(0, 3).map(({name, status}) => [name, status])).toEqual([
    ['d998.example', 'new'],
    ['d999.example', 'new'],
    ['d0.example', 'open'],
  ]);
  expect([part?.title, part?.lines.length, part?.more]).toEqual(['1,000 domain blocks', 500, 'and 500 more']);
});
