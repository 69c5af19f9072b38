/**
 * The section `admin_domain_blocks`: servers that a server blocks for all of its accounts. A block that the policy made follows the policy.
 * Blocks that others made are only ever made stricter, and their comments stay.
 */
import * as z from 'zod/mini';
import {itemsOnServer, pathId} from './answers.js';
import {byDomain, domainsKind, listCommentOf, withoutTopLevel} from './domain-sections.js';
import {serverDomainsSchema} from './domains-schema.js';
import {
  type Actual,
  type Circumstances,
  type Desired,
  type Hold,
  type Item,
  type Kind,
  type Row,
  toHeldRow,
  toOpenRow,
  type Want,
  type Why,
} from './policy-kind.js';
import {listAdminDomainBlocks} from '../../api/admin-domain-blocks.js';
import {notesOf} from '../../api/admin-entities.js';
import {field, once} from '../../api/schema.js';
import type {Client} from '../../client/client.js';
import {asFailure, Failure, isInterruption} from '../../client/failure.js';
import {commandText} from '../../files/command-text.js';
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
  areSameFacts,
  blocked,
  commentFields,
  commentOf,
  type DomainFacts,
  factsText,
  flagChangesText,
  flagFields,
  plainFacts,
  publicFacts,
  type SentComments,
  sentFacts,
  severities,
  statusText,
} from '../model/domain-facts.js';
import type {DomainRules} from '../model/policy.js';
import type {Owned} from '../model/policy-state.js';
import {dayOf} from '../model/time.js';
import {type BlockValue, isBlock, isThere, rankOf, toBlock, type Value} from '../model/value.js';

const key = 'admin_domain_blocks';

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

