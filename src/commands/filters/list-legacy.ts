import {listLegacyFilters} from '../../lib/api/filters.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listLegacyFilters,
  summary: 'List filters of API version 1',
  description: 'Current servers always return an empty list here. Use `filters list` instead.',
  examples: [
    {does: 'List filters', line: 'filters list-legacy'},
    {does: 'Print raw JSON', line: 'filters list-legacy --json'},
  ],
});
