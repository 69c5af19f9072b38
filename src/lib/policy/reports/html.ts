/** One self-contained page about one or more audits: it loads nothing, and is complete without its script. */
import {createHash} from 'node:crypto';
import type {Mistake} from '../../client/failure.js';
import type {Difference, FindingJson, Skipped} from '../difference.js';
import {locationText} from '../location.js';
import {script, style} from './html-assets.js';
import {origins} from './html-origins.js';
import {markup, Markup} from './markup.js';
import {placeText} from '../mistakes.js';
import type {AuditReport, Unusable} from './report.js';
import {type FindingStatus, statusOf} from './since.js';
import {counted, countsOf, grouped, kindNames, ruleText, short, skippedTitle, wantedText, subjectNames} from './text.js';
import {withCommas} from '../../json/text.js';

export function* htmlReport(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  const agreeing = reports.filter(({ok}) => ok).length;
  const findings = reports.reduce((sum, report) => sum + report.findings.length, 0);
  const verdict = unusable
    ? `${counted(unusable.mistakes.length, 'mistake')} in the policy`
    : agreeing === reports.length
      ? 'No differences'
      : findings === 0
        ? 'Not all could be checked'
        : counted(findings, 'finding');
  const when = unusable?.when ?? reports[0]?.when;
  yield markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOfPage()}">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="pixelctl">
<title>${verdict} – audit</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header class="top">
<p class="kicker">Audit${when && markup` of <time datetime="${when.toISOString()}">${timeText(when)}</time>`}</p>
<h1>${verdict}</h1>
${reports.length > 1 ? contents(reports, agreeing) : undefined}
</header>
${findings > 0 ? toolbar(reports) : undefined}
<main>
`.text;
  if (unusable !== undefined) yield mistakesSection(unusable.mistakes).text;
  for (const [index, report] of reports.entries()) yield* section(report, index);
  yield `</main>
<script>${script}</script>
</body>
</html>
`;
}

/** Allows only this style and this script. */
function policyOfPage(): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`;
}

