/** What signing in has to be told, at a terminal or through standard input. */
import {Failure} from '../../client/failure.js';
import {pipedText} from '../standard-streams.js';
import {canAsk, prompt} from './confirm.js';

export async function askServer(): Promise<string> {
  const {server} = await prompt<{server: string}>({type: 'input', name: 'server', message: 'Which server?'});
  return server;
}

/** The token: hidden while it is typed, or all of standard input. */
export async function askToken(server: URL): Promise<string> {
  if (!canAsk()) return pipedText();
  const message = `Access token (made on ${server.origin}/settings/applications):`;
  const {token} = await prompt<{token: string}>({type: 'password', name: 'token', message, mask: '*'});
  return token;
}

/** What the browser shows after the approval. */
export async function askCode(): Promise<string> {
  if (!canAsk()) return pipedText();
  const {code} = await prompt<{code: string}>({type: 'password', name: 'code', message: 'Paste what the browser shows:', mask: '*'});
  if (code.trim() === '') throw new Failure('usage', 'Nothing was pasted', {hint: 'sign in again, and copy all that the browser shows'});
  return code;
}
