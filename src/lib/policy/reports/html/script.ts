/** What filters the findings of the page; whoever prints it or has no scripts sees all of them. */
export const script = `
const form = document.getElementById('filter');
if (form) {
  const field = document.getElementById('text');
  const shown = document.getElementById('shown');
  const groups = [...document.querySelectorAll('.group')].flatMap((element) => {
    const rows = [...element.querySelectorAll('.finding')].map((row) => ({
      row,
      kind: row.dataset.kind,
      text: (row.dataset.rule + ' ' + row.textContent).toLowerCase(),
    }));
    return rows.length > 0 ? [{element, rows, count: element.querySelector('.count')}] : [];
  });
  const total = groups.reduce((sum, {rows}) => sum + rows.length, 0);
  const filter = () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const kinds = new Set([...form.querySelectorAll('input:checked')].map(({value}) => value));
    let all = 0;
    for (const {element, rows, count} of groups) {
      let some = 0;
      for (const {row, kind, text} of rows) {
        row.hidden = !kinds.has(kind) || !words.every((word) => text.includes(word));
        if (!row.hidden) some += 1;
      }
      element.hidden = some === 0;
      count.textContent = some === rows.length ? some : some + ' of ' + rows.length;
      all += some;
    }
    shown.textContent = all === total ? 'All ' + total + ' findings' : all + ' of ' + total + ' findings';
  };
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  field.addEventListener('keydown', ({key}) => {
    if (key !== 'Escape') return;
    field.value = '';
    filter();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || document.activeElement === field) return;
    event.preventDefault();
    field.focus();
  });
  form.hidden = false;
  filter();
}
`;
