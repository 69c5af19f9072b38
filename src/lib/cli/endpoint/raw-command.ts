/** What `api` does: sends a request as it is typed. */
import {endpoint} from '../../api/endpoint.js';
import {mayHavePrivate, privateMembers} from '../../api/private.js';
import * as z from 'zod/mini';
import {Accounts} from '../accounts.js';
import {writeOnce} from '../bulk-run.js';
import {connect, type Connection} from '../connection.js';
import {printDryRun} from '../dry-run.js';
import {printLists} from './lists.js';
import {pagingChoice, type PagingChoice} from './pages.js';
import {bodyOf, headersOf, knownErrors, requestTarget} from './raw-request.js';
import {readInputFile} from './request-input.js';
import type {Io} from '../io.js';
import {printAnswer, printingOf, type Printing} from '../printing.js';
import type {GivenFlags, pagingFlags} from '../flags.js';
import {allowWrite} from '../prompts.js';
import type {Session} from '../session.js';
import type {Answer} from '../../client/answer.js';
import {Failure} from '../../client/failure.js';
import type {Request} from '../../client/request.js';

interface RawArgs {
  readonly METHOD?: string | undefined;
  readonly PATH?: string | undefined;
}

interface RawFlags extends GivenFlags<typeof pagingFlags> {
  readonly field?: readonly string[] | undefined;
  readonly 'json-field'?: readonly string[] | undefined;
  readonly file?: readonly string[] | undefined;
  readonly header?: readonly string[] | undefined;
  readonly input?: string | undefined;
  readonly 'show-private'?: boolean | undefined;
}

/** @throws Failure `usage` for what is wrong; that of the request */
export async function sendRaw(args: RawArgs, flags: RawFlags, session: Session): Promise<void> {
  const printing = await printingOf(session);
  const wanted = await wantedRequest(args, flags, session.io);
  const paging = pagingChoice(flags);
  const lone = (['all', 'max', 'resume-from'] as const).find((name) => flags[name] !== undefined);
  if (paging !== undefined && wanted.method !== 'GET') throw new Failure('usage', `--${lone} is for GET`);
  await using connection = await connect(session);
  const request = wanted.on(connection.server);
  const {method, path} = request;
  const hides = flags['show-private'] !== true && mayHavePrivate(path) ? privateMembers : undefined;
  if (session.dryRun) return await printDryRun([request], connection);
  if (paging !== undefined) return await printPages(request, {...printing, hides}, paging, connection);
  if (wanted.isWrite) await allowWrite(connection, `${method} ${path}`, undefined);
  const send = async ({client}: Connection) => ({answer: await client.send(request, z.unknown())});
  const print = async ({answer}: {readonly answer: Answer}) => {
    if (answer.text.trim() === '') return session.note(`Done (${answer.status}); the response is empty.`);
    await printAnswer(answer, [], {view: undefined, printing: {...printing, hides}, connection});
  };
  if (wanted.isWrite) await writeOnce(connection, send, print);
  else await print(await send(connection));
}

/** Prints every page of a list. @throws Failure `bad_answer` for an answer that is no array */
async function printPages(request: Request, printing: Printing, paging: PagingChoice, connection: Connection): Promise<void> {
  const {session} = connection;
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
  let [count, hasLink] = [0, false];
  const printed = ({value, headers}: Answer) => {
    if (Array.isArray(value)) count += value.length;
    hasLink ||= headers['link'] !== undefined;
  };
  const run = {printing, printed, words: ['api'], typed: {args: {}, flags: {}}, endpoint: list, requestOf: async () => request, paging};
  await printLists(Accounts.of(connection), run, session);
  if (!hasLink && count > 0 && count < (paging.most ?? Infinity) && !session.io.isReaderGone)
    session.tellUnlessQuiet(`Showing ${count}; there may be more: the response has no Link header, which names the next page.`);
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The only argument is the path. @throws Failure `usage` */
function typedTarget(first: string | undefined, second: string | undefined): {readonly method: string; readonly path: string} {
  const isMethod = first !== undefined && methods.includes(first.toUpperCase());
  if (first === undefined || (isMethod && second === undefined))
    throw new Failure('usage', 'Missing: PATH', {hint: 'see `pixelctl api --help`'});
  if (second === undefined) return {method: 'GET', path: first};
  if (!isMethod) throw new Failure('usage', `Unknown METHOD ${first}`, {hint: `use one of ${methods.join(', ')}`});
  return {method: first.toUpperCase(), path: second};
}

interface WantedRequest {
  readonly method: string;
  readonly isWrite: boolean;
  /** @throws Failure `usage` for a path that is not on the server */
  readonly on: (server: URL) => Request;
}

async function wantedRequest({METHOD, PATH}: RawArgs, flags: RawFlags, io: Io): Promise<WantedRequest> {
  const {method, path} = typedTarget(METHOD, PATH);
  const {input, field = [], 'json-field': jsonFields = [], file: files = [], header = []} = flags;
  const given = {input: input === undefined ? undefined : await readInputFile(input, io), fields: field, jsonFields, files};
  const {body, fieldQuery} = bodyOf(method, given);
  const headers = headersOf(header);
  const isWrite = method !== 'GET' && method !== 'HEAD';
  return {
    method,
    isWrite,
    on(server) {
      const {query, ...target} = requestTarget(path, server);
      return {
        method,
        path: target.path,
        query: [...query, ...fieldQuery],
        headers,
        ...(body !== undefined && {body}),
        token: 'optional',
        repeat: isWrite ? 'never' : 'harmless',
        isWrite,
        ...knownErrors(method, target.path),
        mayBeEmpty: true,
        secrets: [],
      };
    },
  };
}
