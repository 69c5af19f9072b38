/** Sends a request, retries where that is safe, and reads the response. */
import * as z from 'zod/mini';
import type {Endpoint, Fields, Input} from '../api/endpoint.js';
import {
  failureOf,
  failureOfNetwork,
  failureOfCrash,
  failureOfLater,
  failureOfNoTurn,
  readAnswer,
  type Answer,
  type Asking,
} from './answer.js';
import {NetworkError} from './network-error.js';
import {requestFor, target, type Request} from './request.js';
import {Failure} from './failure.js';
import {Gate, NoTurn, type GateSetting, type GateState, type Pause} from './gate.js';
import {mask, redact} from './redact.js';
import {mayHavePrivate, privateMembers} from '../api/private.js';
import {mayHaveMembers, parseExact, withMembers} from '../json/exact.js';
import {countNoun, isJson} from '../json/text.js';
import {followRedirects, redirectOf} from './redirects.js';
import {createTransport, type Incoming, type Outgoing} from './transport.js';
import {backOff, resending, systemClock, type Resending, type Tries} from './retry.js';

/** What is sent and received, with secrets masked; for `--verbose`. */
export type WireEvent =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly milliseconds: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
    }
  | {readonly kind: 'broken'; readonly message: string}
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly target: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | {readonly kind: 'wait'; readonly milliseconds: number; readonly why: string};

export interface Wait {
  readonly host: string;
  readonly for: Pause | {readonly method: string; readonly path: string};
}

export interface ClientOptions extends GateSetting {
  /** Only its origin is used. Requests and the token go nowhere else. */
  readonly server: URL;
  /** Called when a request needs the token, and again with a token that the server refused: if it then gives another one, that is tried. */
  readonly token?: ((refused?: string) => Promise<string | undefined>) | undefined;
  /** Milliseconds from sending to the end of the response; for uploads, of a time without progress. Default: 30,000. */
  readonly timeout?: number | undefined;
  /** How often a request that is safe to repeat is tried again, apart from rate limits. Default: 3. */
  readonly retries?: number | undefined;
  /** Milliseconds that all waits for the server's rate limits may take together. Default: 120,000. */
  readonly maxWait?: number | undefined;
  /** Whether a token is known to lack a scope. Called where a server answers admins only, and may not say what is missing. */
  readonly lacks?: ((scope: string, token: string) => boolean) | undefined;
  readonly strict?: boolean | undefined;
  readonly userAgent?: string | undefined;
  readonly observe?: ((event: WireEvent) => void) | undefined;
  /** Called when something is waited for. @returns a function that is called when the wait is over */
  readonly waiting?: ((wait: Wait) => () => void) | undefined;
  /** Called with what people should know, before the request that it is about is sent. */
  readonly warn?: ((text: string) => void) | undefined;
  /**
   * Finds the answer where a server fails to give it, for requests of records with `hasStandIn`.
   * @returns undefined where it finds none: the request then fails as it did
   * @throws Failure in place of the server's failure
   */
  readonly standIn?: ((request: Request, failure: Failure, client: Client) => Promise<Incoming | undefined>) | undefined;
}

/**
 * The client that pixelctl uses. Servers may send anything inside a response whose top-level shape is right, so the values of
 * answers have no type here; read them with the checked readers of `json/path.ts`.
 */
