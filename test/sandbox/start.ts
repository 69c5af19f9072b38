/** Sandboxes for tests: servers that nobody runs, and what no release has. */
import {startSandbox as start, type Sandbox, type SandboxOptions as Options} from '../../src/lib/sandbox/sandbox-server.js';
import type {Generation as Release, ServerFacts, World} from '../../src/lib/sandbox/world.js';
import {mastodon} from './mastodon.js';
import {seedWorld, type SeedState} from './seed.js';

export type {Sandbox} from '../../src/lib/sandbox/sandbox-server.js';

export type Generation = Release | 'mastodon';

type Facts = Pick<ServerFacts, 'codeLifetime' | 'domainLimit' | 'oauth' | 'push' | 'requestsPerMinute' | 'tokenLifetime'>;

export interface SandboxOptions extends Omit<Options, 'access' | 'like' | 'seed' | 'server'>, Partial<Facts> {
  readonly like?: Generation;
  readonly seed?: Options['seed'] | SeedState;
}

const names = ['codeLifetime', 'domainLimit', 'oauth', 'push', 'requestsPerMinute', 'tokenLifetime'] as const;

/** By its address, what answers requests without a socket. */
const running = new Map<string, Sandbox['fetch']>();

/** What answers requests to this address in this process, if anything does. */
export const sandboxAt = (url: string): Sandbox['fetch'] | undefined => running.get(url);

export async function startSandbox({like = '2026', seed: asked = 'demo', ...given}: SandboxOptions = {}): Promise<Sandbox> {
  const options = {...given, seed: typeof asked === 'object' ? (world: World) => seedWorld(world, asked) : asked};
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
