/** One self-contained page about one or more audits: it loads nothing, and has no script. */
import {andMore, counted, withCommas} from '../../../json/text.js';
import {pageFrame, timeOf} from '../../../print/html-page.js';
import {escaped, markup, type Markup} from '../../../print/markup.js';
import {type AuditReport, statusOf, type Unusable} from '../../rows/audit.js';
import {factsText} from '../../model/domain-facts.js';
import {placeText} from '../../source/mistakes.js';
import {fullName} from '../../rows/target.js';
import type {ReportFormat} from '../format.js';
import {reportStyle} from '../html-style.js';
import {firstOnes, type Group, groupsOf, type Told, told, untoldIn} from '../rows.js';
import {type Common, commonIn} from '../shared.js';
import {maxReportText, maxSubjectLength, ruleText, short, sinceText, verdictOfAll} from '../text.js';

export const html: ReportFormat = {
  render: htmlReport,
};

function* htmlReport(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  const verdict = unusable ? `The policy has ${counted(unusable.mistakes.length, 'mistake')}` : verdictOfAll(reports);
  const when = unusable?.when ?? reports[0]?.when;
  const {begin, end} = pageFrame({title: `${verdict} – audit`, style: reportStyle});
  yield begin;
  yield markup`<header>
<p class="muted">Audit${when && markup` of ${timeOf(when)}`}</p>
<h1><bdi>${verdict}</bdi></h1>
</header>
<main>
`.text;
  if (unusable !== undefined) yield mistakesSection(unusable).text;
  const common = commonIn(reports);
  const heads = common.map(({report}) => report);
  const groups = Map.groupBy(
    groupsOf([...heads, ...reports], undefined, (report) => common.find((one) => one.of.has(report))?.rest(report) ?? report.findings),
    ({report}) => report,
  );
  const areSeveral = new Set(reports.map(({policy}) => policy)).size > 1;
  for (const [index, one] of common.entries()) yield* commonSection(one, groups.get(one.report) ?? [], `all-${index + 1}`, areSeveral);
  for (const [index, report] of reports.entries()) {
    const above = common.findIndex(({of}) => of.has(report));
    const count = common[above]?.report.findings.length ?? 0;
    const link =
      count === 0
        ? undefined
        : markup`, ${count === report.findings.length ? 'all' : withCommas(count)} of them <a href="#all-${above + 1}">above</a>`;
    yield* ownSection(report, groups.get(report) ?? [], `audit-${index + 1}`, link);
  }
  yield `</main>\n${end}`;
}

function mistakesSection({mistakes}: Unusable): Markup {
  const {items, rest} = firstOnes(mistakes);
  return markup`<section><h2>Mistakes in the policy</h2>
<p class="muted">Nothing was compared.</p>
<ul>
${items.map((mistake) => markup`<li class="bad"><code>${placeText(mistake)}</code> <bdi>${short(mistake.message, maxReportText)}</bdi></li>\n`)}</ul>
${rest > 0 ? markup`<p class="muted">… and ${counted(rest, 'more mistake')}, not shown here.</p>\n` : undefined}</section>
`;
}

const beginning = (id: string, title: string): Markup => markup`<section id="${id}" aria-labelledby="${id}-name">
<h2 id="${id}-name"><bdi>${title}</bdi></h2>
`;

/** What all accounts have in common. */
function* commonSection({report, reports, total}: Common, groups: readonly Group[], id: string, namesPolicy: boolean): Generator<string> {
  const checked = reports.length === total ? '' : ' that could be checked completely';
  const who = `${reports.length === 2 ? 'Both' : `All ${withCommas(reports.length)}`} accounts${checked}`;
  const {findings, policy} = report;
  yield beginning(id, namesPolicy ? `${who}: ${short(policy, maxSubjectLength)}` : who).text;
  const verdict = findings.length > 0 ? `${counted(findings.length, 'difference')} in each of them` : 'No difference that all of them have';
  yield markup`<p>${verdict}. Compared with <code>${policy}</code>.</p>\n`.text;
  for (const [kind, some] of Map.groupBy(groups, (one) => one.kind)) yield* table(kind.words.title, some);
  // Each account has its own.
  if (findings.length > 0) yield commands([...new Set(reports.map(({shown}) => shown.advice.onPolicy('apply', policy)))]);
  yield '</section>\n';
}

