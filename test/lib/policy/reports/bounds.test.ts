/** How much of a text and of a list each report shows: the last that is whole, and the first that is cut. */
import {expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import type {Difference} from '../../../../src/lib/policy/model/difference.js';
import {github} from '../../../../src/lib/policy/reports/formats/github.js';
import {reportFormats} from '../../../../src/lib/policy/reports/formats/index.js';
import {html} from '../../../../src/lib/policy/reports/formats/html.js';
import {junit} from '../../../../src/lib/policy/reports/formats/junit.js';
import {details, markdown, plainMarkdown} from '../../../../src/lib/policy/reports/formats/markdown.js';
import {parseReportFile} from '../../../../src/lib/policy/reports/write.js';
import {sarif} from '../../../../src/lib/policy/reports/formats/sarif.js';
import {altered, clean, drifted, textOf} from './audits.js';

const [finding] = drifted.findings;
if (finding === undefined) throw new Error('the audit has other findings');
const x = (count: number) => 'x'.repeat(count);
const of = (...others: readonly Partial<Difference>[]) => [
  {...clean, rules: [], origins: [], findings: others.map((other) => altered(finding, other))},
];
/** The runs of x in a report, longest first, each with whether it was cut. */
const runsIn = (text: string) => [...new Set(text.match(/x{100,}…?/g))].map((run) => [run.replace('…', '').length, run.endsWith('…')]);

test('a cell of Markdown has 200 characters', () => {
  expect([plainMarkdown(x(200)), plainMarkdown(x(201))]).toEqual([x(200), `${x(200)}…`]);
  expect(plainMarkdown('a.b-c www.d WWW.e @f <g>')).toBe('a.b-c www&#46;d WWW&#46;e &#64;f &#60;g&#62;');
  expect(plainMarkdown('!+,:;?[\\]^_`{|}~')).toBe(
    [...'!+,:;?[\\]^_`{|}~'].map((one) => (one === ',' ? one : `&#${one.charCodeAt(0)};`)).join(''),
  );
  expect(details('a', ['b', 'c'])).toBe('<details><summary>a</summary>\n\nb\n\nc\n\n</details>');
});

test.each([
  [50, undefined],
  [51, '… and 1 more'],
])('a table of Markdown has 50 of %i rows', (count, more) => {
  const text = textOf(markdown.render(of(...Array.from({length: count}, (_, index) => ({subject: `n${index}.example`})))));
  expect(text.match(/^\| n\d+\.example /gm)).toHaveLength(50);
  expect(/… and .*/.exec(text)?.[0]).toBe(more);
});

test.each([
  [10, 10, undefined],
  [11, 9, '::error title=pixelctl audit::and 2 more: see the other reports'],
])('of %i annotations %i are shown', (count, shown, more) => {
  const lines = textOf(github.render(of(...Array.from({length: count}, (_, index) => ({subject: `n${index}.example`})))))
    .split('\n')
    .filter((line) => line.startsWith('::error'));
  expect(lines.filter((line) => line.includes('title=domain_blocks'))).toHaveLength(shown);
  expect(lines.find((line) => line.includes('more:'))).toBe(more);
});

test('an annotation has 200 characters of a property, and 1,000 of a message', () => {
  const failed = (policy: string, why: string) => {
    const failure = new Failure('unavailable', why);
    const [line = ''] = textOf(github.render([{...clean, policy, failure, skipped: [{kind: 'mute', why, failure}]}])).split('\n');
    return runsIn(line);
  };
  expect(failed(x(200), x(1000 - 'pix.example: '.length))).toEqual([
    [200, false],
    [987, false],
  ]);
  expect(failed(x(201), x(1001 - 'pix.example: '.length))).toEqual([
    [200, true],
    [987, true],
  ]);
});

test.each([
  ['JUnit', junit.render],
  ['SARIF', sarif.render],
  ['HTML', html.render],
])('%s has 500 characters of a subject, and 2,000 of other texts', (_, render) => {
  expect(runsIn(textOf(render(of({subject: x(500)}))))).toContainEqual([500, false]);
  expect(runsIn(textOf(render(of({subject: x(501)}))))).toEqual([[500, true]]);
  expect(runsIn(textOf(render(of({actual: x(2000)}))))).toEqual([[2000, false]]);
  expect(runsIn(textOf(render(of({actual: x(2001)}))))).toEqual([[2000, true]]);
  expect(runsIn(textOf(render(of({wanted: x(2001)}))))).toContainEqual([2000, true]);
});

test('a report goes to a file, in a format of the command', () => {
  const {json} = reportFormats;
  expect(parseReportFile('json=a=b\nc', {json})).toEqual({name: 'json', format: json, file: 'a=b\nc'});
  const failing = (text: string) => () => parseReportFile(text, {json});
  const hint = (said: string) => expect.objectContaining({code: 'usage', details: expect.objectContaining({hint: said})});
  expect(failing('html=a')).toThrow(hint('the format is json'));
  expect(failing('json=-')).toThrow(hint('name a file; --json prints to standard output'));
  expect(failing('=a')).toThrow('Unknown report format ""');
});
