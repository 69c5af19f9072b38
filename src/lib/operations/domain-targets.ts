/** Domains that are not sent to a server: they are held back if a list names them, and refused as arguments. */
import {Failure, type HeldBackFor} from '../client/failure.js';
import type {Client} from '../client/client.js';
import {countNoun, firstOf, shorten} from '../json/text.js';
import {isBlockable, isOwnDomain, isTopLevel, ownServerRefused, readDomain} from './domains.js';
import type {FullInput, Operation} from './operation.js';
import {ownHosts, serverSoftware} from './server-release.js';

interface Sending {
  readonly input: FullInput;
  readonly ofDomains: boolean;
  readonly client: Client;
  /** The host name of the server in the requests. */
  readonly hostname: string;
  /** Whether the server may be asked. */
  readonly asks: boolean;
  readonly targets: readonly {readonly value: string; /** Whether a list names it, and not an argument. */ readonly isListed: boolean}[];
}

/** Why listed targets are not sent, by their values, and what to say about them. The run does not fail because of them. */
interface HeldBack {
  readonly failures: ReadonlyMap<string, Failure>;
  readonly notes: readonly string[];
}

/** Finds listed domains that the server cannot block, or that would block the server itself. @throws Failure `usage` if an argument is one */
export async function holdBack(
  {takesTopLevel, blocksServers}: Operation,
  {input, ofDomains, client, hostname, asks, targets}: Sending,
): Promise<HeldBack> {
  const failures = new Map<string, Failure>();
  const notes: string[] = [];
  const hold = (isHeld: (value: string) => boolean, because: string, reason: HeldBackFor, refuse: (value: string) => Failure) => {
    const found = targets.filter(({value}) => isHeld(value) && !failures.has(value));
    const argument = found.find(({isListed}) => !isListed);
    if (argument !== undefined) throw refuse(argument.value);
    if (found.length === 0) return;
    const names = found.map(({value}) => value);
    for (const name of names) failures.set(name, new Failure('refused', `held back: ${because}`, {heldBack: reason}));
    notes.push(`${countNoun(names.length, 'entry', 'entries')} held back, because ${because}: ${firstOf(names)}`);
  };
  if (ofDomains && targets.some(({value}) => isTopLevel(value))) {
    const because = `${client.host} cannot block whole top-level domains`;
    const refuse = (value: string) =>
      new Failure('usage', `${value} has no dot, and ${because}: nothing was sent`, {hint: 'use a host name such as bad.example'});
    const isTaken = takesTopLevel === true && (!asks || (await serverSoftware(client)) === 'mastodon');
    if (!isTaken) hold(isTopLevel, because, 'top_level', refuse);
  }
  if (blocksServers?.(input) !== true) return {failures, notes};
  const holdOwn = (hosts: readonly string[]) =>
    hold((value) => isOwnDomain(value, hosts), 'a server does not block itself', 'own_server', ownServerRefused);
  holdOwn([hostname]);
  // Only the server can say which other hosts it has.
  if (asks && targets.some(({value}) => !failures.has(value))) holdOwn(await ownHosts(client));
  return {failures, notes};
}

/** A whole top-level domain that a list names; undefined for anything else. Whether a server can block it, {@link holdBack} finds out. */
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
