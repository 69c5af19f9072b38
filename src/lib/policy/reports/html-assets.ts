/** The style of the page, for phones and for print, and its script. */
export const reportStyle = `
body { max-width: 76rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.4rem; margin: 0; display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; }
h3 { font-size: 1.1rem; margin: 1.75rem 0 .6rem; }
summary h3 { display: inline; margin: 0; }
code { font: .9em ui-monospace, monospace; }
.kicker { color: var(--muted); }
.good { color: var(--good); } .bad { color: var(--bad); } .doubtful { color: var(--doubtful); }
.aside { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.plain { padding-left: 1.2rem; }
.contents { columns: 20rem; column-gap: 2.5rem; padding-left: 1.2rem; }
.contents li { break-inside: avoid; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; margin-top: 1.25rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 1rem 0 0; }
.tile { border: 1px solid var(--line); border-radius: 8px; padding: .5rem .75rem; display: flex; flex-direction: column-reverse; }
.tile dt { color: var(--muted); font-size: .875rem; }
.tile dd { margin: 0; font-size: 1.6rem; font-weight: 600; line-height: 1.3; font-variant-numeric: tabular-nums; }
.toolbar { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center;
  padding: .6rem 0; background: var(--page); border-bottom: 1px solid var(--line); }
.search { flex: 1 1 16rem; display: flex; gap: .5rem; align-items: center; }
input[type=search] { flex: 1; min-width: 0; font: inherit; padding: .35rem .6rem; color: inherit; background: var(--card);
  border: 1px solid var(--muted); border-radius: 6px; }
fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
.chip { display: inline-flex; gap: .35rem; align-items: center; }
.toolbar output { color: var(--muted); font-variant-numeric: tabular-nums; }
.group { border-top: 1px solid var(--line); padding: .6rem 0; margin-top: 1rem; }
.commands { margin-top: .6rem; color: var(--muted); font-size: .9rem; }
pre { margin: .4rem 0 0; max-height: 24rem; overflow: auto; white-space: pre-wrap; font: .9em/1.6 ui-monospace, monospace; color: var(--text); }
.rest td { color: var(--muted); }
.held { margin-top: 1.5rem; }
.count { font-weight: 600; color: var(--bad); margin: 0 .35rem; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; text-align: left; margin-top: .4rem; }
th, td { padding: .4rem .75rem .4rem 0; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--muted); font-size: .875rem; font-weight: 500; }
.cards { table-layout: fixed; }
.rule th { padding-top: .75rem; font-weight: 400; }
.set th:first-child { width: 30%; } .set th:last-child { width: 42%; }
.texts th:first-child { width: 20%; } .texts th:last-child { width: 24%; }
.files { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); gap: .1rem 2.5rem; padding-left: 2rem; }
.wide { overflow-x: auto; }
.origins th, .origins td { border-top: 0; padding-block: .2rem; }
.origins th:first-child { width: 1%; }
.origins th:last-child, .origins td:last-child { width: 40%; }
.origins svg { display: block; }
.bar { min-width: 6rem; }
.origins text { fill: var(--muted); font-size: .8rem; }
.on { fill: var(--text); } .off { fill: var(--line); }
.dots line { stroke: var(--text); stroke-width: 3; }
.there { fill: var(--there); } .missing { fill: var(--bad); }
.bar svg { background: linear-gradient(var(--line), var(--line)) left / 1px 100% no-repeat; }
.swatch { width: .8em; height: .8em; display: inline-block; }
.key { white-space: nowrap; margin-right: .6rem; }
.swatch.there { background: var(--there); } .swatch.missing { background: var(--bad); }
.domains { font-size: .875rem; color: var(--muted); }
@media (max-width: 44rem) {
  body { padding-inline: .75rem; }
  section { padding: 1rem .8rem; }
  .toolbar { position: static; }
  .cards thead { display: none; }
  .cards, .cards tbody, .cards tr, .cards th, .cards td { display: block; width: auto; }
  .cards tr { padding: .5rem 0; border-top: 1px solid var(--line); }
  .cards th, .cards td { border: 0; padding: 0; }
  .cards th:first-child, .cards th:last-child { width: auto; }
  .cards td::before { content: attr(data-name) ": "; color: var(--muted); }
  .cards .rest td::before { content: none; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  .toolbar { display: none; }
  section { border: 0; padding: 0; }
  tr, .tile { break-inside: avoid; }
  thead { display: table-header-group; }
  svg, .swatch { print-color-adjust: exact; }
}
`;

/** Filters the findings of the page. Without scripts, and in print, all are shown. */
export const reportScript = `
const form = document.getElementById('filter');
if (form) {
  const field = document.getElementById('text');
  const shown = document.getElementById('shown');
  const groups = [...document.querySelectorAll('.group')].map((element) => ({
    element,
    parts: [...element.querySelectorAll('tbody')].map((body) => ({
      body,
      rows: [...body.querySelectorAll('.finding')].map((row) => ({
        row,
        kind: row.dataset.kind,
        text: (row.dataset.rule + ' ' + row.textContent).toLowerCase(),
      })),
    })),
  }));
  const total = document.querySelectorAll('.finding').length;
  const filter = () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const kinds = new Set([...form.querySelectorAll('input:checked')].map(({value}) => value));
    const fits = ({kind, text}) => kinds.has(kind) && words.every((word) => text.includes(word));
    let all = 0;
    for (const {element, parts} of groups) {
      let some = 0;
      if (words.length > 0) element.open = true;
      for (const {body, rows} of parts) {
        for (const one of rows) one.row.hidden = !fits(one);
        const left = rows.filter(({row}) => !row.hidden).length;
        body.hidden = left === 0 && rows.length > 0;
        some += left;
      }
      element.hidden = some === 0 && parts.some(({rows}) => rows.length > 0);
      all += some;
    }
    shown.textContent = all === total ? total + ' shown' : all + ' of ' + total + ' shown';
  };
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || document.activeElement === field) return;
    event.preventDefault();
    field.focus();
  });
  addEventListener('beforeprint', () => {
    for (const {element} of groups) element.open = true;
  });
  form.hidden = false;
  filter();
}
`;
