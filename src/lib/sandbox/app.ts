/** The server without its socket: routes, and what surrounds every one of them. */
import type {Authorizations, Tokens} from './authorizations.js';
import type {Access} from './access.js';
import type {Effect, FaultPicker} from './fault.js';
import {toJson} from '../json/php.js';
import {type Account, Quota, type World} from './world.js';
import type {ServerFacts} from './generation.js';
import {abort, errorPage, Refusal, render, refuseToken} from './refusal.js';
import {readBody, readFields} from './request.js';
import type {Route} from './route.js';
import {routes as everyRoute} from './routes/index.js';
import {requestBytes} from './media.js';
import {Hono} from 'hono';
import type {HttpBindings} from '@hono/node-server';
import type {Context} from 'hono';
import {RESPONSE_ALREADY_SENT} from '@hono/node-server/utils/response';

/** One line of the log. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  /** 0 when the connection was dropped. */
  readonly status: number;
}

/** Waits, unless the server is closed before. @param milliseconds how long */
export type Sleep = (milliseconds: number, closed: AbortSignal) => Promise<unknown>;

interface AppOptions {
  readonly world: World;
  readonly tokens: Tokens;
  readonly authorizations: Authorizations;
  readonly faults: FaultPicker;
  /** Beside those of the server. */
  readonly routes: readonly Route[];
  readonly refuseUnlessAllowed: Access;
  /** Whether too many requests are answered with 429. */
  readonly limitsRate: boolean;
  readonly sleep: Sleep;
  readonly onRequest: (line: RequestLine) => void;
  /** Ends all waiting. */
  readonly closed: AbortSignal;
}

export function createApp(options: AppOptions): Hono<AppEnvironment> {
  const {world, faults, sleep, closed, onRequest} = options;
  const pause = (milliseconds: number) => sleep(milliseconds, closed);
  const app = new Hono<AppEnvironment>({strict: false});
  const offered = everyRoute.filter(({isOffered, path}) => (isOffered?.(world.facts) ?? true) && world.facts.offers(path));
  // The first route of a path answers.
  const routes = [...options.routes, ...offered];
  const {requestsPerMinute} = world.facts;
  const quota = requestsPerMinute === null ? null : new Quota(requestsPerMinute, 60);

  const refuse = (context: RequestContext, refusal: Refusal): Response => {
    const {status, headers, text} = render(refusal, context.req.raw.headers, world.facts, world.publicUrl);
    return respond(context, status, headers, text);
  };

  app.use(async (context, next) => {
    await next();
    const {method, path} = context.req;
    onRequest({method, path, status: context.get('dropped') ? 0 : context.res.status});
  });

  app.use(async (context, next) => {
    for (const effect of faults.pick(context.req.method, context.req.path)) {
      const response = await applyEffect(context, effect, next, pause, refuse);
      if (!response) continue;
      context.res = response;
      return;
    }
    await next();
  });

  app.use(async (context, next) => {
    context.set('body', await readBody(context.req.raw, requestBytes));
    await next();
  });

  for (const route of routes) {
    const limits = options.limitsRate ? limitsOf(route, world.facts, quota) : [];
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (context) => serve(context, route, options, limits));
  }

  app.notFound((context) => refuse(context, refuseUnrouted(routes, context.req.method, context.req.path)));
  app.onError((error, context) => refuse(context, error instanceof Refusal ? error : abort(500, error.message)));
  return app;
}

/** A limit, whom it counts for, and the headers that tell of it. */
type Throttle = (context: RequestContext, viewer: Account | null) => void;

function limitsOf(route: Route, facts: ServerFacts, general: Quota | null): readonly Throttle[] {
  const byViewer: readonly Throttle[] = general ? [(context, viewer) => throttle(context, general, viewer?.id ?? '')] : [];
  const own = route.limit?.(facts);
  if (!own) return byViewer;
  const quota = new Quota(own.requests, own.seconds);
  // All requests come from one address.
  if (!own.perAccount) return [(context) => throttle(context, quota, '')];
  return [...byViewer, (_, viewer) => throttleAccount(quota, viewer?.id ?? '')];
}

