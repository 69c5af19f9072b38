/**
 * The section `admin_domain_blocks`: servers that a server blocks for all of its accounts. A block that the policy made follows the policy.
 * Blocks that others made are only ever made stricter, and their comments stay.
 */
import * as z from 'zod/mini';
import {itemsOnServer, pathId} from './answers.js';
import {byDomain, domainsKind, holdTopLevel} from './domain-sections.js';
import {serverDomainsSchema} from './domains-schema.js';
import {
  type Actual,
  type Circumstances,
  type Desired,
  type Hold,
  type Item,
  type Kind,
  type Row,
  toRow,
  type Want,
  type Why,
} from './policy-kind.js';
import {listAdminDomainBlocks} from '../../api/admin-domain-blocks.js';
import {notesOf} from '../../api/admin-entities.js';
import {field, once} from '../../api/schema.js';
import type {Client} from '../../client/client.js';
import {asFailure, isInterruption} from '../../client/failure.js';
import {shorten} from '../../json/text.js';
import {
  adminDomainBlockAddition,
  adminDomainBlockEnd,
  maxPixelfedComment,
  standingBlockUpdate,
} from '../../operations/admin-domain-blocks.js';
import {isOwnDomain, parentsOf} from '../../operations/domains.js';
import {readInstances} from '../../operations/instances.js';
import {ownHosts, serverSoftware, type Software} from '../../operations/server-release.js';
import {remember} from '../model/canonical.js';
import {
  blocked,
  commentFields,
  commentOf,
  type DomainFacts,
  flagFields,
  plainFacts,
  type SentComments,
  sentFacts,
  severities,
  statusText,
} from '../model/domain-facts.js';
import type {Owned} from '../model/policy-state.js';
import {dayOf} from '../model/time.js';
import {type BlockValue, isBlock, isThere, rankOf, toBlock, type Value} from '../model/value.js';

const comment = z.optional(z.nullable(z.string()));
const flag = z.optional(z.nullable(z.boolean()));
const shape = once(() =>
  z.looseObject({
    id: pathId,
    domain: z.string(),
    severity: z.enum(severities),
    private_comment: comment,
    public_comment: comment,
    reject_media: flag,
    reject_reports: flag,
    obfuscate: flag,
  }),
);

/** What each server stores: Pixelfed drops flags and public comments, and cuts private ones. */
const keptBy: Readonly<Record<Software, (facts: DomainFacts) => DomainFacts>> = {
  mastodon: plainFacts,
  pixelfed: ({severity, private_comment}) =>
    plainFacts({severity, private_comment: private_comment && shorten(private_comment, maxPixelfedComment - 1)}),
};

/** The flags that make a block stricter. A suspension leaves nothing for them to reject. */
const strictFlags = ['reject_media', 'reject_reports'] as const;

/** Whether the first block does all that the second one does. */
function isAsStrict(one: DomainFacts, other: DomainFacts): boolean {
  if (rankOf(one) !== rankOf(other)) return rankOf(one) > rankOf(other);
  return one.severity === 'suspend' || strictFlags.every((name) => one[name] === true || other[name] !== true);
}

/** The first block with the severity and the flags of the second one. */
function asStrictAs(one: DomainFacts, {severity, reject_media, reject_reports}: DomainFacts): DomainFacts {
  return plainFacts({...one, severity, reject_media, reject_reports});
}

/** Takes comments from another block where the block has none, so that they are not lost. */
function withComments(one: DomainFacts, other: DomainFacts | undefined): DomainFacts {
  const {public_comment = other?.public_comment, private_comment = other?.private_comment} = one;
  return plainFacts({...one, public_comment, private_comment});
}

const hasComment = ({public_comment, private_comment}: DomainFacts): boolean =>
  public_comment !== undefined || private_comment !== undefined;

const blockIn = (value: Value | null | undefined): BlockValue | undefined => (isBlock(value) ? value : undefined);

