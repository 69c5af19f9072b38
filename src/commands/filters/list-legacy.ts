import {listLegacyFilters} from '../../lib/api/filters.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: listLegacyFilters,
  summary: 'List the filters of the first version of the API',
  description: 'Real servers always answer with an empty list here, whatever filters there are: use `filters list`.',
  examples: [
    {does: 'For people', line: 'filters list-legacy'},
    {does: 'As raw JSON', line: 'filters list-legacy --json'},
  ],
});
