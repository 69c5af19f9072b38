/** The command `api`, which sends a request as it is typed. */
import {Flags} from '@oclif/core';
import * as z from 'zod/mini';
import {endpoint} from '../../api/endpoint.js';
import {endpoints} from '../../api/endpoints.js';
import {mayHavePrivate, plainPath, privateMembers} from '../../api/private.js';
import type {Answer} from '../../client/answer.js';
import {Failure} from '../../client/failure.js';
import {decodePercent, queryPairs, type Request, type RequestBody} from '../../client/request.js';
import {itemsAt} from '../../json/path.js';
import {shorten} from '../../json/text.js';
import {readAccounts, type ReadAccount} from '../account-driver.js';
import type {CommandRun} from '../command.js';
import {connect, type Connection} from '../connection.js';
import {dryRun} from '../dry-run.js';
import {
  accountsFlags,
  areSeveral,
  type FlagsOf,
  joinFlags,
  namedProfiles,
  pagingFlags,
  repeatable,
  sendFlags,
  showPrivateFlags,
} from '../flags.js';
import {allowWrites} from '../prompts.js';
import {sendWrite} from '../runner.js';
import {warnOfAnswer, type Result} from '../sink.js';
import {parseInput, readInputFile} from './input-file.js';
import {pagingChoice, readList, type PagingChoice} from './lists.js';

type Pairs = readonly (readonly [name: string, value: string])[];

/**
 * Path and query under the server's own origin.
 * @throws Failure `usage` for a path that leads elsewhere
 */
export function requestTarget(path: string, server: URL): {path: string; query: Pairs} {
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(path);
  const text = isUrl || path.startsWith('/') ? path : `/${path}`;
  const url = URL.parse(text, server);
  if (url === null || url.origin !== server.origin || text.startsWith('//')) {
    throw new Failure('usage', `PATH is not on ${server.host}: the token is only sent to that server`, {
      hint: 'use a path such as /api/v1/instance, or another --server',
    });
  }
  return {path: url.pathname, query: [...url.searchParams]};
}

/** What the record of the endpoint says about errors. If there is none, a missing route gets a hint to check the path. */
export function knownErrors(method: string, path: string): Pick<Request, 'errors'> {
  for (const endpoint of endpoints) {
    const {errors: own} = endpoint;
    if (endpoint.method !== method) continue;
    const template = endpoint.path.replaceAll('.', '[.]').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const found = new RegExp(`^${template}$`, 'i').exec(plainPath(path));
    if (found === null) continue;
    if (own === undefined) return {};
    const fields = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decodePercent(text)] as const);
    return {errors: {own, path: Object.fromEntries(fields)}};
  }
  return {
    errors: {own: {hints: [{on: 'unknown_route', hint: 'check the path: the server has no such route'}]}, path: undefined},
  };
}

/** Splits `NAME=VALUE` at the first sign. */
function pair(text: string, flag: string, sign: string): [name: string, value: string] {
  const at = text.indexOf(sign);
  if (at < 1) throw new Failure('usage', `--${flag} takes NAME${sign}VALUE`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function jsonValue(text: string): unknown {
  const [name, value] = pair(text, 'json-field', '=');
  return parseInput(value, `--json-field ${shorten(name)}`, 'use --field for plain text');
}

/** Makes an object of fields. Those whose names end in `[]` become lists. */
function collectFields(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const list = name.endsWith('[]') ? name.slice(0, -2) : undefined;
    if (list === undefined) body[name] = value;
    else body[list] = [...(itemsAt(body[list], []) ?? []), value];
  }
  return body;
}

interface GivenRequest {
  readonly input: Readonly<Record<string, unknown>> | undefined;
  readonly fields: readonly string[];
  readonly jsonFields: readonly string[];
  readonly files: readonly string[];
}

const noBody = 'to send a body, name a method such as POST before the path';

/** Puts the fields into the query of a GET, into a multipart form with files, otherwise into a JSON body. */
export function bodyOf(method: string, {input, fields, jsonFields, files}: GivenRequest): {body?: RequestBody; fieldQuery: Pairs} {
  const texts = fields.map((text) => pair(text, 'field', '='));
  const values = jsonFields.map((text): [string, unknown] => [pair(text, 'json-field', '=')[0], jsonValue(text)]);
  if (files.length > 0) {
    if (method === 'GET' || method === 'HEAD') throw new Failure('usage', `--file cannot be used with ${method}`, {hint: noBody});
    if (input !== undefined || values.length > 0) {
      throw new Failure('usage', '--file sends a form: use --field with it, not --input or --json-field');
    }
    const uploads = files.map((text): [string, {file: string}] => {
      const [name, path] = pair(text, 'file', '=');
      return [name, {file: path.replace(/^@/, '')}];
    });
    return {body: {multipart: [...texts, ...uploads]}, fieldQuery: []};
  }
  const all = collectFields([...texts, ...values]);
  if (method === 'GET' || method === 'HEAD') {
    if (input !== undefined) throw new Failure('usage', `--input cannot be used with ${method}`, {hint: `use --field; ${noBody}`});
    return {fieldQuery: queryPairs(all)};
  }
  const body = {...input, ...all};
  return Object.keys(body).length === 0 && input === undefined ? {fieldQuery: []} : {body: {json: body}, fieldQuery: []};
}

/** Headers that the client sets itself, or that would carry a secret on the command line. */
const reserved = /^(authorization|proxy-authorization|cookie|host|content-length|content-type|transfer-encoding|connection)$/;

export function headersOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [name, value] = pair(text, 'header', ':');
      const key = name.trim().toLowerCase();
      // Otherwise invalid characters would be reported as a lost connection.
      if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(key) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
        throw new Failure('usage', '--header takes NAME:VALUE');
      }
      if (reserved.test(key)) {
        throw new Failure('usage', `--header cannot set ${key}`, {
          hint: key === 'authorization' ? 'the token comes from PIXELCTL_TOKEN or a profile' : undefined,
        });
      }
      return [key, value.trim()];
    }),
  );
}

