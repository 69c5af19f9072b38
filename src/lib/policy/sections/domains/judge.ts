/**
 * What becomes of the blocks of a server: what a policy made is as it says, and what it did not make is only ever made stricter.
 *
 * `noop` is no block. What an apply raised from it counts as made, and goes back to it.
 */
import type {Judge, Judged} from './compare.js';
import {heldBy, type Revision, type WantedEntry} from '../../section/compare-set.js';
import type {Change, Grounds} from '../../model/change.js';
import {areSameFacts, blocked, commentFields, type DomainFacts, flagFields, plainFacts, sentFacts} from '../../model/domain-facts.js';
import type {Skipped} from '../../model/difference.js';
import type {WantedDomains} from '../../lists/merge.js';
import type {Wanted} from '../../lists/wanted.js';
import type {MadeItem} from '../../model/items.js';
import {severities} from '../../model/severity.js';
import {membersOf} from '../../../api/schema.js';
import {isOwnDomain, parentsOf} from '../../../operations/domains.js';

/** What a server has, and what it does with blocks. */
interface Standing<Block extends {readonly facts: DomainFacts}> {
  /** By domain; without those that are not blocked. */
  readonly there: ReadonlyMap<string, Block>;
  /** What it keeps of domains that are not blocked: entries that do nothing, notes. */
  readonly unblocked: ReadonlyMap<string, DomainFacts>;
  /** Those of the server itself. */
  readonly hosts: readonly string[];
  /** Whether a block is one of all domains below it, too. */
  readonly coversSubdomains: boolean;
  /** What it keeps of what it is told. */
  keeps(facts: DomainFacts): DomainFacts;
}

export const isNone = ({severity}: DomainFacts): boolean => severity === 'noop';

const rankOf = ({severity}: DomainFacts): number => severities.indexOf(severity);

/** The flags that make a block stricter. A suspension leaves nothing for them to reject. */
const strictFlags = ['reject_media', 'reject_reports'] as const;

/** Whether the first block does all that the second one does. */
export function isAsStrict(one: DomainFacts, other: DomainFacts): boolean {
  if (rankOf(one) !== rankOf(other)) return rankOf(one) > rankOf(other);
  return one.severity === 'suspend' || strictFlags.every((name) => one[name] === true || other[name] !== true);
}

/** Whether the second block lacks a part of the first one that people change by hand: severity or a flag, whatever comes of it. */
export function lacks(one: DomainFacts, other: DomainFacts): boolean {
  if (rankOf(one) !== rankOf(other)) return rankOf(other) < rankOf(one);
  return flagFields.some((name) => one[name] === true && other[name] !== true);
}

function isStricter(one: DomainFacts, other: DomainFacts): boolean {
  return isAsStrict(one, other) && !isAsStrict(other, one);
}

/** A block with the strictness of both. */
function stricter(one: DomainFacts, other: DomainFacts): DomainFacts {
  const flags = strictFlags.map((name) => [name, one[name] === true || other[name] === true] as const);
  return plainFacts({...one, severity: (rankOf(one) < rankOf(other) ? other : one).severity, ...Object.fromEntries(flags)});
}

/** A block with the strictness of another one. */
function asStrictAs(one: DomainFacts, {severity, reject_media, reject_reports}: DomainFacts): DomainFacts {
  return plainFacts({...one, severity, reject_media, reject_reports});
}

/** A block with the comments of another one where it has none: what somebody wrote about the domain is not lost. */
function withComments(one: DomainFacts, other: DomainFacts | undefined): DomainFacts {
  const {public_comment = other?.public_comment, private_comment = other?.private_comment} = one;
  return plainFacts({...one, public_comment, private_comment});
}

/** A block that somebody else made, without the comments that the policy wrote, nobody changed, and the policy does not send any more. */
function withoutOurs(
  stood: DomainFacts,
  asked: DomainFacts,
  {was, made}: {readonly was: DomainFacts | undefined; readonly made: DomainFacts | undefined},
): DomainFacts {
  const isOurs = (name: (typeof commentFields)[number]) =>
    made?.[name] !== undefined && made[name] === stood[name] && asked[name] === undefined;
  return plainFacts({...stood, ...Object.fromEntries(commentFields.filter(isOurs).map((name) => [name, was?.[name]]))});
}

/** The comments of a block that the policy made which a person changed since, and which no entry of `must` names: they stay. */
function commentsByHand(stood: DomainFacts, made: DomainFacts | undefined, named: DomainFacts | undefined): Partial<DomainFacts> {
  const isByHand = (name: (typeof commentFields)[number]) =>
    made !== undefined && (made[name] ?? '') !== (stood[name] ?? '') && named?.[name] === undefined;
  return Object.fromEntries(commentFields.filter(isByHand).map((name) => [name, stood[name]]));
}

/** `suspended` */
export const statusText = ({severity}: DomainFacts): string => ({suspend: 'suspended', silence: 'silenced', noop: 'not blocked'})[severity];

