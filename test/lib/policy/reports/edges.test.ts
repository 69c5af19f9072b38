/** Where lists of a page are folded or cut, and what all audits have in common. */
import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Difference} from '../../../../src/lib/policy/model/difference.js';
import type {Contribution} from '../../../../src/lib/policy/reports/report.js';
import {chartsOf} from '../../../../src/lib/policy/reports/html-origins.js';
import {html} from '../../../../src/lib/policy/reports/formats/html.js';
import {fitted, Rows, shares} from '../../../../src/lib/policy/reports/rows.js';
import {sharedParts} from '../../../../src/lib/policy/reports/shared.js';
import type {ListSummary} from '../../../../src/lib/policy/lists/merge.js';
import type {AuditReport} from '../../../../src/lib/policy/reports/report.js';
import {altered, clean, drifted, textOf} from './audits.js';

const [finding] = drifted.findings;
if (finding === undefined) throw new Error('the audit has other findings');
const numbered = (count: number): Difference[] =>
  Array.from({length: count}, (_, index) => altered(finding, {subject: `n${index}.example`}));
const audit = (more: Partial<AuditReport>): AuditReport => ({...clean, rules: [], origins: [], ...more});
const page = (...reports: readonly AuditReport[]) => textOf(html.render(reports));

describe('a page', () => {
  test.each([
    [100, true],
    [101, false],
  ])('with %i findings of a kind has them unfolded: %s', (count, isOpen) => {
    expect(page(audit({findings: numbered(count)})).includes('<details class="group" open>')).toBe(isOpen);
  });

  test.each([
    [20, true],
    [21, false],
  ])('with %i lines beside the findings has them unfolded: %s', (count, isOpen) => {
    const skipped = Array.from({length: count}, (_, index) => ({kind: 'mute' as const, subject: `a${index}@b.example`, why: 'no'}));
    expect(page(audit({skipped})).includes('<details class="held" open>')).toBe(isOpen);
  });

  test('has the commands of findings, escaped, and other remedies as a reason', () => {
    const findings = ['pixelctl mutes add <b>', 'ask somebody'].map((fix, index) => altered(finding, {subject: `${index}.example`, fix}));
    const text = page(audit({findings}));
    expect(text).toContain('<summary>Commands that fix this</summary>\n<pre tabindex="0">pixelctl mutes add &lt;b&gt;\n</pre>');
    expect(text).toContain('<bdi>ask somebody</bdi>');
    expect(page(audit({findings: findings.slice(1)}))).not.toContain('Commands that fix');
  });

  test('that has no room for all rows says how many are not shown, and which commands there are', () => {
    const text = page(audit({findings: numbered(20_001)}));
    expect(text).toContain('<span class="count">20,001</span>');
    expect(text).toMatch(/<tr class="rest"><td colspan="4">… and [\d,]+ more, not shown here<\/td><\/tr>/);
    expect(text).toContain('Commands that fix those shown');
  });

  test('says in the contents what became of each audit', () => {
    const {failure} = drifted;
    const text = page(
      audit({account: '@a'}),
      audit({account: '@b', ok: false, findings: numbered(1)}),
      audit({account: '@c', ok: false, findings: numbered(2), failure}),
      audit({account: '@d', ok: false, failure}),
    );
    const results = [...text.matchAll(/<span class="(good|bad)">([^<]*)<\/span>\n<\/li>/g)].map(([, mood, said]) => [mood, said]);
    expect(results).toEqual([
      ['good', 'agrees'],
      ['bad', '1 difference'],
      ['bad', '2 differences, not checked completely'],
      ['bad', 'could not be checked completely'],
    ]);
  });
});

