import {deleteFilter} from '../../lib/api/filters.js';
import {filterTitles} from '../../lib/cli/endpoint/titles.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: deleteFilter,
  summary: 'Delete filters',
  description: 'Deletes filters with all their keywords. This cannot be undone.',
  examples: [
    {does: 'Delete one filter', line: 'filters delete 5'},
    {does: 'Delete three filters without a confirmation prompt', line: 'filters delete 5 6 7 --yes'},
  ],
  targets: {id: 'ID'},
  question: async (hit, connection) => `Delete ${await filterTitles(hit, connection)}?`,
  sentence: ({path}) => `Deleted filter ${path['id']}.`,
});
