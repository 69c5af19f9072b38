import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {recipientLookup} from '../../lib/operations/messages.js';

export default endpointCommand({
  endpoint: recipientLookup,
  summary: 'Find accounts to write to',
  description:
    'Finds at most eight accounts by a part of the user name (2 to 50 characters). `@user@host`, or the address of a profile, is looked up on the other server.',
  examples: [
    {does: 'Find accounts by a part of the name', line: 'dm lookup bo'},
    {does: 'Find an account on another server', line: 'dm lookup @ana@remote.example'},
  ],
  arguments: {q: 'QUERY'},
  flags: {_pe: 'native'},
});
