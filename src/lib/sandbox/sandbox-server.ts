/** The embedded server: a photo-sharing server in memory, for tests and for trying things out. */
import {once} from 'node:events';
import {createServer} from 'node:http';
import {setTimeout} from 'node:timers/promises';
import {getRequestListener, type HttpBindings} from '@hono/node-server';
import {RESPONSE_ALREADY_SENT} from '@hono/node-server/utils/response';
import {type Context, Hono} from 'hono';
import {demo, empty, fillUp} from './demo.js';
import {faultPicker, type Fault} from './fault.js';
import type {Account} from './payloads.js';
import {readBody, readFields, textOf} from './received-request.js';
import {abort, errorPage, jsonAnswer, pageAnswer, Refusal, render} from './refusal.js';
import {refuseUnlessAllowed, type Access, type Route} from './route.js';
import {routes as everyRoute} from './routes/index.js';
import {allScopes, type Generation, generations, type ServerFacts, World} from './world.js';

const loopback = '127.0.0.1';

export interface SandboxOptions {
  /** The default is 0, which chooses a free port. */
  readonly port?: number;
  /** The release of servers that it behaves like; 2026 unless given. */
  readonly like?: Generation;
  /** The accounts and posts at the start; those of the demo unless given. */
  readonly seed?: keyof typeof seeds | ((world: World) => Account);
  /** The least number of accounts of this server: more are made where the seed has fewer. */
  readonly accounts?: number | undefined;
  readonly instances?: number | undefined;
  /** The address in accounts and links. Unless given, accounts have `https`, as on real servers even over http, and links have `http`. */
  readonly publicUrl?: string;
  readonly server?: Partial<ServerFacts>;
  readonly faults?: readonly Fault[];
  /** They come before those of the release. */
  readonly routes?: readonly Route[];
  readonly access?: Access;
  /** Whether too many requests are answered with 429; true unless given. */
  readonly limitsRate?: boolean;
  /** @param line its status is 0 when the connection was dropped */
  readonly onRequest?: (line: {readonly method: string; readonly path: string; readonly status: number}) => void;
}

export interface Sandbox {
  /** Where it listens: loopback, plain http. */
  readonly url: string;
  readonly tokens: {
    readonly all: string;
    readonly readOnly: string;
    /** Tokens with all scopes for the accounts of this server, by user name. The owner of the tokens above comes first, admins last. */
    readonly users: Readonly<Record<string, string>>;
    /** Tokens with the scopes of admins, too, for every admin, by user name. */
    readonly admins: Readonly<Record<string, string>>;
  };
  /** Answers a request without a socket; faults need one. */
  readonly fetch: (request: Request) => Promise<Response> | Response;
  /** Makes another token, for an account of this server and with only these scopes. */
  grant(username: string, scopes: readonly string[]): string;
  close(): Promise<void>;
}

/** Each fills a new world, and returns the account whose tokens are printed. */
const seeds = {demo, empty} as const;

const unlimited = {requestsPerMinute: Infinity, tokensPerMinute: Infinity};

/** Starts a server. @throws the system's error when the port is taken */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {like = '2026', seed = 'demo', accounts = 0, instances = 0, publicUrl, limitsRate = true} = options;
  const server = createServer();
  server.listen(options.port ?? 0, loopback);
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('A server that listens has a port');
  const host = `${loopback}:${address.port}`;

  const facts = {...generations[like], ...options.server, ...(!limitsRate && unlimited)};
  const world = new World(facts, publicUrl ?? `https://${host}`, publicUrl ?? `http://${host}`);
  const me = (typeof seed === 'string' ? seeds[seed] : seed)(world);
  if (accounts + instances > 0) fillUp(world, {accounts, instances});
  world.signedIn = me.id;
  const closing = new AbortController();
  const app = createApp(world, options, closing.signal);
  // The client may run in the same process, and needs Request and Response as they are.
  const listener = getRequestListener(app.fetch, {overrideGlobalObjects: false});
  const hosts = new Set([host, `localhost:${address.port}`, new URL(world.publicUrl).host]);
  server.on('request', (request, response) => {
    // A request for another host may come from a web page that made its own name point to this machine (DNS rebinding).
    if (hosts.has(request.headers.host?.toLowerCase() ?? '')) return void listener(request, response);
    response.writeHead(421, {'content-type': 'application/json', connection: 'close'}).end('{"error":"This server has another name."}');
  });

  const grant = ({username, id: accountId}: Account, more: string, scopes: readonly string[]): string => {
    const token = `sandbox-${username}${more}`;
    world.grants.set(token, {accountId, scopes});
    return token;
  };
  const rank = (account: Account) => (account === me ? 0 : account.is_admin ? 2 : 1);
  const own = world.ownAccounts().toSorted((one, other) => rank(one) - rank(other));
  const adminScopes = [...allScopes, ...facts.adminScopes];
  const admins = own.filter(({is_admin}) => is_admin);
  return {
    url: `http://${host}`,
    tokens: {
      all: grant(me, '', allScopes),
      readOnly: grant(me, '-read-only', ['read']),
      users: Object.fromEntries(own.map((one) => [one.username, grant(one, '', allScopes)])),
      admins: Object.fromEntries(admins.map((one) => [one.username, grant(one, '-as-admin', adminScopes)])),
    },
    fetch: (request) => app.fetch(request),
    grant: (username, scopes) => {
      const account = world.ownAccounts().find((one) => one.username === username);
      if (!account) throw new Error(`The sandbox has no account ${username} of its own.`);
      return grant(account, `-${scopes.join('-')}`, scopes);
    },
    close: async () => {
      closing.abort('The sandbox was closed.');
      const isClosed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await isClosed;
    },
  };
}

