/** First line of every page that is made from the code. */
export const notice = '<!-- Made from the code by `npm run generate`. -->';

export function paragraphs(...texts) {
  return texts.filter(Boolean).join('\n\n');
}

export function table(headings, rows) {
  return [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

export function fence(text, language = '') {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** As renderers of Markdown make the anchor of a heading. */
export function anchor(heading) {
  return heading.replaceAll(' ', '-').toLowerCase();
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}
