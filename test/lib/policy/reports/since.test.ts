/** What is new, still open and resolved since an earlier report, in every format. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {type AuditReport, sinceText, statusOf} from '../../../../src/lib/policy/rows/audit.js';
import {rowJson} from '../../../../src/lib/policy/rows/row-text.js';
import {write as github} from '../../../../src/lib/policy/reports/formats/github.js';
import {write as html} from '../../../../src/lib/policy/reports/formats/html.js';
import {write as junit} from '../../../../src/lib/policy/reports/formats/junit.js';
import {write as markdown} from '../../../../src/lib/policy/reports/formats/markdown.js';
import {reportText} from '../../../../src/lib/policy/reports/formats/index.js';
import {write as sarif} from '../../../../src/lib/policy/reports/formats/sarif.js';
import {readEarlierReport} from '../../../../src/lib/policy/reports/since.js';
import {row} from '../compared.js';
import {clean, drifted, many as veryMany, kindOf, reported, textOf, withFindings} from './audits.js';
import {junitMistakes, sarifMistakes} from './schemas.js';
import {newFolder} from '../../../new-folder.js';

const folder = newFolder();

/** Compares an audit with earlier ones, whose report is in a file. */
async function compared(earlier: readonly AuditReport[], report: AuditReport) {
  const file = join(folder, 'audit.json');
  writeFileSync(file, textOf(await reportText('json', earlier)));
  return {...report, since: (await readEarlierReport(file)).compare(report)};
}

const names = (findings: Iterable<{readonly name: string} | {readonly subject: string}>): string[] =>
  [...findings].map((one) => ('name' in one ? one.name : one.subject));
const without = (report: AuditReport, name: string): AuditReport => ({
  ...report,
  findings: report.findings.filter((one) => one.name !== name),
});

test('finds nothing new in the same audit, whatever its lines and the server have become', async () => {
  const moved = drifted.findings.map((one) => ({...one, id: '99', why: {...one.why, where: 'p.yml:77'}}));
  const report = await compared([drifted], {...drifted, findings: moved});
  expect(report.since).toMatchObject({added: new Set(), resolved: [], unread: [], isOpenAccepted: false});
});

test('a comparison counts every finding once, in any two audits of one account', async () => {
  const some = fc.subarray(veryMany.findings.slice(0, 300));
  await fc.assert(
    fc.asyncProperty(some, some, async (earlier, later) => {
      const {since} = await compared([withFindings(earlier)], withFindings(later));
      const open = later.filter((one) => statusOf({since}, one) === 'open');
      expect(since.added.size + open.length).toBe(later.length);
      expect(open.length + since.resolved.length).toBe(earlier.length);
      expect([...since.added].filter((one) => earlier.includes(one))).toEqual([]);
    }),
    {numRuns: 30},
  );
});

test('passes on what could not be read, until it can be read again', async () => {
  const failure = new Failure('unavailable', 'Not now');
  const blind: AuditReport = {...drifted, findings: [], unread: [{kind: kindOf('domain_blocks'), failure}], failure};
  const second = await compared([drifted], blind);
  const domains = drifted.findings.filter(({kind}) => kind.key === 'domain_blocks');
  expect(names(second.since.unread)).toEqual(names(domains));
  expect(second.since.resolved).toHaveLength(drifted.findings.length - domains.length);
  const third = await compared([second], {...drifted, findings: domains});
  expect(third.since.added.size).toBe(0);
});

const other = {...drifted, server: 'https://other.example'};

test.each<[string, readonly AuditReport[], AuditReport, boolean]>([
  ['of another server or account', [other, {...clean, account: '@ben'}], drifted, false],
  ['of a policy at the same path', [other, {...drifted, policy: './p.yml'}], drifted, true],
  ['of an account that was not known', [other, {...drifted, account: 'unknown'}], drifted, false],
])('an earlier report %s', async (_, earlier, report, isFound) => {
  const {since} = await compared(earlier, report);
  expect(since.added.size).toBe(isFound ? 0 : drifted.findings.length);
});

