/** The ways to come by a token; what is shown and asked is the caller's. */
import {createClient} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {whoAmI, type OwnAccount} from '../operations/accounts.js';
import type {Authorization, IssuedToken, OAuthOptions} from './oauth.js';
import type {Profile, Secret, ServerClient} from './profile.js';

/** Milliseconds that somebody has to approve a sign-in. */
const patience = 10 * 60 * 1000;

/**
 * Ports of this machine that the program's registration with a server names, so that one registration does for all sign-ins.
 * They are below those that systems give to outgoing connections, and assigned to nobody.
 */
const usualPorts = [29_170, 29_171, 29_172] as const;

/** What a sign-in brings: all of a profile but its name. */
export interface SignIn {
  readonly profile: Pick<Profile, 'account' | 'client' | 'expiresAt' | 'scopes' | 'server'>;
  readonly secret: Secret;
  /** How the program is known to the server from now on, if that is new. */
  readonly client?: ServerClient | undefined;
  /** What could not be found out. */
  readonly note?: string | undefined;
}

/** Whose a token is, asked of the server before anything is kept. Not to know is no obstacle; a refusal is. */
async function ownerOf(server: URL, token: string, options: OAuthOptions): Promise<{account: OwnAccount | null; note?: string}> {
  const client = createClient({...options, server, token: async () => token});
  try {
    const account = await whoAmI(client);
    return account === undefined ? {account: null, note: `${server.host} does not say whose token this is`} : {account};
  } catch (error) {
    if (!(error instanceof Failure) || error.details.reason !== 'scope') throw error;
    return {account: null, note: 'The token may not read, so whose it is stays unknown'};
  } finally {
    await client.close();
  }
}

/** Checks a token that somebody pasted. @throws Failure `auth` when the server does not accept it */
export async function signInWithToken(server: URL, token: string, options: OAuthOptions): Promise<SignIn> {
  const {account, note} = await ownerOf(server, token, options).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'auth') throw error;
    throw error.with({
      hint: `copy the whole token; it may have expired or been revoked: ${server.origin}/settings/applications lists them`,
    });
  });
  return {profile: {server: server.origin, account, scopes: null, expiresAt: null, client: null}, secret: {accessToken: token}, note};
}

export interface BrowserOptions extends OAuthOptions {
  readonly scopes: readonly string[];
  /** Port that the browser comes back to; one of the usual ones if absent, or else a free one. */
  readonly port?: number | undefined;
  /** How the program is known to the server, if it was registered there before. */
  readonly known?: ServerClient | undefined;
  /** Tells the address that has to be opened, and why no browser was opened with it, if that was tried. */
  readonly tell: (url: string, problem: string | undefined) => void;
  /** Tells of an error that came to the port, but need not have come from the server. */
  readonly tellOfStray: (error: string) => void;
  /** Asks for what the browser shows in the end; then there is no way back from the browser but this. */
  readonly paste?: (() => Promise<string>) | undefined;
  /** Asks again, where somebody is there, when what was pasted is of no use. */
  readonly pasteAgain?: ((problem: Failure) => Promise<string>) | undefined;
}

/** The client to sign in with: the known one, unless it cannot be used for this redirect, or the server has forgotten it. */
async function clientFor(server: URL, redirectUri: string, {known, scopes, ...options}: BrowserOptions): Promise<ServerClient> {
  const {isKnownClient, outOfBand, registerClient} = await import('./oauth.js');
  const {redirectUriAt} = await import('./browser.js');
  if (known?.redirectUris.includes(redirectUri) && (await isKnownClient(server, known, options))) return known;
  const moreRedirectUris = [outOfBand, ...usualPorts.map(redirectUriAt)];
  return registerClient(server, {name: 'pixelctl', redirectUri, moreRedirectUris, scopes}, options);
}

/** Asks for what the browser shows, and again while that is of no use. */
async function pasted(begun: Authorization, first: string, {pasteAgain, ...options}: BrowserOptions): Promise<IssuedToken> {
  const {finishAuthorization} = await import('./oauth.js');
  for (let answer = first; ;) {
    try {
      return await finishAuthorization(begun, answer, options);
    } catch (error) {
      if (!(error instanceof Failure) || error.details.reason !== 'bad_paste' || pasteAgain === undefined) throw error;
      answer = await pasteAgain(error);
    }
  }
}

/**
 * Signs in through the browser: on this machine by a redirect to loopback, elsewhere (`paste`) by copying a code.
 * @throws Failure with the step that did not work; nothing is kept then
 */
export async function signInWithBrowser(server: URL, options: BrowserOptions): Promise<SignIn> {
  const {scopes, port, known, tell, tellOfStray, paste} = options;
  const [oauth, {receiveCallback}, {openBrowser}] = await Promise.all([
    import('./oauth.js'),
    import('./browser.js'),
    import('./browser.js'),
  ]);
  const callback =
    paste === undefined ? await receiveCallback({patience, ports: port === undefined ? [...usualPorts, 0] : [port]}) : undefined;
  try {
    const redirectUri = callback?.redirectUri ?? oauth.outOfBand;
    const client = await clientFor(server, redirectUri, options);
    const begun = await oauth.beginAuthorization(server, client, {scopes, redirectUri});
    // Before the browser is opened: it may be quick.
    const answered = callback?.answer(begun.state, tellOfStray);
    answered?.catch(() => {});
    tell(begun.url, callback && (await openBrowser(begun.url)));
    const issued =
      answered === undefined
        ? await pasted(begun, (await paste?.()) ?? '', options)
        : await oauth.finishAuthorization(begun, await answered, options);
    const {account, note} = await ownerOf(server, issued.accessToken, options);
    return {
      profile: {
        server: server.origin,
        account,
        scopes: issued.scopes ?? scopes,
        expiresAt: issued.expiresAt,
        client: {id: client.id},
      },
      secret: {accessToken: issued.accessToken, refreshToken: issued.refreshToken, clientSecret: client.secret},
      client: client === known ? undefined : client,
      note,
    };
  } finally {
    await callback?.close();
  }
}
