/** Turns a response into an answer or a failure. */
import type * as z from 'zod/mini';
import {commandText} from '../files/command-text.js';
import type {ErrorHint} from '../api/endpoint.js';
import {isObject, membersOf, type Members} from '../api/schema.js';
import {parseBothWays, parseExact, TooDeep} from '../json/exact.js';
import {identifierAt} from '../json/path.js';
import {shorten} from '../json/text.js';
import type {NetworkError} from './network-error.js';
import type {Request} from './request.js';
import {asFailure, Failure, type FailureDetails} from './failure.js';
import type {NoTurn} from './gate.js';
import {maxMismatches, mismatchesIn, type Mismatch} from './mismatch.js';
import type {Incoming} from './transport.js';
import {hasWords, judge, refusedFields, serverWords, wordsForPeople, type Verdict} from './verdict.js';

export interface Answer<Value = unknown> extends Incoming {
  /** The parsed text, typed as documented. `mismatches` lists where it differs, the first ones of many. */
  readonly value: Value;
  /** The parsed text with every digit of its numbers. */
  readonly exact: unknown;
  readonly mismatches: readonly Mismatch[];
  /** Warnings to print; a run prints the same text only once. */
  readonly warnings?: readonly string[];
  /** Whether a write had nothing to change. */
  readonly stood?: boolean;
}

/** An answer to a write whose own answer is missing, because another one shows that it is done. @param value its body */
export function answerFrom(value: unknown, more: Partial<Answer> = {}): Answer {
  return {status: 200, headers: {}, text: JSON.stringify(value) ?? '', value, exact: value, mismatches: [], ...more};
}

export interface Asking {
  readonly host: string;
  readonly request: Request;
}

