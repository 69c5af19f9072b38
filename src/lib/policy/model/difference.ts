/** Differences between an account and its policy, and what could not be compared. */
import {commandText, type FlagValues} from '../../files/command-text.js';
import type {Client} from '../../client/client.js';
import {handleOf} from '../../operations/handle.js';
import type {Measured} from '../../operations/measures.js';
import {Failure} from '../../client/failure.js';
import {type ByHand, byHandText, type People} from './by-hand.js';
import type {Change, Grounds} from './change.js';
import {blocked, type FactsJson, factsText} from './domain-facts.js';
import type {FindingJson, HeldBackJson, SkippedJson} from './documents.js';
import {type Location, locationText} from '../source/location.js';
import type {MadeItem} from './items.js';
import type {Ended} from './policy.js';
import type {ItemKind} from './section-types.js';
import type {AccountState, Followed, Fetched} from './server-state.js';

/** `unchecked`: a rule about something that this server does not offer. */
export type Kind = ItemKind | 'unchecked';

/** Commands that are suggested on the account that a policy is compared with. */
export interface Advice {
  /** The flags that name the account in what reports print. */
  readonly account: FlagValues;
  /** A command that takes the policy, with the flags that lead to the same lists and the same state file. */
  readonly onPolicy: (command: 'apply' | 'plan', file: string, more?: FlagValues) => string;
  /** The command that hands an item of the policy over to people. */
  readonly forget: (subject: string, file: string) => string;
}

/** What a policy from standard input is called in commands that are suggested: no later command can read it there. */
export const savedName = 'policy.yml';

/** @param flags of the commands that take a policy */
export function adviceOf(account: FlagValues = {}, flags: FlagValues = {}): Advice {
  return {
    account,
    forget: (subject, policy) => commandText('state forget', {args: [policy, subject], flags: {state: flags['state'], ...account}}),
    onPolicy(command, file, more) {
      const isSaved = file !== '-';
      const words = commandText(command, {args: [isSaved ? file : savedName], flags: {...flags, ...more, ...account}});
      return isSaved ? words : `${words} # save the policy as ${savedName} first`;
    },
  };
}

/** An account that a policy is compared with or applied to. */
export interface Target {
  readonly client: Client;
  readonly server: URL;
  /** As `@ana`; {@link unknownAccount} where the server does not say. Where it is the server's, its host. */
  readonly account: string;
  /** Set where it is about either what is the account's own, or what the accounts of the server share; undefined: about both. */
  readonly owner?: 'account' | 'server' | undefined;
  /** The account with its id, where the server says. */
  readonly own?: AccountState | undefined;
  readonly advice: Advice;
  readonly now: () => Date;
  /** The servers of those that it follows or that follow it, read at most once. */
  readonly followed?: (() => Promise<Fetched<Followed>>) | undefined;
  /** How many follows people of the server have to each domain, where it tells. */
  readonly measures?: ((domains: readonly string[]) => Promise<Measured | undefined>) | undefined;
}

export const unknownAccount = 'unknown';

/** The account of a target, if it is known. */
export function knownAccount(account: string): string | undefined {
  return account === unknownAccount ? undefined : account;
}

/** Whose records it is about, its own first. */
export function ownersOf({account, owner, server: {origin: server}}: Pick<Target, 'account' | 'owner' | 'server'>): {
  readonly server: string;
  readonly account?: string;
}[] {
  return [...(owner === 'server' ? [] : [{server, account}]), ...(owner === 'account' ? [] : [{server}])];
}

/** Whether it is about what the accounts of a server share: that is called by the server's host. */
export function isNamedByHost({account, server}: {readonly account: string; readonly server: URL | string}): boolean {
  return account === new URL(server).host;
}

/** `@ana on pix.example`, or `pix.example` for what its accounts share. */
export function whoseText({account, server}: {readonly account: string; readonly server: URL | string}): string {
  const {host} = new URL(server);
  return isNamedByHost({account, server}) ? host : `${account} on ${host}`;
}