/** The value to set. A block that others made, and that the policy made stricter, was theirs. */
function fitBlock({value, own}: Want, stood: BlockValue | undefined, owned: Owned | undefined, isOnly: boolean): BlockValue {
  if (stood === undefined) return toBlock(value);
  const {list_comment, ...ofRules} = toBlock(value);
  if (!isThere(stood)) {
    const block = withComments(ofRules, stood);
    return hasComment(block) || list_comment === undefined ? block : {...block, list_comment};
  }
  const [was, set] = [blockIn(owned?.was), blockIn(owned?.set)];
  // Comments of lists are never compared.
  const isOfList = (list_comment !== undefined || set?.list_comment !== undefined) && !hasComment(ofRules);
  const asked = isOfList ? {...ofRules, private_comment: stood.private_comment} : ofRules;
  if (set !== undefined && !isThere(was)) {
    // Comments that a person changed since stay, unless an entry of `must` has its own.
    const byHand = commentFields.filter((name) => (set[name] ?? '') !== (stood[name] ?? '') && own?.[name] === undefined);
    return plainFacts({...withComments(asked, was), ...Object.fromEntries(byHand.map((name) => [name, stood[name]]))});
  }
  if (isOnly) return asStrictAs(stood, asked);
  const theirs = was ?? stood;
  const flags = strictFlags.map((name) => [name, theirs[name] === true || asked[name] === true] as const);
  const {severity} = rankOf(theirs) < rankOf(asked) ? asked : theirs;
  const after = asStrictAs(stood, {severity, ...Object.fromEntries(flags)});
  return isAsStrict(stood, after) && isAsStrict(after, stood) ? plainFacts(stood) : withComments(after, asked);
}

/** Makes the values that are sent for what is wanted. Domains of which lists say the same share one. */
function valuesSent(software: Software, comments: SentComments = 'private'): (want: Want) => BlockValue {
  const valueOf = remember((facts: DomainFacts): BlockValue => keptBy[software](sentFacts(facts, comments)));
  return (want) => {
    const value = valueOf(want.facts ?? blocked);
    const list = comments === 'none' || hasComment(value) ? undefined : want.listComment;
    return list === undefined ? value : {...value, list_comment: list};
  };
}

/** Holds back blocks of the server itself, of parents of `must_not` domains, of followed domains, and of subdomains already covered. */
async function narrow(desired: Desired, actual: Actual, {host, owned, measures}: Circumstances): Promise<Partial<Desired>> {
  const {items, server: {software, hosts} = {software: 'mastodon', hosts: []}} = actual;
  const {never, only, rules, spared} = desired;
  const coversSubdomains = software === 'mastodon';
  const standing = (name: string) => blockIn(items.get(name)?.value);
  const fit = (name: string, one: Want) => fitBlock(one, standing(name), owned(name), only !== undefined);
  const sent = valuesSent(software, rules?.sendComments);
  const want = new Map(Array.from(desired.want, ([name, one]): [string, Want] => [name, {why: one.why, own: one.own, value: sent(one)}]));
  const cap = coversSubdomains ? rules?.maxFollowed : undefined;
  const capped = cap === undefined ? new Map<string, Hold>() : await capFollowed(cap, want, standing, host, measures);
  /** For each parent domain, a domain of `must_not` below it, and the rule that names it. */
  const below = new Map<string, readonly [name: string, why: Why]>();
  const listed = [...spared].flatMap(([name, {how, why}]) => (how === 'kept' ? [[name, why] as const] : []));
  if (coversSubdomains) for (const one of [...never, ...listed]) for (const parent of parentsOf(one[0])) below.set(parent, one);
  const hold = (name: string, one: Want, has: Value | null | undefined): Hold | undefined => {
    if (isOwnDomain(name, hosts)) return {says: `it is ${host} itself, or above or below it`, why: one.why};
    const [named, forbids] = below.get(name) ?? [];
    if (forbids !== undefined) return {says: `${named} is below it, which must_not names`, why: forbids};
    if (isThere(has)) return undefined;
    if (!coversSubdomains) return holdTopLevel(name, one, host);
    if (!isThere(one.value)) return capped.get(name);
    const above = blockAbove(name);
    if (above === undefined) return undefined;
    const made = fit(name, one);
    if (isAsStrict(made, above.facts) && !isAsStrict(above.facts, made)) return undefined;
    return {says: `the block of ${above.parent} covers it`, why: one.why, how: 'covered'};
  };
  /** The block of a domain once the policy is applied; undefined: none. */
  const remaining = (name: string): BlockValue | undefined => {
    const [has, one] = [standing(name), want.get(name)];
    if (one !== undefined) {
      const made = fit(name, one);
      return (isThere(has) && isAsStrict(has, made)) || hold(name, one, has) === undefined ? made : has;
    }
    if (!isThere(has)) return has;
    if (never.has(name) || only !== undefined) return undefined;
    const mine = owned(name);
    return mine === undefined ? has : blockIn(mine.was);
  };
  // The block of the nearest parent counts, even if it does nothing.
  const blockAbove = (name: string): {readonly parent: string; readonly facts: BlockValue} | undefined => {
    for (const parent of coversSubdomains ? parentsOf(name) : []) {
      const facts = remaining(parent);
      if (facts !== undefined) return isThere(facts) ? {parent, facts} : undefined;
    }
    return undefined;
  };
  const covered = [...never].flatMap(([name, why]) => {
    const above = items.has(name) ? undefined : blockAbove(name);
    if (above === undefined) return [];
    const {parent, facts} = above;
    const texts = {
      wanted: 'not blocked',
      actual: `${statusText(facts)} with its parent ${parent}`,
      fix: `unblock ${parent}, or drop ${name} from must_not`,
    };
    return toRow(serverBlocks, name, undefined, {action: 'cannot', why, texts});
  });
  const notes = [...capped].flatMap(([name, held]) =>
    isThere(want.get(name)?.value) ? toRow(serverBlocks, name, undefined, {action: 'held', ...held}) : [],
  );
  return {want, hold, cannot: [...covered, ...notes]};
}

