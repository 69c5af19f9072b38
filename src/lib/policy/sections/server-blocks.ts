/**
 * The section `admin_domain_blocks`: servers that a server blocks for all of its accounts. A block that the policy made follows the policy.
 * Blocks that others made are only ever made stricter, and their comments stay.
 */
import * as z from 'zod/mini';
import {itemsOnServer, pathId} from './answers.js';
import {byDomain, domainsSection, holdTopLevel} from './domain-blocks.js';
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
  isAtLeast,
  plainFacts,
  type SentComments,
  sentFacts,
  severities,
  statusText,
} from '../model/domain-facts.js';
import type {Owned} from '../model/policy-state.js';
import {dayOf} from '../model/time.js';
import {type BlockValue, isBlock, isLess, isThere, rankOf, toBlock, type Value} from '../model/value.js';

const comment = z.pipe(z.nullish(z.string()), z.transform(commentOf));
const isSet = (value: boolean | null | undefined) => value === true;
const flag = z.pipe(z.nullish(z.boolean()), z.transform(isSet));
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

/** The flags that make a block stricter. A suspension leaves nothing for them to reject. */
const strictFlags = ['reject_media', 'reject_reports'] as const;

/** Whether the first block does all that the second one does. To mask a domain is not to block it. */
const isAsStrict = (one: DomainFacts, other: DomainFacts): boolean =>
  one.severity === 'suspend' || !isLess({...one, obfuscate: true}, other);

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

/** A new block, which takes over the comments of a note about the domain. */
function besideNote({list_comment, ...ofRules}: BlockValue, note: BlockValue): BlockValue {
  const block = withComments(ofRules, note);
  return hasComment(block) || list_comment === undefined ? block : {...block, list_comment};
}

