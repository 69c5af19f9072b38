import {lookUpRecipients} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: lookUpRecipients,
  summary: 'Look up whom you can write to',
  description: 'Part of a user name, of 2 to 50 characters, finds at most eight accounts; `@user@host` asks the other server.',
  examples: [
    {does: 'By a part of the name', line: 'dm lookup bo'},
    {does: 'On another server', line: 'dm lookup @ana@remote.example'},
    {does: "In the service's own schema", line: 'dm lookup bo --native --json'},
  ],
  arguments: {q: 'QUERY'},
  flags: {_pe: 'native'},
});
