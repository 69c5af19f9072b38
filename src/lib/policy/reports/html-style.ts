/** The style of the page, for phones and for print. */
export const reportStyle = `
body { max-width: 76rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.4rem; margin: 0; }
summary h3 { display: inline; font-size: 1.1rem; margin: 0; }
code { font: .9em ui-monospace, monospace; }
.good { color: var(--good); } .bad { color: var(--bad); }
ul { padding-left: 1.2rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; margin-top: 1.25rem; }
.group { border-top: 1px solid var(--line); padding: .6rem 0; margin-top: 1rem; }
.commands { margin-top: .6rem; color: var(--muted); font-size: .9rem; }
pre { margin: .4rem 0 0; max-height: 24rem; overflow: auto; white-space: pre-wrap; font: .9em/1.6 ui-monospace, monospace; color: var(--text); }
.rest td { color: var(--muted); }
table { border-collapse: collapse; width: 100%; text-align: left; margin-top: .4rem; table-layout: fixed; }
th, td { padding: .4rem .75rem .4rem 0; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--muted); font-size: .875rem; font-weight: 500; }
.rule th { padding-top: .75rem; font-weight: 400; }
@media (max-width: 44rem) {
  body { padding-inline: .75rem; }
  section { padding: 1rem .8rem; }
  thead { display: none; }
  table, tbody, tr, th, td { display: block; width: auto; }
  tr { padding: .5rem 0; border-top: 1px solid var(--line); }
  th, td { border: 0; padding: 0; }
  td::before { content: attr(data-name) ": "; color: var(--muted); }
  .rest td::before { content: none; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  section { border: 0; padding: 0; }
  tr { break-inside: avoid; }
  thead { display: table-header-group; }
}
`;