interface AppEnvironment {
  Bindings: HttpBindings;
  Variables: {body: Uint8Array<ArrayBuffer>; dropped?: true};
}

type RequestContext = Context<AppEnvironment>;

/** The server without its socket: its routes, and the steps around each request. @param closed ends all delays */
function createApp(world: World, options: SandboxOptions, closed: AbortSignal): Hono<AppEnvironment> {
  const {facts, grants} = world;
  const {faults = [], access = refuseUnlessAllowed, onRequest = () => {}} = options;
  const pickFaults = faultPicker(faults);
  // Where two routes have the same path, the first one answers.
  const routes = [...(options.routes ?? []), ...everyRoute.filter(({record}) => facts.offers.test(record.path))];
  const [throttle, throttleTokens] = [throttleOf(facts.requestsPerMinute), throttleOf(facts.tokensPerMinute)];
  const refuse = ({req}: RequestContext, refusal: Refusal) => render(refusal, req.raw.headers, world);
  const app = new Hono<AppEnvironment>({strict: false});

  app.use(async (context, next) => {
    await next();
    const {method, path} = context.req;
    onRequest({method, path, status: context.get('dropped') ? 0 : context.res.status});
  });

  app.use(async (context, next) => {
    const carryOut = async (): Promise<void> => {
      context.set('body', await readBody(context.req.raw));
      await next();
    };
    const {delay, other} = pickFaults(context.req.method, context.req.path);
    if (delay > 0) await setTimeout(delay, undefined, {signal: closed});
    if (other === undefined) await carryOut();
    else context.res = await fail(context, other, carryOut, (refusal) => refuse(context, refusal));
  });

  for (const {record, answer} of routes) {
    app.on(record.method, record.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
      const token = /^bearer\s+(\S+)\s*$/i.exec(context.req.header('authorization') ?? '')?.[1] ?? '';
      const known = record.anonymous ? undefined : grants.get(token);
      const grant = known && (known.expiresAt ?? Infinity) > Date.now() ? known : undefined;
      const account = world.accounts.get(grant?.accountId ?? '');
      if (!record.anonymous && !account) throw new Refusal('unauthenticated', 401, 'Unauthenticated.');
      (record.path === '/oauth/token' ? throttleTokens : throttle)(context, account?.id ?? '');
      for (const name of Object.keys(record.headers ?? {})) if (context.req.header(name) === undefined) throw abort(404, 'Not found');
      if (grant && account) access(record, grant, account, facts);
      const fields = await readFields(context.req.raw, context.get('body'));
      const given = await answer({
        world,
        fields,
        text: (name) => textOf(fields[name]) ?? '',
        part: (name) => context.req.param(name) ?? '',
        get viewer() {
          if (account === undefined) throw new Error('A route that asks for no token has no viewer.');
          return account;
        },
      });
      return given instanceof Response ? given : jsonAnswer(given);
    });
  }

  app.notFound((context) => refuse(context, refuseUnrouted(routes, context.req.method, context.req.path)));
  app.onError((error, context) => refuse(context, error instanceof Refusal ? error : abort(500, error.message)));
  return app;
}

const tooMany = (headers: Readonly<Record<string, number>>): Refusal =>
  abort(429, 'Too Many Attempts.', Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])));

/** Counts the requests of each account in a minute, which begins with the first. */
function throttleOf(limit: number): (context: RequestContext, account: string) => void {
  const minutes = new Map<string, {used: number; readonly endsAt: number}>();
  return ({res: {headers}}, account) => {
    if (limit === Infinity) return;
    const now = Date.now();
    const last = minutes.get(account);
    const minute = last && last.endsAt > now ? last : {used: 0, endsAt: now + 60_000};
    minutes.set(account, minute);
    minute.used += 1;
    // What is set before there is an answer becomes part of it.
    headers.set('x-ratelimit-limit', String(limit));
    headers.set('x-ratelimit-remaining', String(Math.max(0, limit - minute.used)));
    // Servers round down to whole seconds, so that the last second is 0.
    if (minute.used > limit)
      throw tooMany({'retry-after': Math.floor((minute.endsAt - now) / 1000), 'x-ratelimit-reset': Math.ceil(minute.endsAt / 1000)});
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
  carryOut: () => Promise<void>,
  refuse: (refusal: Refusal) => Response,
): Promise<Response> {
  const {outgoing} = context.env;
  if (kind === 'status') return refuse(abort(value, statusTexts[value] ?? ''));
  if (kind === 'rate-limit') return refuse(tooMany({'retry-after': value}));
  if (kind === 'html') return pageAnswer(errorPage('Welcome'));
  if (kind === 'truncate' || value === 1) await carryOut();
  if (kind === 'truncate') {
    // The headers are those of the whole answer.
    const bytes = Buffer.from(await context.res.arrayBuffer());
    outgoing.writeHead(context.res.status, {...Object.fromEntries(context.res.headers), 'content-length': bytes.length});
    await new Promise((resolve) => void outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), resolve));
  } else context.set('dropped', true);
  outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}