function timeText(when: Date): string {
  return `${when.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function contents(reports: readonly AuditReport[], agreeing: number): Markup {
  const nameOf = subjectNames(reports);
  const items = reports.map((report, index) => {
    const {policy, ok, findings} = report;
    const mood = ok ? 'good' : 'bad';
    const result = ok ? 'agrees' : findings.length > 0 ? counted(findings.length, 'finding') : 'not all could be checked';
    return markup`<li>
<a href="#audit-${index + 1}">${nameOf(report)}</a> <span class="muted">${policy}</span> <span class="${mood}">${result}</span>
</li>
`;
  });
  return markup`<p>${agreeing} of ${counted(reports.length, 'audit')} found nothing.</p>
<nav aria-label="Audits"><ul class="plain">
${items}</ul></nav>`;
}

/** Hidden until the script shows it. */
function toolbar(reports: readonly AuditReport[]): Markup {
  const kinds = [...new Set(reports.flatMap(({findings}) => findings.map(({kind}) => kind)))].sort();
  const boxes = kinds.map(
    (kind) => markup`<label class="chip"><input type="checkbox" name="kind" value="${kind}" checked> ${kindNames[kind]}</label>\n`,
  );
  return markup`<form class="toolbar" id="filter" role="search" hidden>
<label class="search">Find <input type="search" id="text" autocomplete="off" aria-keyshortcuts="/" placeholder="domain, title, rule…"></label>
<fieldset><legend class="aside">Show</legend>
${boxes}</fieldset>
<output id="shown" for="text"></output>
</form>`;
}

const longestSubject = 500;
const longestText = 2000;

function* section(report: AuditReport, index: number): Generator<string> {
  const {server, account, policy, findings, skipped, since} = report;
  yield markup`<section id="audit-${index + 1}" aria-labelledby="audit-${index + 1}-name">
<h2 id="audit-${index + 1}-name">${new URL(server).host} ${verdict(report)}</h2>
<p class="muted">Account <bdi>${account}</bdi>, compared with <code>${policy}</code></p>
${tiles(report, `audit-${index + 1}-origins`)}
`.text;
  if (findings.length > 0) yield '<h3>Findings</h3>\n';
  for (const [, same] of grouped(findings, ({kind}) => kind)) yield* kindGroup(same, report);
  yield markup`
${skipped.length > 0 ? untold(skipped) : undefined}
${since && since.resolved.length > 0 ? resolved(since.resolved) : undefined}
${report.contributions.length > 0 ? origins(report, `audit-${index + 1}-origins`) : undefined}
${held(report)}
</section>
`.text;
}

function mistakesSection(mistakes: readonly Mistake[]): Markup {
  const items = mistakes.map(
    (one) => markup`<li class="bad"><code>${placeText(one)}</code> <bdi>${short(one.message, longestText)}</bdi></li>\n`,
  );
  return markup`<section><h2>Mistakes in the policy</h2>
<p class="muted">Nothing was audited.</p>
<ul class="plain">
${items}</ul>
</section>
`;
}

function verdict({ok, findings}: AuditReport): Markup {
  if (ok) return markup`<span class="verdict good">✓ agrees</span>`;
  return findings.length > 0
    ? markup`<span class="verdict bad">✗ differs</span>`
    : markup`<span class="verdict doubtful">? not all could be checked</span>`;
}

function tiles(report: AuditReport, originsId: string): Markup {
  const {findings, held: holding, unchecked} = countsOf(report);
  const {since} = report;
  const wanted = report.contributions.reduce((sum, {domains}) => sum + domains.length, 0);
  return markup`<dl class="tiles">
${tile('Findings', findings, findings > 0 ? 'bad' : 'good')}
${since && tile(markup`New since <code>${since.file}</code>`, since.added.size, since.added.size > 0 ? 'bad' : 'good')}
${since && tile('Resolved', since.resolved.length)}
${tile('Rules that hold', holding)}
${tile('Rules not checked', unchecked, unchecked > 0 ? 'doubtful' : '')}
${tile(wanted > 0 ? markup`<a href="#${originsId}">Domains to block</a>` : 'Domains to block', wanted)}
</dl>`;
}

function tile(name: Markup | string, count: number, mood = ''): Markup {
  return markup`<div class="tile"><dt>${name}</dt><dd class="${mood}">${withCommas(count)}</dd></div>`;
}

function* kindGroup(findings: readonly Difference[], report: AuditReport): Generator<string> {
  const [first] = findings;
  yield markup`<details class="group" open>
<summary><h4>${first && kindNames[first.kind]}</h4> <span class="count">${findings.length}</span></summary>
<table class="cards">
<thead><tr>
<th scope="col">What</th><th scope="col">Wanted</th><th scope="col">Actual</th><th scope="col">Where</th><th scope="col">How to fix it</th>
</tr></thead>
`.text;
  for (const [rule, same] of grouped(findings, (one) => one.rule)) {
    yield markup`<tbody>
<tr class="rule"><th colspan="5" scope="rowgroup"><code>${rule}</code> <span class="muted">${ruleText(rule)}</span></th></tr>
`.text;
    for (const one of same) yield row(one, statusOf(report, one)).text;
    yield '</tbody>\n';
  }
  yield '</table>\n</details>\n';
}

function row(finding: Difference, status: FindingStatus | undefined): Markup {
  const {rule, kind, subject, actual, source, fix} = finding;
  return markup`<tr class="finding" data-kind="${kind}" data-rule="${rule}">
<th scope="row"><bdi>${short(subject, longestSubject)}</bdi>${status && statusMark(status)}</th>
<td data-name="Wanted"><bdi>${short(wantedText(finding), longestText)}</bdi></td>
<td data-name="Actual"><bdi>${short(actual, longestText)}</bdi></td>
<td data-name="Where"><code>${locationText(source)}</code></td>
<td data-name="How to fix it">${fix.startsWith('pixelctl ') ? markup`<code>${fix}</code>` : fix}</td>
</tr>
`;
}

function statusMark(status: FindingStatus): Markup {
  return markup` <span class="${status === 'new' ? 'bad' : 'muted'}">${status === 'new' ? 'new' : 'still open'}</span>`;
}

function resolved(findings: readonly FindingJson[]): Markup {
  const items = findings.map(
    ({rule, subject, wanted}) =>
      markup`<li><code>${rule}</code>${named(subject)} <span class="muted">${short(wanted, longestText)}</span></li>\n`,
  );
  return markup`<details class="held">
<summary><h3>${counted(findings.length, 'finding')} resolved</h3></summary>
<ul class="plain">
${items}</ul>
</details>`;
}

function untold(skipped: readonly Skipped[]): Markup {
  const items = skipped.map(({kind, subject, why, failure}) => {
    const mood = failure ? 'bad' : '';
    return markup`<li class="${mood}"><b>${kindNames[kind]}</b>${named(subject)}: <bdi>${why}</bdi></li>\n`;
  });
  return markup`<h3>${skippedTitle(skipped)}</h3>
<ul class="plain">
${items}</ul>`;
}

function held({rules}: AuditReport): Markup | undefined {
  const holding = rules.filter(({outcome}) => outcome === 'held');
  if (holding.length === 0) return undefined;
  const items = holding.map(
    ({rule, subject, source}) =>
      markup`<li><code>${rule}</code>${named(subject)} <span class="muted">${locationText(source)}</span></li>\n`,
  );
  return markup`<details class="held">
<summary><h3>${counted(holding.length, 'rule that holds', 'rules that hold')}</h3></summary>
<ul class="plain">
${items}</ul>
</details>`;
}

/** A text with a direction of its own, which does not affect the text around it. */
function named(subject: string | undefined): Markup | undefined {
  return subject === undefined ? undefined : markup` <bdi>${short(subject, longestSubject)}</bdi>`;
}
