import {exitStatuses} from '../dist/lib/cli/errors.js';
import {fence, notice, paragraphs, table} from './markdown.js';

const example =
  '{"error": {"code": "not_found", "exit": 4, "message": "…", "status": 404, "method": "GET", "path": "/api/v2/filters/99", "hint": "…"}}';

export const aboutExitStatus = 'Every kind of failure has a number of its own. None changes its meaning from one version to the next.';

/** The status of each ending, its code and what it means. */
export const exitStatusRows = [
  ['0', '', 'done'],
  ...Object.entries(exitStatuses).map(([code, {status, meaning}]) => [`${status}`, `\`${code}\``, meaning]),
];

/** The page about exit status: what a script asks first when a command failed. */
export function exitStatusPage() {
  const text = paragraphs(
    notice,
    '# Exit status',
    aboutExitStatus,
    table(['status', 'code', 'meaning'], exitStatusRows),
    'With `--json` an error is one line of JSON on standard error, and `code` is the word from the table:',
    fence(example, 'json'),
    'Its members are described under [JSON](json.md#error). Standard output stays empty then. Only a run with several targets (11) prints there what it has: one result for each.',
  );
  return `${text}\n`;
}
