/** Says which addresses are on the public internet, and lets connections go to allowed addresses only. */
import {lookup as systemLookup} from 'node:dns';
import {BlockList, isIP, type LookupFunction} from 'node:net';
import {isLoopback} from './transport.js';

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

/** The IPv6 addresses that are global, but for those in `reservedV6`, which embed other addresses or are for documentation. */
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');
const reservedV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];
for (const [network, prefix] of reservedV6) reserved.addSubnet(network, prefix, 'ipv6');

/** The networks that homes and companies use. Link-local addresses are not among them: machines of clouds give secrets away there. */
const local = new BlockList();
const localV4: readonly (readonly [string, number])[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];
for (const [network, prefix] of localV4) local.addSubnet(network, prefix, 'ipv4');
local.addSubnet('fc00::', 7, 'ipv6');

export function isLoopbackAddress(address: string): boolean {
  return isLoopback(isIP(address) === 6 ? `[${address}]` : address);
}

export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !reserved.check(address, 'ipv4');
  return version === 6 && global.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}

export function isLocalAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && local.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** The host of a URL as an address; undefined for a name. */
export function addressIn({hostname}: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
}

/** All addresses of a host, as the system finds them. @throws the system's error */
export function addressesOf(url: URL): Promise<string[]> {
  const literal = addressIn(url);
  if (literal !== undefined) return Promise.resolve([literal]);
  return new Promise((resolve, reject) => {
    systemLookup(url.hostname, {all: true}, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses.map(({address}) => address));
    });
  });
}

export class NotPublic extends Error {
  constructor(readonly address: string) {
    super(`${address} is not a public address`);
  }
}

/** Resolves a name as the system does, and refuses addresses that are not allowed. */
export function guardedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, {...options, all: true}, (error, addresses) => {
      const stray = error ? undefined : addresses.find(({address}) => !isAllowed(address));
      const [first] = addresses ?? [];
      if (error) callback(error, '', 4);
      else if (stray) callback(new NotPublic(stray.address), '', 4);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family ?? 4);
    });
  };
}

/** The refused address that caused an error, however deep it is in the error; undefined where none did. */
export function strayAddress(error: unknown): NotPublic | undefined {
  if (error instanceof NotPublic) return error;
  if (error instanceof AggregateError) return error.errors.map(strayAddress).find((found) => found !== undefined);
  return error instanceof Error && error.cause !== undefined ? strayAddress(error.cause) : undefined;
}
