/** The ways to come by a token; what is shown and asked is the caller's. */
import {createClient} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {whoAmI, type OwnAccount} from './account.js';
import type {OAuthOptions} from './oauth.js';
import type {Profile, Secret} from './profile.js';

/** Milliseconds that somebody has to approve a sign-in. */
const patience = 10 * 60 * 1000;

/** What a sign-in brings: all of a profile but its name. */
export interface SignIn {
  readonly profile: Pick<Profile, 'account' | 'client' | 'expiresAt' | 'scopes' | 'server'>;
  readonly secret: Secret;
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
  const {account, note} = await ownerOf(server, token, options);
  return {profile: {server: server.origin, account, scopes: null, expiresAt: null, client: null}, secret: {accessToken: token}, note};
}

export interface BrowserOptions extends OAuthOptions {
  readonly scopes: readonly string[];
  /** Port that the browser comes back to; a free one if absent. */
  readonly port?: number | undefined;
  /** Tells the address that has to be opened, and why no browser was opened with it, if that was tried. */
  readonly tell: (url: string, problem: string | undefined) => void;
  /** Asks for what the browser shows in the end; then there is no way back from the browser but this. */
  readonly paste?: (() => Promise<string>) | undefined;
}

/**
 * Signs in through the browser: on this machine by a redirect to loopback, elsewhere (`paste`) by copying a code.
 * @throws Failure with the step that did not work; nothing is kept then
 */
export async function signInWithBrowser(server: URL, options: BrowserOptions): Promise<SignIn> {
  const {scopes, port, tell, paste} = options;
  const [oauth, {receiveCallback}, {openBrowser}] = await Promise.all([
    import('./oauth.js'),
    import('./callback.js'),
    import('./browser.js'),
  ]);
  const callback = paste === undefined ? await receiveCallback({patience, ...(port !== undefined && {port})}) : undefined;
  try {
    const redirectUri = callback?.redirectUri ?? oauth.outOfBand;
    const registered = await oauth.registerClient(server, {name: 'pixelctl', redirectUris: [redirectUri], scopes}, options);
    const begun = await oauth.beginAuthorization(server, registered, {scopes, redirectUri});
    tell(begun.url, callback && (await openBrowser(begun.url)));
    const answer = callback === undefined ? await paste?.() : await callback.answer;
    const issued = await oauth.finishAuthorization(begun, answer ?? '', options);
    const {account, note} = await ownerOf(server, issued.accessToken, options);
    return {
      profile: {
        server: server.origin,
        account,
        scopes: issued.scopes ?? scopes,
        expiresAt: issued.expiresAt,
        client: {id: registered.id},
      },
      secret: {accessToken: issued.accessToken, refreshToken: issued.refreshToken, clientSecret: registered.secret},
      note,
    };
  } finally {
    await callback?.close();
  }
}
