/** Sign-ins against a sandbox, with a browser without scripts. */
import {beginAuthorization, registerClient, type Authorization} from '../../../src/lib/auth/oauth.js';
import type {Sandbox, SandboxOptions} from '../../sandbox/start.js';
import {answerTo} from '../sandbox/approving.js';
import {sandboxWith} from '../sandbox/asking.js';

export const redirectUri = 'http://127.0.0.1:9/callback';
export const scopes = ['read', 'write', 'push'];

export interface Begun {
  readonly sandbox: Sandbox;
  readonly begun: Authorization;
}

/** A sign-in that waits for its approval. */
export async function begin(options: SandboxOptions = {}, wanted: readonly string[] = scopes, redirect = redirectUri): Promise<Begun> {
  const sandbox = await sandboxWith(options);
  const server = new URL(sandbox.url);
  const client = await registerClient(server, {name: 'pixelctl', redirectUri: redirect, scopes: wanted});
  return {sandbox, begun: await beginAuthorization(server, client, {scopes: wanted, redirectUri: redirect})};
}

export const approve = ({url}: Authorization): Promise<URLSearchParams> => answerTo(url, {decision: 'approve'});
