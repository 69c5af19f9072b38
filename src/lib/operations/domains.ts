/** Parses domains, and puts them into the forms that servers require. */
import {isIP} from 'node:net';
import {addDomainBlock, removeDomainBlock} from '../api/blocks.js';
import {shorten} from '../json/text.js';
import {Failure} from '../client/failure.js';
import {maxHostLength} from '../client/origin.js';
import {isId} from './handle.js';
import {operation} from './operation.js';

/** Letters, digits, hyphens and underscores; neither of the last two at an end. */
const label = /^[a-z\d]([a-z\d_-]*[a-z\d])?$/;
const maxLabelLength = 63;

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
export function unmask(text: string): string {
  return hostIn(text).replaceAll(new RegExp(maskedLetter, 'g'), 'x');
}

/** The form of IP addresses. Only such texts are checked further, because Node's check is slow. */
const addressLike = /^[\d.]+$|:/;

/** A name without a dot that can be a whole top-level domain: no id, and no word that servers return in place of a list. */
const topLevel =
  /^(?!(?:error|false|forbidden|maintenance|none|null|ok|true|unauthorized|unavailable|undefined)$)(?:[a-z]{2,63}|xn--[a-z\d-]+)$/;

/** Whether a domain, in the form of {@link hostOf}, is a whole top-level one, such as `cf`: Mastodon can block it with everything below it. */
export const isTopLevel = (domain: string): boolean => topLevel.test(domain);

/** Why a host cannot be blocked, empty if there is no more to say; undefined if it can. */
function mistakeIn(host: string, orTopLevel: boolean): string | undefined {
  if (addressLike.test(host) && isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0) return 'it is an address';
  const labels = host.split('.');
  if (labels.length < 2 && !(orTopLevel && isTopLevel(host))) return 'it has no dot';
  if (host.length > maxHostLength) return `it is longer than ${maxHostLength} characters`;
  if (labels.some((one) => one.length > maxLabelLength)) return `a part of it is longer than ${maxLabelLength} characters`;
  return labels.every((one) => label.test(one)) ? undefined : '';
}

function quoteShort(text: string): string {
  return JSON.stringify(shorten(text));
}

/** An ASCII domain that is already in the form of {@link hostOf}. Most entries of lists are, and Node's URL takes long for millions of them. */
const plainDomain = /^(?:[a-z\d](?:[a-z\d_-]*[a-z\d])?\.)+[a-z](?:[a-z\d_-]*[a-z\d])?$/;

/** Whether a text is certainly a domain in the form of {@link hostOf}. Some domains in that form are not recognized. */
export function isPlainDomain(text: string): boolean {
  // The URL standard checks the rest of what begins with xn--.
  return text.length <= maxLabelLength && plainDomain.test(text) && !text.includes('xn--');
}

/** A domain in the form of {@link hostOf}, or why a text is none; `why` is empty if there is no more to say. */
type ReadDomain = {readonly domain: string} | {readonly hint?: string; readonly why: string; readonly what: string};

function notDomain(why: string): ReadDomain {
  return {what: 'is not a domain', why, hint: 'use a host name such as bad.example'};
}

/**
 * Reads a text as {@link hostOf} does. It does not throw, because lists may have millions of texts that are no domains.
 * @param orTopLevel whether whole top-level domains are read as well
 */
export function readDomain(text: string, orTopLevel = false): ReadDomain {
  const given = text.trim();
  if (isPlainDomain(given)) return {domain: given};
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given.replace(/^[^:]*/, 'https') : `https://${given}`;
  const [mask] = maskedLetter.exec(hostIn(given)) ?? [];
  if (mask !== undefined) return notDomain(`it contains ${mask}`);
  const url = /[\s\p{Cc}]/u.test(given) ? null : URL.parse(address);
  if (url === null) return notDomain('');
  const host = url.hostname.replace(/\.$/, '');
  const mistake = mistakeIn(host, orTopLevel);
  if (mistake !== undefined) return notDomain(mistake);
  if (url.username !== '' || url.password !== '')
    return {what: 'is an account, not a domain', why: '', hint: `to block its whole server: ${host}`};
  return {domain: host};
}

