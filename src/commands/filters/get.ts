import {getFilter} from '../../lib/api/filters.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: getFilter,
  summary: 'Show a filter',
  description: 'Shows the filter with its keywords and their ids, which `filters update` needs.',
  examples: [
    {does: 'Show a filter', line: 'filters get 5'},
    {does: 'Print the ids of its keywords', line: "pixelctl filters get 5 --json | jq '.keywords[] | {id, keyword}'"},
  ],
  arguments: {id: 'ID'},
});
