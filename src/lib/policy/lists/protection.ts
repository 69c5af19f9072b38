/** Blocks that are held back, because people are followed there, or because they would hit what `must_not` names. */
import * as z from 'zod/mini';
import {once} from '../../api/schema.js';
import {guarded} from '../../client/failure.js';
import {parentsOf} from '../../operations/domains.js';
import type {Difference, Skipped} from '../model/difference.js';
import {type Location, locationText} from '../source/location.js';
import type {DomainRules, Located} from '../model/policy.js';
import {type Followed, type Fetched, valueOf} from '../model/server-state.js';
import {andMore, counted} from '../../json/text.js';

/** Why a block is held back, and by which rule. */
interface HeldBack {
  readonly why: string;
  readonly heldBy: NonNullable<Skipped['heldBy']>;
}

export interface Exceptions {
  /** Where the policy protects the servers of those that the account follows or is followed by: how many they are. */
  readonly followed?: Fetched<Followed> | undefined;
}

const way = 'to block it anyway, run `pixelctl domain-blocks add DOMAIN`';

function followersText(count: number): string {
  return count === 1
    ? '1 account there follows this account or is followed by it'
    : `${count} accounts there follow this account or are followed by it`;
}

function unknownFollowed({location}: Located<number>, followed: Exceptions['followed']): string | undefined {
  if (followed !== undefined && 'value' in followed) return undefined;
  const why = followed?.failure.message ?? 'followed accounts were not read';
  return `protect_followed (${locationText(location)}) cannot be checked: ${why}`;
}

/** Why `protect_followed` holds a block back. */
function heldByFollowed(
  rule: Located<number>,
  domain: string,
  followed: Exceptions['followed'],
): {readonly why: string; readonly isUnknown: boolean} | undefined {
  const unknown = unknownFollowed(rule, followed);
  if (unknown !== undefined) return {why: unknown, isUnknown: true};
  const count = (followed && valueOf(followed)?.counts.get(domain)) ?? 0;
  return count < rule.value ? undefined : {why: followersText(count), isUnknown: false};
}

/** Which domains of a policy are not blocked besides those that it and its lists forbid. */
export class Protection {
  readonly #mustNot: ReadonlyMap<string, {readonly location: Location}>;
  /** By each of their parents: a domain of `must_not` that is below it. */
  readonly #below: ReadonlyMap<string, string>;

  /** The names of its rules. */
  readonly #rule: string;
  readonly followedRule: string;

  /** From how many accounts on that are followed or follow, a server is protected; undefined: none is for that. */
  readonly minFollowed: Located<number> | undefined;

  constructor(
    {of, protectFollowed}: Pick<DomainRules, 'of' | 'protectFollowed'>,
    mustNot: ReadonlyMap<string, {readonly location: Location}>,
  ) {
    [this.#rule, this.followedRule] = [`${of.key}.must_not`, `${of.key}.protect_followed`];
    this.minFollowed = protectFollowed;
    this.#mustNot = mustNot;
    this.#below = new Map([...mustNot.keys()].flatMap((domain) => parentsOf(domain).map((parent): [string, string] => [parent, domain])));
  }

  /** Why a domain is not blocked; undefined: it may be. */
  heldBack(domain: string, {followed}: Exceptions): HeldBack | undefined {
    const held = this.minFollowed && heldByFollowed(this.minFollowed, domain, followed);
    if (this.minFollowed === undefined || held === undefined) return undefined;
    const [rule, source] = [this.followedRule, this.minFollowed.location];
    return {why: held.isUnknown ? held.why : `${held.why}; ${way}`, heldBy: {rule, source, ...(held.isUnknown && {how: 'unknown'})}};
  }

  /** Why a domain is not blocked where its block would be one of everything below it. */
  covering(domain: string): HeldBack | undefined {
    const below = this.#below.get(domain) ?? '';
    const source = this.#mustNot.get(below)?.location;
    return source && {why: `${below} is below it, which must_not names`, heldBy: {rule: this.#rule, source}};
  }

  /** Why it is unknown what `protect_followed` protects, where the policy asks for it. */
  unknown({followed}: Pick<Exceptions, 'followed'>): string | undefined {
    return this.minFollowed && unknownFollowed(this.minFollowed, followed);
  }
}

/**
 * The difference that is left where domains were not compared, because it is unknown whether `protect_followed` protects them.
 * @param skipped what was not compared
 */
export function uncheckedProtection(protection: Protection, exceptions: Exceptions, skipped: readonly Skipped[]): Difference[] {
  const domains = skipped.filter(({heldBy}) => heldBy?.how === 'unknown' && heldBy.rule === protection.followedRule);
  const [rule, actual] = [protection.minFollowed, protection.unknown(exceptions)];
  if (rule === undefined || actual === undefined || domains.length === 0) return [];
  const {value, location} = rule;
  return [
    {
      rule: protection.followedRule,
      kind: 'unchecked',
      subject: 'protect_followed',
      wanted: `${value}, checked for ${counted(domains.length, 'domain')}`,
      actual,
      source: location,
      fix: 'run it again when the server responds',
    },
  ];
}

/** What a plan file keeps of `protect_followed`. */
export const followedRuleShape = once(() =>
  z.strictObject({
    fewest: z.number(),
    file: z.string(),
    line: z.number(),
  }),
);

export type FollowedRule = Readonly<z.infer<ReturnType<typeof followedRuleShape>>>;

export function followedRuleOf({minFollowed}: Pick<Protection, 'minFollowed'>): FollowedRule | undefined {
  return minFollowed && {fewest: minFollowed.value, ...minFollowed.location};
}

/**
 * Checks the domains of a plan again: who is followed may have changed since it was made.
 * @param domains that it blocks
 * @param hint what to do
 * @returns why it is unknown which of them are protected, where it is
 * @throws Failure `refused` when one of them is
 */
export function refuseFollowed(
  {fewest, file, line}: FollowedRule,
  domains: readonly string[],
  {followed, hint}: {readonly followed: Fetched<Followed> | undefined; readonly hint: string},
): string | undefined {
  const location = {file, line};
  const held = domains.flatMap((domain) => {
    const found = heldByFollowed({value: fewest, location}, domain, followed);
    return found === undefined ? [] : [{domain, ...found}];
  });
  const [first] = held;
  if (first === undefined || first.isUnknown) return first?.why;
  const more = held.length === 1 ? '' : `, ${andMore(held.length - 1)}`;
  throw guarded(`${first.domain} is protected by now (${locationText(location)}): ${first.why}${more}: nothing was sent`, hint);
}
