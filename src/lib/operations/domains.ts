/** Parses domains, and puts them into the forms that servers require. */
import {isIP} from 'node:net';
import {addDomainBlock, removeDomainBlock} from '../api/blocks.js';
import {shortened} from '../json/text.js';
import {Failure} from '../client/failure.js';
import {operation} from './operation.js';

/** Letters, digits, hyphens and underscores; neither of the last two at an end. */
const label = /^[a-z\d]([a-z\d_-]*[a-z\d])?$/;
const longestLabel = 63;
const longestName = 253;

/** Characters of a text in a message. */
const longestQuote = 60;

/** Characters that publishers of lists use to mask letters. */
const maskedLetter = /[*?█▓▒░■●•…]/;

function hostIn(text: string): string {
  const [host = ''] = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .split('/', 1);
  return host;
}

/** Whether letters of the domain are masked, so that it cannot be identified. */
export function isObfuscated(text: string): boolean {
  return maskedLetter.test(hostIn(text));
}

/** A host that could be behind the masks: valid if and only if the visible part is. */
export function unmasked(text: string): string {
  return hostIn(text).replaceAll(new RegExp(maskedLetter, 'g'), 'x');
}

/** The domain in a wildcard for all of its subdomains, such as `*.bad.example`; undefined for anything else. */
export function wildcardBase(text: string): string | undefined {
  if (!text.includes('*')) return undefined;
  const [, base = ''] = /^\*\.(.+)$/.exec(hostIn(text)) ?? [];
  if (base === '' || isObfuscated(base)) return undefined;
  try {
    return hostOf(base);
  } catch {
    return undefined;
  }
}

/** The form of addresses. Node's check of other texts is slow. */
const addressLike = /^[\d.]+$|:/;

/** Why a host cannot be blocked; undefined if it can. */
function mistakeIn(host: string): string | undefined {
  if (addressLike.test(host) && isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0) return 'it is an address';
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
 * @param quote quotes the text in messages; by default, up to 60 characters of it
 * @param text bare, with a scheme, a port, a path or a trailing dot, in any case, in Unicode
 * @throws Failure `usage` for anything but a domain: an invalid host, an IP address, a name without a dot, masked letters
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

/** Whether a text is a domain in the form of {@link hostOf}. */
export function isDomain(text: string): boolean {
  try {
    return hostOf(text) === text;
  } catch {
    return false;
  }
}

/** The parent domains, nearest first: `b.example` and `example` of `a.b.example`. */
export function parentsOf(domain: string): string[] {
  const parents: string[] = [];
  for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1)) parents.push(domain.slice(dot + 1));
  return parents;
}

/** @param texts the entries of a list as JSON @returns whether a domain, in the form of {@link hostOf}, is in the list */
export function domainsIn(texts: readonly string[]): (domain: string) => boolean {
  const domains = new Set(texts.map((text) => inOneForm(JSON.parse(text))));
  return (domain) => domains.has(domain);
}

/** Servers may store what is not a valid domain. */
function inOneForm(entry: unknown): string {
  try {
    return hostOf(String(entry));
  } catch {
    return String(entry).toLowerCase();
  }
}

/** Servers require a URL, and refuse a bare domain. */
export const domainBlock = operation(addDomainBlock, {convert: {domain: (domain) => `https://${hostOf(domain)}`}});

/** Servers require the bare domain. A URL is accepted and removes nothing. */
export const domainUnblock = operation(removeDomainBlock, {convert: {domain: hostOf}});
