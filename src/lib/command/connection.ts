/** The server that a command talks to, and as whom. */
import {createClient, type Client, type WireEvent} from '../client/client.js';
import {identify, type Identity} from '../profile/identity.js';
import type {ProfileStore} from '../profile/profile-store.js';
import type {Session} from './session.js';

function wireLines(event: WireEvent): string[] {
  const headerLines = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  switch (event.kind) {
    case 'request':
      return [`> ${event.method} ${event.target}`, ...[...headerLines(event.headers), event.body].map((line) => `> ${line}`)];
    case 'answer': {
      const head = `< ${event.status} after ${Math.round(event.milliseconds)} ms`;
      return [head, ...[...headerLines(event.headers), event.text].map((line) => `< ${line}`)];
    }
    case 'wait':
      return [`* waiting ${(event.milliseconds / 1000).toFixed(1)} s (${event.why})`];
    case 'broken':
      return [`* ${event.message}`];
  }
}

/** What requests have in common, as the global flags say. */
export function wireOptions(session: Session) {
  const {timeout, retries, maxWait, userAgent} = session;
  const observe = session.isVerbose
    ? (event: WireEvent) => wireLines(event).forEach((line) => session.tell(line))
    : undefined;
  return {timeout, retries, maxWait, userAgent, observe};
}

/** The saved profiles; loaded late, because most runs in CI have none. */
export async function openStore(storage?: 'file' | 'keyring'): Promise<ProfileStore> {
  const [{ProfileStore}, {configFolder}] = await Promise.all([
    import('../profile/profile-store.js'),
    import('../profile/config-folder.js'),
  ]);
  return new ProfileStore(configFolder(process.env), {storage});
}

export class Connection {
  readonly session: Session;
  readonly identity: Identity;
  #client: Client | undefined;

  constructor(session: Session, identity: Identity) {
    this.session = session;
    this.identity = identity;
  }

  get server(): URL {
    return this.identity.server;
  }

  get client(): Client {
    this.#client ??= this.newClient({});
    return this.#client;
  }

  /** A client beside the common one, with limits of its own. Whoever asks for it closes it. */
  newClient(own: {readonly timeout?: number; readonly retries?: number}): Client {
    const {server, token} = this.identity;
    return createClient({...wireOptions(this.session), ...own, server, token, strict: this.session.isStrict});
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }
}

/** @throws Failure `usage` when no usable server is named */
export async function connect(session: Session): Promise<Connection> {
  const identity = await identify({
    server: session.flags.server,
    profile: session.flags.profile,
    allowHttp: session.flags['allow-http'],
    environment: process.env,
    profiles: {
      list: async () => (await openStore()).list(),
      get: async (name) => (await openStore()).get(name),
    },
    async tokenOf(profile) {
      const {profileToken} = await import('../profile/profile-token.js');
      return profileToken(await openStore(), profile, wireOptions(session), (text) => session.warn(text));
    },
  });
  const {server, source, profile} = identity;
  if (server.protocol === 'http:' && session.flags['allow-http']) {
    session.warn(`what is sent to ${server.host} can be read on the way: it is plain http`);
  }
  if (session.isVerbose) session.tell(`* ${server.origin}${profile === undefined ? '' : ` as ${profile.name}`} (from ${source})`);
  return new Connection(session, identity);
}