async function serve(
  context: RequestContext,
  route: Route,
  {world, tokens, authorizations, refuseUnlessAllowed}: AppOptions,
  limits: readonly Throttle[],
): Promise<Response> {
  const grant = route.anonymous ? undefined : tokens.find(context.req.header('authorization'));
  const viewer = world.accounts.get(grant?.accountId ?? '') ?? null;
  if (!route.anonymous && !viewer) throw refuseToken();
  for (const limit of limits) limit(context, viewer);
  for (const name of Object.keys(route.headers ?? {})) if (context.req.header(name) === undefined) throw abort(404, 'Not found');
  if (grant && viewer) refuseUnlessAllowed(route, grant, viewer, world.facts);
  const fields = await readFields(context.req.raw, context.get('body'));
  const {
    status = 200,
    headers = {},
    body,
    page,
    file,
    style,
  } = await route.answer(
    {
      world,
      fields,
      part: (name) => context.req.param(name) ?? '',
      client: grant?.client ?? null,
      scopes: grant?.scopes ?? [],
      authorizations,
    },
    viewer,
  );
  if (file !== undefined) return respond(context, status, headers, file);
  const type = page === undefined ? 'application/json' : 'text/html; charset=UTF-8';
  return respond(context, status, {...headers, 'content-type': type}, page ?? toJson(body, style));
}

function throttle(context: RequestContext, quota: Quota, key: string): void {
  const spent = quota.countLeft(key) === 0;
  if (!spent) quota.use(key);
  const limits = {'x-ratelimit-limit': String(quota.limit), 'x-ratelimit-remaining': String(quota.countLeft(key))};
  context.set('limits', limits);
  if (!spent) return;
  const resetsAt = quota.resetsAt(key);
  throw abort(429, 'Too Many Attempts.', {
    // Whole seconds, rounded down: 0 in the last one.
    'retry-after': String(Math.floor((resetsAt - Date.now()) / 1000)),
    'x-ratelimit-reset': String(Math.ceil(resetsAt / 1000)),
  });
}

/** The limit of single routes, which speak of it only when it is reached, and in headers of their own. */
function throttleAccount(quota: Quota, account: string): void {
  if (quota.countLeft(account) > 0) return quota.use(account);
  throw abort(429, 'Too Many Attempts.', {
    'x-rate-limit-limit': String(quota.limit),
    'x-rate-limit-remaining': '0',
    'x-rate-limit-reset': String(Math.ceil((quota.resetsAt(account) - Date.now()) / 1000)),
  });
}

function refuseUnrouted(routes: readonly Route[], method: string, path: string): Refusal {
  const name = path.slice(1);
  const here = routes.filter((route) => new RegExp(`^${route.path.replaceAll('.', '[.]').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(path));
  if (here.length === 0) return abort(404, `The route ${name} could not be found.`);
  const supported = ['GET', 'POST', 'PUT', 'DELETE'].filter((one) => here.some((route) => route.method === one));
  const listed = supported.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
  return abort(405, `The ${method} method is not supported for route ${name}. Supported methods: ${listed}.`);
}

/** What goes with a request on its way through the server. */
interface AppEnvironment {
  Bindings: HttpBindings;
  Variables: {
    body: Uint8Array<ArrayBuffer>;
    /** The connection ended without an answer. */
    dropped?: true;
    /** Headers that speak of the rate limit. */
    limits?: Readonly<Record<string, string>>;
  };
}

type RequestContext = Context<AppEnvironment>;

/** An answer with these headers and those that every answer has. */
export function respond(
  context: RequestContext,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): Response {
  return new Response(typeof body === 'string' ? body : new Uint8Array(body), {status, headers: {...context.get('limits'), ...headers}});
}

const statusTexts: Readonly<Record<number, string>> = {
  401: 'Unauthenticated.',
  500: 'Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Carries out the effect of a fault. @returns the answer it leads to; undefined when the request goes on */
async function applyEffect(
  context: RequestContext,
  effect: Effect,
  next: () => Promise<void>,
  pause: (milliseconds: number) => Promise<unknown>,
  refuse: (context: RequestContext, refusal: Refusal) => Response,
): Promise<Response | undefined> {
  switch (effect.kind) {
    case 'delay':
      await pause(effect.milliseconds);
      return undefined;
    case 'status':
      return refuse(context, abort(effect.status, statusTexts[effect.status] ?? ''));
    case 'rate-limit':
      return refuse(context, abort(429, 'Too Many Attempts.', {'retry-after': String(effect.seconds)}));
    case 'html':
      return respond(context, 200, {'content-type': 'text/html; charset=UTF-8'}, errorPage('Welcome'));
    case 'drop':
      if (effect.carriedOut) await next();
      context.env.outgoing.destroy();
      context.set('dropped', true);
      return RESPONSE_ALREADY_SENT;
    case 'truncate':
      await next();
      await sendHalf(context);
      return RESPONSE_ALREADY_SENT;
  }
}

/** Sends the headers of the whole answer and half of its body, then closes the connection. */
async function sendHalf(context: RequestContext): Promise<void> {
  const {outgoing} = context.env;
  const bytes = Buffer.from(await context.res.arrayBuffer());
  outgoing.writeHead(context.res.status, {...Object.fromEntries(context.res.headers), 'content-length': bytes.length});
  await new Promise((resolve) => {
    outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), resolve);
  });
  outgoing.destroy();
}