/** `ana@pix.example`, or `pix.example` for what its accounts share. */
export function fullName({account, server}: {readonly account: string; readonly server: URL | string}): string {
  const {host} = new URL(server);
  return isNamedByHost({account, server}) ? host : handleOf(account, host);
}

/** The name of an account in a policy: `ana@pix.example`; undefined where it is not known, or no account is meant. */
export function policyName({account, owner, server}: Pick<Target, 'account' | 'owner' | 'server'>): string | undefined {
  const known = owner === 'server' ? undefined : knownAccount(account);
  return known && handleOf(known, server.host);
}

/** One thing in which an account differs from its policy. Findings, plans and reports are views of these. */
export interface Difference {
  /** Path of the rule in the policy: `domain_blocks.must`. */
  readonly rule: string;
  readonly kind: Kind;
  /** The domain, title, account or setting. */
  readonly subject: string;
  readonly wanted: string;
  readonly actual: string;
  readonly source: Location;
  /** What to do about it, by hand. */
  readonly fix: string;
  /** The change that resolves it, which several differences can share; undefined: no request can. */
  readonly change?: Change | undefined;
  /** Of a domain or an account that is missing: what the policy and its lists say about it for everybody, where they say more than its name. */
  readonly details?: FactsJson | undefined;
  /** The rules and list entries that ask for it, each with its own words, where there are several: `details` has them merged. */
  readonly named?: readonly NamingPlace[] | undefined;
  /** Set where it is somebody's doing, and not that of the policy or its lists. */
  readonly byHand?: ByHand | undefined;
}

/** One of several places that ask for the same. */
export interface NamingPlace {
  readonly source: Location;
  /** What it says besides the name. */
  readonly facts?: FactsJson | undefined;
}

/** Where it is asked for; of several places each with its own words. */
export function whereText({source, named_by}: Pick<FindingJson, 'named_by' | 'source'>): string {
  if (named_by === undefined) return source;
  const severityOf = (facts: FactsJson) => facts.severity ?? blocked.severity;
  const areAlike = new Set(named_by.map(severityOf)).size === 1;
  return named_by
    .map(({source: place, ...facts}) => {
      const said = factsText({...facts, severity: areAlike ? undefined : severityOf(facts)});
      return said === '' ? place : `${place} (${said})`;
    })
    .join(', ');
}

/** What is there instead, with who is behind it. */
export function actualText({actual, byHand}: Pick<Difference, 'actual' | 'byHand'>): string {
  return byHand === undefined ? actual : `${actual}, ${byHandText(byHand)}`;
}

/** A rule that was not compared, or a block that another rule holds back. */
export interface Skipped {
  readonly kind: Kind;
  readonly subject?: string | undefined;
  readonly why: string;
  /** Set when what it is about could not be read: then an absence of differences means nothing. */
  readonly failure?: Failure | undefined;
  /**
   * Set when it would be blocked if this rule did not forbid it.
   * Kept: it is blocked, and stays as it is although this rule names it. Covered: the block of a domain above it does what this rule asks
   * for. Unknown: nobody knows whether this rule forbids it. Ineffective: this
   * rule names it, and another one comes first. Ending: it holds, and its last day is near.
   */
  readonly heldBy?:
    | {
        readonly rule: string;
        readonly source: Location;
        readonly how?: 'covered' | 'ending' | 'ineffective' | 'kept' | 'unknown' | undefined;
      }
    | undefined;
  /** Set when it would be blocked if the limit of the policy were higher. */
  readonly limit?: 'policy_limit' | undefined;
  /** Where a rule names it, by its id perhaps. */
  readonly source?: Location | undefined;
}

/** The name of the rule that findings about leftovers have: no line of the policy is one. */
export const leftoverRule = 'no_longer_named';

/** Of what an earlier apply made, or a person let the policy manage. */
export const abandoned = {
  reason: leftoverRule,
  because: 'managed by this policy, which no longer names it',
} as const satisfies Grounds;

/** Of what an earlier apply changed and did not make. */
export const putBack = {...abandoned, because: 'an earlier apply of this policy changed it, and the policy no longer names it'} as const;

