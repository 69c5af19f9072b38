/** One self-contained page about one or more audits: it loads nothing, and has no script. */
import {andMore, countNoun, withCommas} from '../../../json/text.js';
import {pageFrame, timeOf} from '../../../print/html-page.js';
import {markup, type Markup} from '../../../print/markup.js';
import {type Group, type Line, type Report, ruleText, type Sentences, type View} from '../report.js';

/** A table with more rows is folded. */
const maxOpen = 100;

const style = `
body { max-width: 76rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.4rem; margin: 0; }
h3 { font-size: 1.1rem; display: inline; margin: 0; }
code { font: .9em ui-monospace, monospace; }
.bad { color: var(--bad); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; margin-top: 1.25rem; }
details { border-top: 1px solid var(--line); padding: .6rem 0; margin-top: 1rem; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; text-align: left; margin-top: .4rem; }
th, td { padding: .4rem .75rem .4rem 0; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--muted); font-size: .875rem; font-weight: 500; }
@media (max-width: 44rem) {
  body { padding-inline: .75rem; }
  section { padding: 1rem .8rem; }
  thead { display: none; }
  table, tbody, tr, th, td { display: block; }
  tr { padding: .5rem 0; border-top: 1px solid var(--line); }
  th, td { border: 0; padding: 0; }
  td::before { content: attr(data-name) ": "; color: var(--muted); }
}
`;

export function html({verdict, views}: Report): string {
  const {begin, end} = pageFrame({title: `${verdict} – audit`, style});
  const when = views[0]?.audit.when;
  const body = markup`<header>
<p class="muted">Audit${when && markup` of ${timeOf(when)}`}</p>
<h1><bdi>${verdict}</bdi></h1>
</header>
<main>
${views.map(section)}</main>
`;
  return `${begin}${body.text}${end}`;
}

const section = ({title, counts, groups, problems, lists}: View): Markup => markup`<section>
<h2><bdi>${title}</bdi></h2>
<p>${counts}</p>
${problems.map(({why}) => markup`<p class="bad">Not checked: <bdi>${why}</bdi></p>\n`)}${groups.map(table)}${lists.map(list)}</section>
`;

const table = ({kind, count, shown, rest}: Group): Markup => markup`<details${count <= maxOpen ? markup` open` : undefined}>
<summary><h3>${countNoun(count, kind.item)}</h3></summary>
<table>
<thead><tr><th scope="col">What</th><th scope="col">Should be</th><th scope="col">Is</th><th scope="col">Reason</th><th scope="col">How to fix it</th></tr></thead>
<tbody>
${shown.map(tableRow)}</tbody>
</table>
${more(rest)}</details>
`;

function tableRow({json: {rule}, name, wanted, actual, where, fix, status}: Line): Markup {
  const mark = status && markup` <span class="${status === 'new' ? 'bad' : 'muted'}">${status === 'new' ? 'new' : 'still open'}</span>`;
  return markup`<tr>
<th scope="row"><bdi>${name}</bdi>${mark}</th>
<td data-name="Should be"><bdi>${wanted}</bdi></td>
<td data-name="Is"><bdi>${actual}</bdi></td>
<td data-name="Reason">${ruleText(rule)} <code class="muted"><bdi>${where}</bdi></code></td>
<td data-name="How to fix it"><code><bdi>${fix}</bdi></code></td>
</tr>
`;
}

const list = ({title, shown, rest}: Sentences): Markup => markup`<details>
<summary><h3>${title}</h3> <b>${withCommas(shown.length + rest)}</b></summary>
<ul>
${shown.map((text) => markup`<li><bdi>${text}</bdi></li>\n`)}</ul>
${more(rest)}</details>
`;

const more = (rest: number): Markup | undefined =>
  rest > 0 ? markup`<p class="muted">… ${andMore(rest)}, not shown here</p>\n` : undefined;