/**
 * Lowers what is wanted of followed domains to `max_followed_severity`. If the follows are unknown, all domains count as followed.
 * @returns why, by domain
 */
async function capFollowed(
  {value: most, where, follows}: NonNullable<NonNullable<Desired['rules']>['maxFollowed']>,
  want: Map<string, Want>,
  standing: (name: string) => BlockValue | undefined,
  host: string,
  measures: Circumstances['measures'],
): Promise<Map<string, Hold>> {
  const cap = severities.indexOf(most);
  const over = [...want].flatMap(([name, one]) => {
    const [value, stands] = [toBlock(one.value), standing(name)];
    if (rankOf(value) <= cap || (stands !== undefined && rankOf(stands) >= rankOf(value))) return [];
    // An existing block is not made weaker.
    const severity = stands !== undefined && rankOf(stands) > cap ? stands.severity : most;
    return {name, lowered: {...one, value: {...value, severity}}};
  });
  const known = over.length === 0 ? undefined : await measures?.(over.map(({name}) => name));
  const follow = `people of ${host} follow accounts there`;
  const says = `${known === undefined ? `it is unknown whether ${follow}` : follow}: ${statusText({severity: most})} at most`;
  const followed = over.filter(({name}) => known === undefined || (known.get(name) ?? 0) >= follows);
  for (const {name, lowered} of followed) want.set(name, lowered);
  return new Map(followed.map(({name}) => [name, {says, why: {rule: `${serverBlocks.key}.max_followed_severity`, where}}]));
}

/**
 * Sorts parents before their subdomains: a server may refuse a domain while a parent of it is blocked. An undo goes the other way, after
 * what becomes milder.
 */
function inOrder(rows: readonly Row[], isUndo: boolean): Row[] {
  const depthOf = ({name}: Row) => name.split('.').length;
  if (!isUndo) return rows.toSorted((one, other) => depthOf(one) - depthOf(other));
  const isLoosened = ({action, has, want}: Row) =>
    Number(action === 'remove' || (action === 'update' && !isAsStrict(toBlock(want), toBlock(has))));
  return rows.toSorted((one, other) => isLoosened(other) - isLoosened(one) || depthOf(other) - depthOf(one));
}

