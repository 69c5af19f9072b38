/** No report is larger than what it is for takes, whatever is in the audits; what is left out is counted. */
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import type {Difference} from '../../../../src/lib/policy/model/difference.js';
import {github} from '../../../../src/lib/policy/reports/formats/github.js';
import {html} from '../../../../src/lib/policy/reports/formats/html.js';
import {junit} from '../../../../src/lib/policy/reports/formats/junit.js';
import {markdown} from '../../../../src/lib/policy/reports/formats/markdown.js';
import type {AuditReport} from '../../../../src/lib/policy/reports/report.js';
import {fitted, Rows, shares} from '../../../../src/lib/policy/reports/rows.js';
import {sarif} from '../../../../src/lib/policy/reports/formats/sarif.js';
import {findingJson} from '../../../../src/lib/policy/model/difference.js';
import {altered, clean, drifted, textOf} from './audits.js';
import {sarifMistakes} from './schemas.js';

const [missing] = drifted.findings.filter(({rule}) => rule === 'domain_blocks.must');
const [config] = drifted.findings.filter(({kind}) => kind === 'filter');
if (missing === undefined || config === undefined) throw new Error('the audit has other findings');

const numbered = (count: number, name: string, other: Partial<Difference> = {}): Difference[] =>
  Array.from({length: count}, (_, index) => altered(missing, {...other, subject: `${name}${index}.example`}));

const account = (name: string, findings: readonly Difference[], other: Partial<AuditReport> = {}): AuditReport => ({
  ...drifted,
  skipped: [],
  failure: undefined,
  origins: [],
  account: `@${name}`,
  findings,
  ...other,
});

const same = numbered(10_000, 'same');
const own = (name: string) => account(name, [...numbered(10_000, name), config]);
const count = 16_000;
const skipped = Array.from({length: count}, (_, index) => ({
  kind: 'domain_block' as const,
  subject: `s${index}.example`,
  why: 'it is protected',
}));
const held = Array.from({length: count}, (_, index) => ({
  rule: 'domain_blocks.must',
  kind: 'domain_block' as const,
  subject: `h${index}.example`,
  source: {file: 'p.yml', line: 3},
  outcome: 'held' as const,
}));
const since = {
  file: 'last.json',
  added: new Set(same.slice(0, 5000)),
  resolved: numbered(count, 'resolved').map((one) => findingJson(one)),
  unread: [],
  isOpenAccepted: false,
};
const long = numbered(150, 'x').map((one, index) => altered(one, {subject: `${index}${'é<'.repeat(50_000)}`, actual: '"'.repeat(100_000)}));

const audits: [string, readonly AuditReport[]][] = [
  ['one account with many findings', [account('ana', same)]],
  ['accounts that have all in common', [account('ana', same), account('bob', same), account('clara', same)]],
  ['accounts with findings of their own', [own('ana'), own('bob'), own('clara')]],
  ['a finding beside many', [account('ana', [...same, config]), account('bob', [config])]],
  ['many that are held back, resolved or hold', [account('ana', same, {skipped, rules: held, since})]],
  ['very long texts', [account('ana', long), account('bob', long)]],
  ['many accounts', Array.from({length: 1000}, (_, index) => account(`a${index}`, numbered(3, `own${index}-`)))],
  ['many lists', [account('ana', same.slice(0, 10), {origins: originsOf(400)})]],
];

function originsOf(lists: number): AuditReport['origins'] {
  const files = Array.from({length: lists}, (_, index) => `https://lists.example/${'long-'.repeat(300)}${index}.csv`);
  const contributions = files.map((_, index) => ({files: files.slice(index), domains: same.map(({subject}) => subject), missing: 10}));
  return [{kind: 'domain_block', contributions, lists: [], rules: {lists: 'domain_blocks.lists', mustNot: 'domain_blocks.must_not'}}];
}

const total = (reports: readonly AuditReport[]) => reports.reduce((sum, {findings}) => sum + findings.length, 0);
const numbersIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].reduce((sum, [, found = '']) => sum + Number(found.replaceAll(',', '')), 0);

