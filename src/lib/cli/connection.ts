/** Connects a command to a server, as an account. */
import {serverFlag} from './account-in-use.js';
import {commandText} from '../files/command-text.js';
import {openClient, type Client, type ClientOptions, type WireEvent} from '../client/client.js';
import {asFailure, cannotRead, Failure, isInterruption} from '../client/failure.js';
import type {AccountDirectory, OwnAccount} from '../operations/accounts.js';
import type {PublishedLimits} from '../operations/limits.js';
import type {Measured} from '../operations/measures.js';
import {cacheFolder} from '../files/own-folder.js';
import {claimsOf, identify, missingScopes, type Identity, type IdentityRequest, type Profile} from '../auth/index.js';
import {isPlainHttp} from '../client/transport.js';
import {certificateSwitch} from './io.js';
import {knownProfiles, openStore} from './known-profiles.js';
import type {Session} from './session.js';

function wireLines(event: WireEvent): string[] {
  const headerLines = (headers: Readonly<Record<string, string>>) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
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

export function wireOptions(session: Session) {
  const {timeout, maxWait, userAgent} = session;
  if (session.io.env[certificateSwitch] === '0')
    session.warnOnce(`${certificateSwitch}=0: certificates are not checked, so others on the network can read tokens and messages`);
  const observe = session.isVerbose ? (event: WireEvent) => wireLines(event).forEach((line) => session.tell(line)) : undefined;
  const warn = (text: string) => session.warnOnce(text);
  const {waiting, io} = session;
  return {timeout, retries: session.flags.retries, maxWait, userAgent, observe, waiting, warn, clock: io.system.clock};
}

type OwnLimits = Pick<ClientOptions, 'maxWait' | 'rate' | 'retries' | 'signal' | 'timeout' | 'warn'>;

/** Shared by all connections to an account, whatever limits their clients have. */
interface Known {
  accounts?: AccountDirectory;
  own?: Promise<OwnAccount | undefined>;
}

export class Connection {
  readonly session: Session;
  readonly identity: Identity;
  readonly #own: OwnLimits;
  readonly #known: Known;
  #client: Client | undefined;
  #limits: Promise<PublishedLimits> | undefined;
  /** Whether the server refused to count follows, and is not asked again. */
  #isUnmeasured = false;

  constructor(session: Session, identity: Identity, own: OwnLimits = {}, known: Known = {}) {
    this.session = session;
    this.identity = identity;
    session.identity = identity;
    this.#own = own;
    this.#known = known;
  }

  get server(): URL {
    return this.identity.server;
  }

  get client(): Client {
    this.#client ??= this.newClient(this.#own);
    return this.#client;
  }

  /** A further client, with limits or a signal of its own. The caller closes it. */
  newClient(own: OwnLimits): Client {
    const {server, token, profile} = this.identity;
    const lacks = (scope: string, used: string): boolean =>
      missingScopes([scope], profile?.scopes ?? claimsOf(used).scopes ?? [scope]).length > 0;
    const standIn: ClientOptions['standIn'] = async (request, failure, client) =>
      (await import('../operations/typed-notes.js')).standIn(request, failure, client);
    return openClient({...wireOptions(this.session), ...own, server, token, lacks, strict: this.session.flags.strict, standIn});
  }

  /** The limits that the server publishes; requested at most once. */
  limits(): Promise<PublishedLimits> {
    this.#limits ??= import('../operations/limits.js').then(async ({fetchLimits, maxAskingTime}) => {
      await using client = this.newClient({timeout: maxAskingTime, retries: 0, maxWait: 0});
      return await fetchLimits(client);
    });
    return this.#limits;
  }

  /**
   * Counts the follows that people of a Mastodon server have to each of these domains. Undefined if the server does not tell, or not with
   * this token, which is noted.
   * @throws Failure when interrupted
   */
  async measures(domains: readonly string[]): Promise<Measured | undefined> {
    if (this.#isUnmeasured) return undefined;
    const {client, session} = this;
    const server = {client, origin: this.server.origin, folder: cacheFolder(session.io.env), now: session.io.now().getTime()};
    const [{measuresOf}, {serverSoftware}] = await Promise.all([
      import('../operations/measures.js'),
      import('../operations/server-release.js'),
    ]);
    try {
      if ((await serverSoftware(client)) !== 'mastodon') return undefined;
      return await measuresOf(domains, server);
    } catch (error) {
      const failure = asFailure(error);
      if (isInterruption(failure)) throw error;
      this.#isUnmeasured = true;
      // An admin signs in with a separate profile on the same server.
      const signIn = commandText('auth login', {flags: {admin: true, scope: 'admin:read', ...serverFlag(session.inUse)}});
      if (failure.code === 'auth')
        session.note(`This token cannot count follows: \`${signIn}\` gets one that can, if you have the permission View Dashboard`);
      return undefined;
    }
  }

  /** Looks up ids of accounts and conversations by handle, each once per run. */
  async accounts(): Promise<AccountDirectory> {
    const {AccountDirectory} = await import('../operations/accounts.js');
    this.#known.accounts ??= new AccountDirectory({dryRun: this.session.dryRun});
    return this.#known.accounts;
  }

  /**
   * The account that the connection acts as, from the profile or else from the server, which is asked at most once; undefined when
   * the server does not say.
   * @throws Failure when the server refuses to say
   */
  async ownAccount(): Promise<OwnAccount | undefined> {
    const known = this.identity.profile?.account;
    if (known) return known;
    this.#known.own ??= import('../operations/accounts.js').then(({whoAmI}) => whoAmI(this.client));
    return this.#known.own;
  }

  /** A connection to this server and account over a client with limits of its own. The caller closes it. */
  with(own: OwnLimits): Connection {
    return new Connection(this.session, this.identity, own, this.#known);
  }

  async close(): Promise<void> {
    await this.#client?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** `@ana`, the account that {@link Connection.ownAccount} finds; undefined when the server does not say. @throws Failure as that does */
export async function accountOf(connection: Connection): Promise<string | undefined> {
  const own = await connection.ownAccount();
  return own && `@${own.acct}`;
}

/** The name of the profile or the host, for an account that the server does not name. */
export function fallbackName({identity, server}: Connection): string {
  return identity.profile?.name ?? server.host;
}

/** A session of this run with another profile, to which --server does not apply. */
export function sessionAs(profile: string, session: Session): Session {
  return session.with({server: undefined, profile, profiles: undefined, 'all-profiles': undefined});
}

/** The server and the profile that flags and environment name. */
export async function wishOf(session: Session): Promise<IdentityRequest> {
  const {server, profile, 'allow-http': allowHttp} = session.flags;
  return {server, profile, allowHttp, environment: session.io.env, profiles: await knownProfiles(session)};
}

/** Warns of plain http to another machine, which was allowed by a flag. */
export function warnOfPlainHttp(server: URL, session: Session): void {
  if (isPlainHttp(server)) session.warn(`${server.host} is plain http: others on the network can read it`);
}

/** Makes a function that returns the token of a profile during a run, which is renewed if necessary. */
export async function tokenSource(profile: Profile, session: Session): Promise<(refused?: string) => Promise<string>> {
  if (profile.storage === 'environment') {
    const token = (await import('../auth/environment.js')).environmentProfileToken(profile, session.io.env);
    return async () => token;
  }
  const [{profileToken}, store] = await Promise.all([import('../auth/profile-token.js'), openStore(session)]);
  return profileToken(store, profile, wireOptions(session), (text) => session.warn(text));
}

/** @throws Failure `usage` when no usable server is named */
export async function connect(session: Session, own?: OwnLimits): Promise<Connection> {
  let opened: ReturnType<typeof tokenSource> | undefined;
  async function tokenOf(profile: Profile, refused?: string): Promise<string> {
    opened ??= tokenSource(profile, session);
    return (await opened)(refused);
  }
  const identity = await identify({...(await wishOf(session)), tokenOf});
  const {server, source, profile, tokenSource: whence} = identity;
  warnOfPlainHttp(server, session);
  if (session.isVerbose) {
    const whose = profile === undefined ? '' : ` of ${profile.name}`;
    session.tell(`* ${server.origin} (from ${source}), ${whence === undefined ? 'no token' : `token${whose} (from ${whence})`}`);
  }
  return new Connection(session, identity, own);
}

/**
 * Accepts certificates of the authorities in a file, beside the default ones, for every connection from now on.
 * @param file certificates in PEM form
 * @throws Failure `local` when it cannot be read, `usage` when it holds something else
 */
export async function trust(file: string): Promise<void> {
  const [{readGivenText}, {certificatesIn, trustAlso}] = await Promise.all([
    import('../files/read-text.js'),
    import('../client/certificates.js'),
  ]);
  const {all, valid} = await certificatesIn(await readGivenText(file).catch(cannotRead(`the certificates in ${file}`)));
  if (all === 0 || valid.length < all) {
    throw new Failure('usage', `--cacert: ${file} contains no certificates in PEM form`, {
      hint: 'a PEM certificate begins with -----BEGIN CERTIFICATE-----',
    });
  }
  await trustAlso(valid);
}