/** The domains that are to be blocked more than {@link DomainRules.maxFollowed} allows, and are not yet: how many follow them decides. */
export function cappedIfFollowed(
  {rules: {maxFollowed}, wanted}: Pick<WantedDomains, 'rules' | 'wanted'>,
  there: ReadonlyMap<string, {readonly facts: DomainFacts}>,
): string[] {
  if (maxFollowed === undefined) return [];
  const most = severities.indexOf(maxFollowed.value);
  return [...wanted].flatMap(([domain, {severity}]) => {
    const [asked, stands] = [severities.indexOf(severity), there.get(domain)?.facts];
    return asked > most && (stands === undefined || rankOf(stands) < asked) ? domain : [];
  });
}

/** @param update makes the change of a block */
export function judgeOf<Block extends {readonly facts: DomainFacts}>(
  {rules, wanted, state: {host}, owned, people}: Judged,
  {there, unblocked, hosts, coversSubdomains, keeps}: Standing<Block>,
  update: (domain: string, block: Block, after: DomainFacts, grounds: Grounds) => Change,
): Judge<DomainFacts> {
  const made = new Map<string, Pick<MadeItem, 'made' | 'was'>>();
  for (const item of owned) if (item.kind === rules.rules.of.kind) made.set(item.subject, item);
  const {sendComments = 'private'} = rules.rules;
  const heldBack = (domain: string) => rules.protection.heldBack(domain, wanted);
  const {maxFollowed} = rules.rules;
  const isFollowed = ({follows}: Wanted, domain: string): boolean =>
    follows === 'unknown' || (follows?.get(domain) ?? 0) >= (maxFollowed?.follows ?? Number.POSITIVE_INFINITY);
  const capped = new Set(coversSubdomains ? cappedIfFollowed(rules, there).filter((domain) => isFollowed(wanted, domain)) : []);
  const ofPolicy = (domain: string) => {
    const asked = keeps(sentFacts(rules.factsOf(domain) ?? blocked, sendComments));
    if (maxFollowed === undefined || !capped.has(domain)) return asked;
    const stands = there.get(domain)?.facts;
    // What stands is not made weaker.
    return {...asked, severity: stands && rankOf(stands) > severities.indexOf(maxFollowed.value) ? stands.severity : maxFollowed.value};
  };
  /** Why a domain is blocked less than the policy and its lists ask for. */
  const heldByFollows = (): Pick<Skipped, 'heldBy' | 'why'> | undefined => {
    if (maxFollowed === undefined) return undefined;
    const follow = `people of ${host} follow accounts there`;
    const why = `${wanted.follows === 'unknown' ? `it is unknown whether ${follow}` : follow}: ${statusText({severity: maxFollowed.value})} at most`;
    return {why, heldBy: {rule: `${rules.rules.of.key}.max_followed_severity`, source: maxFollowed.location}};
  };
  const factsOf = (domain: string) => withComments(ofPolicy(domain), unblocked.get(domain));

  /** Never compared: whoever changes it afterwards is right. */
  const listComment = (domain: string): string | undefined => {
    const {public_comment, private_comment} = ofPolicy(domain);
    if (sendComments === 'none' || public_comment !== undefined || private_comment !== undefined) return undefined;
    return rules.wanted.get(domain)?.counting.find(({comment}) => comment !== undefined)?.comment;
  };

  /** Why a domain is not blocked, or not more than it is. */
  const refused = (domain: string, entry: WantedEntry): Pick<Skipped, 'heldBy' | 'why'> | undefined =>
    isOwnDomain(domain, hosts)
      ? {why: `it is ${host} itself, or above or below it`, heldBy: heldBy(entry)}
      : (heldBack(domain) ?? (coversSubdomains ? rules.protection.covering(domain) : undefined));

  const named = new Map(rules.rules.must.map(({value, facts}) => [value, facts]));
  const byHand = (domain: string, stood: DomainFacts) => commentsByHand(stood, factsOfItem(made.get(domain)?.made), named.get(domain));

  /** How a block that stands is to be. */
  const settled = (domain: string, stood: DomainFacts): DomainFacts => {
    const {private_comment} = stood;
    const mine = made.get(domain);
    const isList = listComment(domain) !== undefined || isListComment(mine?.made, private_comment);
    const ofRules = ofPolicy(domain);
    const isFree = isList && ofRules.public_comment === undefined && ofRules.private_comment === undefined;
    const asked = isFree ? plainFacts({...ofRules, private_comment}) : ofRules;
    const was = factsOfItem(mine?.was);
    if (mine !== undefined && (was === undefined || isNone(was)))
      return plainFacts({...withComments(asked, was), ...byHand(domain, stood)});
    // Nobody but the policy asks for comments of a block that somebody else made.
    const left = withoutOurs(stood, asked, {was, made: factsOfItem(mine?.made)});
    if (rules.only !== undefined) return asStrictAs(left, asked);
    const least = was ?? stood;
    if (was !== undefined && isAsStrict(was, asked)) return was;
    const after = stricter(least, asked);
    if (areSameFacts(left, stood) && isAsStrict(stood, after) && isAsStrict(after, stood)) return stood;
    return withComments(asStrictAs(left, after), asked);
  };

  const revised = (domain: string, entry: WantedEntry): Revision<DomainFacts> | undefined => {
    const block = there.get(domain);
    if (block === undefined) throw new Error(`${domain} is not blocked`);
    const before = block.facts;
    const after = settled(domain, before);
    const because = isAsStrict(before, after) ? undefined : refused(domain, entry);
    if (because !== undefined) return {kept: because};
    if (!areSameFacts(before, after)) return {before, after, change: (grounds) => update(domain, block, after, grounds)};
    if (rankOf(ofPolicy(domain)) < rankOf(before)) return {kept: keptBy(entry, before)};
    return made.has(domain) && Object.keys(byHand(domain, before)).length > 0
      ? {kept: {why: 'comment changed by hand', heldBy: heldBy(entry, 'kept')}}
      : undefined;
  };

  /** Whether a block, or that there is none, is left to whoever made it so. */
  const isLeft = (domain: string): boolean => {
    const doing = people?.did({kind: rules.rules.of.kind, subject: domain});
    return doing?.left !== undefined && doing.how !== 'stricter';
  };

  /** What is left of a block that stands once the policy is applied. */
  const remaining = (domain: string): DomainFacts | undefined => {
    const [before, entry] = [there.get(domain)?.facts, rules.wanted.get(domain)];
    if (entry !== undefined) {
      if (isLeft(domain)) return before;
      if (before === undefined) return refused(domain, entry) || coveredBy(domain) !== undefined ? undefined : factsOf(domain);
      const revision = revised(domain, entry);
      return revision !== undefined && 'after' in revision ? revision.after : before;
    }
    const mine = made.get(domain);
    const forbidden = rules.mustNot.get(domain);
    if (before === undefined || rules.only !== undefined || (forbidden && !forbidden.isListed)) return undefined;
    return mine === undefined ? before : factsOfItem(mine.was);
  };

  // The nearest block counts, which may also be one that does nothing.
  const blockAbove = (domain: string): {readonly parent: string; readonly facts: DomainFacts} | undefined => {
    if (!coversSubdomains) return undefined;
    for (const parent of parentsOf(domain)) {
      const facts = remaining(parent);
      if (facts !== undefined) return isNone(facts) ? undefined : {parent, facts};
      if (unblocked.has(parent)) return undefined;
    }
    return undefined;
  };

  const coveredBy = (domain: string): string | undefined => {
    const above = blockAbove(domain);
    return above === undefined || isStricter(factsOf(domain), above.facts) ? undefined : above.parent;
  };

  return {
    given: factsOf,
    listComment,
    replaced: (domain) => unblocked.get(domain),
    revised,
    asksLess: (domain) => lacks(there.get(domain)?.facts ?? blocked, ofPolicy(domain)),
    above(domain) {
      const above = unblocked.has(domain) ? undefined : blockAbove(domain);
      return above && {parent: above.parent, status: statusText(above.facts)};
    },
    capped: () =>
      [...capped].flatMap((subject) => {
        const held = heldByFollows();
        return held === undefined || isNone(ofPolicy(subject)) ? [] : {kind: rules.rules.of.kind, subject, ...held};
      }),
    omitted(domain, entry) {
      const held = refused(domain, entry);
      if (held !== undefined) return held;
      if (capped.has(domain) && isNone(ofPolicy(domain))) return heldByFollows();
      const above = coveredBy(domain);
      return above === undefined ? undefined : {why: `the block of ${above} covers it`, heldBy: heldBy(entry, 'covered')};
    },
  };
}