/** Adds the notes about a domain that Pixelfed would erase to its new block. */
async function prepare(rows: readonly Row[], {server}: Actual, client: Client): ReturnType<NonNullable<Kind['send']['prepare']>> {
  const names = rows.flatMap(({action, name}) => (action === 'add' ? name : []));
  if (names.length === 0 || server?.software !== 'pixelfed') return {rows};
  try {
    const known = await readInstances(names, client);
    return {
      rows: rows.map((row) => {
        if (row.action !== 'add') return row;
        const note = commentOf(notesOf(known.get(row.name)));
        const [has, {list_comment, ...want}] = [plainFacts({severity: 'noop', private_comment: note}), toBlock(row.want)];
        if (note === undefined) return {...row, has};
        return {...row, has, want: plainFacts({...want, private_comment: want.private_comment ?? note})};
      }),
    };
  } catch (error) {
    const failure = asFailure(error);
    if (isInterruption(failure)) throw error;
    return {rows, warning: `the notes of servers could not be read, and blocking erases them: ${failure.message}`};
  }
}

/** The values that are sent for settings that the block lacks: servers overwrite or default a setting that is not sent. */
const nothing = {public_comment: '', private_comment: '', reject_media: false, reject_reports: false, obfuscate: false};

function bodyOf(value: Value | null, now: Date): Readonly<Record<string, unknown>> {
  const {list_comment, ...facts} = toBlock(value);
  const ofList = list_comment !== undefined && !hasComment(facts) && {private_comment: list_comment.replaceAll('{date}', dayOf(now))};
  return {...nothing, ...facts, ...ofList};
}

/** Whether a row suspends a server that was not suspended. */
export const isSuspension = ({action, kind, has, want}: Row): boolean =>
  kind === serverBlocks &&
  (action === 'add' || action === 'update') &&
  blockIn(has)?.severity !== 'suspend' &&
  blockIn(want)?.severity === 'suspend';

export const serverBlocks: Kind = domainsKind({
  kind: 'admin_domain_block',
  owner: 'server',
  item: 'server block',
  schema: () => field(serverDomainsSchema(), 'servers that the server blocks for all of its accounts, which only admins can change'),
  list: listAdminDomainBlocks,
  async read(client, _, seen) {
    const blocks = (await itemsOnServer(client, listAdminDomainBlocks, shape(), seen)).map(
      ({id, domain, severity, private_comment, public_comment, ...flags}) => {
        const set = flagFields.map((name) => [name, flags[name] === true] as const);
        const comments = {public_comment: commentOf(public_comment), private_comment: commentOf(private_comment)};
        return {domain, value: plainFacts({severity, ...comments, ...Object.fromEntries(set)}), id: String(id)};
      },
    );
    // Servers may have a domain in several spellings: the strictest block counts.
    blocks.sort(({value: one}, {value: other}) => Number(isAsStrict(one, other)) - Number(isAsStrict(other, one)));
    const server = {software: await serverSoftware(client), hosts: await ownHosts(client)};
    return {items: byDomain(blocks.map(({domain, ...item}): [string, Item] => [domain, item])), server};
  },
  narrow,
  fit: (want, has, {owned, desired: {only}}) => fitBlock(want, blockIn(has), owned, only !== undefined),
  send: {
    add: adminDomainBlockAddition,
    update: standingBlockUpdate,
    remove: adminDomainBlockEnd,
    input({action, name, id = '', want}, {now}) {
      if (action === 'add') return {body: {domain: name, ...bodyOf(want, now)}};
      return {path: {id, domain: name}, ...(want !== null && {body: bodyOf(want, now)})};
    },
    prepare,
    order: inOrder,
  },
  follows(row, actual, host) {
    if (!isSuspension(row)) return undefined;
    const isEnd = actual.server?.software !== 'pixelfed';
    return {says: `Follows between ${host} and suspended domains ${isEnd ? 'end, and are not restored' : 'stay'}.`, isEnd};
  },
});
