/** How the commands are listed; apart, because what they are is only loaded when that is asked for. */
import type {ListView} from '../../api/view.js';

export const commandsView: ListView = {
  kind: 'list',
  columns: [
    {header: 'command', path: 'command', key: true},
    {header: 'does', path: 'summary'},
  ],
  empty: 'There are no commands.',
};
