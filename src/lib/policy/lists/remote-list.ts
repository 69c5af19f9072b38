/** Fetches lists on the web: by https only, from public addresses, with limits on size, time and redirects. */
import {lookup as systemLookup} from 'node:dns';
import {setTimeout as sleep} from 'node:timers/promises';
import {BlockList, isIP, type LookupFunction} from 'node:net';
import {networkErrorOf} from '../../client/network-error.js';
import {Failure} from '../../client/failure.js';
import {followRedirects, maxRedirects, redirectOf} from '../../client/redirects.js';
import {backOff, resending, systemClock, type Tries} from '../../client/retry.js';
import {type Incoming, isLoopback} from '../../client/transport.js';
import type {KeptList} from './kept-lists.js';
import {publishedBlocks} from '../source/list-origin.js';

export interface RemoteListOptions {
  /** Milliseconds for all of it. */
  readonly timeout?: number | undefined;
  /** How often a lost connection and a failing server are tried again, within the time. */
  readonly retries?: number | undefined;
  /** Bytes. */
  readonly largest?: number | undefined;
  readonly userAgent?: string | undefined;
  /** Whether an address may be connected to; the public ones unless given. */
  readonly isAllowed?: ((address: string) => boolean) | undefined;
  /** Whether an address of this machine may be fetched from, by http too. */
  readonly isLoopbackAllowed?: boolean | undefined;
  /** What was fetched before. */
  readonly copy?: KeptList | undefined;
  readonly now?: (() => Date) | undefined;
  /** Certificates to trust besides those of the system. */
  readonly ca?: string | undefined;
}

/** The host has an address that is not public. */
class NotPublic extends Error {
  constructor(readonly address: string) {
    super(`${address} is not a public address`);
  }
}

function unreachable(url: URL, why: string, cause?: unknown): Failure {
  return new Failure('unavailable', `Cannot fetch the list ${url.href}: ${why}`, {
    cause,
    hint: 'save it as a file, and name the file with `file:`',
  });
}

function refused(url: URL, why: string): Failure {
  return new Failure('usage', `The list ${url.href} is not fetched: ${why}`, {hint: 'save it as a file, and name the file with `file:`'});
}