describe.each(audits)('%s', (_, reports) => {
  test('SARIF has at most 25,000 results and 10 MB, and counts the others by rule', () => {
    const text = textOf(sarif.render(reports));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_000_000);
    expect(sarifMistakes(text)).toEqual([]);
    const {runs}: {readonly runs: readonly [{readonly results: readonly {readonly message: {readonly text: string}}[]}]} = JSON.parse(text);
    const texts = runs[0].results.map(({message}) => message.text);
    const left = texts.filter((one) => one.includes('that do not fit here'));
    expect(texts.length).toBeLessThanOrEqual(25_000);
    expect(texts.length - left.length + numbersIn(left.join('\n'), /^([\d,]+) more/gm)).toBe(total(reports));
  });

  test('HTML has at most 5 MB, and counts what it does not show', () => {
    const text = textOf(html.render(reports));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(5_000_000);
    const shown = text.match(/class="finding"/g)?.length ?? 0;
    const counted = numbersIn(text, /<span class="count">([\d,]+)</g);
    expect(shown + numbersIn(text, /class="rest"><td colspan="4">… and ([\d,]+) more/g)).toBe(counted);
    expect(shown).toBeGreaterThan(0);
  });

  test('Markdown has at most 900 kB, and counts what it does not show', () => {
    const text = textOf(markdown.render(reports));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(900_000);
    expect(numbersIn(text, /: ([\d,]+) findings?<\/summary>/g)).toBe(total(reports));
  });

  test('JUnit has at most 30 MB and as many cases as it says', () => {
    const text = textOf(junit.render(reports));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(30_000_000);
    const said = (name: string) => numbersIn(text, new RegExp(` ${name}="(\\d+)"`, 'g'));
    const found = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
    expect(found(/<testcase /g)).toBeLessThanOrEqual(15_000);
    expect({tests: said('tests'), failures: said('failures'), skipped: said('skipped')}).toEqual({
      tests: found(/<testcase /g),
      failures: found(/<failure /g),
      skipped: found(/<skipped /g),
    });
  });

  test('annotations are at most ten of each kind, and the last one counts the others', () => {
    const lines = textOf(github.render(reports)).trimEnd().split('\n');
    const counts = {error: 0, warning: 0, notice: 0};
    for (const kind of ['error', 'warning', 'notice'] as const) {
      const some = lines.filter((line) => line.startsWith(`::${kind} `));
      expect(some.length).toBeLessThanOrEqual(10);
      const left = numbersIn(some.join('\n'), /::and ([\d,]+) more: see the other reports$/gm);
      counts[kind] = some.length + left - (left > 0 ? 1 : 0);
    }
    expect(counts.error + counts.warning).toBe(total(reports));
    expect(counts.notice).toBe(reports.length);
  });
});

test('a single finding of a rule is in every report, however many others there are', () => {
  const [, reports] = audits[3] ?? ['', []];
  for (const render of [sarif.render, html.render, markdown.render, junit.render, github.render])
    expect(textOf(render(reports)).replaceAll(/&#46;|&#x2e;/g, '.'), render.name).toContain('Spoilers');
});

test('annotations say what could not be checked before what differs', () => {
  const failure = new Failure('unavailable', 'no answer');
  const unseen = account('bob', [], {failure, skipped: [{kind: 'mute', why: 'no answer', failure}]});
  const [first] = textOf(github.render([own('ana'), unseen, own('clara')])).split('\n');
  expect(first).toContain('mute could not be checked');
});

test('a report of nothing but what holds is as long as it is', () => {
  expect(textOf(markdown.render([clean]))).not.toContain('more');
});

describe('room', () => {
  test('room is shared so that what is small is whole', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000)), fc.nat(5000), (sizes, room) => {
        const given = shares(sizes, room);
        const sum = given.reduce((all, one) => all + one, 0);
        expect(sum).toBe(
          Math.min(
            room,
            sizes.reduce((all, one) => all + one, 0),
          ),
        );
        const cut = given.filter((one, index) => one < (sizes[index] ?? 0));
        // Nobody has more than one that is cut, but for what does not divide.
        expect(Math.max(0, ...given) - Math.min(Number.MAX_SAFE_INTEGER, ...cut)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('room is kept to, with all lists counted', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string({unit: 'grapheme'}))), fc.nat(500), (texts, bytes) => {
        const lists = texts.map((some) => new Rows(some, (text) => [text]));
        const pieces = [...fitted(() => lists.flatMap((list) => [...list.texts()]), lists, {bytes})];
        expect(Buffer.byteLength(pieces.join(''))).toBeLessThanOrEqual(bytes);
        for (const list of lists) expect(list.shown.length + list.rest).toBe(list.items.length);
      }),
    );
  });
});
