import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {Args, Flags, type Interfaces} from '@oclif/core';
import * as z from 'zod/mini';
import type {Answer} from '../lib/client/answer.js';
import type {Request} from '../lib/client/request.js';
import {shellWord} from '../lib/files/shell-word.js';
import {Failure} from '../lib/client/failure.js';
import {allowWrite} from '../lib/cli/prompts.js';
import {bodyOf, headersOf, knownErrors, requestTarget} from '../lib/cli/endpoint/raw-request.js';
import {connect, type Connection} from '../lib/cli/connection.js';
import type {BatchRequest} from '../lib/cli/endpoint/endpoint-command.js';
import {printDryRun} from '../lib/cli/dry-run.js';
import {repeatable, writeFlags} from '../lib/cli/flags.js';
import type {Io} from '../lib/cli/io.js';
import {readInputFile} from '../lib/cli/endpoint/request-input.js';
import {PixelctlCommand} from '../lib/cli/command.js';
import {writeOnce} from '../lib/cli/bulk-run.js';
import {printAnswer, printingOf, printResult, withoutTables} from '../lib/cli/printing.js';
import type {Session} from '../lib/cli/session.js';

export default class Api extends PixelctlCommand {
  static override summary = 'Make an API request';
  static override description = `Use it for endpoints that have no command. PATH is relative to the configured server, and the token is only sent to that server. Fields go into the query of a GET, otherwise into a JSON body; with --file, into a multipart form. Fields with a name that ends in [] are collected in a list.

The endpoint decides which scope the token needs. Without a token, the request is sent without one.

--spec sends nothing: it prints the endpoints that pixelctl knows, as an OpenAPI document.`;
  static override usage = '<%= command.id %> METHOD PATH [flags]';
  static override args = {
    // Not required of the parser, because --spec needs neither.
    METHOD: Args.string({description: 'GET, POST, PUT, PATCH or DELETE', ignoreStdin: true}),
    PATH: Args.string({description: 'path on the server, with an optional query string', ignoreStdin: true}),
  };
  static override flags = {
    field: repeatable('add a text field', 'NAME=VALUE'),
    'json-field': repeatable('add a field with a JSON value', 'NAME=JSON'),
    file: repeatable('upload a file', 'NAME=@PATH'),
    header: repeatable('add a request header', 'NAME:VALUE'),
    input: Flags.string({
      description: 'JSON object to send as the body (-: standard input); fields override its members',
      helpValue: 'FILE',
    }),
    spec: Flags.boolean({description: 'print the OpenAPI document of the endpoints instead'}),
    ...writeFlags,
  };
  static knownValues = {METHOD: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']};
  static override examples = [
    {description: 'Follow an account', command: '<%= config.bin %> api POST /api/v1/accounts/1029249424190092822/follow'},
    {description: 'Show the account of the token', command: '<%= config.bin %> api GET /api/v1/accounts/verify_credentials --json'},
    {description: 'List the endpoints', command: "<%= config.bin %> api --spec --jq '.paths | keys[]'"},
    {description: 'Pass a query', command: '<%= config.bin %> api GET /api/v1/notifications --field limit=2 --field types[]=follow'},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.start(Api);
    if (flags.spec) return await printSpec(args, this.config.root, session);
    const printing = await printingOf(session);
    const wanted = await wantedRequest(args, flags, session.io);
    await using connection = await connect(session);
    const request = wanted.on(connection.server);
    const {method, path} = request;
    if (session.dryRun) return await printDryRun([request], connection);
    if (wanted.isWrite) await allowWrite(connection, `${method} ${path}`, undefined);
    const send = async ({client}: Connection) => ({answer: await client.send(request, z.unknown())});
    const print = async ({answer}: {readonly answer: Answer}) => {
      if (answer.text.trim() === '') return session.note(`Done (${answer.status}); the response is empty.`);
      await printAnswer(answer, [], {view: undefined, printing, connection});
    };
    if (wanted.isWrite) await writeOnce(connection, send, print);
    else await print(await send(connection));
  }

  /** What was typed as a part of a batch. @throws Failure `usage` for what is wrong */
  async batchRequests(): Promise<BatchRequest[]> {
    try {
      const {args, flags} = await this.typed(Api);
      const {isWrite, target, on} = await wantedRequest(args, flags, this.io);
      return [
        {
          isWrite,
          input: JSON.stringify([this.words, {args, flags}]),
          secrets: [],
          check: async ({server}) => void on(server),
          requests: async ({server}) => [on(server)],
          step: ({client, server}) => {
            const request = on(server);
            return {target, repeat: request.repeat, isRead: !isWrite, run: () => client.send(request, z.unknown())};
          },
        },
      ];
    } catch (error) {
      throw await this.failureOf(error);
    }
  }
}

/** @param root the folder of the program */
async function printSpec({METHOD}: Interfaces.InferredArgs<typeof Api.args>, root: string, session: Session): Promise<void> {
  if (METHOD !== undefined) throw new Failure('usage', '--spec cannot be used with METHOD');
  const printing = await printingOf(session);
  const text = await readFile(join(root, 'docs/reference/openapi.json'), 'utf8');
  await printResult({document: text, at: []}, session, withoutTables(printing));
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface WantedRequest {
  readonly isWrite: boolean;
  /** Method and path, as they were typed. */
  readonly target: string;
  /** @throws Failure `usage` for a path that is not on the server */
  readonly on: (server: URL) => Request;
}

async function wantedRequest(
  {METHOD, PATH}: Interfaces.InferredArgs<typeof Api.args>,
  flags: Partial<Interfaces.InferredFlags<typeof Api.flags>>,
  io: Io,
): Promise<WantedRequest> {
  if (METHOD?.startsWith('/') && PATH === undefined) {
    throw new Failure('usage', 'Missing: METHOD', {hint: `put it before the path: \`pixelctl api GET ${shellWord(METHOD)}\``});
  }
  if (METHOD === undefined || PATH === undefined) {
    const missing = METHOD === undefined ? 'METHOD, PATH' : 'PATH';
    throw new Failure('usage', `Missing: ${missing}`, {hint: 'see `pixelctl api --help`'});
  }
  const method = METHOD.toUpperCase();
  if (!methods.includes(method)) throw new Failure('usage', `Unknown METHOD ${METHOD}`, {hint: `use one of ${methods.join(', ')}`});
  const {input, field = [], 'json-field': jsonFields = [], file: files = [], header = []} = flags;
  const given = {input: input === undefined ? undefined : await readInputFile(input, io), fields: field, jsonFields, files};
  const {body, fieldQuery} = bodyOf(method, given);
  const headers = headersOf(header);
  const isWrite = method !== 'GET' && method !== 'HEAD';
  return {
    isWrite,
    target: `${method} ${PATH}`,
    on(server) {
      const {path, query} = requestTarget(PATH, server);
      return {
        method,
        path,
        query: [...query, ...fieldQuery],
        headers,
        ...(body !== undefined && {body}),
        token: 'optional',
        repeat: isWrite ? 'never' : 'harmless',
        isWrite,
        ...knownErrors(method, path),
        mayBeEmpty: true,
        secrets: [],
      };
    },
  };
}
