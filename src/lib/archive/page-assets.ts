/** The style of the pages, for phones and for print, and their script. */
export const style = `
body { max-width: 52rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .25rem 0 .5rem; }
.note, .reply, .about, .day { color: var(--muted); }
.warning { color: var(--bad); }
.search { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center;
  padding: .6rem 0; margin-top: .75rem; background: var(--page); border-bottom: 1px solid var(--line); }
.search label { flex: 1 1 14rem; display: flex; gap: .5rem; align-items: center; }
.search input { flex: 1; min-width: 0; font: inherit; padding: .35rem .6rem; color: inherit; background: var(--card);
  border: 1px solid var(--muted); border-radius: 6px; }
.search output { color: var(--muted); font-variant-numeric: tabular-nums; }
section { content-visibility: auto; contain-intrinsic-size: auto 5000px; display: flow-root; }
.day { font-size: .9rem; font-weight: 600; text-align: center; margin: 1.25rem 0 .25rem; }
article { margin: .6rem 0; padding: .5rem .8rem .6rem; max-width: 85%; width: fit-content; min-width: min(14rem, 100%);
  background: var(--card); border: 1px solid var(--line); border-radius: 12px; scroll-margin-top: 5rem; }
article.own { margin-inline-start: auto; background: var(--own); }
article.deleted { border-style: dashed; border-color: var(--bad); }
article:target { outline: 3px solid var(--accent); }
.about { font-size: .85rem; display: flex; flex-wrap: wrap; gap: 0 .75rem; }
.who { font-weight: 600; color: var(--text); }
.gone { color: var(--bad); }
.text { white-space: pre-wrap; }
.reply { font-size: .9rem; border-inline-start: 3px solid var(--line); padding-inline-start: .6rem; }
.media { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .4rem; }
.file { max-width: 100%; }
.file img, img.file, video.file { display: block; max-width: 100%; max-height: 24rem; border-radius: 8px; }
.versions { font-size: .9rem; }
.list { list-style: none; padding: 0; }
.list li { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: .6rem .9rem; margin: .6rem 0; }
@media (max-width: 40rem) { body { padding-inline: .75rem; } article { max-width: 95%; } }
@media print {
  .search { display: none; }
  section { content-visibility: visible; }
  article { break-inside: avoid; }
}
`;

/** Searches the items of the page. Without scripts, and in print, all items are shown. */
export const script = `
const field = document.getElementById('text');
const items = [...document.querySelectorAll('article, .list > li')];
const plain = (text) => text.normalize('NFKC').toLowerCase();
let texts;
field.addEventListener('input', () => {
  const words = plain(field.value).split(/\\s+/).filter(Boolean);
  texts ??= items.map((item) => plain(item.textContent));
  items.forEach((item, index) => (item.hidden = !words.every((word) => texts[index].includes(word))));
  for (const day of document.querySelectorAll('.day')) day.hidden = words.length > 0;
  for (const part of document.querySelectorAll('section')) part.hidden = !part.querySelector('article:not([hidden])');
  const count = items.filter((item) => !item.hidden).length;
  document.getElementById('shown').textContent = words.length === 0 ? '' : count + ' of ' + items.length + ' found';
});
document.getElementById('search').hidden = items.length === 0;
`;
