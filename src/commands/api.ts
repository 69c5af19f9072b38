import {Args, Flags} from '@oclif/core';
import {PixelctlCommand} from '../lib/cli/command.js';
import {sendRaw} from '../lib/cli/endpoint/raw-command.js';
import {joinFlags, pagingFlags, repeatable, showPrivateFlags, writeFlags} from '../lib/cli/flags.js';

export default class Api extends PixelctlCommand {
  static override summary = 'Make an API request';
  static override writes = true;
  static override isRepeatable = false;
  static override description = 'Sends a request to an endpoint that has no command. The token is only sent to the server in use.';
  static override details = `Use it for endpoints that have no command. PATH is relative to the configured server, and the token is only sent to that server. Fields go into the query of a GET, otherwise into a JSON body; with --file, into a multipart form. Fields with a name that ends in [] are collected in a list.

With --all or --max, the pages of a list are followed: the answer has to be an array, and the server names the next page in a Link header.

The endpoint decides which scope the token needs. Without a token, the request is sent anonymously.`;
  static override usage = '<%= command.id %> [METHOD] PATH [flags]';
  static override args = {
    // Not required of the parser, because METHOD can be left out before PATH.
    METHOD: Args.string({description: 'GET, POST, PUT, PATCH or DELETE; GET by default', ignoreStdin: true}),
    PATH: Args.string({description: 'path on the server, with an optional query string; the leading slash is optional', ignoreStdin: true}),
  };
  static override flags = joinFlags(
    {
      field: repeatable('add a text field', 'NAME=VALUE'),
      'json-field': repeatable('add a field with a JSON value', 'NAME=JSON'),
      file: repeatable('upload a file', 'NAME=@PATH'),
      header: repeatable('add a request header', 'NAME:VALUE'),
      input: Flags.string({
        description: 'JSON object to send as the body (-: standard input); fields override its members',
        helpValue: 'FILE',
      }),
    },
    pagingFlags,
    showPrivateFlags,
    writeFlags,
  );
  static knownValues = {METHOD: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']};
  static override examples = [
    {description: 'Follow an account', command: '<%= config.bin %> api POST /api/v1/accounts/1029249424190092822/follow'},
    {description: 'Show the account of the token', command: '<%= config.bin %> api /api/v1/accounts/verify_credentials --json'},
    {description: 'Print every page of a list', command: '<%= config.bin %> api /api/v1/mutes --all -o ndjson'},
    {description: 'Pass a query', command: '<%= config.bin %> api /api/v1/notifications --field limit=2 --field types[]=follow'},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.start(Api);
    await sendRaw(args, flags, session);
  }
}
