/**
 * What an answer means: the one place that knows which status and which text of a server is which failure.
 * The status decides first, then the body; servers before 2026 answer 500 for almost everything.
 */
import type {FailureCode, FailureReason} from './failure.js';

export interface Verdict {
  readonly code: FailureCode;
  readonly reason?: FailureReason;
  /** What happened, before the server's own words. */
  readonly what: string;
}

export interface Received {
  readonly status: number;
  /** Where a redirect points to. */
  readonly location?: string | undefined;
  /** The parsed body; undefined when it is not JSON. */
  readonly body: unknown;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
}

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** Every message of a validation answer, field by field: `{"errors": {"title": ["The title field is required."]}}`. */
function validationMessages(body: Members): string[] {
  return Object.values(membersOf(body['errors']))
    .flatMap((messages): unknown[] => (Array.isArray(messages) ? messages : [messages]))
    .map(text)
    .filter((message) => message !== '');
}

/** The fields that a validation answer names. */
export function refusedFields(body: unknown): string[] {
  return Object.keys(membersOf(membersOf(body)['errors']));
}

/** The server's own words in the body of an error, or an empty string. */
export function serverWords(body: unknown): string {
  const members = membersOf(body);
  const messages = validationMessages(members);
  if (messages.length > 0) return messages.join(' ');
  const [error, message, msg] = [text(members['error']), text(members['message']), text(members['msg'])];
  if (error && message) return `${error}: ${message}`;
  return error || message || msg;
}

const aboutTokenUse = /\bscopes?\b|invalid permissions|permission to use|\bunauthori[sz]ed\b|\bunauthenticated\b/i;

function judgeServerError({status, body}: Received, asked: Asked): Verdict {
  const words = serverWords(body);
  if (status === 500) {
    if (isMembers(membersOf(body)['errors'])) return {code: 'refused', what: 'refused the input'};
    if (words === 'Unauthenticated.') return {code: 'auth', reason: 'token', what: 'does not accept the token'};
    if (words === 'This action is unauthorized.') return {code: 'auth', what: 'does not let this account do that'};
    if (words.startsWith('No query results for model')) return {code: 'not_found', what: 'does not have that'};
    const blocksDomain = asked.method === 'POST' && asked.path === '/api/v1/domain_blocks';
    if (blocksDomain && /\bdomain\b/i.test(words)) return {code: 'refused', what: 'refused the domain'};
  }
  return {code: 'unavailable', what: 'failed'};
}

function judgeForbidden(body: unknown): Verdict {
  const words = serverWords(body);
  if (words === 'This action is unauthorized.') return {code: 'auth', what: 'does not let this account do that'};
  return words === '' || aboutTokenUse.test(words)
    ? {code: 'auth', reason: 'scope', what: 'does not let this token do that'}
    : {code: 'refused', what: 'refused that'};
}

function judgeNotFound(body: unknown): Verdict {
  return serverWords(body).startsWith('The route ')
    ? {code: 'not_found', reason: 'unknown_route', what: 'does not offer this'}
    : {code: 'not_found', what: 'does not have that'};
}

function isLoginPage(location: string | undefined): boolean {
  return location !== undefined && /^(https?:\/\/[^/?#]+)?\/login\/?([?#]|$)/i.test(location);
}

/** What the answer failed of, or undefined when its status is a success. */
export function judge(received: Received, asked: Asked): Verdict | undefined {
  const {status, body, location} = received;
  if (status >= 200 && status < 300) return undefined;
  if (status < 400) {
    return isLoginPage(location)
      ? {code: 'auth', reason: 'login_page', what: 'sent its login page instead of an answer'}
      : {code: 'bad_answer', reason: 'another_origin', what: 'sent a redirect, which was not followed,'};
  }
  if (status === 401) return {code: 'auth', reason: 'token', what: 'does not accept the token'};
  if (status === 403) return judgeForbidden(body);
  if (status === 404) return judgeNotFound(body);
  if (status === 410) return {code: 'not_found', what: 'no longer has that'};
  if (status === 429) return {code: 'rate_limited', what: 'is limiting requests'};
  if (status < 500) return {code: 'refused', what: 'refused the input'};
  return judgeServerError(received, asked);
}

/** A 429 on filters without `Retry-After` is a quota of the hour: waiting a little does not help. */
export function isHourlyQuota(asked: Asked, retryAfter: string | undefined): boolean {
  return retryAfter === undefined && /^\/api\/v2\/filters(\/|$)/.test(asked.path);
}
