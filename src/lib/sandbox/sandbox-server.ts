/** The embedded server: a photo-sharing server in memory, for tests and for trying things out. */
import {once} from 'node:events';
import {createServer} from 'node:http';
import {getRequestListener} from '@hono/node-server';
import {createApp, type AppOptions} from './app.js';
import {demo, empty, fillUp} from './demo.js';
import {type Generation, generations, type ServerFacts} from './generation.js';
import {refuseUnlessAllowed} from './route.js';
import {type Account, allScopes, World} from './world.js';

const loopback = '127.0.0.1';

/** What `AppOptions` has is as in the release unless given: without faults, and with limited requests. */
export interface SandboxOptions extends Partial<Omit<AppOptions, 'closed' | 'world'>> {
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
  /** Differences from the release. */
  readonly server?: Partial<ServerFacts>;
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
  /** Makes another token, for an account of this server and with only these scopes. */
  grant(username: string, scopes: readonly string[]): string;
  /** Ends all connections and gives the port back. */
  close(): Promise<void>;
}

/** Each fills a new world, and returns the account whose tokens are printed. */
const seeds = {demo, empty} as const;

/** Starts a server. @throws the system's error when the port is taken */
export async function startSandbox({
  port = 0,
  like = '2026',
  seed = 'demo',
  accounts = 0,
  instances = 0,
  publicUrl,
  server: differences,
  ...options
}: SandboxOptions = {}): Promise<Sandbox> {
  const server = createServer();
  server.listen(port, loopback);
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('A server that listens has a port');
  const host = `${loopback}:${address.port}`;

  const facts = {...generations[like], ...differences};
  const world = new World(facts, publicUrl ?? `https://${host}`, publicUrl ?? `http://${host}`);
  const me = (typeof seed === 'string' ? seeds[seed] : seed)(world);
  fillUp(world, {accounts, instances});
  world.signedIn = me.id;
  const closing = new AbortController();
  const release = {faults: [], routes: [], refuseUnlessAllowed, limitsRate: true, onRequest: () => {}};
  const app = createApp({...release, ...options, world, closed: closing.signal});
  // The client may run in the same process, and needs Request and Response as they are.
  const listener = getRequestListener(app.fetch, {overrideGlobalObjects: false});
  const hosts = new Set([host, `localhost:${address.port}`, new URL(world.publicUrl).host]);
  server.on('request', (request, response) => {
    // A request for another host may come from a web page that made its own name point to this machine (DNS rebinding).
    if (hosts.has(request.headers.host?.toLowerCase() ?? '')) return void listener(request, response);
    response.writeHead(421, {'content-type': 'application/json', connection: 'close'}).end('{"error":"This server has another name."}');
  });

  return {
    url: `http://${host}`,
    tokens: grantTokens(me, world),
    grant: (username, scopes) => {
      const account = world.ownAccounts().find((one) => one.username === username);
      if (!account) throw new Error(`The sandbox has no account ${username} of its own.`);
      return grantToken(world, account, `-${scopes.join('-')}`, scopes);
    },
    close: async () => {
      closing.abort();
      const isClosed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await isClosed;
    },
  };
}

function grantToken({grants}: World, {username, id: accountId}: Account, more: string, scopes: readonly string[]): string {
  const token = `sandbox-${username}${more}`;
  grants.set(token, {accountId, scopes});
  return token;
}

function grantTokens(me: Account, world: World): Sandbox['tokens'] {
  const rank = (account: Account) => (account === me ? 0 : account.admin ? 2 : 1);
  const own = world.ownAccounts().toSorted((one, other) => rank(one) - rank(other));
  const adminScopes = [...allScopes, ...world.facts.adminScopes];
  return {
    all: grantToken(world, me, '', allScopes),
    readOnly: grantToken(world, me, '-read-only', ['read']),
    users: Object.fromEntries(own.map((one) => [one.username, grantToken(world, one, '', allScopes)])),
    admins: Object.fromEntries(
      own.filter(({admin}) => admin).map((one) => [one.username, grantToken(world, one, '-as-admin', adminScopes)]),
    ),
  };
}
