/** What to do about a failure, where the place of the failure does not say so itself. */
import {Broken} from '../../client/broken.js';
import type {Failure} from '../../client/failure.js';

const signIn = 'sign in with `pixelctl auth login`, or give a token in PIXELCTL_TOKEN or PIXELCTL_TOKEN_FILE';

function scopeHint({message}: Failure): string {
  const named = /scope:? "?([a-z:]+)"?/i.exec(message)?.[1];
  return `the token needs ${named === undefined ? 'another scope' : `the scope ${named}`}: the help of the command names it`;
}

function notOffered(path: string): string {
  if (path.startsWith('/api/v1.1/direct/')) {
    return 'servers before 2026 have no conversations: use the `pixelctl thread` commands there';
  }
  if (path.startsWith('/api/v2.1/config')) {
    return 'servers before 2026 have no such configuration: see `pixelctl api GET /api/v1/instance`';
  }
  return 'the server is older than this feature, or it is switched off';
}

function notFound({details}: Failure): string {
  const {path = '', reason} = details;
  if (path.startsWith('/api/v1.1/push/')) {
    return 'push is off on this server, or the server is too old for it';
  }
  if (reason === 'unknown_route') return notOffered(path);
  return 'check the id with a list command; what is not yours is not found either';
}

function refused({message, details}: Failure): string {
  const {path = ''} = details;
  if (/group/i.test(message) && path.startsWith('/api/v1.1/direct/conversations')) {
    if (path.endsWith('/leave')) return 'a conversation of two can be hidden: `pixelctl dm hide ID`';
    return 'the server may not allow group chats, or not of this size: see `pixelctl config`';
  }
  if (/errors?_report_duplicate|duplicate report/i.test(message)) return 'you have reported this before';
  if (details.status === 413) return 'the file is larger than this server takes: see `pixelctl config`';
  if (details.status === 403) return 'the server or the other side does not want it, whichever way it is sent';
  return 'change what the server names, then send it again';
}

function byCode(failure: Failure): string | undefined {
  switch (failure.code) {
    case 'auth':
      return `${signIn}; the one that was used may have expired or been revoked`;
    case 'bad_answer':
      return 'run it again with --verbose to see the answer';
    case 'not_found':
      return notFound(failure);
    case 'refused':
      return refused(failure);
    case 'rate_limited':
      return 'try again later; --max-wait SECONDS allows longer waiting';
    case 'unavailable':
      if (failure.details.cause instanceof Broken && failure.details.cause.kind === 'tls') {
        return 'check the address and the clock; NODE_EXTRA_CA_CERTS can name a file with the certificate of an authority that you trust';
      }
      return failure.details.status === undefined
        ? 'check the address and your connection, then try again'
        : 'the server has trouble of its own: try again later';
    case 'internal':
      return 'please report this, with the output of --verbose';
    case 'usage':
      return 'see `pixelctl --help`, or the help of the command';
    case 'local':
      return 'mend that, then run it again';
    case 'interrupted':
    case 'terminated':
      return 'run it again for what is left';
    default:
      return undefined;
  }
}

export function hintFor(failure: Failure): string | undefined {
  const {hint, reason, path = ''} = failure.details;
  if (hint !== undefined) return hint;
  switch (reason) {
    case 'no_token':
      return signIn;
    case 'withheld_token':
      return `set PIXELCTL_SERVER to the server that you mean, together with its own token`;
    case 'scope':
      return scopeHint(failure);
    case 'login_page':
      return `${signIn}; older servers do this when the token is missing, expired, or its owner is not confirmed`;
    case 'another_origin':
      return 'give the address that the server really has with --server or PIXELCTL_SERVER';
    case 'fate_unknown': {
      const look = path.startsWith('/api/v1.1/direct/') ? ' (`pixelctl dm messages ID`, `pixelctl thread get PID`)' : '';
      return `it is not known whether this was carried out: look${look} before you send it again`;
    }
    default:
      return byCode(failure);
  }
}
