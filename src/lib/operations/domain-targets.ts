/** Domains that are not sent to a server: they are held back when a list names them, and refused as arguments. */
import {Failure, type HeldBackFor} from '../client/failure.js';
import type {Client} from '../client/client.js';
import {countNoun, firstOf, shorten} from '../json/text.js';
import {isBlockable, isOwnDomain, isTopLevel, ownServerRefused, readDomain} from './domains.js';
import type {FullInput, Operation} from './operation.js';
import {ownHosts, serverSoftware} from './server-release.js';

interface DomainTarget {
  readonly value: string;
  /** Whether a list names it, and not an argument. */
  readonly isListed: boolean;
  /** Whether it is held back already. */
  readonly isHeld: boolean;
}

/** One reason not to send targets to a server. */
interface Exclusion {
  /** The result of a listed domain that is not sent. The run does not fail because of it. */
  readonly why: Failure;
  /** Finds the targets that are not sent. @throws Failure `usage` if an argument is one of them */
  readonly find: (targets: readonly DomainTarget[]) => Promise<(value: string) => boolean>;
  readonly noteText: (names: readonly string[]) => string;
}

interface Sending {
  readonly input: FullInput;
  readonly ofDomains: boolean;
  readonly client: Client;
  /** The host name of the server in the requests. */
  readonly hostname: string;
  /** Whether the server may be asked. */
  readonly asks: boolean;
}

const holdBackFailure = (because: string, reason: HeldBackFor): Failure =>
  new Failure('refused', `held back: ${because}`, {heldBack: reason});

/** Excludes whole top-level domains if the server cannot block them. */
function topLevel({takesTopLevel}: Operation, {client, asks}: Sending): Exclusion {
  const because = `${client.host} cannot block whole top-level domains`;
  return {
    why: holdBackFailure(because, 'top_level'),
    async find(targets) {
      if (!targets.some(({value}) => isTopLevel(value))) return () => false;
      if (takesTopLevel === true && (!asks || (await serverSoftware(client)) === 'mastodon')) return () => false;
      const argument = targets.find(({value, isListed}) => !isListed && isTopLevel(value));
      if (argument === undefined) return isTopLevel;
      throw new Failure('usage', `${argument.value} has no dot, and ${because}: nothing was sent`, {
        hint: 'use a host name such as bad.example',
      });
    },
    noteText: (names) => `${countNoun(names.length, 'entry', 'entries')} held back, because ${because}: ${firstOf(names)}`,
  };
}

/** Excludes domains that would block the server itself. */
function ownServer({client, hostname, asks}: Sending): Exclusion {
  const because = 'a server does not block itself';
  const among = (hosts: readonly string[], targets: readonly DomainTarget[]) => {
    const argument = targets.find(({value, isListed}) => !isListed && isOwnDomain(value, hosts));
    if (argument !== undefined) throw ownServerRefused(argument.value);
    return (value: string): boolean => isOwnDomain(value, hosts);
  };
  return {
    why: holdBackFailure(because, 'own_server'),
    async find(targets) {
      const isNamed = among([hostname], targets);
      // Only the server can say which other hosts it has.
      if (!asks || targets.every(({value, isHeld}) => isHeld || isNamed(value))) return isNamed;
      const isCalled = among(await ownHosts(client), targets);
      return (value) => isNamed(value) || isCalled(value);
    },
    noteText: (names) => `held back, because ${because}: ${firstOf(names)}`,
  };
}

/** The exclusions of an operation, in the order in which they are checked. */
export function exclusionsOf(operation: Operation, sending: Sending): Exclusion[] {
  return [
    ...(sending.ofDomains ? [topLevel(operation, sending)] : []),
    ...(operation.blocksServers?.(sending.input) === true ? [ownServer(sending)] : []),
  ];
}

/** A whole top-level domain that a list names; undefined for anything else. Whether a server can block it, {@link exclusionsOf} finds out. */
export function listedTopLevel(text: string): string | undefined {
  const read = readDomain(text, true);
  return 'domain' in read && isTopLevel(read.domain) ? read.domain : undefined;
}

/** Lists come from other servers, whose ids say nothing here. @param text as it is listed @throws Failure `usage` for an id */
export function refuseListedId(value: string, text: string): void {
  if (isBlockable(value)) return;
  throw new Failure('usage', `${shorten(text)} is not a domain`, {hint: 'an id counts as an argument only'});
}

/**
 * Refuses a list that says how its domains are blocked if the default severity would replace that.
 * @param severities of all domains that have one there
 * @param usual the severity by default; undefined where one was given
 * @throws Failure `usage`
 */
export function refuseOtherSeverities(severities: readonly string[], usual: string | undefined): void {
  const others = [...Map.groupBy(severities, (name) => name)].filter(([name]) => name !== usual);
  if (usual === undefined || others.length === 0) return;
  const counts = firstOf(others.map(([name, {length}]) => `${length} with ${shorten(name)}`));
  throw new Failure('usage', `The list has domains with a severity other than ${usual}: ${counts}: nothing was sent`, {
    hint: 'set one severity for all with --severity; a policy that names the list keeps those of the list',
  });
}
