/** Sandboxes for tests: servers that nobody runs, and what no release has. */
import nock from 'nock';
import {startSandbox as start, type Sandbox, type SandboxOptions as Options} from '../../src/lib/sandbox/sandbox-server.js';
import type {Generation as Release, ServerFacts, World} from '../../src/lib/sandbox/world.js';
import * as push from '../../src/lib/api/push.js';
import {abort} from '../../src/lib/sandbox/refusal.js';
import {demoOfAna} from '../../src/lib/sandbox/demo.js';
import {route, type Route, type Routed} from '../../src/lib/sandbox/route.js';
import {routes as ofSignIn} from '../../src/lib/sandbox/routes/oauth.js';
import {mastodon} from './mastodon.js';
import {seedWorld, type SeedState} from './seed.js';

export type {Sandbox} from '../../src/lib/sandbox/sandbox-server.js';

export type Generation = Release | 'mastodon';

type Facts = Pick<ServerFacts, 'codeLifetime' | 'domainLimit' | 'requestsPerMinute' | 'tokenLifetime'>;

export interface SandboxOptions extends Omit<Options, 'access' | 'like' | 'seed' | 'server'>, Partial<Facts> {
  readonly like?: Generation;
  readonly seed?: Options['seed'] | SeedState;
  /** False for a server on which the admin turned sign-in off, or push. */
  readonly oauth?: boolean;
  readonly push?: boolean;
}

const names = ['codeLifetime', 'domainLimit', 'requestsPerMinute', 'tokenLifetime'] as const;

const without = (records: readonly Routed[], text = ''): readonly Route[] =>
  records.map((record) => ({record, answer: () => Promise.reject(abort(404, text))}));

const off = {
  oauth: without(ofSignIn.map(({record}) => record)),
  push: [
    route({method: 'GET', path: '/api/v1.1/nag/state', scope: null, anonymous: true}, () => ({active: false})),
    ...without(
      [push.getPushState, push.comparePushToken, push.updatePushSettings, push.disablePush],
      'Push notifications are not supported on this server.',
    ),
  ],
};

/** The demo for whoever has this token: people to moderate only where it is not ana's. */
export const demoFor = (token: string) => (token === 'sandbox-ana' ? demoOfAna : 'demo');

/** By its address, what answers requests without a socket. */
const running = new Map<string, Sandbox['fetch']>();

/** What answers requests to this address in this process, if anything does. */
export const sandboxAt = (url: string): Sandbox['fetch'] | undefined => running.get(url);

export async function startSandbox({like = '2026', seed: asked = 'demo', ...given}: SandboxOptions = {}): Promise<Sandbox> {
  // It takes time of what it lets through.
  nock.restore();
  const turnedOff = (['oauth', 'push'] as const).flatMap((name) => (given[name] === false ? off[name] : []));
  const routes = [...(given.routes ?? []), ...turnedOff, ...(like === 'mastodon' ? mastodon.routes : [])];
  const options = {...given, routes, seed: typeof asked === 'object' ? (world: World) => seedWorld(world, asked) : asked};
  const own = Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
  const sandbox = await (like === 'mastodon'
    ? start({...mastodon, ...options, server: {...mastodon.server, ...own}})
    : start({...options, like, server: own}));
  if (options.faults === undefined) running.set(sandbox.url, sandbox.fetch);
  return {
    ...sandbox,
    close() {
      running.delete(sandbox.url);
      return sandbox.close();
    },
  };
}