test.each<[string, string]>([
  ['empty', ''],
  ['cut short', '{"server": "https://pix.example", "findings": ['],
  ['of another kind', '{"server": "https://pix.example", "changes": []}'],
  ['with findings of another type', '{"server": "a", "account": "b", "policy": "c", "findings": [1]}'],
  ['of policies with mistakes', '{"ok": false, "mistakes": []}'],
  ['null', 'null'],
])('rejects a report that is %s', async (_, text) => {
  const file = join(folder, 'audit.json');
  writeFileSync(file, text);
  await expect(readEarlierReport(file)).rejects.toMatchObject({code: 'usage', message: `${file} is not a JSON report of an audit`});
});

test('knows nothing from a report that is not there yet', async () => {
  const {compare, note} = await readEarlierReport(join(folder, 'gone.json'));
  const {added, resolved} = compare(drifted);
  expect([added.size, resolved]).toEqual([drifted.findings.length, []]);
  expect(note).toMatch(/gone\.json is not there yet: nothing is known/);
  await expect(readEarlierReport(folder)).rejects.toMatchObject({code: 'local'});
});

test('what is new comes first, and all of it is counted in a sentence', async () => {
  const [first, second, third] = drifted.findings;
  if (first === undefined || second === undefined || third === undefined) throw new Error('the audit has other findings');
  const gone = row('domain_blocks.must', 'gone.example');
  const hidden = row('mutes.must', 'loud@pix.example');
  const later = withFindings([first, second, third], {unread: drifted.unread});
  const report = await compared([withFindings([second, gone, hidden])], later);
  expect(reported(report)[0]?.parts.flatMap(({lines}) => lines.map(({status}) => status))).toEqual(['new', 'new', 'open']);
  expect(sinceText({...report, since: {...report.since, file: 'last.json'}})).toBe(
    'since last.json: 2 new, 1 still open, 1 resolved, 1 not checked',
  );
  expect(sinceText({findings: report.findings})).toBe('');
});

test('a private comment of an earlier report is not passed on', async () => {
  const domain = row('domain_blocks.must', 'gone.example', 'add', {facts: {severity: 'suspend', private_comment: 'secret 7'}});
  const earlier = withFindings([domain], {showsPrivate: true});
  expect(JSON.stringify(rowJson(domain, earlier))).toContain('secret 7');
  const report = await compared([earlier], clean);
  expect(names(report.since.resolved)).toEqual(['gone.example']);
  expect(JSON.stringify(report.since.resolved)).not.toContain('secret 7');
});

test('writes new, open and resolved findings in every format', async () => {
  const report = await compared([without(drifted, 'good.example')], without(drifted, 'worse.example'));
  const given = reported(report);
  expect(JSON.parse(textOf(await reportText('json', [report])))).toMatchObject({
    since: expect.stringMatching(/audit\.json$/),
    findings: expect.arrayContaining([
      expect.objectContaining({subject: 'good.example', status: 'new'}),
      expect.objectContaining({subject: 'two.example', status: 'open'}),
    ]),
    resolved: [expect.objectContaining({subject: 'worse.example'})],
    unread: [],
  });
  const annotations = github(given);
  expect(annotations).toMatch(/^::error [^:]*::ana@pix\.example: Not a list\n::error [^:]*good\.example::ana@pix\.example: new: /);
  expect(annotations).toContain(
    '::warning file=lists/a.csv,line=3,title=domain_blocks.lists%3A two.example::ana@pix.example: still open: ',
  );
  expect(annotations).toMatch(/1 new, 3 still open, 1 resolved\n$/);
  expect(markdown(given)).toContain('| good.example | new | not blocked | blocked |');
  expect(markdown(given)).toContain('<b>Resolved: 1</b>');
  const page = html(given);
  expect(page).toContain('<bdi>good.example</bdi> <span class="bad">new</span>');
  expect(page).toContain('<h3>Resolved: 1</h3>');
  const results = sarif(given);
  expect(sarifMistakes(results)).toEqual([]);
  expect(results.match(/"baselineState":"\w+"/g)?.toSorted()).toEqual(
    ['new', 'unchanged', 'unchanged', 'unchanged'].map((state) => `"baselineState":"${state}"`),
  );
  expect(results).toContain('resolved: domain_blocks.must: worse.example');
  const cases = junit(given);
  expect(await junitMistakes(cases)).toEqual([]);
  expect(cases).toContain('<failure type="drift" message="new: wanted: not blocked; actual: blocked">');
});
