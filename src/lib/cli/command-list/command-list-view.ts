/** The table of `pixelctl commands`, in a file of its own, because the code that makes the list is only loaded when it is needed. */
import type {ListView} from '../../api/view.js';
import {valueAt} from '../../print/values.js';

export const commandsView: ListView = {
  kind: 'list',
  columns: [
    {header: 'command', path: 'command', key: true, text: (row) => String(valueAt(row, 'command')).replace(/^pixelctl /, '')},
    {header: 'does', path: 'summary', stays: true},
  ],
  empty: 'There are no commands.',
};
