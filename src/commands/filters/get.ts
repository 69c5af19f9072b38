import {getFilter} from '../../lib/api/filters.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: getFilter,
  summary: 'Show one filter',
  description: 'With its keywords and their ids, which `filters update` wants.',
  examples: [
    {does: 'For people', line: 'filters get 5'},
    {does: 'The ids of its keywords, with jq', line: "pixelctl filters get 5 --json | jq '.keywords[] | {id, keyword}'"},
  ],
  arguments: {id: 'ID'},
});
