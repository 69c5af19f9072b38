/** What to do about a failure, where the place of the failure does not say so itself. */
import {NetworkError} from '../../client/network-error.js';
import type {Failure} from '../../client/failure.js';
import type {Suggest} from '../../client/suggest.js';

const signIn = (suggest: Suggest): string =>
  `sign in with \`${suggest(['auth', 'login'])}\`, or give a token in PIXELCTL_TOKEN or PIXELCTL_TOKEN_FILE`;

function scopeHint({message, details: {scope}}: Failure, suggest: Suggest): string {
  const named = /scope:? "?([a-z:]+)"?/i.exec(message)?.[1] ?? scope;
  const needed = named === undefined ? 'another scope' : `the scope ${named}`;
  return `the token needs ${needed}: \`${suggest(['auth', 'login'])}\` signs in anew`;
}

function notOffered(path: string, suggest: Suggest): string {
  if (path.startsWith('/api/v1.1/direct/')) {
    return 'servers before 2026 have no conversations: use the `pixelctl thread` commands there';
  }
  if (path.startsWith('/api/v2.1/config')) {
    return `servers before 2026 have no such configuration: see \`${suggest(['api', 'GET', '/api/v1/instance'])}\``;
  }
  return 'the server is older than this feature, or it is switched off';
}

function notFound({details}: Failure, suggest: Suggest): string {
  const {path = '', reason} = details;
  if (path.startsWith('/api/v1.1/push/')) {
    return 'push is off on this server, or the server is too old for it';
  }
  if (reason === 'unknown_route') return notOffered(path, suggest);
  return 'check the id with a list command; what is not yours is not found either';
}

/** The conversation that a path names. */
function conversationIn(path: string): string | undefined {
  return /^\/api\/v1\.1\/direct\/conversations\/([^/%]+)/.exec(path)?.[1];
}

function refused({message, details}: Failure, suggest: Suggest): string {
  const {path = ''} = details;
  if (/group/i.test(message) && path.startsWith('/api/v1.1/direct/conversations')) {
    const id = conversationIn(path);
    if (id !== undefined && path.endsWith('/leave'))
      return `a conversation of two can be hidden: \`${suggest(['dm', 'hide'], {args: [id]})}\``;
    return `the server may not allow group chats, or not of this size: see \`${suggest(['config'])}\``;
  }
  if (/errors?_report_duplicate|duplicate report/i.test(message)) return 'you have reported this before';
  if (details.status === 413) return `the file is larger than this server takes: see \`${suggest(['config'])}\``;
  if (details.status === 403) return 'the server or the other side does not want it, whichever way it is sent';
  return 'change what the server names, then send it again';
}

function byCode(failure: Failure, suggest: Suggest): string | undefined {
  switch (failure.code) {
    case 'auth':
      return `${signIn(suggest)}; the one that was used may have expired or been revoked`;
    case 'bad_answer':
      return 'run it again with --verbose to see the answer';
    case 'not_found':
      return notFound(failure, suggest);
    case 'refused':
      return refused(failure, suggest);
    case 'rate_limited':
      return 'try again later; --max-wait SECONDS allows longer waiting';
    case 'unavailable':
      if (failure.details.cause instanceof NetworkError && failure.details.cause.kind === 'tls') {
        return 'check the address and the clock; --cacert FILE trusts the authority that signed it';
      }
      return failure.details.status === undefined
        ? 'check the address and your connection, then try again'
        : 'server error; try again later';
    case 'internal':
      return 'please report this, with the output of --verbose';
    case 'usage':
      return 'see `pixelctl --help`, or the help of the command';
    case 'local':
      return 'the problem is on this machine, not with the server';
    case 'interrupted':
    case 'terminated':
      return 'run the same command again for what is left';
    default:
      return undefined;
  }
}

/** Nothing here says to send it again. */
function unknownFate({details: {lookWith}}: Failure, suggest: Suggest): string {
  const open = 'it is not known whether this was carried out';
  return lookWith === undefined ? open : `${open}: look with \`${suggest(lookWith.words, lookWith)}\``;
}

/** @param account as in {@link Failure.hintFor} */
export function hintFor(failure: Failure, account: Suggest): string | undefined {
  const {reason, fate, suggest = account} = failure.details;
  const hint = failure.hintFor(account);
  if (hint !== undefined) return hint;
  if (fate === 'unknown') return unknownFate(failure, suggest);
  switch (reason) {
    case 'no_token':
      return signIn(suggest);
    case 'withheld_token':
      return `set PIXELCTL_SERVER to the server that you mean, together with its own token`;
    case 'scope':
      return scopeHint(failure, suggest);
    case 'login_page':
      return `${signIn(suggest)}; older servers do this when the token is missing, expired, or its owner is not confirmed`;
    case 'hourly_quota':
      return 'most servers take 20 new filters and 40 updates an hour; on some of them that count never ends, and only their administrators can reset it';
    case 'not_yours':
      return 'it belongs to another account: check the id with a list command';
    case 'no_messages':
      return 'one of you blocks the other, or the account is suspended: it cannot be messaged in any way';
    case 'cancelled':
      return undefined;
    case 'plain_http':
      return 'give the address with http://, and --allow-http where it is on another machine';
    case 'proxy':
      return 'check HTTPS_PROXY and HTTP_PROXY; NO_PROXY names the hosts that need no proxy';
    case 'another_origin':
      return 'give the address that the server really has with --server or PIXELCTL_SERVER';
    default:
      return byCode(failure, suggest);
  }
}
