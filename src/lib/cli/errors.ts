/** How failures are printed: two or three lines for people, one JSON line for scripts. Never a stack trace. */
import {type AccountInUse, completeCommands, defaultAccount, serverFlag} from './account-in-use.js';
import {commandText} from '../files/command-text.js';
import {privateMembers} from '../api/private.js';
import {withoutMembers} from '../json/exact.js';
import {paint} from '../print/palette.js';
import {asFailure, type Failure, type FailureCode, type FailureReason} from '../client/failure.js';
import type {FailureJson} from '../client/failure-schema.js';
import {shorten} from '../json/text.js';
import {inert, inertData} from '../print/inert.js';
import {NetworkError} from '../client/network-error.js';
import {formatNames, formatTraits} from '../print/print.js';
import type {Environment} from '../files/runtime.js';
import type {Io} from './io.js';

/** The maximum length of a message or hint: servers send texts of any length. */
const longest = 2000;

/** A hint that is too long is omitted: a command in it must not be cut. */
function wholeHint(failure: Failure, inUse: AccountInUse): string | null {
  const hint = hintFor(failure, inUse) ?? null;
  return hint !== null && hint.length > longest ? null : hint;
}

/** The first line of a message, and a line for each mistake that it names. */
function partsOf({message, details}: Failure): {readonly first: string; readonly mistakes: readonly string[]} {
  const [first = '', ...mistakes] = details.mistakes === undefined ? [message] : message.split('\n');
  return {first, mistakes};
}

function joinLines(failure: Failure): string {
  const {first, mistakes} = partsOf(failure);
  return mistakes.length > 0 ? `${first}: ${mistakes.join('; ')}` : first;
}

/** @param inUse the account of the command that failed */
export function reportOf(failure: Failure, inUse: AccountInUse): FailureJson {
  const {status, method, path, reason, fate, done, accounts} = failure.details;
  return {
    code: failure.code,
    exit: exitStatuses[failure.code].status,
    message: shorten(joinLines(failure), longest),
    status: status ?? null,
    method: method ?? null,
    path: path === undefined ? null : shorten(path, longest),
    hint: wholeHint(failure, inUse),
    ...(reason === 'guard' && {reason}),
    ...(fate !== undefined && {fate}),
    ...(done !== undefined && {done}),
    ...(accounts && {accounts: accounts.map(({account, failure: own}) => ({account, error: reportOf(own, inUse)}))}),
  };
}

export function formatFailure(
  failure: Failure,
  inUse: AccountInUse,
  {json, color}: {readonly json: boolean; readonly color: boolean},
): string {
  const report = reportOf(failure, inUse);
  if (json) {
    const {body} = failure.details;
    const kept = body === undefined ? '' : `,"body":${JSON.stringify(withoutMembers(body, privateMembers))}`;
    return `${inertData(`{"error":${JSON.stringify(report).slice(0, -1)}${kept}}}`)}\n`;
  }
  const closing = failure.closingWith(report.hint);
  if (closing !== undefined) return closing.map((line) => `${inert(line)}\n`).join('');
  const label = paint('red', 'Error:', {color});
  // Mistakes stand one on a line, as in the output of compilers, which editors read. A question answered with no is not called an error.
  const {first, mistakes} = partsOf(failure);
  const message = inert(mistakes.length > 0 ? first : report.message);
  const lines = [...mistakes.map((line) => inert(line)), failure.details.reason === 'cancelled' ? message : `${label} ${message}`];
  if (report.hint !== null) lines.push(`Hint: ${inert(report.hint)}`);
  return `${lines.join('\n')}\n`;
}

/** The variable that holds the token in use, which counts before that of a profile. */
const overridingVariable = ({from}: AccountInUse): string | undefined =>
  from?.token?.startsWith('PIXELCTL_TOKEN') === true ? from.token : undefined;

function signIn(inUse: AccountInUse): string {
  const {tokenVariable, needsProfile} = inUse;
  const variable = overridingVariable(inUse);
  if (needsProfile === true) return 'name a profile of this server with --profile; PIXELCTL_PROFILES has to define it';
  if (variable !== undefined) return `correct or unset ${variable}`;
  return tokenVariable === undefined
    ? `sign in with \`${commandText('auth login')}\`, or set PIXELCTL_TOKEN or PIXELCTL_TOKEN_FILE`
    : `set ${tokenVariable} to a valid token`;
}