/** The value to set. A block that others made, and that the policy made stricter, was theirs. */
function fitBlock({value, own}: Want, stood: BlockValue | undefined, owned: Owned | undefined, isOnly: boolean): BlockValue {
  if (stood === undefined) return toBlock(value);
  if (!isThere(stood)) return besideNote(toBlock(value), stood);
  const {list_comment, ...ofRules} = toBlock(value);
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

/**
 * Makes the values that are sent for what is wanted: Pixelfed drops flags and public comments, and cuts private ones. Domains of which
 * lists say the same share one.
 */
function valuesSent(software: Software, comments: SentComments = 'private'): (want: Want) => BlockValue {
  const valueOf = remember((facts: DomainFacts): BlockValue => {
    const sent = sentFacts(facts, comments);
    if (software === 'mastodon') return sent;
    const {severity, private_comment: text} = sent;
    return plainFacts({severity, private_comment: text && shorten(text, maxPixelfedComment - 1)});
  });
  return ({facts = blocked, listComment}) => {
    const value = valueOf(facts);
    return comments === 'none' || hasComment(value) || listComment === undefined ? value : {...value, list_comment: listComment};
  };
}

/** Holds back blocks of the server itself, of parents of `must_not` domains, of followed domains, and of subdomains already covered. */
async function narrow(desired: Desired, actual: Actual, {host, owned, measures}: Circumstances): Promise<Partial<Desired>> {
  const {items, server: {software, hosts} = {software: 'mastodon', hosts: []}} = actual;
  const {never, only, rules, spared} = desired;
  const sent = valuesSent(software, rules?.sendComments);
  const want = new Map(Array.from(desired.want, ([name, one]): [string, Want] => [name, {why: one.why, own: one.own, value: sent(one)}]));
  const holdOwn = (name: string, {why}: Want): Hold | undefined =>
    isOwnDomain(name, hosts) ? {says: `it is ${host} itself, or above or below it`, why} : undefined;
  const fit = (one: Want, has: Value | null | undefined, mine: Owned | undefined) => fitBlock(one, blockIn(has), mine, only !== undefined);
  // A block on Pixelfed is one of exactly that host.
  if (software === 'pixelfed')
    return {want, fit, hold: (name, one, has) => holdOwn(name, one) ?? (isThere(has) ? undefined : holdTopLevel(name, one, host))};
  const standing = (name: string) => blockIn(items.get(name)?.value);
  const capped = await capFollowed(rules?.maxFollowed, want, standing, host, measures);
  /** For each parent domain, a domain of `must_not` below it, and the rule that names it. */
  const below = new Map<string, readonly [name: string, why: Why]>();
  const listed = [...spared].flatMap(([name, {how, why}]) => (how === 'kept' ? [[name, why] as const] : []));
  for (const one of [...never, ...listed]) for (const parent of parentsOf(one[0])) below.set(parent, one);
  const hold = (name: string, one: Want, has: Value | null | undefined): Hold | undefined => {
    const own = holdOwn(name, one);
    if (own !== undefined) return own;
    const [named, forbids] = below.get(name) ?? [];
    if (forbids !== undefined) return {says: `${named} is below it, which must_not names`, why: forbids};
    if (isThere(has)) return undefined;
    if (!isThere(one.value)) return capped.get(name);
    const [above, made] = [blockAbove(name), fit(one, has, owned(name))];
    if (above === undefined || (isAsStrict(made, above.facts) && !isAsStrict(above.facts, made))) return undefined;
    return {says: `the block of ${above.parent} covers it`, why: one.why, how: 'covered'};
  };
  /** The block of a domain once the policy is applied; undefined: none. */
  const remaining = (name: string): BlockValue | undefined => {
    const [has, one] = [standing(name), want.get(name)];
    if (one !== undefined) {
      const made = fit(one, has, owned(name));
      return (isThere(has) && isAsStrict(has, made)) || hold(name, one, has) === undefined ? made : has;
    }
    if (!isThere(has)) return has;
    if (never.has(name) || only !== undefined) return undefined;
    const mine = owned(name);
    return mine === undefined ? has : blockIn(mine.was);
  };
  // The block of the nearest parent counts, even if it does nothing.
  const blockAbove = (name: string): {readonly parent: string; readonly facts: BlockValue} | undefined => {
    for (const parent of parentsOf(name)) {
      const facts = remaining(parent);
      if (facts !== undefined) return isThere(facts) ? {parent, facts} : undefined;
    }
    return undefined;
  };
  const covered = [...never].flatMap(([name, why]) => {
    const {parent, facts} = (items.has(name) ? undefined : blockAbove(name)) ?? {};
    if (facts === undefined) return [];
    const actually = `${statusText(facts)} with its parent ${parent}`;
    const texts = {wanted: 'not blocked', actual: actually, fix: `unblock ${parent}, or drop ${name} from must_not`};
    return toRow(serverBlocks, name, undefined, {action: 'cannot', why, texts});
  });
  const notes = [...capped].flatMap(([name, held]) =>
    isThere(want.get(name)?.value) ? toRow(serverBlocks, name, undefined, {action: 'held', ...held}) : [],
  );
  return {want, fit, hold, cannot: [...covered, ...notes]};
}

/**
 * Lowers what is wanted of followed domains to `max_followed_severity`. If the follows are unknown, all domains count as followed.
 * @returns why, by domain
 */
async function capFollowed(
  rule: NonNullable<Desired['rules']>['maxFollowed'],
  want: Map<string, Want>,
  standing: (name: string) => BlockValue | undefined,
  host: string,
  measures: Circumstances['measures'],
): Promise<Map<string, Hold>> {
  if (rule === undefined) return new Map();
  const {value: most, where, follows} = rule;
  const over = [...want].flatMap(([name, one]) => {
    const [value, stands] = [toBlock(one.value), standing(name)];
    if (isAtLeast(most, value.severity) || (stands !== undefined && rankOf(stands) >= rankOf(value))) return [];
    // An existing block is not made weaker.
    const severity = stands !== undefined && !isAtLeast(most, stands.severity) ? stands.severity : most;
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
async function prepare(rows: readonly Row[], {server}: Actual, client: Client): ReturnType<NonNullable<Kind['prepare']>> {
  const names = rows.flatMap(({action, name}) => (action === 'add' ? name : []));
  if (names.length === 0 || server?.software !== 'pixelfed') return {rows};
  try {
    const known = await readInstances(names, client);
    const addNotes = (row: Row): Row => {
      if (row.action !== 'add') return row;
      const has = plainFacts({severity: 'noop', private_comment: commentOf(notesOf(known.get(row.name)))});
      return {...row, has, want: besideNote(toBlock(row.want), has)};
    };
    return {rows: rows.map(addNotes)};
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

export const serverBlocks: Kind = {
  key: 'admin_domain_blocks',
  section: domainsSection(() =>
    field(serverDomainsSchema(), 'servers that the server blocks for all of its accounts, which only admins can change'),
  ),
  owner: 'server',
  item: 'server block',
  done: 'blocked',
  calls: [listAdminDomainBlocks, adminDomainBlockAddition, standingBlockUpdate, adminDomainBlockEnd],
  async read(client, _, seen) {
    const all = await itemsOnServer(client, listAdminDomainBlocks, shape(), seen);
    const blocks = all.map(({id, domain, ...facts}) => ({domain, value: plainFacts(facts), id: String(id)}));
    // Servers may have a domain in several spellings: the strictest block counts.
    blocks.sort(({value: one}, {value: other}) => Number(isAsStrict(one, other)) - Number(isAsStrict(other, one)));
    const server = {software: await serverSoftware(client), hosts: await ownHosts(client)};
    return {items: byDomain(blocks.map(({domain, ...item}): [string, Item] => [domain, item])), server};
  },
  narrow,
  prepare,
  order: inOrder,
  send({action, name, id = '', want}, {now}) {
    if (action === 'add') return {operation: adminDomainBlockAddition, input: {body: {domain: name, ...bodyOf(want, now)}}};
    const path = {id, domain: name};
    if (action === 'update') return {operation: standingBlockUpdate, input: {path, body: bodyOf(want, now)}};
    return {operation: adminDomainBlockEnd, input: {path, ...(want !== null && {body: bodyOf(want, now)})}};
  },
};
