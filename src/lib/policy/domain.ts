/** Domains as policies and lists write them. */
import {isIP} from 'node:net';
import {Failure} from '../client/failure.js';
import {hostOf} from '../client/domain.js';

/** What publishers of lists put in place of letters that they do not want to be read. */
const maskedLetter = /[*?█▓▒░■●•…]/;

/** Whether letters of the domain were made unreadable, so that nobody can tell which one is meant. */
export function isObfuscated(text: string): boolean {
  const [host = ''] = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split('/');
  return maskedLetter.test(host);
}

/** Whether a host is one that servers block: a name with a dot, not an address. */
export function isBlockable(host: string): boolean {
  return host.includes('.') && isIP(host) === 0;
}

/**
 * The one form that domains are compared in: lower case, punycode, without scheme, path, port or trailing dot.
 * @throws Failure `usage` for what names no domain
 */
export function domainOf(text: string): string {
  const host = hostOf(text);
  if (isObfuscated(text) || !isBlockable(host)) {
    throw new Failure('usage', `"${text.trim()}" is not a domain`, {hint: 'give a host such as bad.example'});
  }
  return host;
}

/** The domains that this one is under, nearest first: `a.b.example` is under `b.example` and `example`. */
export function parentsOf(domain: string): string[] {
  const parents: string[] = [];
  for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1)) parents.push(domain.slice(dot + 1));
  return parents;
}