function scopeHint({message, details: {scope}}: Failure, inUse: AccountInUse): string {
  const named = /scope:? "?([a-z_]+(?::[a-z_]+)*)"?/i.exec(message)?.[1] ?? scope;
  const needed = `the token needs ${named === undefined ? 'another scope' : `the scope ${named}`}`;
  const {tokenVariable} = inUse;
  if (tokenVariable !== undefined) return `${needed}: set ${tokenVariable} to a token with it`;
  const variable = overridingVariable(inUse);
  if (variable !== undefined) return `${needed}: correct or unset ${variable}`;
  return `${needed}: \`${commandText('auth login')}\` signs in again`;
}

function adminHint({details: {scope}}: Failure, inUse: AccountInUse): string {
  const needed = `this needs the token of an admin${scope === undefined ? '' : ` with the scope ${scope}`}`;
  if (inUse.tokenVariable !== undefined) return `${needed}: set ${inUse.tokenVariable} to one`;
  // An admin signs in with a separate profile on the same server.
  return `${needed}: \`${commandText('auth login', {flags: {admin: true, ...serverFlag(inUse)}})}\` gets one`;
}

function checkedId({details: {kind}}: Failure, {listOf}: AccountInUse): string {
  const list = kind === undefined ? undefined : listOf?.(kind);
  return list === undefined ? 'check the id' : `check the id with \`${commandText(list)}\``;
}

function notFoundHint(failure: Failure, inUse: AccountInUse): string | undefined {
  const {status, scope} = failure.details;
  // Without an HTTP status the failure is about this machine: there is no id to check.
  if (status === undefined) return undefined;
  // Admins see the objects of all accounts.
  const others = scope?.startsWith('admin:') === true ? '' : '; objects of other accounts are not found either';
  return `${checkedId(failure, inUse)}${others}`;
}

function refusedHint({details: {status}}: Failure): string {
  if (status === 413) return `the file is larger than this server accepts: see \`${commandText('config')}\``;
  if (status === 403) return 'the server or the recipient does not allow this; sending it again does not help';
  return 'fix what the server reports, then try again';
}

const slow = '--timeout SECONDS allows more time';

function unavailableHint({details: {cause, status}}: Failure): string {
  if (cause instanceof NetworkError && cause.kind === 'tls')
    return 'check the address and the clock; --cacert FILE trusts another certificate authority';
  if (cause instanceof NetworkError && cause.kind === 'timeout')
    return cause.isSent ? slow : `check the address and your connection; ${slow}`;
  return status === undefined ? 'check the address and your connection, then try again' : 'server error; try again later';
}

/** Advice about a write that may have been carried out. It suggests to repeat the write only if that does no harm. */
function unknownFate({details: {lookWith, canRepeat, reason}}: Failure, inUse: AccountInUse): string {
  const first = reason === 'login_page' ? `${signIn(inUse)}; ` : '';
  const open = `${first}it is not known whether this was carried out`;
  const look = lookWith && `check with \`${commandText(lookWith.command, lookWith)}\``;
  const advice = [look, canRepeat && 'repeating it does no harm'].filter(Boolean).join('; ');
  return advice === '' ? open : `${open}: ${advice}`;
}

type Hint = string | ((failure: Failure, inUse: AccountInUse) => string | undefined);

const older = 'the server is older than this feature, or it is switched off';
const goOn = 'run the same command again to do the rest';

/** Hints by reason, which count first, and by code. */
const hints: Readonly<Partial<Record<FailureCode | FailureReason, Hint>>> = {
  no_token: (_, inUse) => signIn(inUse),
  withheld_token: 'set PIXELCTL_SERVER to the intended server, and PIXELCTL_TOKEN to a token of that server',
  admin: adminHint,
  admin_scope: adminHint,
  deletion: (failure, inUse) => `the server may not allow deleting people; or ${adminHint(failure, inUse)}`,
  scope: scopeHint,
  login_page: (_, inUse) => `${signIn(inUse)}; on older servers the token may be missing or expired, or its owner not confirmed`,
  typed_note: `notes that were typed on the server's own admin page break this: \`${commandText('doctor')}\` names the commands that repair it`,
  not_yours: (failure, inUse) => `it belongs to another account: ${checkedId(failure, inUse)}`,
  no_messages: 'one account blocks the other, or the account is suspended: it cannot be messaged',
  no_api: 'check the address: this may not be a Pixelfed server, or a proxy before it answered',
  unknown_route: older,
  no_object: older,
  cancelled: () => undefined,
  plain_http: 'use an http:// address; for another machine, also pass --allow-http',
  proxy: 'check HTTPS_PROXY and HTTP_PROXY; NO_PROXY lists the hosts that need no proxy',
  another_origin: 'set --server or PIXELCTL_SERVER to the current address of the server',
  auth: (_, inUse) => `${signIn(inUse)}; the token may have expired or been revoked`,
  bad_answer: 'run it again with --verbose to see the headers of the response, and its body where that is JSON',
  not_found: notFoundHint,
  refused: refusedHint,
  rate_limited: 'try again later, or wait longer with --max-wait SECONDS',
  unavailable: unavailableHint,
  internal: 'this is a bug in pixelctl: please report it with the output of --verbose',
  usage: 'see `pixelctl --help`, or the help of the command',
  interrupted: goOn,
  terminated: goOn,
};

