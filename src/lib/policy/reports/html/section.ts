/** The part of the page on one server and one policy. */
import {placeText} from '../../place.js';
import type {Finding, Skipped} from '../../finding.js';
import {counted, countsOf} from '../counts.js';
import {grouped} from '../grouped.js';
import {markup, type Markup} from '../markup.js';
import type {AuditReport} from '../report.js';
import {kindNames, ruleText} from '../rule-text.js';
import {short} from '../short.js';
import {origins} from './origins.js';

const longestSubject = 500;
const longestText = 2000;

export function section(report: AuditReport, index: number): Markup {
  const {server, account, policy, findings, skipped} = report;
  return markup`<section id="audit-${index + 1}" aria-labelledby="audit-${index + 1}-name">
<h2 id="audit-${index + 1}-name">${new URL(server).host} ${verdict(report)}</h2>
<p class="muted">Account <bdi>${account}</bdi>, compared with <code>${policy}</code></p>
${tiles(report, `audit-${index + 1}-origins`)}
${findings.length > 0 ? markup`<h3>Findings</h3>\n${grouped(findings, ({kind}) => kind).map(kindGroup)}` : undefined}
${skipped.length > 0 ? untold(skipped) : undefined}
${report.contributions.length > 0 ? origins(report, `audit-${index + 1}-origins`) : undefined}
${held(report)}
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
  const wanted = report.contributions.reduce((sum, {domains}) => sum + domains.length, 0);
  return markup`<dl class="tiles">
${tile('Findings', findings, findings > 0 ? 'bad' : 'good')}
${tile('Rules that hold', holding)}
${tile('Rules not checked', unchecked, unchecked > 0 ? 'doubtful' : '')}
${tile(wanted > 0 ? markup`<a href="#${originsId}">Domains to block</a>` : 'Domains to block', wanted)}
</dl>`;
}

function tile(name: Markup | string, count: number, mood = ''): Markup {
  return markup`<div class="tile"><dt>${name}</dt><dd class="${mood}">${count.toLocaleString('en')}</dd></div>`;
}

function kindGroup([, findings]: readonly [string, readonly Finding[]]): Markup {
  const [first] = findings;
  return markup`<details class="group" open>
<summary><h4>${first && kindNames[first.kind]}</h4> <span class="count">${findings.length}</span></summary>
<table class="cards">
<thead><tr>
<th scope="col">What</th><th scope="col">Wanted</th><th scope="col">Actual</th><th scope="col">Where</th><th scope="col">How to fix it</th>
</tr></thead>
${grouped(findings, ({rule}) => rule).map(ruleRows)}</table>
</details>
`;
}

function ruleRows([rule, findings]: readonly [string, readonly Finding[]]): Markup {
  return markup`<tbody>
<tr class="rule"><th colspan="5" scope="rowgroup"><code>${rule}</code> <span class="muted">${ruleText(rule)}</span></th></tr>
${findings.map(row)}</tbody>
`;
}

function row({rule, kind, subject, wanted, actual, source, fix}: Finding): Markup {
  return markup`<tr class="finding" data-kind="${kind}" data-rule="${rule}">
<th scope="row"><bdi>${short(subject, longestSubject)}</bdi></th>
<td data-name="Wanted"><bdi>${short(wanted, longestText)}</bdi></td>
<td data-name="Actual"><bdi>${short(actual, longestText)}</bdi></td>
<td data-name="Where"><code>${placeText(source)}</code></td>
<td data-name="How to fix it">${fix.startsWith('pixelctl ') ? markup`<code>${fix}</code>` : fix}</td>
</tr>
`;
}

function untold(skipped: readonly Skipped[]): Markup {
  const items = skipped.map(({kind, subject, why, failure}) => {
    const mood = failure ? 'bad' : '';
    return markup`<li class="${mood}"><b>${kindNames[kind]}</b>${named(subject)}: <bdi>${why}</bdi></li>\n`;
  });
  return markup`<h3>Not checked</h3>
<ul class="plain">
${items}</ul>`;
}

function held({rules}: AuditReport): Markup | undefined {
  const holding = rules.filter(({outcome}) => outcome === 'held');
  if (holding.length === 0) return undefined;
  const items = holding.map(
    ({rule, subject, source}) => markup`<li><code>${rule}</code>${named(subject)} <span class="muted">${placeText(source)}</span></li>\n`,
  );
  return markup`<details class="held">
<summary><h3>${counted(holding.length, 'rule that holds', 'rules that hold')}</h3></summary>
<ul class="plain">
${items}</ul>
</details>`;
}

/** A text in a direction of its own, so that it cannot turn its surroundings around. */
function named(subject: string | undefined): Markup | undefined {
  return subject === undefined ? undefined : markup` <bdi>${short(subject, longestSubject)}</bdi>`;
}
