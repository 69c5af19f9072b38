/** How the commands are listed; apart, because what they are is only loaded when that is asked for. */
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
