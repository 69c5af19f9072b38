/** The command `api`, which sends a request as it is typed. */
import {endpoint} from '../../api/endpoint.js';
import {mayHavePrivate, privateMembers} from '../../api/private.js';
import * as z from 'zod/mini';
import type {CommandRun} from '../command.js';
import {connect, type Connection} from '../connection.js';
import {dryRun} from '../dry-run.js';
import {pagingChoice, readList, type PagingChoice} from './lists.js';
import {bodyOf, headersOf, knownErrors, requestTarget} from './raw-request.js';
import {readInputFile} from './input-file.js';
import {warnOfAnswer, type Items, type Result} from '../sink.js';
import type {GivenFlags, pagingFlags} from '../flags.js';
import {allowWrite} from '../prompts.js';
import {sendWrite} from '../runner.js';
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

/** @throws Failure `usage` for wrong arguments, or the failure of the request */
export async function sendRaw({args, flags, session, opened, stop}: CommandRun<RawArgs, RawFlags>): Promise<Result> {
  const {method, path} = typedTarget(args);
  const {field: fields = [], 'json-field': jsonFields = [], file: files = [], header = []} = flags;
  const input = flags.input === undefined ? undefined : await readInputFile(flags.input, session.io);
  const {fieldQuery, ...content} = bodyOf(method, {input, fields, jsonFields, files});
  const headers = headersOf(header);
  const paging = pagingChoice(flags);
  const lone = (['all', 'max', 'resume-from'] as const).find((name) => flags[name] !== undefined);
  if (paging !== undefined && method !== 'GET') throw new Failure('usage', `--${lone} is for GET`);
  const connection = opened.use(await connect(session));
  const {query, ...target} = requestTarget(path, connection.server);
  const isWrite = method !== 'GET' && method !== 'HEAD';
  const request: Request = {
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
    secrets: [],
  };
  const hides = flags['show-private'] !== true && mayHavePrivate(target.path) ? privateMembers : undefined;
  if (session.dryRun) return dryRun([request], connection);
  if (paging !== undefined) return {...(await readPages(request, paging, connection, stop)), hides};
  if (isWrite) await allowWrite(connection, `${method} ${target.path}`, undefined);
  const send = async ({client}: Connection) => client.send(request, z.unknown());
  const answer = await (isWrite ? sendWrite(connection, send) : send(connection));
  const carriedOut = isWrite ? (answer.exact ?? null) : undefined;
  if (answer.text.trim() === '') return {notes: [`Done (${answer.status}); the response is empty.`], carriedOut};
  warnOfAnswer(answer, connection);
  return {answer, at: [], hides, carriedOut};
}

/** Every page of a list. @throws Failure `bad_answer` for an answer that is no array */
async function readPages(request: Request, paging: PagingChoice, connection: Connection, stop: () => AbortSignal): Promise<Result> {
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
  const receiveAnswer = ({value, headers}: Answer) => {
    if (Array.isArray(value)) count += value.length;
    hasLink ||= headers['link'] !== undefined;
  };
  const source = {endpoint: list, request, paging, received: receiveAnswer};
  const {items, ...result} = await readList(source, connection, stop);
  async function* noting(all: Items): Items {
    const ending = yield* all;
    if (hasLink || count === 0 || count >= (paging.most ?? Infinity) || ending?.failure !== undefined) return ending;
    const text = `Showing ${count}; there may be more: the response has no Link header, which names the next page.`;
    return {...ending, notes: [...(ending?.notes ?? []), {text, to: 'all'}]};
  }
  return {...result, items: items && noting(items)};
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
