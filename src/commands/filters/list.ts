import {listFilters} from '../../lib/api/filters.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listFilters,
  summary: 'List filters',
  description: 'The filter that was updated last comes first. Expired filters are not listed.',
  examples: [
    {does: 'List filters', line: 'filters list'},
    {does: 'Print the titles', line: "pixelctl filters list --json | jq -r '.[].title'"},
  ],
});