/** Why the policy asks for something: its rule, where that is, and the last day of an entry that has one. */
function becauseOf(rule: string, sources: readonly Location[], until?: string): string {
  const last = until === undefined ? [] : [`(until ${until})`];
  // Joined, because a text that is put together otherwise keeps its parts, and there are very many of these.
  return [`${rule}:`, sources.map(locationText).join(', '), ...last].join(' ');
}

/** Of what the policy asks for, and until when. */
export function asking(rule: string, sources: readonly Location[], until: string | undefined): Omit<Grounds, 'reason'> {
  return {because: becauseOf(rule, sources, until), ...(until !== undefined && {until})};
}

/** Of what `must` names, but only until a day that is over. @param only where the policy says that nothing else may be there */
export function ending(section: string, {location, until}: Ended, only?: Location): Grounds {
  const last = becauseOf(`${section}.must`, [location], until);
  return {reason: 'until', because: only === undefined ? last : `${becauseOf(`${section}.only`, [only])}, ${last}`};
}

export interface Circumstances {
  /** Filters that have ended by then count as gone. */
  readonly now: Date;
  readonly advice: Advice;
  /** What earlier applies of the policy made or changed; undefined: it does not matter. */
  readonly owned?: readonly MadeItem[] | undefined;
  /** What they set and the policy does not own: settings, what others made, what somebody lifted. */
  readonly watched?: readonly MadeItem[] | undefined;
  /** What people did to what they set; undefined: it does not matter. */
  readonly people?: People | undefined;
}

/** A policy, or a part of it, compared with an account. */
export interface Comparison {
  /** In the order of the policy. */
  readonly differences: readonly Difference[];
  readonly skipped: readonly Skipped[];
  /** Ids of the items that rules are about, of a section that has ids. */
  readonly matched?: ReadonlySet<string> | undefined;
}

/** Which policy was compared with which account of which server. */
export interface About {
  readonly server: string;
  readonly account: string;
  readonly policy: string;
}

export function unread(kind: Kind, failure: Failure): Skipped {
  return {kind, why: failure.message, failure};
}

export function findingJson(difference: Difference): FindingJson {
  const {rule, kind, subject, wanted, actual, fix, details, byHand} = difference;
  const isSaid = details !== undefined && Object.keys(details).length > 0;
  const {source, ...places} = placesOf(difference);
  return {rule, kind, subject, wanted, actual, source, fix, ...(isSaid && {details}), ...places, ...(byHand && {by_hand: byHand})};
}

/** Where a difference comes from, in JSON. */
export function placesOf({source, named}: Pick<Difference, 'named' | 'source'>): Pick<FindingJson, 'named_by' | 'source'> {
  const namedBy = named?.map(({source: place, facts}) => ({source: locationText(place), ...facts}));
  return {source: locationText(source), ...(namedBy && {named_by: namedBy})};
}

/** What limits hold back, in JSON. @param beyond what is beyond the known limits of the server */
export function heldBackJson(
  skipped: readonly Skipped[],
  beyond: readonly {readonly kind: Kind; readonly subjects: readonly string[]}[] = [],
): {readonly held_back?: readonly HeldBackJson[]} {
  const held: HeldBackJson[] = [
    ...skipped.flatMap(({kind, subject = '', limit: why}) => (why === undefined ? [] : {kind, subject, why})),
    ...beyond.flatMap(({kind, subjects}) => subjects.map((subject) => ({kind, subject, why: 'server_limit' as const}))),
  ];
  return held.length === 0 ? {} : {held_back: held};
}

export function skippedJson({kind, subject, why, failure, heldBy}: Skipped): SkippedJson {
  return {
    kind,
    ...(subject !== undefined && {subject}),
    why,
    ...(failure && {code: failure.code}),
    ...(heldBy?.how === 'covered' && {code: heldBy.how}),
    ...(heldBy && {rule: heldBy.rule, source: locationText(heldBy.source)}),
  };
}

/** The failure that a run ends with when parts could not be read: a bad answer first. */
export function failureOfSkipped(skipped: readonly Skipped[]): Failure | undefined {
  const failures = skipped.flatMap(({failure}) => failure ?? []);
  return failures.find(({code}) => code === 'bad_answer') ?? failures[0];
}
