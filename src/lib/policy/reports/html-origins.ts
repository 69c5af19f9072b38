/** Where blocks come from: a row for each set of lists that agree, with a dot for each list and a bar for the domains. */
import type {ListSummary} from '../lists/merge.js';
import {markup, type Markup} from '../../print/markup.js';
import type {AuditReport, Contribution, Origins} from './report.js';
import {Rows} from './rows.js';
import {maxSubjectLength, short, titleOf} from './text.js';
import {andMore, counted, withCommas} from '../../json/text.js';

const maxRows = 15;
const maxDomains = 300;
/** Lists with a dot of their own. */
const maxFiles = 50;
/** Pixels from one dot to the next. */
const step = 22;

/** A chart of a section of domains. */
export interface Chart extends Origins {
  readonly policy: string;
  /** Whether another section has one as well. */
  readonly isNamed: boolean;
}

/** A chart for each section of domains, whole or not at all; none without domains to block. @param id of the section of the page */
export function chartsOf(reports: readonly AuditReport[], id: string): Rows<Chart> {
  const charts = reports.flatMap(({policy, origins}) => {
    const some = origins.filter(({contributions}) => contributions.length > 0);
    return some.map((one): Chart => ({...one, policy, isNamed: some.length > 1}));
  });
  return new Rows(charts, (one) => [chart(one, id).text]);
}

function chart({policy, kind, isNamed, contributions, lists}: Chart, id: string): Markup {
  const all = filesOf(policy, contributions, lists);
  const files = all.slice(0, maxFiles);
  // The largest comes first.
  const largest = contributions[0]?.domains.length ?? 0;
  const shown = contributions.slice(0, maxRows);
  return markup`${isNamed ? markup`<h4>${titleOf(kind)}</h4>\n` : undefined}<ol class="files">
${files.map((file) => markup`<li><code>${short(file, maxSubjectLength)}</code>${summaryText(file, policy, lists)}</li>\n`)}</ol>
${all.length > files.length ? markup`<p class="muted">… and ${counted(all.length - files.length, 'more list')}.</p>` : undefined}
<div class="wide" tabindex="0" role="group" aria-labelledby="${id}-origins">
<table class="origins">
<thead><tr>
<th scope="col"><span class="aside">Named by</span>${numbers(files.length)}</th>
<th scope="col">${key('there', 'blocked')} ${key('missing', 'not blocked')}</th>
<th scope="col">Domains</th>
</tr></thead>
<tbody>
${shown.map((contribution) => row(contribution, files, largest))}</tbody>
</table>
</div>
${contributions.length > maxRows ? smaller(contributions.slice(maxRows)) : undefined}`;
}

function smaller(rest: readonly Contribution[]): Markup {
  const domains = rest.reduce((sum, one) => sum + one.domains.length, 0);
  return markup`<p class="muted">… and ${counted(domains, 'domain')} in ${counted(rest.length, 'smaller group')}.</p>`;
}

/** The policy first, then all lists, even those that contribute nothing. */
function filesOf(policy: string, contributions: readonly Contribution[], lists: readonly ListSummary[]): string[] {
  const named = new Set(contributions.flatMap(({files}) => files));
  const others = [...lists.map(({list}) => list), ...named].filter((file) => file !== policy);
  return [...(named.has(policy) ? [policy] : []), ...new Set(others)];
}

function summaryText(file: string, policy: string, lists: readonly ListSummary[]): Markup | undefined {
  if (file === policy) return markup` <span class="muted">the policy itself</span>`;
  const summary = lists.find(({list}) => list === file);
  if (summary === undefined) return undefined;
  const {entries, tooMild, tooMildFor, obfuscated, wildcards, skippedRows} = summary;
  const parts = [
    counted(entries, 'entry', 'entries'),
    ...(tooMild > 0 ? [`${withCommas(tooMild)} ${tooMildFor}`] : []),
    ...(obfuscated > 0 ? [`${withCommas(obfuscated)} obfuscated`] : []),
    ...(wildcards > 0 ? [counted(wildcards, 'wildcard')] : []),
    ...(skippedRows > 0 ? [`${withCommas(skippedRows)} invalid`] : []),
  ];
  return markup` <span class="muted">${parts.join(', ')}</span>`;
}

function key(name: string, meaning: string): Markup {
  return markup`<span class="key"><span class="swatch ${name}"></span> ${meaning}</span>`;
}

function numbers(count: number): Markup {
  const label = (index: number): Markup => markup`<text x="${center(index)}" y="14" text-anchor="middle">${index + 1}</text>`;
  const labels = Array.from({length: count}, (_, index) => label(index));
  return markup`<svg width="${count * step}" height="18" aria-hidden="true">${labels}</svg>`;
}

function center(index: number): number {
  return index * step + step / 2;
}

function row({files: named, domains, missing}: Contribution, files: readonly string[], largest: number): Markup {
  const there = domains.length - missing;
  const percent = (count: number): string => `${((100 * count) / largest).toFixed(2)}%`;
  return markup`<tr>
<th scope="row"><span class="aside">${short(named.join(', '), maxSubjectLength)}</span>${dots(named, files)}</th>
<td class="bar"><svg width="100%" height="16" role="img" aria-label="${there} blocked, ${missing} not blocked">
<rect class="there" width="${percent(there)}" height="16"/>
<rect class="missing" x="${percent(there)}" width="${percent(missing)}" height="16"/>
</svg></td>
<td>${domainDetails(domains, missing)}</td>
</tr>
`;
}

function dots(named: readonly string[], files: readonly string[]): Markup {
  const locations = files.flatMap((file, index) => (named.includes(file) ? index : []));
  const circles = files.map((file, index) => {
    const [name, radius] = named.includes(file) ? ['on', 6] : ['off', 3];
    return markup`<circle class="${name}" cx="${center(index)}" cy="10" r="${radius}"/>`;
  });
  const line = markup`<line x1="${center(locations[0] ?? 0)}" x2="${center(locations.at(-1) ?? 0)}" y1="10" y2="10"/>`;
  return markup`<svg class="dots" width="${files.length * step}" height="20" aria-hidden="true">${line}${circles}</svg>`;
}

function domainDetails(domains: readonly string[], missing: number): Markup {
  const shown = domains.slice(0, maxDomains);
  const rest = domains.length - shown.length;
  const more = rest > 0 ? markup` … ${andMore(rest)}` : undefined;
  const open = missing > 0 ? markup`, <span class="bad">${withCommas(missing)} not blocked</span>` : undefined;
  return markup`<details>
<summary>${withCommas(domains.length)}${open}</summary>
<p class="domains">${shown.join(', ')}${more}</p>
</details>`;
}
