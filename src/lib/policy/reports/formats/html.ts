/** One self-contained page about one or more audits: it loads nothing, and has no script. */
import {countNoun} from '../../../json/text.js';
import {pageFrame, timeOf} from '../../../print/html-page.js';
import {markup, type Markup} from '../../../print/markup.js';
import {type Line, type Part, type View} from '../report.js';

/** A table with more rows is folded. */
const maxOpen = 100;

const style = `
body { max-width: 76rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.4rem; margin: 0; }
h3 { font-size: 1.1rem; display: inline; margin: 0; }
.bad { color: var(--bad); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; margin-top: 1.25rem; }
details { border-top: 1px solid var(--line); padding: .6rem 0; margin-top: 1rem; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; text-align: left; margin-top: .4rem; }
th, td { padding: .4rem .75rem .4rem 0; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--muted); font-size: .875rem; font-weight: 500; }
@media (max-width: 44rem) {
  thead { display: none; }
  table, tbody, tr, th, td { display: block; }
  tr { padding: .5rem 0; border-top: 1px solid var(--line); }
  th, td { border: 0; padding: 0; }
  td::before { content: attr(data-name) ": "; color: var(--muted); }
}
`;

export function write(views: readonly View[]): string {
  const [first, second] = views;
  const heading = second === undefined ? (first?.title ?? '') : countNoun(views.length, 'audit');
  const {begin, end} = pageFrame({title: `${heading} – audit`, style});
  const when = first && markup` of ${timeOf(first.audit.when)}`;
  const head = markup`<header>\n<p class="muted">Audit${when}</p>\n<h1>${bdi(heading)}</h1>\n</header>\n`;
  return `${begin}${head.text}${markup`<main>\n${views.map(section)}</main>\n`.text}${end}`;
}

const bdi = (text: string): Markup => markup`<bdi>${text}</bdi>`;

const section = ({title, counts, parts, problems}: View): Markup => markup`<section>\n<h2>${bdi(title)}</h2>\n<p>${counts}</p>
${problems.map(({why}) => markup`<p class="bad">Not checked: ${bdi(why)}</p>\n`)}${parts.map(folded)}</section>\n`;

function folded({title, lines, texts, more}: Part): Markup {
  const isOpen = lines.length > 0 && lines.length <= maxOpen && more === '';
  const content = lines.length > 0 ? table(lines) : markup`<ul>\n${texts.map((text) => markup`<li>${bdi(text)}</li>\n`)}</ul>\n`;
  const note = more === '' ? undefined : markup`<p class="muted">… ${more}, not shown here</p>\n`;
  return markup`<details${isOpen ? markup` open` : undefined}>\n<summary><h3>${title}</h3></summary>\n${content}${note}</details>\n`;
}

const columns = ['Should be', 'Is', 'Reason', 'How to fix it'];
const table = (lines: readonly Line[]): Markup => markup`<table>
<thead><tr>${['What', ...columns].map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>\n${lines.map(tableRow)}</tbody>\n</table>\n`;

function tableRow({json: {rule}, name, wanted, actual, where, fix, status}: Line): Markup {
  const mark = status && markup` <span class="${status === 'new' ? 'bad' : 'muted'}">${status === 'new' ? status : 'still open'}</span>`;
  const reason = markup`${rule} <code class="muted">${bdi(where)}</code>`;
  const cells = [bdi(wanted), bdi(actual), reason, markup`<code>${bdi(fix)}</code>`];
  return markup`<tr>\n<th scope="row">${bdi(name)}${mark}</th>
${cells.map((cell, index) => markup`<td data-name="${columns[index]}">${cell}</td>\n`)}</tr>\n`;
}
