import {listFilters} from '../../lib/api/filters.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: listFilters,
  summary: 'List your filters',
  description: 'The one updated last comes first; what has expired is left out.',
  examples: [
    {does: 'For people', line: 'filters list'},
    {does: 'Their titles, with jq', line: "pixelctl filters list --json | jq -r '.[].title'"},
  ],
});
