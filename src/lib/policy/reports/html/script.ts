/** What filters the findings of the page; whoever prints it or has no scripts sees all of them. */
export const script = `
const form = document.getElementById('filter');
if (form) {
  const field = document.getElementById('text');
  const shown = document.getElementById('shown');
  const groups = [...document.querySelectorAll('.group')].map((element) => ({
    element,
    count: element.querySelector('.count'),
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
    for (const {element, count, parts} of groups) {
      let some = 0;
      for (const {body, rows} of parts) {
        for (const one of rows) one.row.hidden = !fits(one);
        const left = rows.filter(({row}) => !row.hidden).length;
        body.hidden = left === 0;
        some += left;
      }
      element.hidden = some === 0;
      count.textContent = some;
      all += some;
    }
    shown.textContent = all === total ? 'All ' + total + ' findings' : all + ' of ' + total + ' findings';
  };
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || document.activeElement === field) return;
    event.preventDefault();
    field.focus();
  });
  form.hidden = false;
  filter();
}
`;
