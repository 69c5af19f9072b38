/** Domains as people, lists and policies write them, and as servers want them. */
import {isIP} from 'node:net';
import {addDomainBlock, removeDomainBlock} from '../api/blocks.js';
import {shortened} from '../json/text.js';
import {Failure} from '../client/failure.js';
import {operation} from './operation.js';

/** Letters, digits, hyphens and underscores; neither of the last two at an end. */
const label = /^[a-z\d]([a-z\d_-]*[a-z\d])?$/;
const longestLabel = 63;
const longestName = 253;

/** Of a text that is refused, as much as is of use in a message. */
const longestQuote = 60;

/** What publishers of lists put in place of letters that they do not want to be read. */
const maskedLetter = /[*?█▓▒░■●•…]/;

/** Whether letters of the domain were made unreadable, so that nobody can tell which one is meant. */
export function isObfuscated(text: string): boolean {
  const [host = ''] = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split('/', 1);
  return maskedLetter.test(host);
}

/** What is wrong with a host as a domain that can be blocked; undefined: nothing. */
function mistakeIn(host: string): string | undefined {
  if (isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0) return 'it is an address';
  const labels = host.split('.');
  if (labels.length < 2) return 'it has no dot';
  if (host.length > longestName) return `it is longer than ${longestName} characters`;
  if (labels.some((one) => one.length > longestLabel)) return `a part of it is longer than ${longestLabel} characters`;
  return labels.every((one) => label.test(one)) ? undefined : '';
}

function quoted(text: string): string {
  return JSON.stringify(shortened(text, longestQuote));
}

/**
 * The one form that domains are compared in: lower case, punycode, without scheme, path, port or trailing dot.
 * @param quote how much of the text a message repeats; up to 60 characters unless given
 * @param text bare, with a scheme, a port, a path or a trailing dot, in any case, in Unicode
 * @throws Failure `usage` for what names no domain: no host by the URL standard, an address, a name without a dot, letters that are masked
 */
export function hostOf(text: string, quote: (text: string) => string = quoted): string {
  const domain = text.trim();
  const refuse = (why: string): never => {
    throw new Failure('usage', `${quote(domain)} is not a domain${why === '' ? '' : `: ${why}`}`, {
      hint: 'use a host name such as bad.example',
    });
  };
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(domain) ? domain.replace(/^[^:]*/, 'https') : `https://${domain}`;
  if (isObfuscated(domain)) refuse('it contains masked letters');
  if (/[\s\p{Cc}]/u.test(domain) || !URL.canParse(address)) refuse('');
  const url = new URL(address);
  const host = url.hostname.replace(/\.$/, '');
  const mistake = mistakeIn(host);
  if (mistake !== undefined) refuse(mistake);
  if (url.username !== '' || url.password !== '')
    throw new Failure('usage', `${quote(domain)} is an account, not a domain`, {hint: `to block its whole server: ${host}`});
  return host;
}

/** Whether a text is a domain in the form that {@link hostOf} gives. */
export function isDomain(text: string): boolean {
  try {
    return hostOf(text) === text;
  } catch {
    return false;
  }
}

/** The domains that this one is under, nearest first: `a.b.example` is under `b.example` and `example`. */
export function parentsOf(domain: string): string[] {
  const parents: string[] = [];
  for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1)) parents.push(domain.slice(dot + 1));
  return parents;
}

/** Which domains are in a list of the server. @param texts its entries as JSON @returns tells of a domain in the form of {@link hostOf} */
export function domainsIn(texts: readonly string[]): (domain: string) => boolean {
  const domains = new Set(texts.map((text) => inOneForm(JSON.parse(text))));
  return (domain) => domains.has(domain);
}

/** Servers may have stored what is no domain to us. */
function inOneForm(entry: unknown): string {
  try {
    return hostOf(String(entry));
  } catch {
    return String(entry).toLowerCase();
  }
}

/** Servers want a URL, and refuse a bare domain. */
export const domainBlock = operation(addDomainBlock, {convert: {domain: (domain) => `https://${hostOf(domain)}`}});

/** Servers want the bare domain: a URL is answered with success, and removes nothing. */
export const domainUnblock = operation(removeDomainBlock, {convert: {domain: hostOf}});