/** What to do about a failure, with the flags of the account in its commands. */
export function hintFor(failure: Failure, inUse: AccountInUse): string | undefined {
  const {code, details} = failure;
  const usual: Hint | undefined = details.fate === 'unknown' ? unknownFate : ((details.reason && hints[details.reason]) ?? hints[code]);
  const hint = details.hint ?? (typeof usual === 'function' ? usual(failure, inUse) : usual);
  return hint === undefined ? undefined : completeCommands(hint, inUse);
}

interface Acting {
  readonly inUse: AccountInUse;
}

/** Makes the commands in the hint act on the account that failed. */
export function failureWithHint(failure: Failure, {inUse}: Acting): Failure {
  const hint = hintFor(failure, inUse);
  return hint === undefined ? failure : failure.saying('', {hint});
}

/** Makes a suggested sign-in one to the account that failed, of which the session of the command may know nothing. */
export function failureWithSignIn(error: unknown, acting: Acting): Failure {
  const failure = asFailure(error);
  return failure.code === 'auth' ? failureWithHint(failure, acting) : failure;
}

export const exitStatuses: Readonly<Record<FailureCode, {readonly status: number; readonly meaning: string}>> = {
  internal: {status: 1, meaning: 'a bug in pixelctl'},
  usage: {
    status: 2,
    meaning: 'invalid flag, argument or input file, a limit of the server exceeded, or a question answered with no: nothing was sent',
  },
  auth: {status: 3, meaning: 'no token, a token that the server does not accept, or a token without the scope'},
  not_found: {status: 4, meaning: 'not found, or the server does not offer this feature'},
  refused: {
    status: 5,
    meaning:
      'the server refused the input; or a guard of pixelctl stopped the run, and nothing was sent. Guards (`reason: "guard"` in JSON) stop too many removals or suspensions, and plans that are out of date',
  },
  rate_limited: {status: 6, meaning: 'still rate limited after waiting, or the wait would exceed `--max-wait`'},
  unavailable: {status: 7, meaning: 'no connection, TLS error, timeout (408 and 499 too), or server error'},
  bad_answer: {status: 8, meaning: 'the response is not the documented JSON, or a redirect that is not followed'},
  local: {
    status: 9,
    meaning:
      'error on this machine: disk full, file not readable or writable; or the request was carried out and `--jq` failed on its response',
  },
  drift: {
    status: 10,
    meaning:
      'a difference was found (audit, plan, diff, contains), a list lost many entries (backup), or a number is over its threshold (admin stats). After apply: differences are left that pixelctl cannot change, or that exceed the limit of the server',
  },
  partial: {status: 11, meaning: 'some or all of many targets or accounts failed; the results say which'},
  interrupted: {status: 130, meaning: 'interrupted; finished work is kept'},
  terminated: {status: 143, meaning: 'terminated; finished work is kept'},
};

/** Whether errors are printed as JSON. Looks at the words only, because the command line may be one that cannot be parsed. */
function wantsJson(argv: readonly string[], environment: Environment): boolean {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  const formats = words.flatMap((word, index) => {
    if (word === '--json') return ['json'];
    if (word === '-o' || word === '--output') return [words[index + 1] ?? ''];
    return /^(-o=?|--output=)(.+)/.exec(word)?.slice(2) ?? [];
  });
  const chosen = formats.at(-1) ?? environment['PIXELCTL_OUTPUT'];
  return formatNames.some((name) => name === chosen && formatTraits[name].isForPrograms);
}

/** Prints a failure on standard error and sets the exit status. */
export async function tellFailure(failure: Failure, argv: readonly string[], io: Io, inUse: AccountInUse = defaultAccount): Promise<void> {
  io.exitStatus = exitStatuses[failure.code].status;
  const {color, isTerminal, width} = io.err;
  const json = wantsJson(argv, io.env);
  const text = formatFailure(failure, inUse, {json, color});
  io.tell(isTerminal && !json ? (await import('../print/width.js')).wrapWords(text, width) : text);
  const debugging = argv.includes('--verbose') || argv.includes('-v');
  const {cause} = failure.details;
  // A syntax error quotes what was parsed, which may be a secret.
  if (failure.code === 'internal' && debugging && cause instanceof Error && !(cause instanceof SyntaxError)) {
    io.tell(`* ${inert(cause.message)}\n`);
  }
}
