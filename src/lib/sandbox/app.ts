/** The server without its socket: its routes, and the steps around each request. */
import {setTimeout} from 'node:timers/promises';
import type {Access} from './access.js';
import {faultPicker, type Fault} from './fault.js';
import {type Account, type Grant, Quota, type World} from './world.js';
import type {ServerFacts} from './generation.js';
import {abort, errorPage, jsonAnswer, pageAnswer, Refusal, render, refuseToken} from './refusal.js';
import {readBody, readFields} from './received-request.js';
import type {Route} from './route.js';
import {routes as everyRoute} from './routes/index.js';
import {requestBytes} from './media.js';
import {Hono} from 'hono';
import type {HttpBindings} from '@hono/node-server';
import type {Context} from 'hono';
import {RESPONSE_ALREADY_SENT} from '@hono/node-server/utils/response';

export interface RequestLine {
  readonly method: string;
  readonly path: string;
  /** 0 when the connection was dropped. */
  readonly status: number;
}

interface AppOptions {
  readonly world: World;
  readonly faults: readonly Fault[];
  readonly routes: readonly Route[];
  readonly refuseUnlessAllowed: Access;
  /** Whether too many requests are answered with 429. */
  readonly limitsRate: boolean;
  readonly onRequest: (line: RequestLine) => void;
  /** Ends all delays when the server closes. */
  readonly closed: AbortSignal;
}

export function createApp(options: AppOptions): Hono<AppEnvironment> {
  const {world, onRequest} = options;
  const {facts} = world;
  const pickFaults = faultPicker(options.faults);
  const app = new Hono<AppEnvironment>({strict: false});
  // Where two routes have the same path, the first one answers.
  const routes = [...options.routes, ...everyRoute.filter(({path}) => facts.offers(path))];
  const {requestsPerMinute} = facts;
  const quota = requestsPerMinute === null ? null : new Quota(requestsPerMinute, 60);
  const refuse = ({req}: RequestContext, refusal: Refusal) => render(refusal, req.raw.headers, facts, world.publicUrl);

  app.use(async (context, next) => {
    await next();
    const {method, path} = context.req;
    onRequest({method, path, status: context.get('dropped') ? 0 : context.res.status});
  });

  app.use(async (context, next) => {
    for (const fault of pickFaults(context.req.method, context.req.path)) {
      if (fault.kind === 'delay') await setTimeout(fault.value, undefined, {signal: options.closed});
      else {
        context.res = await fail(context, fault, next, refuse);
        return;
      }
    }
    await next();
  });

  app.use(async (context, next) => {
    context.set('body', await readBody(context.req.raw, requestBytes));
    await next();
    for (const [name, value] of Object.entries(context.get('limits') ?? {})) context.res.headers.set(name, value);
  });

  for (const route of routes) {
    const limits = options.limitsRate ? limitsOf(route, facts, quota) : [];
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (context) => serve(context, route, options, limits));
  }

  app.notFound((context) => refuse(context, refuseUnrouted(routes, context.req.method, context.req.path)));
  app.onError((error, context) => refuse(context, error instanceof Refusal ? error : abort(500, error.message)));
  return app;
}

/** Counts a request. @throws Refusal when there are too many */
type Throttle = (context: RequestContext, viewer: Account | null) => void;

function limitsOf(route: Route, facts: ServerFacts, general: Quota | null): readonly Throttle[] {
  const byViewer: readonly Throttle[] = general ? [(context, viewer) => throttle(context, general, viewer?.id ?? '')] : [];
  const own = route.limit?.(facts);
  if (!own) return byViewer;
  const quota = new Quota(own.requests, own.seconds);
  // All requests come from one address, so that one counter is enough.
  if (!own.perAccount) return [(context) => throttle(context, quota, '')];
  return [...byViewer, (_, viewer) => throttleAccount(quota, viewer?.id ?? '')];
}

function findGrant({grants}: World, authorization = ''): Grant | undefined {
  const grant = grants.get(/^bearer\s+(\S+)\s*$/i.exec(authorization)?.[1] ?? '');
  return grant && (grant.expiresAt ?? Infinity) > Date.now() ? grant : undefined;
}

async function serve(
  context: RequestContext,
  route: Route,
  {world, refuseUnlessAllowed}: AppOptions,
  limits: readonly Throttle[],
): Promise<Response> {
  const grant = route.anonymous ? undefined : findGrant(world, context.req.header('authorization'));
  const viewer = world.accounts.get(grant?.accountId ?? '') ?? null;
  if (!route.anonymous && !viewer) throw refuseToken();
  for (const limit of limits) limit(context, viewer);
  for (const name of Object.keys(route.headers ?? {})) if (context.req.header(name) === undefined) throw abort(404, 'Not found');
  if (grant && viewer) refuseUnlessAllowed(route, grant, viewer, world.facts);
  const {status, headers, body, page, file} = await route.answer({
    world,
    fields: await readFields(context.req.raw, context.get('body')),
    part: (name) => context.req.param(name) ?? '',
    get viewer() {
      if (viewer === null) throw new Error(`${route.method} ${route.path} asks for no token, and has no viewer.`);
      return viewer;
    },
  });
  if (file !== undefined) return new Response(new Uint8Array(file), {...(headers && {headers})});
  return page === undefined ? jsonAnswer(body, status, headers) : pageAnswer(page, status, headers);
}

function throttle(context: RequestContext, quota: Quota, key: string): void {
  const isSpent = !quota.use(key);
  context.set('limits', {'x-ratelimit-limit': String(quota.limit), 'x-ratelimit-remaining': String(quota.countLeft(key))});
  if (!isSpent) return;
  const resetsAt = quota.resetsAt(key);
  throw abort(429, 'Too Many Attempts.', {
    // Servers round down to whole seconds, so that the last second is 0.
    'retry-after': String(Math.floor((resetsAt - Date.now()) / 1000)),
    'x-ratelimit-reset': String(Math.ceil(resetsAt / 1000)),
  });
}

/** Applies the limit of a single route, whose headers have other names and are sent only when the limit is reached. */
function throttleAccount(quota: Quota, account: string): void {
  if (quota.use(account)) return;
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

interface AppEnvironment {
  Bindings: HttpBindings;
  Variables: {
    body: Uint8Array<ArrayBuffer>;
    dropped?: true;
    limits?: Readonly<Record<string, string>>;
  };
}

type RequestContext = Context<AppEnvironment>;

const statusTexts: Readonly<Record<number, string>> = {
  401: 'Unauthenticated.',
  500: 'Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

async function fail(
  context: RequestContext,
  {kind, value}: Fault,
  next: () => Promise<void>,
  refuse: (context: RequestContext, refusal: Refusal) => Response,
): Promise<Response> {
  if (kind === 'status') return refuse(context, abort(value, statusTexts[value] ?? ''));
  if (kind === 'rate-limit') return refuse(context, abort(429, 'Too Many Attempts.', {'retry-after': String(value)}));
  if (kind === 'html') return pageAnswer(errorPage('Welcome'));
  if (kind === 'truncate' || value === 1) await next();
  if (kind === 'truncate') await sendHalf(context);
  else context.set('dropped', true);
  context.env.outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** Sends the headers of the whole answer and half of its body, then closes the connection. */
async function sendHalf(context: RequestContext): Promise<void> {
  const {outgoing} = context.env;
  const bytes = Buffer.from(await context.res.arrayBuffer());
  outgoing.writeHead(context.res.status, {...Object.fromEntries(context.res.headers), 'content-length': bytes.length});
  await new Promise((resolve) => {
    outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), resolve);
  });
}
