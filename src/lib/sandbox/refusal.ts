/** Error answers, and how servers write them. */
import type {ServerFacts} from './generation.js';
import {type JsonStyle, toJson} from '../json/php.js';

type Kind = 'abort' | 'forbidden' | 'invalid' | 'plain' | 'unauthenticated' | 'unknown';

/** An answer that is not a success. How it looks depends on the generation and on what the client accepts. */
export class Refusal extends Error {
  constructor(
    readonly kind: Kind,
    readonly status: number,
    message: string,
    /** The whole body, where it is the same for everybody. */
    readonly body?: Readonly<Record<string, unknown>>,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** No token, or one that is not valid. */
export const refuseToken = (): Refusal => new Refusal('unauthenticated', 401, 'Unauthenticated.');

/** Input that breaks the rules: messages by field, nested fields with dots. */
export function invalid(errors: Readonly<Record<string, readonly string[]>>): Refusal {
  const [first = '', ...rest] = Object.values(errors).flat();
  const more = rest.length === 0 ? '' : ` (and ${rest.length} more error${rest.length === 1 ? '' : 's'})`;
  return new Refusal('invalid', 422, first + more, {message: first + more, errors});
}

/** No such record. Some look-ups name the id, others do not. */
export function refuseUnknown(model: string, id?: string): Refusal {
  return new Refusal('unknown', 404, `No query results for model [App\\${model}]${id === undefined ? '.' : ` ${id}`}`);
}

/** Somebody else's record. */
export const refuseForbidden = (): Refusal => new Refusal('forbidden', 403, 'This action is unauthorized.');

/** A refusal with a status of its own; the text is often empty. */
export function abort(status: number, text = '', headers: Readonly<Record<string, string>> = {}): Refusal {
  return new Refusal('abort', status, text, undefined, headers);
}

/** A body that the endpoint writes itself, whatever the client accepts. */
export const plainRefusal = (status: number, body: Readonly<Record<string, unknown>>): Refusal => new Refusal('plain', status, '', body);

/** An answer ready to be sent. */
interface Rendered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

type WantedAnswer = 'ajax' | 'json' | 'page';

/** What kind of answer the client wants, by the rules of the servers' framework. */
function wantedAnswer(headers: Headers): WantedAnswer {
  const accept = headers.get('accept') ?? '*/*';
  if (/[/+]json/.test(accept.split(',', 1)[0] ?? '')) return 'json';
  return headers.get('x-requested-with') === 'XMLHttpRequest' && accept.startsWith('*/*') ? 'ajax' : 'page';
}

/** Renders a refusal as the generation does. */
export function render(refusal: Refusal, request: Headers, facts: ServerFacts, publicUrl: string): Rendered {
  const wanted = wantedAnswer(request);
  if (refusal.kind === 'plain') return json(refusal, refusal.status, refusal.body);
  if (wanted === 'page' && facts.webPages) return renderPage(refusal, publicUrl);
  if (refusal.kind === 'invalid') return json(refusal, statusOf(refusal, wanted, facts), refusal.body);
  if (wanted === 'json') return json(refusal, statusOf(refusal, wanted, facts), {error: refusal.message});
  const style = refusal.kind === 'unauthenticated' ? {} : {pretty: true, plainSlashes: true};
  return json(refusal, refusal.status, {message: refusal.message}, style);
}

/** The older handler knows no status but that of an abort, and only when the client asks for JSON. */
function statusOf({kind, status}: Refusal, wanted: WantedAnswer, facts: ServerFacts): number {
  return facts.ownStatuses || wanted !== 'json' || kind === 'abort' ? status : 500;
}

function json({headers}: Refusal, status: number, body: unknown, style: JsonStyle = {}): Rendered {
  return {status, headers: {...headers, 'content-type': 'application/json'}, text: toJson(body, style)};
}

function renderPage({kind, status, headers}: Refusal, publicUrl: string): Rendered {
  if (kind === 'unauthenticated') return redirect(`${publicUrl}/login`);
  if (kind === 'invalid') return redirect(publicUrl);
  return {status, headers: {...headers, 'content-type': 'text/html; charset=UTF-8'}, text: errorPage(String(status))};
}

function redirect(location: string): Rendered {
  return {
    status: 302,
    headers: {location, 'content-type': 'text/html; charset=utf-8'},
    text: `<!DOCTYPE html>
<html>
    <head>
        <meta charset="UTF-8" />
        <meta http-equiv="refresh" content="0;url='${location}'" />

        <title>Redirecting to ${location}</title>
    </head>
    <body>
        Redirecting to <a href="${location}">${location}</a>.
    </body>
</html>`,
  };
}

/** A web page in place of JSON. */
export function errorPage(title: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
	<meta charset="utf-8">
	<title>Pixelfed</title>
</head>
<body><h1>${title}</h1></body>
</html>
`;
}
