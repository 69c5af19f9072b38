import type {Fields} from './fields.js';

type Kind = 'abort' | 'forbidden' | 'invalid' | 'plain' | 'unauthenticated' | 'unknown';

/** An answer that is not a success. How it looks depends on the generation and on what the client accepts. */
export class Refusal extends Error {
  constructor(
    readonly kind: Kind,
    readonly status: number,
    message: string,
    /** The whole body, where it is the same for everybody. */
    readonly body?: Fields,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** No token, or one that is not valid. */
export const unauthenticated = (): Refusal => new Refusal('unauthenticated', 401, 'Unauthenticated.');

/** Input that breaks the rules: messages by field, nested fields with dots. */
export function invalid(errors: Readonly<Record<string, readonly string[]>>): Refusal {
  const [first = '', ...rest] = Object.values(errors).flat();
  const more = rest.length === 0 ? '' : ` (and ${rest.length} more error${rest.length === 1 ? '' : 's'})`;
  return new Refusal('invalid', 422, first + more, {message: first + more, errors});
}

/** No such record. Some look-ups name the id, others do not. */
export function unknown(model: string, id?: string): Refusal {
  return new Refusal('unknown', 404, `No query results for model [App\\${model}]${id === undefined ? '.' : ` ${id}`}`);
}

/** Somebody else's record. */
export const forbidden = (): Refusal => new Refusal('forbidden', 403, 'This action is unauthorized.');

/** A refusal with a status of its own; the text is often empty. */
export function abort(status: number, text = '', headers: Readonly<Record<string, string>> = {}): Refusal {
  return new Refusal('abort', status, text, undefined, headers);
}

/** A body that the endpoint writes itself, whatever the client accepts. */
export const plain = (status: number, body: Fields): Refusal => new Refusal('plain', status, '', body);
