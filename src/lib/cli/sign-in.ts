/** What signing in has to be told, at a terminal or through standard input. */
import {Failure} from '../client/failure.js';
import type {Environment, Io} from './io.js';
import type {Session} from './session.js';
import {prompt} from './prompts.js';
import type {Storage} from '../auth/profile.js';

export async function askServer(io: Io): Promise<string> {
  const {server} = await prompt<{server: string}>(io, {type: 'input', name: 'server', message: 'Which server?'});
  return server;
}

/** A secret: hidden while it is typed, or all of standard input. */
async function askSecret(message: string, io: Io): Promise<string> {
  if (io.canAsk) return (await prompt<{secret: string}>(io, {type: 'password', name: 'secret', message, mask: '*'})).secret;
  if (!io.isInputTerminal) return io.readStandardInput();
  throw new Failure('usage', 'What is typed here would be seen', {hint: 'give it through a pipe, or do not redirect standard error'});
}

export async function askToken(server: URL, io: Io): Promise<string> {
  const token = await askSecret(`Access token (made on ${server.origin}/settings/applications):`, io);
  if (token.trim() !== '') return token;
  throw new Failure('usage', 'No token was given', {hint: 'as in `pixelctl auth login --with-token < token.txt`'});
}

/** What the browser shows after the approval; asked for until something is pasted, where somebody is there. */
export async function askCode(io: Io): Promise<string> {
  for (;;) {
    const code = await askSecret('Paste what the browser shows:', io);
    if (code.trim() !== '') return code;
    if (!io.canAsk) throw new Failure('usage', 'Nothing was pasted', {hint: 'sign in again, and copy all that the browser shows'});
  }
}

/** Asks once more when what was pasted is of no use. */
export async function askCodeAgain({message}: Failure, session: Pick<Session, 'io' | 'tell'>): Promise<string> {
  session.tell(`${message}. Copy all that the browser shows, or the whole address that it ended on; Ctrl-C ends the sign-in.`);
  return askCode(session.io);
}

export const usualScopes = ['read', 'write', 'push'];

export function scopesIn(given: readonly string[] = []): string[] {
  const scopes = given.flatMap((text) => text.split(/[\s,]+/)).filter((scope) => scope !== '');
  return scopes.length === 0 ? usualScopes : [...new Set(scopes)];
}

/**
 * Where new tokens are kept, if that was given.
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
