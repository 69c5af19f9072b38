import type {HttpBindings} from '@hono/node-server';
import type {Context} from 'hono';

/** What goes with a request on its way through the server. */
export interface Environment {
  Bindings: HttpBindings;
  Variables: {
    body: Uint8Array<ArrayBuffer>;
    /** The connection ended without an answer. */
    dropped?: true;
    /** Headers that speak of the rate limit. */
    limits?: Readonly<Record<string, string>>;
  };
}

export type RequestContext = Context<Environment>;

/** An answer with these headers and those that every answer has. */
export function respond(context: RequestContext, status: number, headers: Readonly<Record<string, string>>, text: string): Response {
  return new Response(text, {status, headers: {...context.get('limits'), ...headers}});
}
