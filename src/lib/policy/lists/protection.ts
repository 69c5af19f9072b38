/** Protected domains: blocks that would hit them are held back. */
import * as z from 'zod/mini';
import {Failure} from '../../client/failure.js';
import {parentsOf} from '../../operations/domains.js';
import type {Difference, Skipped} from '../model/difference.js';
import {locationIn, type UsedList} from './list.js';
import {type Location, locationText} from '../source/location.js';
import type {DomainBlockRules, Located} from '../model/policy.js';
import {type Followed, type Fetched, valueOf} from '../model/server-state.js';
import {andMore} from '../../json/text.js';

/** Why a block is held back, and by which rule. */
export interface HeldBack {
  readonly why: string;
  readonly heldBy: NonNullable<Skipped['heldBy']>;
}

export interface Exceptions {
  /** Domains that are blocked although they are protected. */
  readonly allowed?: ReadonlySet<string> | undefined;
  /** Where the policy protects the servers of those that the account follows or is followed by: how many they are. */
  readonly followed?: Fetched<Followed> | undefined;
}

const followedRule = 'domain_blocks.protect_followed';

const way = 'to block it anyway, pass --block-protected DOMAIN';

function followersText(count: number): string {
  return count === 1
    ? '1 account there follows this one or is followed by it'
    : `${count} accounts there follow this one or are followed by it`;
}

/** The protected domains of a policy. Servers that block subdomains with a domain make their parents part of it. */
export class Protection {
  readonly #domains: ReadonlyMap<string, Location>;
  /** By each of their parents: a protected domain that is below it. */
  readonly #below: ReadonlyMap<string, string>;

  /** From how many accounts on that are followed or follow, a server is protected; undefined: none is for that. */
  readonly minFollowed: Located<number> | undefined;

  constructor({protect = [], protectFollowed}: Pick<DomainBlockRules, 'protect' | 'protectFollowed'>, lists: readonly UsedList[] = []) {
    this.minFollowed = protectFollowed;
    const domains = new Map<string, Location>();
    for (const {list} of lists)
      for (const entry of list.entries) if (!domains.has(entry.domain)) domains.set(entry.domain, locationIn(list, entry));
    for (const {value, location} of protect) domains.set(value, location);
    this.#domains = domains;
    this.#below = new Map([...domains.keys()].flatMap((domain) => parentsOf(domain).map((parent): [string, string] => [parent, domain])));
  }

  /** Why a domain is not blocked; undefined: it may be. */
  heldBack(domain: string, {allowed, followed}: Exceptions): HeldBack | undefined {
    return allowed?.has(domain) ? undefined : (this.#named(domain) ?? this.#followed(domain, followed));
  }

  /** Why it is unknown what `protect_followed` protects, where the policy asks for it. */
  unknown({followed}: Pick<Exceptions, 'followed'>): string | undefined {
    if (this.minFollowed === undefined || (followed !== undefined && 'value' in followed)) return undefined;
    const why = followed?.failure.message ?? 'it was not read who is followed';
    return `protect_followed (${locationText(this.minFollowed.location)}) cannot be checked: ${why}`;
  }

  #followed(domain: string, followed: Exceptions['followed']): HeldBack | undefined {
    if (this.minFollowed === undefined) return undefined;
    const unknown = this.unknown({followed});
    const source = this.minFollowed.location;
    if (unknown !== undefined) return {why: `${unknown}; ${way}`, heldBy: {rule: followedRule, source, how: 'unknown'}};
    const count = (followed && valueOf(followed)?.counts.get(domain)) ?? 0;
    if (count < this.minFollowed.value) return undefined;
    return {why: `${followersText(count)}; ${way}`, heldBy: {rule: followedRule, source}};
  }

  #named(domain: string): HeldBack | undefined {
    if (this.#domains.size === 0) return undefined;
    const [named] = [domain, ...parentsOf(domain)].filter((one) => this.#domains.has(one));
    const below = this.#below.get(domain);
    const source = this.#domains.get(named ?? below ?? '');
    if (source === undefined) return undefined;
    const what =
      named === undefined
        ? `${below} is below it, and is protected`
        : named === domain
          ? 'it is protected'
          : `it is below ${named}, which is protected`;
    return {why: `${what}; ${way}`, heldBy: {rule: 'domain_blocks.protect', source}};
  }
}

/**
 * The difference that is left where domains were not compared, because it is unknown whether `protect_followed` protects them.
 * @param skipped what was not compared
 */
export function uncheckedProtection(protection: Protection | undefined, exceptions: Exceptions, skipped: readonly Skipped[]): Difference[] {
  const domains = skipped.filter(({heldBy}) => heldBy?.how === 'unknown');
  const [rule, actual] = [protection?.minFollowed, protection?.unknown(exceptions)];
  if (rule === undefined || actual === undefined || domains.length === 0) return [];
  const {value, location} = rule;
  return [
    {
      rule: followedRule,
      kind: 'unchecked',
      subject: 'protect_followed',
      wanted: `${value}, checked for ${domains.length} ${domains.length === 1 ? 'domain' : 'domains'}`,
      actual,
      source: location,
      fix: `run it again when the server answers; ${way}`,
    },
  ];
}

/** What a plan file keeps of `protect_followed`. */
export const followedRuleShape = z.strictObject({
  fewest: z.number(),
  file: z.string(),
  line: z.number(),
  /** Domains that are blocked all the same. */
  except: z.array(z.string()),
});

export type FollowedRule = Readonly<z.infer<typeof followedRuleShape>>;

export function followedRuleOf({minFollowed}: Protection, {allowed = new Set()}: Exceptions): FollowedRule | undefined {
  return minFollowed && {fewest: minFollowed.value, ...minFollowed.location, except: [...allowed]};
}

/**
 * Checks the domains of a plan again: who is followed may have changed since it was made.
 * @param domains that it blocks
 * @param hint what to do
 * @returns why it is unknown which of them are protected, where it is
 * @throws Failure `refused` when one of them is
 */
export function refuseFollowed(
  {fewest, file, line, except}: FollowedRule,
  domains: readonly string[],
  {followed, hint}: {readonly followed: Fetched<Followed> | undefined; readonly hint: NonNullable<Failure['details']['hint']>},
): string | undefined {
  const location = {file, line};
  const protection = new Protection({protectFollowed: {value: fewest, location}});
  const exceptions = {allowed: new Set(except), followed};
  const held = domains.flatMap((domain) => {
    const found = protection.heldBack(domain, exceptions);
    return found === undefined ? [] : [{domain, ...found}];
  });
  const [first] = held;
  if (first === undefined) return undefined;
  if (first.heldBy.how === 'unknown') return protection.unknown(exceptions);
  const count = followersText((followed && valueOf(followed)?.counts.get(first.domain)) ?? 0);
  const more = held.length === 1 ? '' : `, ${andMore(held.length - 1)}`;
  throw new Failure('refused', `${first.domain} is protected by now (${locationText(location)}): ${count}${more}: nothing was sent`, {
    hint,
  });
}
