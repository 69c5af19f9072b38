import {Args} from '@oclif/core';
import {command} from '../lib/cli/command.js';
import {rawFlags, sendRaw} from '../lib/cli/endpoint/raw-command.js';

export default command({
  summary: 'Make an API request',
  writes: true,
  isRepeatable: false,
  description: 'Sends a request to an endpoint that has no command. The token is only sent to the server in use.',
  details: `Use it for endpoints that have no command. PATH is relative to the configured server, and the token is only sent to that server. Fields go into the query of a GET, otherwise into a JSON body; with --file, into a multipart form. Fields with a name that ends in [] are collected in a list.

With several profiles, a GET is sent as each of them. With --all or --max, the pages of a list are followed: the answer has to be an array, and the server names the next page in a Link header.

The endpoint decides which scope the token needs. Without a token, the request is sent anonymously.`,
  usage: '[METHOD] PATH',
  args: {
    // oclif must require neither, because METHOD can be left out before PATH.
    METHOD: Args.string({description: 'GET, POST, PUT, PATCH or DELETE; GET by default'}),
    PATH: Args.string({description: 'path on the server, with an optional query string; the leading slash is optional'}),
  },
  flags: rawFlags,
  knownValues: {METHOD: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']},
  examples: [
    {does: 'Follow an account', line: 'api POST /api/v1/accounts/1029249424190092822/follow'},
    {does: 'Print every page of a list', line: 'api /api/v1/mutes --all -o ndjson'},
    {does: 'Pass a query', line: 'api /api/v1/notifications --field limit=2 --field types[]=follow'},
  ],
  run: sendRaw,
});
