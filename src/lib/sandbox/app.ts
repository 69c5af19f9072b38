/** The server without its socket: its routes, and the steps around each request. */
import {setTimeout} from 'node:timers/promises';
import {faultPicker, type Fault} from './fault.js';
import {type Grant, Quota, type World} from './world.js';
import {abort, errorPage, jsonAnswer, pageAnswer, Refusal, render, refuseToken} from './refusal.js';
import {readBody, readFields} from './received-request.js';
import {callOf, type Access, type Route, type RouteLimit} from './route.js';
import {routes as everyRoute} from './routes/index.js';
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

export interface AppOptions {
  readonly world: World;
  readonly faults: readonly Fault[];
  /** They come before those of the release. */
  readonly routes: readonly Route[];
  readonly refuseUnlessAllowed: Access;
  /** Whether too many requests are answered with 429. */
  readonly limitsRate: boolean;
  readonly onRequest: (line: RequestLine) => void;
  /** Ends all delays when the server closes. */
  readonly closed: AbortSignal;
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

/** The largest size of a request, in bytes. */
const requestBytes = 16 * 1024 * 1024;

export function createApp({world, limitsRate, ...options}: AppOptions): Hono<AppEnvironment> {
  const {facts} = world;
  const {requestsPerMinute} = facts;
  const pickFaults = faultPicker(options.faults);
  const app = new Hono<AppEnvironment>({strict: false});
  // Where two routes have the same path, the first one answers.
  const routes = [...options.routes, ...everyRoute.filter(({record}) => facts.offers(record.path))];
  const general = requestsPerMinute === null ? null : new Quota(requestsPerMinute, 60);
  const refuse = ({req}: RequestContext, refusal: Refusal) => render(refusal, req.raw.headers, facts, world.publicUrl);

  app.use(async (context, next) => {
    await next();
    const {method, path} = context.req;
    options.onRequest({method, path, status: context.get('dropped') ? 0 : context.res.status});
  });

  app.use(async (context, next) => {
    const {delay, other} = pickFaults(context.req.method, context.req.path);
    if (delay > 0) await setTimeout(delay, undefined, {signal: options.closed});
    if (other === undefined) await next();
    else context.res = await fail(context, other, next, (refusal) => refuse(context, refusal));
  });

  app.use(async (context, next) => {
    context.set('body', await readBody(context.req.raw, requestBytes));
    await next();
    for (const [name, value] of Object.entries(context.get('limits') ?? {})) context.res.headers.set(name, value);
  });

  for (const {record, answer, limit} of routes) {
    const throttle = limitsRate ? throttleOf(general, limit?.(facts)) : () => {};
    app.on(record.method, record.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
      const grant = record.anonymous ? undefined : findGrant(world, context.req.header('authorization'));
      const viewer = world.accounts.get(grant?.accountId ?? '') ?? null;
      if (!record.anonymous && !viewer) throw refuseToken();
      throttle(context, viewer?.id ?? '');
      for (const name of Object.keys(record.headers ?? {})) if (context.req.header(name) === undefined) throw abort(404, 'Not found');
      if (grant && viewer) options.refuseUnlessAllowed(record, grant, viewer, facts);
      const fields = await readFields(context.req.raw, context.get('body'));
      const {status, headers, body, page, file} = await answer(callOf(world, viewer, fields, (name) => context.req.param(name) ?? ''));
      if (file !== undefined) return new Response(new Uint8Array(file), {...(headers && {headers})});
      return page === undefined ? jsonAnswer(body, status, headers) : pageAnswer(page, status, headers);
    });
  }

  app.notFound((context) => refuse(context, refuseUnrouted(routes, context.req.method, context.req.path)));
  app.onError((error, context) => refuse(context, error instanceof Refusal ? error : abort(500, error.message)));
  return app;
}

function findGrant({grants}: World, authorization = ''): Grant | undefined {
  const grant = grants.get(/^bearer\s+(\S+)\s*$/i.exec(authorization)?.[1] ?? '');
  return grant && (grant.expiresAt ?? Infinity) > Date.now() ? grant : undefined;
}

const tooMany = (headers: Readonly<Record<string, number>>): Refusal =>
  abort(429, 'Too Many Attempts.', Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])));

/** Counts the requests to a route. @returns what refuses those that are too many */
function throttleOf(general: Quota | null, own: RouteLimit | null = null): (context: RequestContext, account: string) => void {
  const quota = own && new Quota(own.requests, own.seconds);
  return (context, account) => {
    // All requests come from one address, so that one counter is enough.
    const [first, key] = quota && !own?.perAccount ? [quota, ''] : [general, account];
    if (first !== null) {
      const isLeft = first.use(key);
      const {left, endsAt} = first.look(key);
      context.set('limits', {'x-ratelimit-limit': String(first.limit), 'x-ratelimit-remaining': String(left)});
      // Servers round down to whole seconds, so that the last second is 0.
      const again = {'retry-after': Math.floor((endsAt - Date.now()) / 1000), 'x-ratelimit-reset': Math.ceil(endsAt / 1000)};
      if (!isLeft) throw tooMany(again);
    }
    if (!own?.perAccount || !quota || quota.use(account)) return;
    // The headers of such a limit have other names, and are sent only when it is reached.
    const seconds = Math.ceil((quota.look(account).endsAt - Date.now()) / 1000);
    throw tooMany({'x-rate-limit-limit': quota.limit, 'x-rate-limit-remaining': 0, 'x-rate-limit-reset': seconds});
  };
}

function refuseUnrouted(routes: readonly Route[], method: string, path: string): Refusal {
  const name = path.slice(1);
  const patternOf = ({record}: Route) => new RegExp(`^${record.path.replaceAll('.', '[.]').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
  const methods = new Set(routes.filter((route) => patternOf(route).test(path)).map(({record}) => record.method));
  if (methods.size === 0) return abort(404, `The route ${name} could not be found.`);
  const supported = (['GET', 'POST', 'PUT', 'DELETE'] as const).filter((one) => methods.has(one)).join(', ');
  return abort(
    405,
    `The ${method} method is not supported for route ${name}. Supported methods: ${supported.replace('GET', 'GET, HEAD')}.`,
  );
}

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
  refuse: (refusal: Refusal) => Response,
): Promise<Response> {
  if (kind === 'status') return refuse(abort(value, statusTexts[value] ?? ''));
  if (kind === 'rate-limit') return refuse(abort(429, 'Too Many Attempts.', {'retry-after': String(value)}));
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