function factsOfItem(value: unknown): DomainFacts | undefined {
  return isFacts(value) ? value : undefined;
}

/** Whether a comment is the one that an apply took from a list. */
export function isListComment(made: unknown, comment: string | undefined): boolean {
  return comment !== undefined && membersOf(made)['list_comment'] === true && factsOfItem(made)?.private_comment === comment;
}

const isFacts = (value: unknown): value is DomainFacts => typeof value === 'object' && value !== null && 'severity' in value;

function keptBy(entry: WantedEntry, before: DomainFacts): Pick<Skipped, 'heldBy' | 'why'> {
  const why = `it is ${statusText(before)}, which is stricter than wanted, and no apply of this policy made the block`;
  return {why, heldBy: heldBy(entry, 'kept')};
}

/**
 * Changes with every domain after those that it is below of, and otherwise in their order: a server may refuse to block a domain while one
 * above it is blocked.
 */
export function parentsFirst<One extends {readonly subject: string}>(changes: readonly One[]): One[] {
  const left = new Map(changes.map((one) => [one.subject, one]));
  const ordered: One[] = [];
  for (const {subject} of changes)
    for (const name of [...parentsOf(subject).reverse(), subject]) {
      const one = left.get(name);
      if (one === undefined) continue;
      ordered.push(one);
      left.delete(name);
    }
  return ordered;
}

export function childrenFirst<One extends {readonly subject: string}>(changes: readonly One[]): One[] {
  const depth = ({subject}: One) => subject.split('.').length;
  return changes.toSorted((one, other) => depth(other) - depth(one));
}