/** Resolves a name as the system does, and refuses addresses that are not allowed. */
function guardedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, {...options, all: true}, (error, addresses) => {
      const stray = error ? undefined : addresses.find(({address}) => !isAllowed(address));
      const [first] = addresses ?? [];
      if (error || first === undefined) callback(error ?? new Error(`${hostname} has no address`), '', 4);
      else if (stray) callback(new NotPublic(stray.address), '', 4);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function check(url: URL, isAllowed: (address: string) => boolean, isOwn: boolean): void {
  if (url.protocol !== 'https:' && !(isOwn && url.protocol === 'http:')) throw refused(url, 'only https:// URLs are');
  if (url.username !== '' || url.password !== '') throw refused(url, 'its URL contains a name or password');
  // An IP address is connected to without a lookup.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !isAllowed(host)) throw refused(url, new NotPublic(host).message);
}

async function bytesOf(body: AsyncIterable<unknown>, largest: number, url: URL): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > largest) throw refused(url, `it is larger than ${Math.round(largest / 1024)} KiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function strayAddress(error: unknown): NotPublic | undefined {
  if (error instanceof NotPublic) return error;
  if (error instanceof AggregateError) return error.errors.map(strayAddress).find((found) => found !== undefined);
  return error instanceof Error && error.cause !== undefined ? strayAddress(error.cause) : undefined;
}

/** As in the standard; anything else could break the request that it is sent with. */
const entityTag = /^(?:W\/)?"[!#-~]{0,500}"$/;

/** What the codes of a server mean that does not publish its blocks. */
const unpublished = new Set([401, 403, 404, 410]);

/**
 * Fetches a list, unless the server says that a copy is still current. It is fetched without a proxy, which would hide the address that is connected to.
 * @throws Failure `usage` for an address that is not allowed, `unavailable` when it cannot be fetched
 */
export async function fetchRemoteList(address: string, options: RemoteListOptions = {}): Promise<KeptList> {
  const {timeout = 30_000, retries = 3, largest = 10 * 1024 * 1024, userAgent = 'pixelctl', ca, copy, now = () => new Date()} = options;
  if (!URL.canParse(address)) throw new Failure('usage', `"${address}" is not the address of a list`);
  let url = new URL(address);
  const isOwn = options.isLoopbackAllowed === true && isLoopback(url.hostname);
  const isAllowed = isOwn ? isLoopbackAddress : (options.isAllowed ?? isPublicAddress);
  const start = url;
  const {Agent, request} = await import('undici');
  const agent = new Agent({
    connect: {lookup: guardedLookup(isAllowed), timeout: Math.min(timeout, 10_000), ...(ca !== undefined && {ca})},
  });
  await using _agent = {[Symbol.asyncDispose]: () => agent.destroy()};
  const end = performance.now() + timeout;
  const signal = AbortSignal.timeout(timeout);
  const headers = {
    accept: 'text/csv, application/json, text/plain',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
    ...(copy?.etag !== undefined && {'if-none-match': copy.etag}),
  };
  type Received = Awaited<ReturnType<typeof request>>;
  const redirectIn = ({statusCode, headers: received}: Received, from: URL) => redirectOf(statusCode, received['location'], from);
  const ask = async (next: URL): Promise<Received> => {
    url = next;
    check(url, isAllowed, isOwn);
    const received = await request(url, {dispatcher: agent, signal, headers});
    if (redirectIn(received, url) !== undefined) await received.body.dump();
    return received;
  };
  const attempt = async (): Promise<KeptList> => {
    const last = await followRedirects(start, ask, (received, from) => {
      const next = redirectIn(received, from);
      if (next !== undefined && next.host !== from.host) throw refused(from, `it redirects to another host, ${next.host}`);
      return next;
    });
    if (redirectIn(last, url) !== undefined) throw unreachable(url, `more than ${maxRedirects} redirects`);
    const {statusCode, headers: received, body} = last;
    if (statusCode === 304 && copy?.etag !== undefined) {
      await body.dump();
      return copy;
    }
    if (statusCode !== 200) {
      const isOfServer = url.pathname === publishedBlocks && unpublished.has(statusCode);
      const failure = unreachable(url, `status ${statusCode}${isOfServer ? ': the server does not publish its domain blocks' : ''}`);
      await body.dump();
      throw new Refused({status: statusCode, headers: singleHeaders(received), text: ''}, failure);
    }
    if (received['content-encoding'] !== undefined && received['content-encoding'] !== 'identity')
      throw unreachable(url, 'it is compressed, which was not requested');
    const {etag} = received;
    const bytes = await bytesOf(body, largest, url);
    return {bytes, at: now(), ...(typeof etag === 'string' && entityTag.test(etag) && {etag})};
  };
  for (let tries: Tries = {pauses: 0, retries: 0}; ;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof Failure) throw error;
      const stray = strayAddress(error);
      if (stray) throw refused(url, stray.message);
      const {failure, after} =
        error instanceof Refused
          ? {
              failure: error.failure,
              after: resending(error.answer, {repeat: 'harmless'}, tries, retries, systemClock)?.after,
            }
          : brokenOff(url, error, signal.aborted ? timeout : undefined, tries.retries < retries ? tries.retries : undefined);
      if (after === undefined || performance.now() + after >= end) throw failure;
      await sleep(after);
      const isPause = error instanceof Refused && error.answer.status === 429;
      tries = isPause ? {...tries, pauses: tries.pauses + 1} : {...tries, retries: tries.retries + 1};
    }
  }
}

/** An answer without the list. */
class Refused extends Error {
  constructor(
    readonly answer: Incoming,
    readonly failure: Failure,
  ) {
    super(failure.message);
  }
}

function singleHeaders(headers: Readonly<Record<string, string[] | string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** @param late milliseconds after which it was given up @param retry how many came before; undefined where there is none any more */
function brokenOff(
  url: URL,
  error: unknown,
  late: number | undefined,
  retry: number | undefined,
): {failure: Failure; after: number | undefined} {
  if (late !== undefined) return {failure: unreachable(url, `it took longer than ${late / 1000} s`, error), after: undefined};
  const {kind, message} = networkErrorOf(error, {isSent: false});
  return {failure: unreachable(url, message, error), after: kind === 'lost' && retry !== undefined ? backOff(retry) : undefined};
}

/** Addresses that are not globally reachable, by the registries of special-purpose addresses. */
const reserved = new BlockList();
const reservedV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
for (const [network, prefix] of reservedV4) reserved.addSubnet(network, prefix, 'ipv4');

/** Global unicast, except addresses that embed others and those for documentation. */
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');
const reservedV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];
for (const [network, prefix] of reservedV6) reserved.addSubnet(network, prefix, 'ipv6');

function isLoopbackAddress(address: string): boolean {
  return isLoopback(isIP(address) === 6 ? `[${address}]` : address);
}

/** Whether an address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !reserved.check(address, 'ipv4');
  return version === 6 && global.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}
