/** What can go wrong while signing in, each in words of its own. None of them repeats a secret. */
import {failureOf, parsed} from '../client/answer.js';
import type {PlannedRequest} from '../client/encode.js';
import {Failure} from '../client/failure.js';
import {redact} from '../client/redact.js';
import type {Incoming} from '../client/transport.js';
import {at} from '../json/path.js';

/** For messages. What is lost on the way is asked for anew, so its fate does not matter. */
export const tokenRequest: PlannedRequest = {
  method: 'POST',
  path: '/oauth/token',
  query: [],
  headers: {},
  token: 'never',
  repeat: 'harmless',
  secrets: [],
};

/** What is given for a token. */
export type Grant = 'code' | 'refresh token';

const again = 'sign in again';

export const noOAuth = (host: string): Failure =>
  new Failure('not_found', `${host} does not let programs sign people in`, {
    reason: 'unknown_route',
    hint: (suggest) =>
      `its admin has switched that off, or it is another kind of server; a token made in its settings may work: \`${suggest(['auth', 'login'], {flags: {'with-token': true}})}\``,
  });

export const wrongState = (host: string): Failure =>
  new Failure('auth', `This is not the answer of ${host} to this sign-in`, {
    reason: 'bad_paste',
    hint: `${again}, and follow the newest link only; somebody else may have sent you theirs`,
  });

export const noCode = (host: string): Failure =>
  new Failure('bad_answer', `The answer of ${host} contains no code`, {
    reason: 'bad_paste',
    hint: 'copy all of the text that the browser shows, or the whole address that it ended on',
  });

/** The failure that the server sent the browser back with. */
export function failureInAnswer(host: string, error: string, scopes: readonly string[]): Failure {
  switch (error) {
    case 'access_denied':
      return new Failure('auth', `The sign-in on ${host} was not approved`, {hint: `${again} if that was not meant`});
    case 'invalid_scope':
      return new Failure('refused', `${host} does not know one of these scopes: ${scopes.join(' ')}`, {
        hint: 'servers of this kind know read, write, follow and push',
      });
    case 'server_error':
    case 'temporarily_unavailable':
      return new Failure('unavailable', `${host} could not sign you in: server error`, {hint: 'try again later'});
    default:
      return new Failure('refused', `${host} ended the sign-in (${/^\w{1,40}$/.test(error) ? error : 'without a reason'})`, {hint: again});
  }
}

/** The error of a body, also where older servers keep nothing of it but the description in their library's words. */
function errorIn(body: unknown, status: number): string | undefined {
  const {value} = at(body, ['error']);
  if (typeof value !== 'string') return undefined;
  if (status < 500) return value;
  if (/client authentication failed/i.test(value)) return 'invalid_client';
  return /authorization grant .* is invalid|refresh token is invalid|is otherwise malformed/i.test(value) ? 'invalid_grant' : undefined;
}

function refusedGrant(host: string, grant: Grant, status: number, words: string): Failure {
  const said = words === '' ? '' : `: ${words}`;
  return grant === 'code'
    ? new Failure('auth', `${host} does not accept the code (${status})${said}`, {
        status,
        reason: 'bad_paste',
        hint: `${again}: a code is good for one sign-in, and for a few minutes`,
      })
    : new Failure('auth', `${host} does not renew the token (${status})${said}`, {
        status,
        reason: 'token',
        hint: `${again}: it may have been renewed elsewhere, or revoked`,
      });
}

/** What the server says about it; the error itself is told in words of ours. */
function wordsIn(body: unknown): string {
  const said = ['hint', 'error_description', 'message'].map((name) => at(body, [name]).value);
  return said.find((words): words is string => typeof words === 'string' && words !== '') ?? '';
}

/** Why there is no token in an answer. */
export function failureOfToken(host: string, grant: Grant, received: Incoming, secrets: readonly string[]): Failure {
  const {status, text} = received;
  const body = parsed(text).value;
  const error = errorIn(body, status);
  if (error === 'invalid_client') {
    return new Failure('auth', `${host} does not know this program any more (${status})`, {
      status,
      reason: 'unknown_client',
      hint: `${again}, which registers it again`,
    });
  }
  if (status === 404) return noOAuth(host);
  // Servers of this kind call a used or expired code a malformed request, and ours is well formed.
  if (error === 'invalid_grant' || (status >= 400 && status < 500 && status !== 429)) {
    return refusedGrant(host, grant, status, redact(wordsIn(body), secrets));
  }
  const general = failureOf(received, {host, request: tokenRequest});
  if (general === undefined) return noToken(host, grant);
  return new Failure(general.code, redact(general.message, secrets), general.details).with({hint: hintAfter(grant)});
}

/** What to do when it cannot be known how the server stands to what was given. */
export const hintAfter = (grant: Grant): string =>
  grant === 'code' ? `check the address and your connection, then ${again}` : 'the old token is kept: try again later';

export const noToken = (host: string, grant: Grant): Failure =>
  new Failure('bad_answer', `${host} answers a request for a token with something else`, {hint: hintAfter(grant)});