export function notDomainText(text: string, {what, why}: Exclude<ReadDomain, {readonly domain: string}>, quote: typeof quoteShort): string {
  return `${quote(text.trim())} ${what}${why === '' ? '' : `: ${why}`}`;
}

/**
 * The one form that domains are compared in: lower case, punycode, without scheme, path, port or trailing dot.
 * @param text bare, with a scheme, a port, a path or a trailing dot, in any case, in Unicode
 * @throws Failure `usage` for anything but a domain: an invalid host, an IP address, a name without a dot, masked letters such as `*`
 */
export const hostOf = (text: string): string => domainIn(text, readDomain(text));

/** A domain as {@link hostOf} writes it, or a whole top-level domain: servers may block both for everyone. @throws Failure `usage` */
export const blockableOf = (text: string): string => domainIn(text, readDomain(text, true));

const endOfFileName = /\.(?:csv|txt|ya?ml|json|ndjson)$/i;

/** Whether a text is probably the name of a file of domains: no top-level domain ends like this. */
export function isFileName(text: string): boolean {
  const read = readDomain(text, true);
  return endOfFileName.test(text.trim()) || ('domain' in read && endOfFileName.test(read.domain));
}

/** Does the same as {@link blockableOf} for a text that a person wrote. @throws Failure `usage` also for the name of a file */
export function typedDomain(text: string): string {
  const domain = blockableOf(text);
  if (!isFileName(text)) return domain;
  throw new Failure('usage', `${quoteShort(text)} is the name of a file, not a domain: name lists under lists, as {file: ${text.trim()}}`);
}

function domainIn(text: string, read: ReadDomain): string {
  if ('domain' in read) return read.domain;
  throw new Failure('usage', notDomainText(text, read, quoteShort), {hint: read.hint});
}

export const idOrHost = (text: string): string => (isId(text) ? text : hostOf(text));

export const idOrBlockable = (text: string): string => (isId(text) ? text : blockableOf(text));

/** Whether a text is a domain in the form of {@link hostOf}. */
export function isDomain(text: string): boolean {
  const read = readDomain(text);
  return 'domain' in read && read.domain === text;
}

export const isBlockable = (text: string): boolean => isTopLevel(text) || isDomain(text);

/** The parent domains, nearest first: `b.example` and `example` of `a.b.example`. A name that is too long for a domain has none. */
export function parentsOf(domain: string): string[] {
  if (domain.length > maxHostLength) return [];
  const parents: string[] = [];
  for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1)) parents.push(domain.slice(dot + 1));
  return parents;
}

/**
 * Whether a domain is that of a server, above it or below it: blocking it would hide the server from itself, or parts of it.
 * @param hosts of the server, with or without ports
 */
export function isOwnDomain(domain: string, hosts: readonly string[]): boolean {
  return hosts.some((host) => {
    const own = host.replace(/:\d+$/, '').toLowerCase();
    // An IP address has dots as well, but no parent domains.
    return domain === own || ((domain.endsWith(`.${own}`) || own.endsWith(`.${domain}`)) && isIP(own) === 0);
  });
}

export function ownServerRefused(domain: string): Failure {
  return new Failure('usage', `${domain} is this server, above it or below it: nothing was sent`, {hint: 'leave it out'});
}

/** @param entries of a list @returns whether a domain, in the form of {@link hostOf}, is in the list */
export function domainsIn(entries: readonly unknown[]): (domain: string) => boolean {
  const domains = new Set(entries.map(normalizeStoredDomain));
  return (domain) => domains.has(domain);
}

/** A domain as a server stored it, in the form of {@link hostOf}. Servers may store what is not a valid domain. */
export function normalizeStoredDomain(entry: unknown): string {
  const read = readDomain(String(entry));
  return 'domain' in read ? read.domain : String(entry).toLowerCase();
}

/** Servers require a URL, and refuse a bare domain. */
export const domainBlock = operation(addDomainBlock, {convert: {domain: (domain) => `https://${hostOf(domain)}`}});

/** Servers require the bare domain. A URL is accepted and removes nothing. */
export const domainUnblock = operation(removeDomainBlock, {convert: {domain: hostOf}});
