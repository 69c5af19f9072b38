import {deleteFilter} from '../../lib/api/filters.js';
import {filterTitles} from '../../lib/cli/titles.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: deleteFilter,
  summary: 'Delete filters',
  description: 'With all their keywords. Nothing brings a filter back.',
  examples: [
    {does: 'One filter', line: 'filters delete 5'},
    {does: 'Several, without a question', line: 'filters delete 5 6 7 --yes'},
  ],
  arguments: {id: 'ID'},
  targets: {field: 'id'},
  question: async (hit, connection) => `Delete ${await filterTitles(hit, connection)} on ${connection.server.host}?`,
  done: ({path}) => `Deleted filter ${path['id']}.`,
});
