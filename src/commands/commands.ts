import type {ListView} from '../lib/api/view.js';
import {command} from '../lib/cli/command.js';
import {valueAt} from '../lib/print/values.js';

export const commandsView: ListView = {
  kind: 'list',
  columns: [
    {header: 'command', path: 'command', key: true, text: (row) => String(valueAt(row, 'command')).replace(/^pixelctl /, '')},
    {header: 'does', path: 'summary', stays: true},
  ],
  fields: [
    'command',
    'summary',
    'description',
    'arguments',
    'flags',
    'sends',
    'documented',
    'scopes',
    'token',
    'writes',
    'asks',
    'repeatable',
    'exit_statuses',
    'examples',
  ],
  empty: 'There are no commands.',
};

export default command({
  summary: 'List all commands',
  description:
    'With --json, each command comes with its arguments and flags, the requests it sends, the scopes it needs, whether it writes, asks and can be repeated, and its exit statuses. Nothing is sent.',
  examples: [
    {does: 'List all commands', line: 'commands'},
    {
      does: 'Print the commands that change something on the server',
      line: "commands --jq '.commands[] | select(.writes) | .command'",
    },
  ],
  view: commandsView,
  run: async ({config}) => (await import('../lib/cli/command-list/command-list.js')).listCommands(config),
});
