/** Prints what a write would send (`--dry-run`), without secrets. */
import type {ListView} from '../api/view.js';
import {contentTypeOf} from '../client/media-type.js';
import {redact} from '../client/redact.js';
import {shownPath, target, type FileField, type Request, type RequestBody} from '../client/request.js';
import {singleQuoted} from '../files/command-text.js';
import {parseExact} from '../json/exact.js';
import {inert} from '../print/inert.js';
import {accountItem} from '../print/print.js';
import type {Connection} from './connection.js';
import type {Session} from './session.js';
import type {Result} from './sink.js';

/** JSON with secrets masked in every string. Masked before it is encoded, because escapes could hide them. */
function maskedJson(value: unknown, secrets: readonly string[], indent?: number): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? redact(inner, secrets) : inner), indent);
}

function shownBody(body: RequestBody | undefined): unknown {
  if (body === undefined) return null;
  if ('json' in body) return body.json;
  return Object.fromEntries(body.multipart.map(([name, value]) => [name, typeof value === 'string' ? value : `@${value.file}`]));
}

/** The server of requests, and the variable that stands for their token. */
type Place = Pick<Connection, 'server' | 'session'>;

/** The headers, and their values without secrets. */
function shownHeaders({body, headers, token, secrets}: Request, {session}: Place): [name: string, value: string][] {
  const type = body === undefined ? {} : {'content-type': 'json' in body ? 'application/json' : 'multipart/form-data'};
  const shown = Object.entries({accept: 'application/json', ...headers, ...type}).map(([name, value]): [string, string] => [
    name,
    redact(value, secrets),
  ]);
  return token === 'never' ? shown : [...shown, ['authorization', `Bearer $${session.inUse.tokenVariable ?? 'PIXELCTL_TOKEN'}`]];
}

/** Repeated names such as `types[]` become lists. */
function shownQuery(query: Request['query']): Record<string, string[] | string> {
  const shown: Record<string, string[] | string> = {};
  for (const [name, value] of query) shown[name] = name.endsWith('[]') ? [...(shown[name] ?? []), value] : value;
  return shown;
}

const requestsView: ListView = {kind: 'list', fields: ['method', 'path', 'query', 'headers', 'body'], empty: 'No requests.'};

function forScripts(request: Request, place: Place): unknown {
  const {method, path, query, body, secrets} = request;
  const headers = Object.fromEntries(shownHeaders(request, place));
  const shown = {method, path: redact(shownPath(path), secrets), query: shownQuery(query), headers, body: shownBody(body)};
  return parseExact(maskedJson(shown, secrets), Number.POSITIVE_INFINITY);
}

function forPeople(request: Request, place: Place): string {
  const {method, body, secrets} = request;
  const headers = shownHeaders(request, place).map(([name, value]) => `  ${name}: ${value}`);
  const shown = body === undefined ? [] : ['', ...maskedJson(shownBody(body), secrets, 2).replaceAll(/^/gm, '  ').split('\n')];
  const lines = [`${method} ${place.server.origin}${shownPath(target(request))}`, ...headers, ...shown];
  return lines.map((line) => inert(redact(line, secrets))).join('\n');
}

/** A form field for curl. `--form-string` takes text literally; file names are quoted, because `;` and `,` have a meaning in `--form`. */
function formWords(name: string, value: FileField | string, secrets: readonly string[]): string {
  if (typeof value === 'string') return `--form-string ${singleQuoted(`${name}=${redact(value, secrets)}`)}`;
  const file = value.file.replaceAll(/["\\]/g, String.raw`\$&`);
  return `--form ${singleQuoted(`${name}=@"${file}";type=${contentTypeOf(value.file)}`)}`;
}

function bodyWords(body: RequestBody | undefined, secrets: readonly string[]): string[] {
  if (body === undefined) return [];
  if ('json' in body) return [`--data-raw ${singleQuoted(maskedJson(body.json, secrets))}`];
  return body.multipart.map(([name, value]) => formWords(name, value, secrets));
}

/** A curl command with the token as a shell variable. */
function forShell(request: Request, place: Place): string {
  const {method, body, secrets} = request;
  const headers = shownHeaders(request, place).flatMap(([name, value]) => {
    // curl creates the boundary of a form itself.
    if (name === 'content-type' && body !== undefined && 'multipart' in body) return [];
    // Double quotes, so that the shell expands the token.
    return `--header ${name === 'authorization' ? `"${name}: ${value}"` : singleQuoted(`${name}: ${value}`)}`;
  });
  const address = singleQuoted(place.server.origin + redact(shownPath(target(request)), secrets));
  return [`curl --request ${method} ${address}`, ...headers, ...bodyWords(body, secrets)].join(' \\\n  ');
}

interface AccountRequests {
  /** `ana@pix.example`; absent for one account, which is shown without its name. */
  readonly account?: string | undefined;
  readonly place: Place;
  readonly requests: readonly Request[];
}

/**
 * Prints the requests of accounts: as HTTP requests for people, as curl commands, or as a document with the requests as items.
 * @param nothing what people are told if there is nothing to send
 */
export function dryRunOf(accounts: readonly AccountRequests[], {flags}: Session, nothing = ''): Result {
  if (flags.output === 'curl') return {plain: () => [...requestTexts(accounts, forShell, '')].join('')};
  const items = accounts.flatMap(({account, place, requests}) =>
    requests.map((request) => forScripts(request, place)).map((item) => (account === undefined ? item : accountItem(account, item))),
  );
  return {
    document: {dry_run: true, requests: items},
    at: ['requests'],
    areOfAccounts: accounts.some(({account}) => account !== undefined),
    text: requestTexts(accounts, forPeople, '\n'),
    view: requestsView,
    notes: [{text: nothing || 'Nothing was sent.', to: 'tables'}],
  };
}

function* requestTexts(
  accounts: readonly AccountRequests[],
  textOf: (request: Request, place: Place) => string,
  between: string,
): Generator<string> {
  let before = '';
  for (const {account, place, requests} of accounts) {
    if (account !== undefined && requests.length > 0) {
      yield `${before}# ${inert(account)}\n`;
      before = '';
    }
    for (const request of requests) {
      yield `${before}${textOf(request, place)}\n`;
      before = between;
    }
  }
}

export function dryRun(requests: readonly Request[], connection: Connection): Result {
  return dryRunOf([{place: connection, requests}], connection.session);
}
