/** Which addresses belong to the public network. */
import {BlockList, isIP} from 'node:net';

/** Everything that is not globally reachable, by the registries of special-purpose addresses. */
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

/** Global unicast, but for what carries other addresses inside or is for documents. */
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');
const reservedV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];
for (const [network, prefix] of reservedV6) reserved.addSubnet(network, prefix, 'ipv6');

/** Whether an address leads out: not to this machine, its network, or anything that only looks like an address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !reserved.check(address, 'ipv4');
  return version === 6 && global.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}