function* ownSection(report: AuditReport, groups: readonly Group[], id: string, above: Markup | undefined): Generator<string> {
  const {findings, policy, since} = report;
  yield beginning(id, fullName(report)).text;
  yield markup`<p class="muted">Compared with <code>${policy}</code></p>
<p>${findings.length === 0 ? 'No differences' : counted(findings.length, 'difference')}${above}.</p>
${since && markup`<p>${sinceText(report)}</p>\n`}`.text;
  for (const [kind, some] of Map.groupBy(groups, (one) => one.kind)) {
    yield* table(kind.words.title, some);
    const fixes = some.flatMap(({shown}) => shown.map((row) => told(row, report).fix ?? '')).filter(isCommand);
    if (fixes.length > 0) yield commands([...new Set(fixes)]);
  }
  yield* list(
    'Not compared, or held back',
    firstOnes(untoldIn(report)),
    ({kind, name, why, code}) =>
      markup`<li class="${code === undefined ? '' : 'bad'}"><b>${kind}</b>${named(name)}: <bdi>${short(why, maxReportText)}</bdi></li>\n`,
  );
  yield* list(
    'Resolved',
    firstOnes(since?.resolved ?? []),
    ({rule, subject, wanted}) =>
      markup`<li><code>${rule}</code>${named(subject)} <span class="muted">${short(wanted, maxReportText)}</span></li>\n`,
  );
  yield '</section>\n';
}

/** Rows that are not folded. */
const maxOpen = 100;

function* table(title: string, groups: readonly Group[]): Generator<string> {
  const count = groups.reduce((sum, one) => sum + one.count, 0);
  yield markup`<details class="group"${count <= maxOpen ? markup` open` : undefined}>
<summary><h3>${title}</h3> <span class="bad">${withCommas(count)}</span></summary>
<table>
<thead><tr>
<th scope="col">What</th><th scope="col">Should be</th><th scope="col">Is</th><th scope="col">Reason</th>
</tr></thead>
`.text;
  for (const {report, rule, shown, rest} of groups) {
    yield markup`<tbody>
<tr class="rule"><th colspan="4" scope="rowgroup">${ruleText(rule)} <code class="muted">${rule}</code></th></tr>
`.text;
    for (const row of shown) yield rowText(told(row, report), statusOf(report, row)).text;
    if (rest > 0) yield `<tr class="rest"><td colspan="4">… ${andMore(rest)}, not shown here</td></tr>\n`;
    yield '</tbody>\n';
  }
  yield '</table>\n</details>\n';
}

function rowText({name, wanted, actual, fix = '', details, lists, places}: Told, status: 'new' | 'open' | undefined): Markup {
  const mark = status && markup` <span class="${status === 'new' ? 'bad' : 'muted'}">${status === 'new' ? 'new' : 'still open'}</span>`;
  // Of several each says its own.
  const said = details === undefined || lists !== undefined ? '' : factsText(details);
  const why = [said, isCommand(fix) ? '' : fix]
    .filter((text) => text !== '')
    .map((text) => markup`<bdi>${short(text, maxReportText)}</bdi> `);
  return markup`<tr class="finding">
<th scope="row"><bdi>${short(name, maxSubjectLength)}</bdi>${mark}</th>
<td data-name="Should be"><bdi>${short(wanted, maxReportText)}</bdi></td>
<td data-name="Is"><bdi>${short(actual, maxReportText)}</bdi></td>
<td data-name="Reason">${why}<code class="muted"><bdi>${short(places, maxReportText)}</bdi></code></td>
</tr>
`;
}

const isCommand = (fix: string): boolean => fix.startsWith('pixelctl ');

function commands(lines: readonly string[]): string {
  return `<details class="commands"><summary>Commands that fix what is shown</summary>
<pre tabindex="0">${lines.map((line) => `${escaped(line)}\n`).join('')}</pre></details>
`;
}

/** Lines of a list beside the findings that are not folded. */
const maxOpenLines = 20;

function* list<Item>(title: string, {items, rest}: ReturnType<typeof firstOnes<Item>>, line: (item: Item) => Markup): Generator<string> {
  const count = items.length + rest;
  if (count === 0) return;
  yield markup`<details class="group"${count <= maxOpenLines ? markup` open` : undefined}>
<summary><h3>${title}</h3> <span>${withCommas(count)}</span></summary>
<ul>
`.text;
  for (const item of items) yield line(item).text;
  if (rest > 0) yield `<li class="muted">… ${andMore(rest)}, not shown here</li>\n`;
  yield '</ul>\n</details>\n';
}

/** A text with a direction of its own, which does not affect the text around it. */
const named = (name: string): Markup | undefined => (name === '' ? undefined : markup` <bdi>${short(name, maxSubjectLength)}</bdi>`);
