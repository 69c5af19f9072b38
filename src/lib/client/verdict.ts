/**
 * Maps the status and the error text of a response to a failure code. No other file does that.
 * The status decides first, then the body: servers before 2026 respond with 500 to almost everything.
 */
import type {OwnErrors} from '../api/endpoint.js';
import {isObject, membersOf, type Members} from '../api/schema.js';
import {shorten} from '../json/text.js';
import type {FailureCode, FailureReason} from './failure.js';

export interface Verdict {
  readonly code: FailureCode;
  readonly reason?: FailureReason;
  /** What happened, in words. Messages add the server's error text. */
  readonly what: string;
  /** Whether the request was certainly not carried out. False: it may have been, so the fate of a write that is not safe to repeat is unknown. */
  readonly isRefusal: boolean;
}

export interface Received {
  readonly status: number;
  readonly location?: string | undefined;
  readonly retryAfter?: string | undefined;
  /** The parsed body; undefined when it is not JSON. */
  readonly body: unknown;
  /** Whether the connection broke before the body was complete, so that the body says nothing. */
  readonly isBroken?: boolean;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** All messages of a validation error: `{"errors": {"title": ["The title field is required."]}}`. */
const validationMessages = (body: Members): string[] =>
  Object.values(membersOf(body['errors']))
    .flat()
    .map(text)
    .filter((message) => message !== '');

export function refusedFields(body: unknown): string[] {
  return Object.keys(membersOf(membersOf(body)['errors']));
}

/** Whether a body is an error of Pixelfed or Mastodon, not a page of a proxy or another web site. */
export const hasWords = (body: unknown): boolean => ['error', 'message'].some((name) => typeof membersOf(body)[name] === 'string');

/** At most this many characters of a server's error text are read: nobody reads more, and failures hold them in memory. */
const maxWordsLength = 20_000;

function wordsIn(body: unknown): string {
  const members = membersOf(body);
  const messages = validationMessages(members);
  if (messages.length > 0) return messages.join(' ');
  const [error, message, msg] = [text(members['error']), text(members['message']), text(members['msg'])];
  if (error && message) return `${error}: ${message}`;
  return error || message || msg;
}

/** The error text in the body of a response, or an empty string. */
export function serverWords(body: unknown): string {
  // A slice keeps the whole text in memory, which may be megabytes; a copy does not.
  return Buffer.from(shorten(wordsIn(body), maxWordsLength)).toString();
}

/**
 * The server's error text, as messages show it. Text about the server's own classes and variables is left out, but for the id that it
 * did not find.
 */
export function wordsForPeople(words: string): string {
  if (aboutMissingObject.test(words)) return '';
  const unfound = /^No query results for model(?: \[[^\]]*\])?\.?(?: (.+))?$/s.exec(words);
  if (unfound === null) return words;
  const [, id] = unfound;
  return id === undefined ? '' : `there is no ${id}`;
}

interface Failed extends Received {
  readonly words: string;
  readonly own: OwnErrors;
}

type Row = readonly [
  status: (status: number) => boolean,
  code: FailureCode,
  what: string,
  when?: (failed: Failed) => boolean,
  reason?: FailureReason,
];

const always = (): boolean => true;

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

/** What Mastodon, and Pixelfed before 2026, say when an admin's token lacks a scope. */
const lackedScopes: ReadonlySet<string> = new Set(['This action is outside the authorized scopes', 'Invalid scope(s) provided.']);

const isEmptyError = (body: unknown): boolean => membersOf(body)['error'] === '';

/** Servers say this when an object that the request acts on is gone, such as the post of a report. */
const aboutMissingObject = /^Attempt to read property /;

/** Pixelfed says this instead of listing instances when somebody typed a note about one on its pages: this API cannot read such notes. */
const aboutTypedNote = /^join\(\): Argument #2 \(\$array\) must be of type /;

/** What servers say when an account has as many blocks, mutes or filters as they allow. */
const aboutLimit = /\blimit of domain blocks\b|\bmax limit\b|\bcannot (?:block|mute) more than\b|^Filter limit exceeded\b/i;

