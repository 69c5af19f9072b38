/** Prompts and flags of `auth login`. */
import {Failure} from '../../client/failure.js';
import type {Environment} from '../../files/runtime.js';
import type {Io} from '../io.js';
import type {Session} from '../session.js';
import {prompt} from '../prompts.js';
import {defaultScopes, type Storage} from '../../auth/index.js';

export async function askServer(io: Io): Promise<string> {
  const {server} = await prompt<{server: string}>(io, {type: 'input', name: 'server', message: 'Server:'});
  return server;
}

/** A secret: typed at a prompt that hides it, or all of standard input. */
async function askSecret(message: string, io: Io): Promise<string> {
  if (io.canAsk) return (await prompt<{secret: string}>(io, {type: 'password', name: 'secret', message, mask: '*'})).secret;
  if (!io.isInputTerminal) return io.readStandardInput();
  throw new Failure('usage', 'Cannot hide what you type while standard error is redirected', {
    hint: 'pipe the secret to standard input, or do not redirect standard error',
  });
}

export async function askToken(server: URL, io: Io): Promise<string> {
  const token = await askSecret(`Access token (from ${server.origin}/settings/applications):`, io);
  if (token.trim() !== '') return token;
  throw new Failure('usage', 'No token given', {hint: 'for example: `pixelctl auth login --with-token < token.txt`'});
}

/** Prompts for what the browser shows after the approval, until something is pasted. */
export async function askCode(io: Io): Promise<string> {
  for (;;) {
    const code = await askSecret('Paste what the browser shows:', io);
    if (code.trim() !== '') return code;
    if (!io.canAsk) throw new Failure('usage', 'Nothing was pasted', {hint: 'sign in again, and copy all the text that the browser shows'});
  }
}

export async function askCodeAgain({message}: Failure, session: Pick<Session, 'io' | 'say'>): Promise<string> {
  session.say(`${message}. Copy all the text that the browser shows, or the whole address of the last page; press Ctrl-C to cancel.`);
  return askCode(session.io);
}

export function scopesIn(given: readonly string[] = []): readonly string[] {
  const scopes = given.flatMap((text) => text.split(/[\s,]+/)).filter((scope) => scope !== '');
  return scopes.length === 0 ? defaultScopes : [...new Set(scopes)];
}

/**
 * Where new tokens are stored; undefined where the user has not chosen.
 * @throws Failure `usage` for an unknown place
 */
export function storageIn(
  {'insecure-storage': isFile}: {readonly 'insecure-storage': boolean},
  environment: Environment,
): Storage | undefined {
  if (isFile) return 'file';
  const named = environment['PIXELCTL_STORAGE'] ?? '';
  if (named === '') return undefined;
  if (named === 'file' || named === 'keyring') return named;
  throw new Failure('usage', 'PIXELCTL_STORAGE must be file or keyring');
}

interface BrowserFlags {
  readonly 'with-token': boolean;
  readonly scope?: readonly string[] | undefined;
  readonly 'no-browser': boolean;
  readonly port?: number | undefined;
}

/** @throws Failure `usage` for flags of the browser together with a token */
export function checkTogether({'with-token': withToken, scope, 'no-browser': noBrowser, port}: BrowserFlags): void {
  if (!withToken) return;
  const ofBrowser = scope !== undefined ? 'scope' : noBrowser ? 'no-browser' : port === undefined ? undefined : 'port';
  if (ofBrowser !== undefined) throw new Failure('usage', `--with-token and --${ofBrowser} cannot be used together`);
}
