/** How checks are shown; apart, because the checks are only loaded when they are run. */
import type {ListView} from '../../api/view.js';

export const checksView: ListView = {
  kind: 'list',
  columns: [
    {header: 'check', path: 'name', key: true},
    {header: 'result', path: 'ok', words: ['ok', 'not ok'], stays: true},
    {header: 'what was found', path: 'detail', stays: true},
    {header: 'what to do', path: 'fix', none: '', stays: true},
  ],
  empty: 'Nothing was checked.',
};