interface RawArgs {
  readonly METHOD?: string | undefined;
  readonly PATH?: string | undefined;
}

const ownFlags = {
  field: repeatable('add a text field', 'NAME=VALUE'),
  'json-field': repeatable('add a field with a JSON value', 'NAME=JSON'),
  file: repeatable('upload a file', 'NAME=@PATH'),
  header: repeatable('add a request header', 'NAME:VALUE'),
  input: Flags.string({
    description: 'JSON object to send as the body (-: standard input); fields override its members',
    helpValue: 'FILE',
  }),
};

export const rawFlags = joinFlags(ownFlags, accountsFlags, pagingFlags, showPrivateFlags, sendFlags);

type RawFlags = FlagsOf<typeof rawFlags>;

/** @throws Failure `usage` for wrong arguments, and for a write with several profiles; or the failure of the request */
export async function sendRaw(run: CommandRun<RawArgs, RawFlags>): Promise<Result> {
  const {args, flags, session, opened} = run;
  const {method, path} = typedTarget(args);
  const {field: fields = [], 'json-field': jsonFields = [], file: files = [], header = []} = flags;
  const input = flags.input === undefined ? undefined : await readInputFile(flags.input, session.io);
  const {fieldQuery, ...content} = bodyOf(method, {input, fields, jsonFields, files});
  const headers = headersOf(header);
  const paging = pagingChoice(flags);
  const lone = (['all', 'max', 'resume-from'] as const).find((name) => flags[name] !== undefined);
  if (paging !== undefined && method !== 'GET') throw new Failure('usage', `--${lone} is for GET`);
  const isWrite = method !== 'GET' && method !== 'HEAD';
  function requestTo(server: URL): Request {
    const {query, ...target} = requestTarget(path, server);
    return {
      method,
      path: target.path,
      query: [...query, ...fieldQuery],
      headers,
      ...content,
      token: 'optional',
      repeat: isWrite ? 'never' : 'harmless',
      isWrite,
      ...knownErrors(method, target.path),
      mayBeEmpty: true,
      hintWithoutList: lone && `leave out --${lone}`,
      secrets: [],
    };
  }
  const isShown = flags['show-private'] === true || !mayHavePrivate(URL.parse(path, 'https://any')?.pathname ?? path);
  const shape = {hides: isShown ? undefined : privateMembers};
  const send = async ({client, server}: Connection) => client.send(requestTo(server), z.unknown());
  const read: ReadAccount = async (connection, stop) => {
    if (paging !== undefined) return readPages(requestTo(connection.server), paging, connection, stop);
    return resultOf(await send(connection), connection);
  };
  if (!isWrite && !session.dryRun) return readAccounts(run, read, shape);
  if (areSeveral(flags)) {
    const names = namedProfiles(flags).join() || '--all-profiles';
    throw new Failure('usage', `${isWrite ? method : '--dry-run'} takes one profile, not several: ${names}`);
  }
  const connection = opened.use(await connect(session));
  const request = requestTo(connection.server);
  if (session.dryRun) return dryRun([request], connection);
  await allowWrites([connection], `${method} ${request.path}`, undefined, session);
  const answer = await sendWrite(connection, send);
  return {...shape, ...resultOf(answer, connection), carriedOut: answer.exact ?? null};
}

function resultOf(answer: Answer, {server, session}: Connection): Result {
  if (answer.text.trim() === '') return {notes: [`Done (${answer.status}); the response is empty.`]};
  warnOfAnswer(answer, server.host, session);
  return {answer, at: []};
}

/** Every page of a list. @throws Failure `bad_answer` for an answer that is no array */
function readPages(request: Request, paging: PagingChoice, connection: Connection, stop: () => AbortSignal): Promise<Result> {
  const {path} = request;
  const list = endpoint({
    name: path,
    section: null,
    method: 'GET',
    path,
    scope: null,
    rows: [],
    paging: {by: 'link'},
    output: () => z.array(z.unknown()),
  });
  return readList({endpoint: list, request, paging}, connection, stop);
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A single argument is the path. @throws Failure `usage` */
function typedTarget({METHOD: first, PATH: second}: RawArgs): {readonly method: string; readonly path: string} {
  const isMethod = first !== undefined && methods.includes(first.toUpperCase());
  if (first === undefined || (isMethod && second === undefined))
    throw new Failure('usage', 'Missing: PATH', {hint: 'see `pixelctl api --help`'});
  if (second === undefined) return {method: 'GET', path: first};
  if (!isMethod) throw new Failure('usage', `Unknown METHOD ${first}`, {hint: `use one of ${methods.join(', ')}`});
  return {method: first.toUpperCase(), path: second};
}