/** The first block, made at least as strict as the second one. */
function stricter(one: DomainFacts, other: DomainFacts): DomainFacts {
  const flags = strictFlags.map((name) => [name, one[name] === true || other[name] === true] as const);
  return plainFacts({...one, severity: (rankOf(one) < rankOf(other) ? other : one).severity, ...Object.fromEntries(flags)});
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

const factsOf = (value: Value | null | undefined): BlockValue | undefined => (isBlock(value) ? value : undefined);

/** A new block, with comments that the server already has about the domain. */
function newBlock(value: BlockValue, noted: DomainFacts | undefined): BlockValue {
  if (noted === undefined) return value;
  const {list_comment, ...asked} = value;
  const block = withComments(asked, noted);
  return hasComment(block) || list_comment === undefined ? block : {...block, list_comment};
}

/** Removes comments that an earlier apply wrote into somebody else's block, if they are unchanged and the policy no longer sends them. */
function withoutOurs(stood: DomainFacts, asked: DomainFacts, was: DomainFacts | undefined, set: DomainFacts | undefined): DomainFacts {
  const ours = commentFields.filter((name) => set?.[name] !== undefined && set[name] === stood[name] && asked[name] === undefined);
  return plainFacts({...stood, ...Object.fromEntries(ours.map((name) => [name, was?.[name]]))});
}

/** Comments that a person changed since an apply made the block: they stay, unless an entry of `must` has its own. */
function commentsByHand(stood: DomainFacts, set: DomainFacts, own: DomainFacts | undefined): Partial<DomainFacts> {
  const byHand = commentFields.filter((name) => (set[name] ?? '') !== (stood[name] ?? '') && own?.[name] === undefined);
  return Object.fromEntries(byHand.map((name) => [name, stood[name]]));
}

/** The value to set for a block that exists. */
function fitBlock({value, own}: Want, stood: BlockValue, owned: Owned | undefined, isOnly: boolean): DomainFacts {
  const {list_comment, ...ofRules} = toBlock(value);
  const [was, set] = [factsOf(owned?.was), factsOf(owned?.set)];
  const {private_comment} = stood;
  // Comments of lists are never compared.
  const isOfList = list_comment !== undefined || (set?.list_comment !== undefined && set.private_comment === private_comment);
  const asked = isOfList && !hasComment(ofRules) ? plainFacts({...ofRules, private_comment}) : plainFacts(ofRules);
  if (set !== undefined && !isThere(was)) return plainFacts({...withComments(asked, was), ...commentsByHand(stood, set, own)});
  const left = withoutOurs(stood, asked, was, set);
  if (isOnly) return asStrictAs(left, asked);
  if (was !== undefined && isAsStrict(was, asked)) return plainFacts(was);
  const after = stricter(was ?? stood, asked);
  if (areSameFacts(left, plainFacts(stood)) && isAsStrict(stood, after) && isAsStrict(after, stood)) return plainFacts(stood);
  return withComments(asStrictAs(left, after), asked);
}

/** Holds back blocks of the server itself, of parents of `must_not` domains, of followed domains, and of subdomains already covered. */
async function narrow(desired: Desired, actual: Actual, {host, owned, measures}: Circumstances): Promise<Desired> {
  const {items, server: {software, hosts} = {software: 'mastodon', hosts: []}} = actual;
  const {rules, never} = desired;
  const coversSubdomains = software === 'mastodon';
  const standing = (name: string) => factsOf(items.get(name)?.value);
  const itself = rules?.must.find(({value}) => isOwnDomain(value, hosts));
  if (itself !== undefined)
    throw new Failure('usage', `${itself.value} (${itself.where}) is ${host} itself, or above or below it: a server must not block itself`);
  const cap = rules?.maxFollowed;
  const sent = valuesSent(software, rules?.sendComments);
  const capped = cap && coversSubdomains ? await cappedBy(cap, desired, standing, sent, measures) : new Set<string>();
  const wants = new Map<string, Want>();
  for (const [name, want] of desired.want) {
    const value = sent(want);
    const stands = standing(name);
    // A cap does not make an existing block weaker.
    const limited = cap &&
      capped.has(name) && {severity: stands && rankOf(stands) > severities.indexOf(cap.value) ? stands.severity : cap.value};
    wants.set(name, {why: want.why, own: want.own, value: limited ? {...value, ...limited} : value});
  }
  const possible = coversSubdomains ? {...desired, want: wants} : withoutTopLevel(serverBlocks, {...desired, want: wants}, actual, host);
  /** For each parent domain, a domain of `must_not` below it, and the rule that names it. */
  const below = new Map<string, readonly [name: string, why: Why]>();
  const listed = [...desired.spared].flatMap(([name, {how, why}]) => (how === 'kept' ? [[name, why] as const] : []));
  if (coversSubdomains) for (const one of [...never, ...listed]) for (const parent of parentsOf(one[0])) below.set(parent, one);
  const follow = `people of ${host} follow accounts there`;
  const byFollows = cap && {
    says: `${capped.has('') ? `it is unknown whether ${follow}` : follow}: ${statusText({severity: cap.value})} at most`,
    why: {rule: `${key}.max_followed_severity`, where: cap.where},
  };
  const refuseWanted = (name: string, {why}: Want): Hold | undefined => {
    if (isOwnDomain(name, hosts)) return {says: `it is ${host} itself, or above or below it`, why};
    const [named, forbids] = below.get(name) ?? [];
    return forbids && {says: `${named} is below it, which must_not names`, why: forbids};
  };
  /** The block of a domain once the policy is applied; undefined: none. */
  const remaining = (name: string): BlockValue | undefined => {
    const has = standing(name);
    const want = possible.want.get(name);
    if (want !== undefined && !isThere(has))
      return refuseWanted(name, want) || coveredBy(name, want) ? has : newBlock(toBlock(want.value), has);
    if (!isThere(has)) return has;
    if (want !== undefined) {
      const fit = fitBlock(want, has, owned(name), desired.only !== undefined);
      return !isAsStrict(has, fit) && refuseWanted(name, want) ? has : fit;
    }
    if (never.has(name) || desired.only !== undefined) return undefined;
    const mine = owned(name);
    return mine === undefined ? has : factsOf(mine.was);
  };
  // The block of the nearest parent counts, even if it does nothing.
  const blockAbove = (name: string): {readonly parent: string; readonly facts: BlockValue} | undefined => {
    for (const parent of coversSubdomains ? parentsOf(name) : []) {
      const facts = remaining(parent);
      if (facts !== undefined) return isThere(facts) ? {parent, facts} : undefined;
    }
    return undefined;
  };
  const coveredBy = (name: string, want: Want): string | undefined => {
    const above = blockAbove(name);
    if (above === undefined) return undefined;
    const facts = newBlock(toBlock(want.value), standing(name));
    return isAsStrict(facts, above.facts) && !isAsStrict(above.facts, facts) ? undefined : above.parent;
  };
  const hold = (name: string, want: Want, has: Value | null): Hold | undefined => {
    const held = refuseWanted(name, want);
    if (held !== undefined || isThere(has)) return held;
    if (capped.has(name) && !isThere(want.value)) return byFollows;
    const parent = coveredBy(name, want);
    return parent === undefined ? undefined : {says: `the block of ${parent} covers it`, why: want.why, how: 'covered'};
  };
  const cannot = [...never].flatMap(([name, why]) => {
    const above = items.has(name) ? undefined : blockAbove(name);
    if (above === undefined) return [];
    const {parent, facts} = above;
    const actually = `${statusText(facts)} with its parent ${parent}`;
    const fix = `unblock ${parent}, or drop ${name} from must_not`;
    return toOpenRow(serverBlocks, name, why, {wanted: 'not blocked', actual: actually, fix});
  });
  const notes = [...capped].flatMap((name) =>
    byFollows !== undefined && isThere(possible.want.get(name)?.value) ? toHeldRow(serverBlocks, name, byFollows) : [],
  );
  return {...possible, hold, cannot: [...(possible.cannot ?? []), ...cannot, ...notes]};
}

/** Makes the values that are sent for what is wanted. Domains of which lists say the same share one. */
function valuesSent(software: Software, comments: SentComments = 'private'): (want: Want) => BlockValue {
  const valueOf = remember((facts: DomainFacts): BlockValue => keptBy[software](sentFacts(facts, comments)));
  return (want) => {
    const value = valueOf(want.facts ?? blocked);
    const list = comments === 'none' || hasComment(value) ? undefined : listCommentOf(want);
    return list === undefined ? value : {...value, list_comment: list};
  };
}

/** Followed domains for which more is wanted than `max_followed_severity`. If the follows are unknown: all such domains, and an empty name. */
async function cappedBy(
  cap: NonNullable<DomainRules['maxFollowed']>,
  {want}: Desired,
  standing: (name: string) => BlockValue | undefined,
  sent: (want: Want) => BlockValue,
  measures: Circumstances['measures'],
): Promise<ReadonlySet<string>> {
  const domains = [...want].flatMap(([name, one]) => {
    const [rank, stands] = [rankOf(sent(one)), standing(name)];
    return rank > severities.indexOf(cap.value) && (stands === undefined || rankOf(stands) < rank) ? name : [];
  });
  if (domains.length === 0) return new Set();
  const follows = await measures?.(domains);
  if (follows === undefined) return new Set(['', ...domains]);
  return new Set(domains.filter((name) => (follows.get(name) ?? 0) >= cap.follows));
}

/**
 * Sorts parents before their subdomains: a server may refuse a domain while a parent of it is blocked. An undo goes the other way, after
 * what becomes milder.
 */
function inOrder(rows: readonly Row[], isUndo: boolean): Row[] {
  if (!isUndo) {
    const byName = new Map(rows.map((row) => [row.name, row]));
    return [
      ...new Set(
        rows.flatMap((row) => [
          ...parentsOf(row.name)
            .flatMap((name) => byName.get(name) ?? [])
            .reverse(),
          row,
        ]),
      ),
    ];
  }
  const isLoosened = ({action, has, want}: Row) => action === 'remove' || (action === 'update' && !isAsStrict(toBlock(want), toBlock(has)));
  const depthOf = ({name}: Row) => name.split('.').length;
  const others = rows.filter((row) => !isLoosened(row));
  return [...rows.filter(isLoosened), ...others.sort((one, other) => depthOf(other) - depthOf(one))];
}

/** Adds comments to new blocks: the notes that Pixelfed would erase, and the comments of lists. */
async function prepare(rows: readonly Row[], actual: Actual, client: Client, now: Date) {
  const names = rows.flatMap(({action, name}) => (action === 'add' ? name : []));
  let [noted, warning]: [(domain: string) => string | undefined, string | undefined] = [() => undefined, undefined];
  if (names.length > 0 && actual.server?.software === 'pixelfed')
    try {
      const known = await readInstances(names, client);
      noted = (domain) => (known.get(domain) ?? []).map(notesOf).find((note) => note !== '') ?? '';
    } catch (error) {
      const failure = asFailure(error);
      if (isInterruption(failure)) throw error;
      warning = `the notes of servers could not be read, and blocking erases them: ${failure.message}`;
    }
  return {rows: rows.map((row) => (row.action === 'add' ? completeRow(row, noted(row.name), now) : row)), warning};
}

/** @param notes Pixelfed's notes about the domain; undefined: the server is not Pixelfed */
function completeRow(row: Row, notes: string | undefined, now: Date): Row {
  const {list_comment, ...plain} = toBlock(row.want);
  const note = commentOf(notes);
  const has = notes === undefined ? row.has : plainFacts({severity: 'noop', private_comment: note});
  const want = plainFacts({...plain, private_comment: plain.private_comment ?? note});
  if (hasComment(want) || list_comment === undefined) return {...row, has, want};
  return {...row, has, want: {...want, private_comment: list_comment.replaceAll('{date}', dayOf(now)), list_comment}};
}

/** The values that are sent for settings that the block lacks: servers overwrite or default a setting that is not sent. */
const nothing = {public_comment: '', private_comment: '', reject_media: false, reject_reports: false, obfuscate: false};

function bodyOf(value: Value | null): Readonly<Record<string, unknown>> {
  const {list_comment: _, ...facts} = toBlock(value);
  return {...nothing, ...facts};
}

const publicText = remember((facts: DomainFacts) => factsText(publicFacts(facts)));

function changesText(before: DomainFacts, after: DomainFacts, showsPrivate: boolean): string {
  const showFacts = ({severity, public_comment, private_comment}: DomainFacts) =>
    factsText({severity, public_comment, ...(showsPrivate && {private_comment})});
  const [one, other] = [showFacts(before), showFacts(after)];
  return [
    ...(one === other ? [] : [`${one} -> ${other}`]),
    ...(showsPrivate || before.private_comment === after.private_comment ? [] : ['private comment changed']),
    ...flagChangesText(before, after),
  ].join('; ');
}

/** Whether a row suspends a server that was not suspended. */
export const isSuspension = ({action, kind, has, want}: Row): boolean =>
  kind === serverBlocks &&
  (action === 'add' || action === 'update') &&
  factsOf(has)?.severity !== 'suspend' &&
  factsOf(want)?.severity === 'suspend';

export const serverBlocks: Kind = domainsKind({
  kind: 'admin_domain_block',
  key,
  owner: 'server',
  words: {item: 'server block', title: 'Domains that the server blocks', all: 'the domains that the server blocks'},
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
  fit(want, has, {owned, desired: {only}}) {
    const stood = factsOf(has);
    return isThere(stood) ? fitBlock(want, stood, owned, only !== undefined) : newBlock(toBlock(want.value), stood);
  },
  send: {
    add: adminDomainBlockAddition,
    update: standingBlockUpdate,
    remove: adminDomainBlockEnd,
    input({action, name, id = '', want}) {
      if (action === 'remove') return {path: {id, domain: name}, ...(want !== null && {body: bodyOf(want)})};
      return action === 'add' ? {body: {domain: name, ...bodyOf(want)}} : {path: {id, domain: name}, body: bodyOf(want)};
    },
    prepare,
    order: inOrder,
    command({action, name, has, want}, account) {
      // No command is shown where comments or flags change: a private comment must not be printed.
      const command = (flags = {}) => commandText(`admin domain-blocks ${action}`, {args: [name], flags: {...flags, ...account}});
      if (action === 'remove') return command();
      const {list_comment: _, ...after} = toBlock(want);
      const {public_comment, private_comment} = action === 'add' ? after : toBlock(has);
      const isAll = areSameFacts(
        plainFacts({...toBlock(has), public_comment, private_comment, severity: after.severity}),
        plainFacts(after),
      );
      return isAll ? command({severity: after.severity}) : undefined;
    },
  },
  details({action, has, want}, showsPrivate) {
    if (action === 'remove') return '';
    const after = toBlock(want);
    if (action === 'update') return changesText(toBlock(has), after, showsPrivate);
    return showsPrivate ? factsText(after) : publicText(after);
  },
  follows(row, actual, host) {
    if (!isSuspension(row)) return undefined;
    const isEnd = actual.server?.software !== 'pixelfed';
    return {says: `Follows between ${host} and suspended domains ${isEnd ? 'end, and are not restored' : 'stay'}.`, isEnd};
  },
});
