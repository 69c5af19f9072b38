import {toJson} from '../json/php.js';

type Kind = 'abort' | 'forbidden' | 'invalid' | 'plain' | 'unauthenticated' | 'unknown';

/** An error answer. Its form depends on the release of the server and on what the client accepts. */
export class Refusal extends Error {
  constructor(
    readonly kind: Kind,
    readonly status: number,
    message: string,
    /** The whole body, where it does not depend on the client. */
    readonly body?: Readonly<Record<string, unknown>>,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Refuses input that breaks the rules. @param errors messages by field; names of nested fields have dots */
export function invalid(errors: Readonly<Record<string, readonly string[]>>): Refusal {
  const [first = '', ...rest] = Object.values(errors).flat();
  const more = rest.length === 0 ? '' : ` (and ${rest.length} more error${rest.length === 1 ? '' : 's'})`;
  return new Refusal('invalid', 422, first + more, {message: first + more, errors});
}

/** Refuses an id that does not exist. Some look-ups name it, others do not. */
export function refuseUnknown(model: string, id?: string): Refusal {
  return new Refusal('unknown', 404, `No query results for model [App\\${model}]${id === undefined ? '.' : ` ${id}`}`);
}

/** A refusal with any status. The text is often empty. */
export function abort(status: number, text = '', headers: Readonly<Record<string, string>> = {}): Refusal {
  return new Refusal('abort', status, text, undefined, headers);
}

/** A refusal whose body the endpoint writes itself, whatever the client accepts. */
export const plainRefusal = (status: number, body: Readonly<Record<string, unknown>>): Refusal => new Refusal('plain', status, '', body);

interface Server {
  readonly facts: {readonly is2026: boolean};
  readonly publicUrl: string;
}

export function render({kind, status, headers, message, body}: Refusal, request: Headers, {facts, publicUrl}: Server): Response {
  const {is2026} = facts;
  if (kind === 'plain') return jsonAnswer(body, status);
  // What kind of answer the client wants, by the rules of the servers' framework.
  const accept = request.get('accept') ?? '*/*';
  const wantsJson = /[/+]json/.test(accept.split(',', 1)[0] ?? '');
  const isAjax = request.get('x-requested-with') === 'XMLHttpRequest' && accept.startsWith('*/*');
  if (!wantsJson && !isAjax && !is2026) {
    if (kind === 'unauthenticated') return redirect(`${publicUrl}/login`);
    return kind === 'invalid' ? redirect(publicUrl) : pageAnswer(errorPage(String(status)), status, headers);
  }
  // To a client that asks for JSON, older servers answer 500 unless the refusal is an abort.
  const known = is2026 || !wantsJson || kind === 'abort' ? status : 500;
  return jsonAnswer(body ?? (wantsJson ? {error: message} : {message}), known, headers);
}

type AnswerHeaders = Readonly<Record<string, string>>;

export const jsonAnswer = (body: unknown, status = 200, headers: AnswerHeaders = {}): Response =>
  new Response(toJson(body, {plainSlashes: true}), {status, headers: {...headers, 'content-type': 'application/json'}});

export const pageAnswer = (page: string, status = 200, headers: AnswerHeaders = {}): Response =>
  new Response(page, {status, headers: {...headers, 'content-type': 'text/html; charset=UTF-8'}});

const redirect = (location: string): Response =>
  pageAnswer(errorPage(`Redirecting to ${location}`, `<meta http-equiv="refresh" content="0;url='${location}'">`), 302, {location});

export const errorPage = (title: string, head = ''): string =>
  `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">${head}<title>Pixelfed</title></head><body><h1>${title}</h1></body></html>\n`;