const verdicts: readonly Row[] = [
  [from(0, 399), 'auth', 'redirected to the login page', ({location}) => location !== undefined && loginPage.test(location), 'login_page'],
  [from(0, 399), 'bad_answer', 'redirect not followed', always, 'another_origin'],
  // The object belongs to another account. This says nothing about the token.
  [from(400, 599), 'refused', 'not allowed for this account', ({words}) => /^This action is unauthorized\.?$/i.test(words), 'not_yours'],
  [is(401), 'auth', 'token not accepted', always, 'token'],
  [is(403), 'refused', 'action refused', ({words, own}) => own.refusesActions === true && words === ''],
  [is(500), 'refused', 'action refused', ({words, own}) => own.refusesActions === true && aboutMissingObject.test(words)],
  [is(403, 500), 'auth', 'not allowed for this token', ({words, own}) => own.onlyAdmins === true && lackedScopes.has(words), 'admin_scope'],
  [is(500), 'not_found', 'this person is gone', ({words, own}) => own.failsOnGone === true && aboutMissingObject.test(words)],
  [
    is(404),
    'auth',
    'only for admins, or forbidden by the server',
    ({body, own}) => own.mayForbidDeletion === true && isEmptyError(body),
    'deletion',
  ],
  // Servers do not always say which of the two is missing: the role of an admin, or the scope.
  [is(403), 'auth', 'only for admins', ({own}) => own.onlyAdmins === true, 'admin'],
  [is(404), 'auth', 'only for admins', ({body, own}) => own.onlyAdmins === true && isEmptyError(body), 'admin'],
  [is(403), 'refused', 'this account cannot be messaged', ({words, own}) => words === '' && own.refusesRecipients === true, 'no_messages'],
  [is(403), 'auth', 'not allowed for this token', ({words}) => words === '' || aboutTokenUse.test(words), 'scope'],
  [is(403), 'refused', 'request refused'],
  [is(400, 422, 500), 'refused', 'limit reached', ({words, own}) => own.limited === true && aboutLimit.test(words), 'server_limit'],
  [is(404), 'not_found', 'not supported', ({words}) => words.startsWith('The route '), 'unknown_route'],
  // Pixelfed and Mastodon say in JSON what was not found; web sites and proxies have pages.
  [
    is(404, 410),
    'not_found',
    'not found, and this is no answer of Pixelfed',
    ({body, isBroken}) => isBroken !== true && !hasWords(body),
    'no_api',
  ],
  [is(404), 'not_found', 'not found'],
  [is(410), 'not_found', 'gone'],
  [is(429), 'rate_limited', 'hourly limit reached', ({own, retryAfter}) => isHourlyQuota(own, retryAfter), 'hourly_quota'],
  [is(429), 'rate_limited', 'rate limit reached'],
  [is(400), 'refused', 'settings cannot be changed while the server runs', ({words, own}) => own.mayBeFixed === true && words === ''],
  [is(400), 'not_found', 'not found', ({words, own}) => own.onlyAdmins === true && words === 'Cannot find status'],
  // A proxy or the client gave up waiting; the server may still carry the request out.
  [is(408, 499), 'unavailable', 'timed out'],
  [from(400, 499), 'refused', 'input refused'],
  [is(500), 'refused', 'input refused', ({body}) => isObject(membersOf(body)['errors'])],
  [is(500), 'auth', 'token not accepted', ({words}) => words === 'Unauthenticated.', 'token'],
  [is(500), 'not_found', 'not found', ({words}) => words.startsWith('No query results for model')],
  [is(500), 'refused', 'input refused', ({words}) => /^You cannot (un)?mute yourself$/.test(words)],
  [is(500), 'refused', 'domain refused', ({words, own}) => own.refusesDomains === true && /\bdomain\b/i.test(words)],
  [is(500), 'unavailable', 'server error', ({words, own}) => own.onlyAdmins === true && aboutTypedNote.test(words), 'typed_note'],
];

/**
 * Why a response is a failure.
 * @param own what the record says about the errors of the endpoint
 */
export function judge(received: Received, own: OwnErrors = {}): Verdict {
  const {status} = received;
  const failed: Failed = {...received, own, words: serverWords(received.body)};
  const found = verdicts.find(([matches, , , when = always]) => matches(status) && when(failed));
  const [, code, what, , reason]: Row = found ?? [always, 'unavailable', 'server error'];
  return {
    code,
    ...(reason !== undefined && {reason}),
    what: reason === 'hourly_quota' ? `hourly limit for ${own.hourlyQuota} reached` : what,
    // After a redirect, also to the login page, and where a server or a proxy fails, a write may have been carried out.
    isRefusal: status >= 400 && code !== 'unavailable',
  };
}

/** Whether a 429 is about an hourly quota, for which nobody waits. Servers send no `Retry-After` with it. */
export function isHourlyQuota({hourlyQuota}: OwnErrors, retryAfter: string | undefined): boolean {
  return retryAfter === undefined && hourlyQuota !== undefined;
}
