/** Short ways to ask a sandbox things. */
import {onTestFinished} from 'vitest';
import {startSandbox, type Sandbox, type SandboxOptions} from '../../sandbox/start.js';

/** A sandbox that closes by itself after the test. */
export async function sandboxWith(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests look into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface Asking {
  readonly token?: string | null;
  readonly json?: unknown;
  readonly form?: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request, as the seed's own account unless another token is given. */
export async function ask(sandbox: Sandbox, line: string, {token, json, form, headers}: Asking = {}): Promise<Asked> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const bearer = token === undefined ? sandbox.tokens.all : token;
  const response = await fetch(sandbox.url + path, {
    method,
    redirect: 'manual',
    body: json === undefined ? (form ?? null) : JSON.stringify(json),
    headers: {
      accept: 'application/json',
      ...(json !== undefined && {'content-type': 'application/json'}),
      ...(typeof form === 'string' && {'content-type': 'application/x-www-form-urlencoded'}),
      ...(bearer !== null && {authorization: `Bearer ${bearer}`}),
      ...headers,
    },
  });
  const text = await response.text();
  const body = /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined;
  return {status: response.status, headers: response.headers, text, body};
}

/** The address of one rel in a `Link` header, as path and query. */
export function linked({headers}: Asked, rel: 'next' | 'prev'): string | null {
  const url = new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1];
  if (url === undefined) return null;
  const {pathname, search} = new URL(url);
  return pathname + search;
}

/** The id of an account by what it is called in the seed. */
export async function idOf(sandbox: Sandbox, name: string): Promise<string> {
  const {body} = await ask(sandbox, 'POST /api/v1.1/direct/lookup', {json: {q: name}});
  return body[0].id;
}
