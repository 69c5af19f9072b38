/** One self-contained page about one or more audits: it loads nothing, and is complete without its script. */
import type {Mistake} from '../../../client/failure.js';
import {reportScript, reportStyle} from '../html-assets.js';
import {HtmlSection} from '../html-section.js';
import {pageFrame, timeOf} from '../../../print/html-page.js';
import {markup, type Markup} from '../../../print/markup.js';
import {placeText} from '../../source/mistakes.js';
import type {ReportFormat} from '../format.js';
import type {AuditReport, Unusable} from '../report.js';
import {fitted, Rows} from '../rows.js';
import {sharedParts} from '../shared.js';
import {auditedName, maxReportText, short, titleOf, verdictOfAll} from '../text.js';
import {counted} from '../../../json/text.js';

/** Bytes that people can open and send, and rows that a browser shows without delay. */
const room = {bytes: 5_000_000, rows: 20_000};

export const html: ReportFormat = {
  render: htmlReport,
};

function htmlReport(reports: readonly AuditReport[], unusable?: Unusable): Iterable<string> {
  const {shared, own} = sharedParts(reports);
  const policies = new Set(reports.map(({policy}) => policy));
  const all = shared.map((part, index) => HtmlSection.ofAll(part, {id: `all-${index + 1}`, namesPolicy: policies.size > 1}));
  const each = own.map(({report, own: lists}, index) => {
    const common = shared.findIndex((one) => one.reports.includes(report));
    return HtmlSection.ofOne(report, lists, {id: `audit-${index + 1}`, common: all[common]});
  });
  const mistakes = new Rows(unusable?.mistakes ?? [], (one) => [mistakeItem(one).text]);
  const sections = [...all, ...each];
  return fitted(() => page({reports, unusable, mistakes, all, each}), [mistakes, ...sections.flatMap(({lists}) => lists)], room);
}

interface Page {
  readonly reports: readonly AuditReport[];
  readonly unusable: Unusable | undefined;
  readonly mistakes: Rows<Mistake>;
  /** What several audits have in common. */
  readonly all: readonly HtmlSection[];
  /** A section for each audit. */
  readonly each: readonly HtmlSection[];
}

function* page({reports, unusable, mistakes, all, each}: Page): Generator<string> {
  const verdict = unusable ? `The policy has ${counted(unusable.mistakes.length, 'mistake')}` : verdictOfAll(reports);
  const when = unusable?.when ?? reports[0]?.when;
  const {begin, end} = pageFrame({title: `${verdict} – audit`, style: reportStyle, script: reportScript});
  yield begin;
  yield markup`<header class="top">
<p class="kicker">Audit${when && markup` of ${timeOf(when)}`}</p>
<h1><bdi>${verdict}</bdi></h1>
${reports.length > 1 ? contents(reports, all, each) : undefined}
</header>
${reports.some(({findings}) => findings.length > 0) ? toolbar(reports) : undefined}
<main>
`.text;
  if (unusable !== undefined) yield* mistakesSection(mistakes);
  for (const section of [...all, ...each]) yield* section.pieces();
  yield `</main>\n${end}`;
}

function contents(reports: readonly AuditReport[], all: readonly HtmlSection[], each: readonly HtmlSection[]): Markup {
  const areSeveral = new Set(reports.map(({policy}) => policy)).size > 1;
  const common = all.map(({id, title}) => markup`<li><a href="#${id}">${title}</a></li>\n`);
  const items = reports.map((report, index) => {
    const {policy, ok, findings, failure} = report;
    const result = ok ? 'agrees' : findings.length > 0 ? counted(findings.length, 'difference') : 'could not be checked completely';
    const doubt = findings.length > 0 && failure !== undefined ? ', not checked completely' : '';
    return markup`<li>
<a href="#${each[index]?.id}"><bdi>${auditedName(report)}</bdi></a> ${areSeveral ? markup`<span class="muted">${policy}</span> ` : undefined}<span class="${ok ? 'good' : 'bad'}">${result}${doubt}</span>
</li>
`;
  });
  return markup`<nav aria-label="Accounts"><ul class="contents">
${common}${items}</ul></nav>`;
}

/** Hidden until the script shows it. */
function toolbar(reports: readonly AuditReport[]): Markup {
  const kinds = [...new Set(reports.flatMap(({findings}) => findings.map(({kind}) => kind)))].sort();
  const boxes = kinds.map(
    (kind) => markup`<label class="chip"><input type="checkbox" name="kind" value="${kind}" checked> ${titleOf(kind)}</label>\n`,
  );
  return markup`<form class="toolbar" id="filter" role="search" hidden>
<label class="search">Find <input type="search" id="text" autocomplete="off" aria-keyshortcuts="/" placeholder="domain, title, reason…"></label>
<fieldset><legend class="aside">Show</legend>
${boxes}</fieldset>
<output id="shown" for="text"></output>
</form>`;
}

function* mistakesSection(mistakes: Rows<Mistake>): Generator<string> {
  yield `<section><h2>Mistakes in the policy</h2>
<p class="muted">Nothing was compared.</p>
<ul class="plain">
`;
  yield* mistakes.texts();
  yield `</ul>
${mistakes.rest > 0 ? `<p class="muted">… and ${counted(mistakes.rest, 'more mistake')}, not shown here.</p>\n` : ''}</section>
`;
}

function mistakeItem(mistake: Mistake): Markup {
  return markup`<li class="bad"><code>${placeText(mistake)}</code> <bdi>${short(mistake.message, maxReportText)}</bdi></li>\n`;
}