describe('where blocks come from', () => {
  const summary = (list: string, more: Partial<ListSummary> = {}): ListSummary => ({
    list,
    format: 'plain',
    entries: 1,
    obfuscated: 0,
    wildcards: 0,
    tooMild: 0,
    tooMildFor: 'below min_severity',
    skipped: [],
    skippedRows: 0,
    ...more,
  });
  const of = (files: readonly string[], count: number, missing = 0): Contribution => ({
    files,
    domains: Array.from({length: count}, (_, index) => `d${index}.example`),
    missing,
  });
  function chart(contributions: readonly Contribution[], lists: readonly ListSummary[] = []): string {
    const origins = [{kind: 'domain_block' as const, contributions, lists, rules: {lists: '', mustNot: ''}}];
    const rows = chartsOf([audit({origins})], 'all-1');
    return textOf(fitted(() => rows.texts(), [rows], {bytes: Number.MAX_SAFE_INTEGER}));
  }

  test('is nothing where nothing is to be blocked', () => {
    expect(chart([])).toBe('');
  });

  test.each([
    [15, undefined],
    [16, '… and 1 domain in 1 smaller group.'],
    [18, '… and 3 domains in 3 smaller groups.'],
  ])('has a row for each of %i sets of lists, up to 15', (count, more) => {
    const text = chart(Array.from({length: count}, (_, index) => of([`l${index}.csv`], index === 0 ? 2 : 1)));
    expect(text.match(/<tr>\n<th scope="row">/g)).toHaveLength(Math.min(count, 15));
    expect(/… and [^<]* smaller groups?\./.exec(text)?.[0]).toBe(more);
  });

  test.each([
    [50, undefined],
    [51, '… and 1 more list.'],
    [53, '… and 3 more lists.'],
  ])('has a dot for each of %i lists, up to 50', (count, more) => {
    const files = Array.from({length: count}, (_, index) => `l${index}.csv`);
    const text = chart([of(files, 1)]);
    expect(text.match(/<circle class="on"/g)).toHaveLength(Math.min(count, 50));
    expect(/… and [^<]* more lists?\./.exec(text)?.[0]).toBe(more);
  });

  test.each([
    [300, '<p class="domains">d0.example, '],
    [301, ' … and 1 more</p>'],
  ])('names the first 300 of %i domains', (count, text) => {
    expect(chart([of(['a.csv'], count)]).includes('more</p>')).toBe(count > 300);
    expect(chart([of(['a.csv'], count)])).toContain(text);
  });

  test('has the policy first, then all lists, with what is odd about each', () => {
    const text = chart(
      [of(['b.csv', 'p.yml'], 4, 1), of(['unknown.csv'], 1)],
      [
        summary('a.csv', {entries: 1200, tooMild: 1001, obfuscated: 2, wildcards: 1, skippedRows: 3}),
        summary('b.csv', {wildcards: 2}),
        summary('c.csv', {entries: 0}),
      ],
    );
    const files = [...text.matchAll(/<li>(.*)<\/li>/g)].map(([, file = '']) => file.replaceAll(/<[^>]*>/g, ''));
    expect(files).toEqual([
      'p.yml the policy itself',
      'a.csv 1,200 entries, 1,001 below min_severity, 2 obfuscated, 1 wildcard, 3 invalid',
      'b.csv 1 entry, 2 wildcards',
      'c.csv 0 entries',
      'unknown.csv',
    ]);
    expect(text).toContain('aria-label="3 blocked, 1 not blocked"');
    expect(text).toContain('<summary>4, <span class="bad">1 not blocked</span></summary>');
    expect(text).toContain('<summary>1</summary>');
    expect(text).not.toContain('<h4>');
  });
});

