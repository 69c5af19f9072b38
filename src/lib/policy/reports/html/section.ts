/** The part of the page on one server and one policy. */
import {placeText} from '../../place.js';
import type {Finding, Skipped} from '../../finding.js';
import {counted, countsOf} from '../counts.js';
import {grouped} from '../grouped.js';
import {markup, type Markup} from '../markup.js';
import type {AuditReport} from '../report.js';
import {kindNames, ruleText} from '../rule-text.js';
import {origins} from './origins.js';

export function section(report: AuditReport, index: number): Markup {
  const {server, account, policy, ok, findings, skipped} = report;
  return markup`<section id="audit-${index + 1}" aria-labelledby="audit-${index + 1}-name">
<h2 id="audit-${index + 1}-name">${new URL(server).host} <span class="verdict ${ok ? 'good' : 'bad'}">${ok ? '✓ agrees' : '✗ differs'}</span></h2>
<p class="muted">Account <bdi>${account}</bdi>, held against <code>${policy}</code></p>
${tiles(report)}
${findings.length === 0 ? undefined : markup`<h3>Findings</h3>\n${grouped(findings, ({rule}) => rule).map(ruleGroup)}`}
${skipped.length === 0 ? undefined : untold(skipped)}
${report.contributions.length === 0 ? undefined : origins(report)}
${held(report)}
</section>
`;
}

function tiles(report: AuditReport): Markup {
  const {findings, held: holding, unchecked} = countsOf(report);
  const wanted = report.contributions.reduce((sum, {domains}) => sum + domains.length, 0);
  const tile = (name: string, count: number, mood = ''): Markup =>
    markup`<div class="tile ${mood}"><dt>${name}</dt><dd>${count.toLocaleString('en')}</dd></div>\n`;
  return markup`<dl class="tiles">
${tile('Findings', findings, findings > 0 ? 'bad' : 'good')}${tile('Rules that hold', holding)}${tile('Rules not checked', unchecked, unchecked > 0 ? 'doubtful' : '')}${tile('Domains to block', wanted)}</dl>`;
}

function ruleGroup([rule, findings]: readonly [string, readonly Finding[]]): Markup {
  const [first] = findings;
  return markup`<details class="group" open>
<summary><h4><code>${rule}</code></h4> <span class="count" data-total="${findings.length}">${findings.length}</span> <span class="muted">${first && kindNames[first.kind]}</span></summary>
<p class="muted">${ruleText(rule)}</p>
<table class="cards">
<thead><tr><th scope="col">What</th><th scope="col">Wanted</th><th scope="col">Actual</th><th scope="col">Where</th><th scope="col">To mend it</th></tr></thead>
<tbody>
${findings.map(row)}</tbody>
</table>
</details>
`;
}

function row({rule, kind, subject, wanted, actual, source, fix}: Finding): Markup {
  return markup`<tr class="finding" data-kind="${kind}" data-rule="${rule}"><th scope="row"><bdi>${subject}</bdi></th><td data-name="Wanted"><bdi>${wanted}</bdi></td><td data-name="Actual"><bdi>${actual}</bdi></td><td data-name="Where"><code>${placeText(source)}</code></td><td data-name="To mend it"><code>${fix}</code></td></tr>\n`;
}

function untold(skipped: readonly Skipped[]): Markup {
  const items = skipped.map(
    ({kind, subject, why, failure}) =>
      markup`<li${failure ? markup` class="bad"` : undefined}><b>${kindNames[kind]}</b>${subject === undefined ? undefined : markup` <bdi>${subject}</bdi>`}: <bdi>${why}</bdi></li>\n`,
  );
  return markup`<h3>Not checked</h3>
<ul class="plain">
${items}</ul>`;
}

function held({rules}: AuditReport): Markup | undefined {
  const holding = rules.filter(({outcome}) => outcome === 'held');
  if (holding.length === 0) return undefined;
  const items = holding.map(
    ({rule, subject, source}) =>
      markup`<li><code>${rule}</code>${subject === undefined ? undefined : markup` <bdi>${subject}</bdi>`} <span class="muted">${placeText(source)}</span></li>\n`,
  );
  return markup`<details class="group held">
<summary><h3>${counted(holding.length, 'rule that holds', 'rules that hold')}</h3></summary>
<ul class="plain">
${items}</ul>
</details>`;
}