/** The parsed body of an error, with every digit of its numbers; undefined when it is not JSON. */
export function parseErrorBody(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

function describeRequest({request: {method, path, scope, kind}}: Asking) {
  return {method, path, scope, kind};
}

/** Decides whether the fate of a write is unknown: it is when the request was sent and the server did not refuse it. */
function fateOf(
  {request: {isWrite, repeat, lookWith}}: Asking,
  isRefusal: boolean,
): Pick<FailureDetails, 'canRepeat' | 'fate' | 'lookWith'> {
  if (isRefusal || !isWrite) return {};
  return {fate: 'unknown', lookWith, canRepeat: repeat === 'harmless' ? true : undefined};
}

/** The failure of a request whose earlier attempt may have been carried out, even if the last attempt was refused. */
export function failureOfLater(failure: Failure, asking: Asking): Failure {
  if (failure.details.fate === 'unknown') return failure;
  // A hint about the last attempt is no advice about the earlier one.
  return failure.saying('; an earlier attempt may have been carried out', {...fateOf(asking, false), hint: undefined});
}

/** The hint in the record that fits this failure. */
function ownHint({request: {errors}}: Asking, {code, reason}: Verdict, words: string): string | undefined {
  const found = errors?.own.hints?.find(({on, said = /(?:)/}: ErrorHint) => (on === code || on === reason) && said.test(words));
  const use = found?.use?.({path: errors?.path});
  return found && use ? `${found.hint} \`${commandText(use.command, use)}\`` : found?.hint;
}

function readShown(body: unknown, {request: {errors}}: Asking): Members | undefined {
  const shown = membersOf(body)[errors?.own.shows ?? ''];
  return isObject(shown) ? shown : undefined;
}

/** The failure that a response stands for; undefined for a success. */
export function failureOf(received: Incoming, asking: Asking, isBroken = false): Failure | undefined {
  if (received.status < 300) return undefined;
  const body = parseErrorBody(received.text);
  const {location, 'retry-after': retryAfter} = received.headers;
  const verdict = judge({status: received.status, location, retryAfter, body, isBroken}, asking.request.errors?.own);
  const words = serverWords(body);
  const said = wordsForPeople(words);
  const message = `${asking.host}: ${verdict.what} (${received.status})${said === '' ? '' : `: ${said}`}`;
  return new Failure(verdict.code, message, {
    ...describeRequest(asking),
    ...fateOf(asking, verdict.isRefusal),
    scope: asking.request.scope,
    status: received.status,
    fields: refusedFields(body),
    reason: verdict.reason ?? (verdict.code === 'not_found' && asking.request.namesNothing === true ? 'no_object' : undefined),
    hint: ownHint(asking, verdict, words),
    found: readShown(body, asking),
    gone: verdict.code === 'not_found' && hasWords(body) && asking.request.isGone?.(words) === true ? true : undefined,
  });
}

/** The failure of an exchange without a complete response. A 2xx that broke off is a bad answer. */
export function failureOfNetwork(broken: NetworkError, asking: Asking): Failure {
  const {host} = asking;
  const {status, kind, message, isSent} = broken;
  // An error status counts as an answer, even without its body.
  const judged = status === undefined ? undefined : failureOf({status, headers: {}, text: ''}, asking, true);
  if (judged !== undefined) return judged;
  const details = {...describeRequest(asking), ...fateOf(asking, !isSent), status, cause: broken};
  if (status !== undefined && kind !== 'timeout') {
    const what = kind === 'lost' ? 'the connection was lost before its end' : message;
    return new Failure('bad_answer', `${host}: cannot read the response (${status}): ${what}`, details);
  }
  const what = isSent ? `No response from ${host}` : `Cannot connect to ${host}`;
  const reason = kind === 'plain_http' || kind === 'proxy' ? kind : 'connection';
  return new Failure('unavailable', `${what}: ${message}`, {...details, reason});
}

/** An error of pixelctl itself after sending: whether the request was carried out is not known. */
export function failureOfCrash(error: unknown, asking: Asking): Failure {
  return asFailure(error).with({...describeRequest(asking), ...fateOf(asking, false)});
}

/**
 * The failure of a request that was not sent.
 * @param last its failure at the previous attempt
 * @param open its failure at an attempt that may have been carried out
 */
export function failureOfNoTurn(
  {tooLong}: NoTurn,
  {host, request}: Pick<Asking, 'host'> & Partial<Asking>,
  last?: Failure,
  open?: Failure,
): Failure {
  const about = {method: request?.method, path: request?.path};
  if (tooLong !== undefined) {
    const failure = last ?? new Failure('rate_limited', `${host}: rate limit reached`, about);
    return failure.saying(`; it asks to wait ${Math.ceil(tooLong / 1000)} s`, {reason: 'wait_too_long'});
  }
  if (open !== undefined) return open;
  // A 429 was not carried out.
  const mayHaveActed = last !== undefined && last.details.status !== 429;
  return mayHaveActed ? last : new Failure('interrupted', 'Interrupted before it was sent', {...about, reason: 'unsent'});
}

function badAnswer(asking: Asking, received: Incoming, why: string, reason: 'another_target' | 'shape' = 'shape'): Failure {
  return new Failure('bad_answer', `${asking.host}: ${why}`, {
    ...describeRequest(asking),
    ...fateOf(asking, false),
    status: received.status,
    reason,
  });
}

function unreadable({text, status}: Incoming): string {
  const isPage = /^\s*<(!doctype|html|\?xml)/i.test(text);
  return `expected JSON, got ${text.trim() === '' ? 'an empty response' : isPage ? 'HTML' : 'something else, or only a part of it'} (${status})`;
}

/** @throws Failure `bad_answer` */
function readBody(received: Incoming, asking: Asking) {
  try {
    return parseBothWays(received.text);
  } catch (error) {
    throw badAnswer(asking, received, error instanceof TooDeep ? `the response is ${error.message}` : unreadable(received));
  }
}

/** Checks that an answer is about what was asked for; nothing else does. @throws Failure `bad_answer` */
function refuseOther(asking: Asking, received: Incoming, exact: unknown): void {
  for (const {at, is, mayBeMissing, form = String} of asking.request.about ?? []) {
    const said = identifierAt(exact, at);
    if (said === undefined ? mayBeMissing : form(said) === is) continue;
    const what = said === undefined ? `does not say that it is about ${is}` : `is about ${shorten(said)}, not about ${is}`;
    throw badAnswer(asking, received, `the response ${what} (${at.join('.')})`, 'another_target');
  }
}

/** Gives an answer the type of the schema that it was read with. */
export function hasShapeOf<Schema extends z.ZodMiniType>(answer: Answer): answer is Answer<z.output<Schema>> {
  return answer.mismatches.every(({kind}) => kind !== 'shape');
}

/** Whether the record documents the answer. No documented answer has a member called `error`. */
const isDocumented = (schema: z.ZodMiniType): boolean => schema._zod.def.type !== 'unknown';

/**
 * Reads a successful response and compares it with its schema.
 * @throws Failure `bad_answer` when it is not JSON, has another top-level shape, is about something else than was asked for, or (strict) has
 * any schema mismatch
 */
export function readAnswer<Schema extends z.ZodMiniType>(
  received: Incoming,
  schema: Schema,
  asking: Asking,
  strict: boolean,
): Answer<z.output<Schema>> {
  const isEmpty = asking.request.mayBeEmpty === true && received.text.trim() === '';
  const {value, exact} = isEmpty ? {value: undefined, exact: undefined} : readBody(received, asking);
  const mismatches = mismatchesIn(schema, value);
  const told = isDocumented(schema) ? membersOf(value)['error'] : undefined;
  if (typeof told === 'string') throw badAnswer(asking, received, `the response is an error (${received.status}): ${told}`);
  const hint = asking.request.hintWithoutList;
  if (hint !== undefined && !Array.isArray(value))
    throw badAnswer(asking, received, `the response is no list (${received.status})`).with({hint});
  const answer: Answer = {status: received.status, headers: received.headers, text: received.text, value, exact, mismatches};
  const fatal = strict ? mismatches : mismatches.filter(({kind}) => kind === 'shape');
  if (fatal.length > 0 || !hasShapeOf<Schema>(answer)) {
    const why = fatal.slice(0, 5).map(({path, message}) => (path === '' ? message : `${path}: ${message}`));
    const least = fatal.length < maxMismatches ? '' : 'at least ';
    const more = fatal.length === why.length ? '' : ` and ${least}${fatal.length - why.length} more`;
    throw badAnswer(asking, received, `the response does not match the documented schema (${received.status}): ${why.join('; ')}${more}`);
  }
  refuseOther(asking, received, exact);
  if (asking.request.proof?.(value) === false)
    throw badAnswer(asking, received, `the response does not show that it was done (${received.status})`);
  return answer;
}
