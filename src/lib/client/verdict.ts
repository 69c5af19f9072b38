/**
 * Maps the status and the error text of a response to a failure code. No other file does that.
 * The status decides first, then the body: servers before 2026 respond with 500 to almost everything.
 */
import type {OwnErrors} from '../api/endpoint.js';
import {isObject, membersOf, type Members} from '../api/schema.js';
import {sourceText} from '../json/exact.js';
import {at} from '../json/path.js';
import {shortened} from '../json/text.js';
import type {FailureCode, FailureReason} from './failure.js';

export interface Verdict {
  readonly code: FailureCode;
  readonly reason?: FailureReason;
  /** What happened, before the server's error text. */
  readonly what: string;
  /** The request was not carried out. False: it may have been, so the fate of a write that is not safe to repeat is unknown. */
  readonly isRefusal: boolean;
}

export interface Received {
  readonly status: number;
  readonly location?: string | undefined;
  readonly retryAfter?: string | undefined;
  /** The parsed body; undefined when it is not JSON. */
  readonly body: unknown;
  /** Whether it broke off, so that nothing is known of its body. */
  readonly isBroken?: boolean;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** Code units of a sent value in a message. */
const maxValueLength = 60;

/** A message about an item of a list, which names the item instead of its index. */
function aboutItem(message: string, path: string, sent: unknown): string {
  const keys = path.split('.');
  const value = /\.\d+(\.|$)/.test(path) ? at(sent, keys).value : undefined;
  const word = typeof value === 'string' ? value : sourceText(value);
  if (word === undefined) return message;
  const shown = JSON.stringify(shortened(word, maxValueLength));
  const name = keys.findLast((key) => !/^\d+$/.test(key));
  return message.includes(path) ? message.replaceAll(path, () => `${name} ${shown}`) : `${shown}: ${message}`;
}

/** All messages of a validation error, field by field: `{"errors": {"title": ["The title field is required."]}}`. */
function validationMessages(body: Members, sent: unknown): string[] {
  return Object.entries(membersOf(body['errors'])).flatMap(([path, messages]) =>
    [messages]
      .flat()
      .map(text)
      .filter((message) => message !== '')
      .map((message) => aboutItem(message, path, sent)),
  );
}

/** The fields that a validation error names. */
export function refusedFields(body: unknown): string[] {
  return Object.keys(membersOf(membersOf(body)['errors']));
}

/** Whether a body is an error as servers write it, and no page of a proxy or another site. */
export const hasWords = (body: unknown): boolean => ['error', 'message'].some((name) => typeof membersOf(body)[name] === 'string');

/** Characters of a server's own words: nobody reads more, and failures keep them. */
const maxWordsLength = 20_000;

function wordsIn(body: unknown, sent: unknown): string {
  const members = membersOf(body);
  const messages = validationMessages(members, sent);
  if (messages.length > 0) return messages.join(' ');
  const [error, message, msg] = [text(members['error']), text(members['message']), text(members['msg'])];
  if (error && message) return `${error}: ${message}`;
  return error || message || msg;
}

/**
 * The error text in the body of a response, or an empty string.
 * @param sent the body of the request, where it was JSON
 */
export function serverWords(body: unknown, sent?: unknown): string {
  const words = wordsIn(body, sent);
  // A slice keeps the whole text in memory, which may be megabytes; a copy does not.
  return words.length > maxWordsLength ? Buffer.from(shortened(words, maxWordsLength)).toString() : words;
}

/** An error response, as the table looks at it. */
interface Failed extends Received {
  /** The server's error text. */
  readonly words: string;
  /** What the record says about the errors of the endpoint. */
  readonly own: OwnErrors;
}

type Row = Omit<Verdict, 'what'> & {
  readonly what: string | ((failed: Failed) => string);
  readonly status: (status: number) => boolean;
  /** A further condition. Default: none. */
  readonly when?: (failed: Failed) => boolean;
};

const is =
  (...statuses: readonly number[]) =>
  (status: number): boolean =>
    statuses.includes(status);
const from =
  (first: number, last: number) =>
  (status: number): boolean =>
    status >= first && status <= last;

const aboutTokenUse = /\bscopes?\b|invalid permissions|permission to use|\bunauthori[sz]ed\b|\bunauthenticated\b/i;
const loginPage = /^(https?:\/\/[^/?#]+)?\/login\/?([?#]|$)/i;

/** What Mastodon says of a scope that an admin's token lacks, and what Pixelfed before 2026 says. */
const outsideScopes = 'This action is outside the authorized scopes';
const ofMastodon: ReadonlySet<string> = new Set([outsideScopes, 'This action is not allowed']);
const invalidScopes = 'Invalid scope(s) provided.';

/** What servers say of a report whose object has no post to act on. */
const aboutMissingObject = /^Attempt to read property /;

/** What Pixelfed says of a list with an instance whose note was typed on a page of the server, which keeps it in a form that this API cannot read. */
const aboutTypedNote = /^join\(\): Argument #2 \(\$array\) must be of type /;

/** What servers say when an account has as many blocks, mutes or filters as they allow. */
const aboutLimit = /\blimit of domain blocks\b|\bmax limit\b|\bcannot (?:block|mute) more than\b|^Filter limit exceeded\b/i;

/** The first row that matches decides. */
const verdicts: readonly Row[] = [
  {
    status: from(0, 399),
    when: ({location}) => location !== undefined && loginPage.test(location),
    code: 'auth',
    reason: 'login_page',
    what: 'redirected to the login page',
    // Servers send people there after a write, too.
    isRefusal: false,
  },
  {status: from(0, 399), code: 'bad_answer', reason: 'another_origin', what: 'redirect not followed', isRefusal: false},
  // The object belongs to another account. This says nothing about the token.
  {
    status: from(400, 599),
    when: ({words}) => /^This action is unauthorized\.?$/i.test(words),
    code: 'refused',
    reason: 'not_yours',
    what: 'not allowed for this account',
    isRefusal: true,
  },
  {status: is(401), code: 'auth', reason: 'token', what: 'token not accepted', isRefusal: true},
  {
    status: is(403, 500),
    when: ({status, words, own}) => own.refusesActions === true && (status === 403 ? words === '' : aboutMissingObject.test(words)),
    code: 'refused',
    what: 'action refused',
    isRefusal: true,
  },
  {
    status: is(403, 500),
    when: ({words, own}) => own.onlyAdmins === true && (words === outsideScopes || words === invalidScopes),
    code: 'auth',
    reason: 'admin_scope',
    what: 'not allowed for this token',
    isRefusal: true,
  },
  {
    status: is(500),
    when: ({words, own}) => own.failsOnGone === true && aboutMissingObject.test(words),
    code: 'not_found',
    what: 'gone',
    isRefusal: true,
  },
  {
    status: is(404),
    when: ({body, own}) => own.mayForbidDeletion === true && membersOf(body)['error'] === '',
    code: 'auth',
    reason: 'deletion',
    what: 'only for admins, or forbidden by the server',
    isRefusal: true,
  },
  // Which of the two is missing, an admin or the scope, servers do not always say.
  {
    status: is(403, 404),
    when: ({status, body, own}) => own.onlyAdmins === true && (status === 403 || (status === 404 && membersOf(body)['error'] === '')),
    code: 'auth',
    reason: 'admin',
    what: 'only for admins',
    isRefusal: true,
  },
  {
    status: is(403),
    when: ({words, own}) => words === '' && own.refusesRecipients === true,
    code: 'refused',
    reason: 'no_messages',
    what: 'this account cannot be messaged',
    isRefusal: true,
  },
  {
    status: is(403),
    when: ({words}) => words === '' || aboutTokenUse.test(words),
    code: 'auth',
    reason: 'scope',
    what: 'not allowed for this token',
    isRefusal: true,
  },
  {status: is(403), code: 'refused', what: 'request refused', isRefusal: true},
  {
    status: is(400, 422, 500),
    when: ({words, own}) => own.limited === true && aboutLimit.test(words),
    code: 'refused',
    reason: 'server_limit',
    what: 'limit reached',
    isRefusal: true,
  },
  {
    status: is(404),
    when: ({words}) => words.startsWith('The route '),
    code: 'not_found',
    reason: 'unknown_route',
    what: 'not supported',
    isRefusal: true,
  },
  // Pixelfed and Mastodon say in JSON what was not found; web sites and proxies have pages.
  {
    status: is(404, 410),
    when: ({body, isBroken}) => isBroken !== true && !hasWords(body),
    code: 'not_found',
    reason: 'no_api',
    what: 'not found, and this is no answer of Pixelfed',
    isRefusal: true,
  },
  {status: is(404), code: 'not_found', what: 'not found', isRefusal: true},
  {status: is(410), code: 'not_found', what: 'gone', isRefusal: true},
  {
    status: is(429),
    when: ({own, retryAfter}) => isHourlyQuota(own, retryAfter),
    code: 'rate_limited',
    reason: 'hourly_quota',
    what: ({own}) => `hourly limit for ${own.hourlyQuota} reached`,
    isRefusal: true,
  },
  {status: is(429), code: 'rate_limited', what: 'rate limit reached', isRefusal: true},
  {
    status: is(400),
    when: ({words, own}) => own.mayBeFixed === true && words === '',
    code: 'refused',
    what: 'settings cannot be changed while the server runs',
    isRefusal: true,
  },
  {
    status: is(400),
    when: ({words, own}) => own.onlyAdmins === true && words === 'Cannot find status',
    code: 'not_found',
    what: 'not found',
    isRefusal: true,
  },
  // A proxy or the client gave up waiting; the server may still carry the request out.
  {status: is(408, 499), code: 'unavailable', what: 'timed out', isRefusal: false},
  {status: from(400, 499), code: 'refused', what: 'input refused', isRefusal: true},
  {status: is(500), when: ({body}) => isObject(membersOf(body)['errors']), code: 'refused', what: 'input refused', isRefusal: true},
  {
    status: is(500),
    when: ({words}) => words === 'Unauthenticated.',
    code: 'auth',
    reason: 'token',
    what: 'token not accepted',
    isRefusal: true,
  },
  {
    status: is(500),
    when: ({words}) => words.startsWith('No query results for model'),
    code: 'not_found',
    what: 'not found',
    isRefusal: true,
  },
  {
    status: is(500),
    when: ({words}) => /^You cannot (un)?mute yourself$/.test(words),
    code: 'refused',
    what: 'input refused',
    isRefusal: true,
  },
  {
    status: is(500),
    when: ({words, own}) => own.refusesDomains === true && /\bdomain\b/i.test(words),
    code: 'refused',
    what: 'domain refused',
    isRefusal: true,
  },
  {
    status: is(500),
    when: ({words, own}) => own.onlyAdmins === true && aboutTypedNote.test(words),
    code: 'unavailable',
    reason: 'typed_note',
    what: 'server error',
    isRefusal: false,
  },
];

const serverError: Verdict = {code: 'unavailable', what: 'server error', isRefusal: false};

/**
 * Why a response is a failure; undefined for a success.
 * @param own what the record says about the errors of the endpoint
 */
export function judge(received: Received, own: OwnErrors = {}): Verdict {
  const failed: Failed = {...received, own, words: serverWords(received.body)};
  const row = verdicts.find(({status, when}) => status(failed.status) && (when === undefined || when(failed))) ?? serverError;
  return {...row, what: typeof row.what === 'string' ? row.what : row.what(failed)};
}

/** The scope that a server asks for. Mastodon, which is known by what it says, may have a narrower one. */
export function neededScope(words: string, scope: string | undefined, own: OwnErrors = {}): string | undefined {
  return ofMastodon.has(words) ? (own.scopeOnMastodon ?? scope) : scope;
}

/** A 429 without `Retry-After` where servers count by the hour is that quota, which is not waited for. */
export function isHourlyQuota({hourlyQuota}: OwnErrors, retryAfter: string | undefined): boolean {
  return retryAfter === undefined && hourlyQuota !== undefined;
}