export interface Client {
  readonly host: string;
  /** The URL that the client was made with. Clients made with the same object share what is known about the server. */
  readonly server: URL;
  /** @throws Failure */
  call<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Answer>;
  /** @throws Failure */
  send(request: Request, schema: z.ZodMiniType): Promise<Answer>;
  readonly pace: GateState;
  /**
   * Waits for a turn and reserves it for the next request, so that what prepares this request can be done just before it.
   * @returns a function that releases the turn if nothing was sent
   * @throws Failure `interrupted`, `rate_limited`
   */
  keepTurn(): Promise<() => void>;
  /** Waits, unless that exceeds the maximum wait. @returns whether it waited @throws Failure `interrupted` */
  wait(milliseconds: number): Promise<boolean>;
  warn(text: string): void;
  /** Drops requests under way, and ends all waits. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** For scripts: values are typed as documented. With `strict` they match their type; else `mismatches` lists where they do not. */
export interface TypedClient extends Client {
  call<Path extends Fields, Query extends Fields, Body extends Fields, Shape extends z.ZodMiniType>(
    endpoint: Endpoint<Path, Query, Body, Shape>,
    input: Input<Endpoint<Path, Query, Body, Shape>>,
  ): Promise<Answer<z.output<Shape>>>;
  send<Schema extends z.ZodMiniType>(request: Request, schema: Schema): Promise<Answer<z.output<Schema>>>;
}

type Attempt = {readonly received: Incoming} | {readonly failure: Failure; readonly again: Resending | undefined; readonly why: string};

async function wireForm(request: Request): Promise<Pick<Outgoing, 'body' | 'headers'>> {
  if (request.body === undefined) return {headers: {}};
  if ('json' in request.body) {
    return {headers: {'content-type': 'application/json'}, body: JSON.stringify(request.body.json)};
  }
  const {encodeForm} = await import('./multipart.js');
  const form = await encodeForm(request.body.multipart);
  const headers = {'content-type': form.contentType, 'content-length': String(form.contentLength)};
  return {headers, body: form.chunks};
}

/** Secrets are found in JSON only: a body that is anything else is masked whole. */
function shownBody(text: string, secrets: readonly string[]): string {
  return text === '' || isJson(text) ? redact(text, secrets) : `${mask} (not JSON, ${countNoun(text.length, 'character')})`;
}

/** An answer in which private members are masked, but for `null`, which reveals nothing. */
function shownAnswer(whole: string, path: string, secrets: readonly string[]): string {
  const text = shownBody(whole, secrets);
  if (!mayHavePrivate(path) || !mayHaveMembers(text, privateMembers) || !isJson(text)) return text;
  return JSON.stringify(
    withMembers(parseExact(text, Number.POSITIVE_INFINITY), privateMembers, (member) => (member === null ? null : mask)),
  );
}

function maskHeaders(headers: Readonly<Record<string, string>>, secrets: readonly string[]): Record<string, string> {
  const shown = Object.entries(headers).map(([name, value]): [string, string] => {
    if (name === 'authorization') return [name, `Bearer ${mask}`];
    return [name, name === 'cookie' || name === 'set-cookie' ? mask : redact(value, secrets)];
  });
  return Object.fromEntries(shown);
}

/** Where a redirect leads; undefined where it is not followed. Only reads are redirected, within the origin and not to the login page. */
function followRedirect({status, headers}: Incoming, method: string, asked: URL): URL | undefined {
  const next = method === 'GET' ? redirectOf(status, headers['location'], asked) : undefined;
  return next?.origin === asked.origin && !/^\/login\/?$/.test(next.pathname) ? next : undefined;
}

export function openClient(options: ClientOptions): TypedClient {
  const {server, retries = 3, maxWait = 120_000, timeout = 30_000, strict = false, clock = systemClock, observe} = options;
  const {host, origin} = server;
  const transport = createTransport(origin, timeout);
  const closing = new AbortController();
  const signal = options.signal === undefined ? closing.signal : AbortSignal.any([options.signal, closing.signal]);
  const {waiting} = options;
  const pausing = waiting && ((pause: Pause) => waiting({host, for: pause}));
  const gate = new Gate({rate: options.rate, maxWait, signal, clock, pausing});

  async function tokenFor(request: Request): Promise<string | undefined> {
    if (request.token === 'never') return undefined;
    const token = await options.token?.();
    if (token === undefined && request.token === 'required') {
      const {method, path} = request;
      throw new Failure('auth', `No access token for ${host}`, {reason: 'no_token', method, path});
    }
    return token;
  }

  async function exchange(outgoing: Outgoing, secrets: readonly string[]): Promise<Incoming> {
    await gate.turn();
    const {method, headers, body} = outgoing;
    observe?.({
      kind: 'request',
      method,
      target: redact(outgoing.target, secrets),
      headers: maskHeaders(headers, secrets),
      body: typeof body === 'function' ? '(streamed)' : shownBody(body ?? '', secrets),
    });
    const start = clock.now();
    const [path = ''] = redact(outgoing.target, secrets).split('?', 1);
    const over = waiting?.({host, for: {method, path}});
    let received: Incoming | undefined;
    try {
      received = await transport.exchange(outgoing);
      const milliseconds = clock.now() - start;
      const {status, headers: told} = received;
      observe?.({
        kind: 'answer',
        status,
        milliseconds,
        headers: maskHeaders(told, secrets),
        text: shownAnswer(received.text, path, secrets),
      });
      return received;
    } catch (error) {
      if (error instanceof NetworkError) observe?.({kind: 'broken', message: error.message});
      throw error;
    } finally {
      over?.();
      gate.noteAnswer(outgoing.countedApart ? undefined : received);
    }
  }

  function follow(outgoing: Outgoing, secrets: readonly string[]): Promise<Incoming> {
    return followRedirects(
      new URL(outgoing.target, server),
      ({pathname, search}, hops) => exchange(hops === 0 ? outgoing : {...outgoing, target: pathname + search}, secrets),
      (received, url) => followRedirect(received, outgoing.method, url),
    );
  }

  async function attempt(outgoing: Outgoing, asking: Asking, secrets: readonly string[], tries: Tries): Promise<Attempt> {
    const {request} = asking;
    try {
      const received = await follow(outgoing, secrets);
      const failure = failureOf(received, asking);
      if (failure === undefined) return {received};
      return {failure, again: resending(received, request, tries, retries, clock), why: `status ${received.status}`};
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      const isSafe = error.kind === 'lost' && request.repeat === 'harmless' && tries.retries < retries;
      const again = isSafe ? {after: backOff(tries.retries), isForAll: false} : undefined;
      return {failure: failureOfNetwork(error, asking), again, why: error.message};
    }
  }

  async function hold({after, isForAll}: Resending, why: string): Promise<void> {
    const waiting = isForAll ? gate.pause(after) : gate.wait(after);
    observe?.({kind: 'wait', milliseconds: after, why});
    await waiting;
  }

  /** The token that replaced a refused one; undefined where none did. */
  async function replacementOf(refused: string): Promise<string | undefined> {
    const now = await options.token?.(refused).catch(() => undefined);
    return now === refused ? undefined : now;
  }

  async function deliver(outgoing: Outgoing, asking: Asking, secrets: string[], token: string | undefined): Promise<Incoming> {
    let isRenewed = token === undefined;
    let last: Failure | undefined;
    let open: Failure | undefined;
    try {
      for (let tries: Tries = {pauses: 0, retries: 0}; ;) {
        const tried = await attempt(outgoing, asking, secrets, tries);
        if ('received' in tried) return tried.received;
        last = tried.failure;
        // A refused token means that nothing was carried out. It may have been renewed since it was read.
        if (last.details.reason === 'token' && token !== undefined && !isRenewed) {
          isRenewed = true;
          const replacement = await replacementOf(token);
          if (replacement !== undefined) {
            secrets.push(replacement);
            outgoing = {...outgoing, headers: {...outgoing.headers, authorization: `Bearer ${replacement}`}};
            continue;
          }
        }
        if (tried.again === undefined) throw last;
        if (last.details.fate === 'unknown') open = last;
        await hold(tried.again, tried.why);
        tries = last.code === 'rate_limited' ? {...tries, pauses: tries.pauses + 1} : {...tries, retries: tries.retries + 1};
      }
    } catch (error) {
      const failure = error instanceof NoTurn ? failureOfNoTurn(error, asking, last, open) : error;
      throw open !== undefined && failure instanceof Failure ? failureOfLater(failure, asking) : failure;
    }
  }

  function namingScope(failure: Failure, token: string | undefined): Failure {
    const {reason, scope, status} = failure.details;
    const isForAdmins = reason === 'admin' || reason === 'admin_scope';
    if (!isForAdmins || scope === undefined || token === undefined || options.lacks?.(scope, token) !== true) return failure;
    return new Failure(failure.code, `${host}: the token lacks the scope ${scope} (${status})`, failure.details);
  }

  async function send<Schema extends z.ZodMiniType>(request: Request, schema: Schema): Promise<Answer<z.output<Schema>>> {
    const token = await tokenFor(request);
    const secrets = token === undefined ? [...request.secrets] : [token, ...request.secrets];
    const wire = await wireForm(request);
    const outgoing: Outgoing = {
      method: request.method,
      target: target(request),
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, br',
        'user-agent': options.userAgent ?? 'pixelctl',
        ...request.headers,
        ...wire.headers,
        ...(token !== undefined && {authorization: `Bearer ${token}`}),
      },
      body: wire.body,
      ...(request.countedApart && {countedApart: true}),
    };
    const asking: Asking = {host, request};
    const read = (incoming: Incoming) => readAnswer(incoming, schema, asking, strict);
    try {
      return read(await deliver(outgoing, asking, secrets, token));
    } catch (error) {
      const {code, message, details} = error instanceof Failure ? namingScope(error, token) : failureOfCrash(error, asking);
      // Names of fields come from the server, and may contain secrets, too.
      const fields = details.fields?.map((name) => redact(name, secrets));
      const failure = new Failure(code, redact(message, secrets), {...details, fields});
      const instead = request.hasStandIn === true ? await options.standIn?.(request, failure, client) : undefined;
      if (instead === undefined) throw failure;
      return read(instead);
    }
  }

  /** Turns a NoTurn into a Failure, which it throws. */
  async function waitAt<Value>(wait: () => Promise<Value>): Promise<Value> {
    try {
      return await wait();
    } catch (error) {
      throw error instanceof NoTurn ? failureOfNoTurn(error, {host}) : error;
    }
  }

  function close(): Promise<void> {
    closing.abort();
    return transport.close();
  }

  const client: TypedClient = {
    host,
    server,
    call: async (endpoint, input) => send(requestFor(endpoint, input), endpoint.output()),
    send,
    get pace() {
      return gate.state;
    },
    keepTurn: () => waitAt(() => gate.keepTurn()),
    wait: (milliseconds) =>
      waitAt(() => gate.wait(milliseconds)).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Failure && error.details.reason === 'wait_too_long') return false;
          throw error;
        },
      ),
    warn: (text) => options.warn?.(text),
    close,
    [Symbol.asyncDispose]: close,
  };
  return client;
}
