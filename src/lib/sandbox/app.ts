import {setTimeout as sleep} from 'node:timers/promises';
import {Hono} from 'hono';
import type {Authorizations} from './authorizations.js';
import {respond, type Environment, type RequestContext} from './environment.js';
import type {FaultDice} from './fault.js';
import {toJson} from './json.js';
import {Quota} from './quota.js';
import {abort, Refusal, unauthenticated} from './refusal.js';
import {render} from './render.js';
import {readBody, readFields} from './request.js';
import type {Route} from './route.js';
import {routesOf} from './routes/all.js';
import {strike} from './strike.js';
import type {Tokens} from './tokens.js';
import {requestBytes} from './uploads.js';
import type {World} from './world.js';

/** What is said of a request when it is over. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  /** 0 when the connection was dropped. */
  readonly status: number;
}

export interface AppOptions {
  readonly world: World;
  readonly tokens: Tokens;
  readonly authorizations: Authorizations;
  readonly dice: FaultDice;
  readonly latency: number;
  readonly requestsPerMinute: number | null;
  readonly onRequest: (line: RequestLine) => void;
  /** Ends all waiting. */
  readonly closed: AbortSignal;
}

/** The server without its socket: routes, and what surrounds every one of them. */
export function createApp(options: AppOptions): Hono<Environment> {
  const {world, dice, latency, closed, onRequest} = options;
  const app = new Hono<Environment>({strict: false});
  const routes = routesOf(world.facts, options.authorizations);
  const quota = options.requestsPerMinute === null ? null : new Quota(options.requestsPerMinute, 60);

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
    if (latency > 0) await sleep(latency, undefined, {signal: closed});
    for (const effect of dice.roll(context.req.method, context.req.path)) {
      const response = await strike(context, effect, next, closed, refuse);
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
    const limit = route.limit === undefined ? quota : new Quota(route.limit.requests, route.limit.seconds);
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (context) => serve(context, route, options, limit));
  }

  app.notFound((context) => refuse(context, unrouted(routes, context.req.method, context.req.path)));
  app.onError((error, context) => refuse(context, error instanceof Refusal ? error : abort(500, error.message)));
  return app;
}

async function serve(context: RequestContext, route: Route, {world, tokens}: AppOptions, quota: Quota | null): Promise<Response> {
  const grant = route.anonymous ? undefined : tokens.find(context.req.header('authorization'));
  const viewer = world.accounts.get(grant?.accountId ?? '') ?? null;
  if (!route.anonymous && !viewer) throw unauthenticated();
  // All requests come from one address.
  if (quota) throttle(context, quota, route.limit ? '' : (viewer?.id ?? ''));
  for (const name of Object.keys(route.headers ?? {})) if (context.req.header(name) === undefined) throw abort(404, 'Not found');
  if (grant) checkScope(route, grant.scopes, world);
  const fields = await readFields(context.req.raw, context.get('body'));
  const {
    status = 200,
    headers = {},
    body,
    page,
    style,
  } = await route.answer({world, fields, part: (name) => context.req.param(name) ?? '', client: grant?.client ?? null}, viewer);
  const type = page === undefined ? 'application/json' : 'text/html; charset=UTF-8';
  return respond(context, status, {...headers, 'content-type': type}, page ?? toJson(body, style));
}

/** Only the conversations say which scope is missing. */
function checkScope({scope, path}: Route, scopes: readonly string[], {facts}: World): void {
  const direct = path.startsWith('/api/v1.1/direct/');
  if (scope === null || scopes.includes(scope) || (direct && !facts.scopesOnDirect)) return;
  throw abort(403, direct ? `Missing required scope: ${scope}` : '');
}

function throttle(context: RequestContext, quota: Quota, key: string): void {
  const spent = quota.left(key) === 0;
  if (!spent) quota.use(key);
  const limits = {'x-ratelimit-limit': String(quota.limit), 'x-ratelimit-remaining': String(quota.left(key))};
  context.set('limits', limits);
  if (!spent) return;
  const resetsAt = quota.resetsAt(key);
  throw abort(429, 'Too Many Attempts.', {
    // Whole seconds, rounded down: 0 in the last one.
    'retry-after': String(Math.floor((resetsAt - Date.now()) / 1000)),
    'x-ratelimit-reset': String(Math.ceil(resetsAt / 1000)),
  });
}

function unrouted(routes: readonly Route[], method: string, path: string): Refusal {
  const name = path.slice(1);
  const here = routes.filter((route) => new RegExp(`^${route.path.replaceAll('.', '[.]').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(path));
  if (here.length === 0) return abort(404, `The route ${name} could not be found.`);
  const supported = ['GET', 'POST', 'PUT', 'DELETE'].filter((one) => here.some((route) => route.method === one));
  const listed = supported.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])).join(', ');
  return abort(405, `The ${method} method is not supported for route ${name}. Supported methods: ${listed}.`);
}