describe('what audits have in common', () => {
  const findings = numbered(4);
  const ofOneName = ['first', 'second', 'second'].map((actual) => altered(finding, {subject: 'same.example', actual}));
  const subsets = fc.array(fc.subarray([...findings, ...ofOneName]), {minLength: 1, maxLength: 4});

  test('is in all of them, and with what each has besides it is all that it has', () => {
    fc.assert(
      fc.property(subsets, (lists) => {
        const reports = lists.map((some, index) => audit({account: `@a${index}`, findings: some}));
        const {shared, own} = sharedParts(reports);
        const common = shared[0]?.shared.findings ?? [];
        const textOf = ({subject, actual}: Difference) => `${subject} ${actual}`;
        const counted = (some: readonly Difference[], text: string) => some.filter((one) => textOf(one) === text).length;
        const least = (text: string) => (lists.length > 1 ? Math.min(...lists.map((some) => counted(some, text))) : 0);
        for (const text of new Set([...findings, ...ofOneName].map(textOf))) {
          expect(counted(common, text)).toBe(least(text));
          for (const [index, {own: rest}] of own.entries())
            expect(counted(rest.findings, text)).toBe(counted(lists[index] ?? [], text) - least(text));
        }
        expect(own.map(({report}) => report)).toEqual(reports);
        const inOrder = (some: readonly Difference[]) =>
          expect(some.map(textOf)).toEqual([...findings, ...ofOneName].filter((one) => some.includes(one)).map(textOf));
        for (const some of [common, ...own.map(({own: rest}) => rest.findings)]) inOrder(some);
      }),
    );
  });

  test.each<[string, Partial<Difference>]>([
    ['rule', {rule: 'other'}],
    ['kind', {kind: 'mute'}],
    ['subject', {subject: 'other.example'}],
    ['wanted', {wanted: 'other'}],
    ['actual', {actual: 'other'}],
    ['source', {source: {file: 'other.yml', line: 1}}],
  ])('has the same %s', (_, other) => {
    const {shared} = sharedParts([audit({findings: [finding]}), audit({account: '@bo', findings: [altered(finding, other)]})]);
    expect(shared.map((one) => one.shared.findings)).toEqual([[]]);
  });

  test('does not differ by what there is to do about it', () => {
    const {shared} = sharedParts([audit({findings: [finding]}), audit({account: '@bo', findings: [altered(finding, {fix: 'other'})]})]);
    expect(shared[0]?.shared.findings).toEqual([finding]);
  });

  test('is as new in one as in the others', () => {
    const since = (added: readonly Difference[]) => ({
      file: 'l.json',
      added: new Set(added),
      resolved: [],
      unread: [],
      isOpenAccepted: false,
    });
    const common = (one: readonly Difference[], other: readonly Difference[]) =>
      sharedParts([audit({findings: [finding], since: since(one)}), audit({account: '@bo', findings: [finding], since: since(other)})])
        .shared[0]?.shared.findings.length;
    expect([common([finding], [finding]), common([], []), common([finding], [])]).toEqual([1, 1, 0]);
  });

  test('is of one policy, and of audits that could be made', () => {
    const reports = [
      audit({account: '@a', findings}),
      audit({account: '@b', findings}),
      audit({account: '@c', failure: drifted.failure}),
      audit({account: '@d', findings, policy: 'q.yml'}),
    ];
    const {shared, own} = sharedParts(reports);
    expect(shared).toMatchObject([{policy: 'p.yml', reports: reports.slice(0, 2), total: 3}]);
    expect(own.map(({own: rest}) => rest.findings.length)).toEqual([0, 0, 0, 4]);
  });

  test('is also what is not checked, what is resolved and what holds', () => {
    const skipped = {kind: 'mute' as const, why: 'no answer'};
    const [rule] = clean.rules;
    if (rule === undefined) throw new Error('the policy has no rules');
    const {change: _, source: __, ...resolved} = {...finding, source: 'p.yml:1'};
    const since = {
      file: 'l.json',
      added: new Set<Difference>(),
      resolved: [{...resolved, source: 'p.yml:1'}],
      unread: [],
      isOpenAccepted: false,
    };
    const one = audit({account: '@a', skipped: [skipped], rules: [rule, {...rule, outcome: 'unchecked'}], since});
    const same = sharedParts([one, {...one, account: '@b'}]);
    expect(same.shared[0]?.shared).toEqual({findings: [], skipped: [skipped], resolved: since.resolved, held: [rule]});
    expect(same.own.map(({own}) => own)).toEqual(Array(2).fill({findings: [], skipped: [], resolved: [], held: []}));
    const other = audit({
      account: '@b',
      skipped: [{...skipped, why: 'other'}],
      rules: [{...rule, source: {...rule.source, line: 99}}],
      since: {...since, resolved: since.resolved.map((found) => ({...found, wanted: 'other'}))},
    });
    expect(sharedParts([one, other]).shared[0]?.shared).toEqual({findings: [], skipped: [], resolved: [], held: []});
  });
});

describe('room for rows', () => {
  test.each<[number[], number, number[]]>([
    [[], 10, []],
    [[3, 3], 6, [3, 3]],
    [[3, 3], 5, [3, 2]],
    [[9, 1, 9], 10, [5, 1, 4]],
    [[9, 1, 9], 0, [0, 0, 0]],
    [[5], -3, [0]],
    [[4, 4, 4], 11, [4, 4, 3]],
  ])('of %j in %i is %j', (sizes, total, given) => {
    expect(shares(sizes, total)).toEqual(given);
  });

  test('is for the first rows that fit, with two bytes between them', () => {
    const shown = (texts: readonly string[], bytes: number) => {
      const rows = new Rows(texts, (text) => [text]);
      fitted(() => [], [rows], {bytes});
      return [rows.shown, rows.rest];
    };
    expect(shown(['aa', 'bb'], 8)).toEqual([['aa', 'bb'], 0]);
    expect(shown(['aa', 'bb'], 7)).toEqual([['aa'], 1]);
    expect(shown(['é', ''], 4)).toEqual([['é', ''], 0]);
    expect(shown(['long text', 'b'], 5)).toEqual([['b'], 1]);
  });

  test('is for as many rows as are wished', () => {
    const rows = new Rows(['a', 'b', 'c'], (text) => [text, text === 'b' ? '' : text.toUpperCase()], 2);
    expect([rows.wished, new Rows(['a'], (text) => [text], 2).wished]).toEqual([2, 1]);
    fitted(() => [], [rows], {bytes: 100});
    expect([rows.shown, rows.rest, [...rows.texts()], [...rows.texts(1)], [...rows.texts(2)]]).toEqual([
      ['a', 'b'],
      1,
      ['a', 'b'],
      ['A'],
      [],
    ]);
    fitted(() => [], [rows], {bytes: 100, rows: 1});
    expect([rows.shown, rows.rest]).toEqual([['a'], 2]);
    fitted(() => ['x'.repeat(100)], [rows], {bytes: 100});
    expect(rows.shown).toEqual([]);
  });
});
