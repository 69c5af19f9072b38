/**
 * Servers that the server blocks for all of its accounts. What a policy made is as it says; what others made is only ever made stricter, and
 * what they wrote stays.
 */
import * as z from 'zod/mini';
import {byDomain, domainsSection, listCommentOf, withoutTopLevel} from './domains.js';
import {serverDomainsSchema} from './domains-schema.js';
import {noFollows} from './names.js';
import {listAdminDomainBlocks} from '../../api/admin-domain-blocks.js';
import {notesOf} from '../../api/admin-entities.js';
import {field, once} from '../../api/schema.js';
import {asFailure, Failure, isInterruption} from '../../client/failure.js';
import type {Client} from '../../client/client.js';
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
import type {Actual, Circumstances, Desired, Hold, Item, Kind, Row, Want, Why} from '../model/kind.js';
import {
  areSameFacts,
  blocked,
  commentFields,
  commentOf,
  type DomainFacts,
  factsText,
  flagChangesText,
  flagFields,
  flagTexts,
  plainFacts,
  publicFacts,
  sentFacts,
  writtenDomain,
  severities,
} from '../model/domain-facts.js';
import {dayOf} from '../model/time.js';
import {itemsOnServer, pathId, checkAnswerShape} from '../section/answers.js';
import {locationText} from '../source/location.js';
import type {Owned} from '../model/state.js';
import {isNothing, type BlockValue, type Value} from '../model/value.js';

const key = 'admin_domain_blocks';

/** What else is known of the server. */
interface Server {
  readonly software: Software;
  /** Those of the server itself. */
  readonly hosts: readonly string[];
}

const serverOf = ({more}: Actual): Server => {
  const isServer = (value: unknown): value is Server => typeof value === 'object' && value !== null && 'software' in value;
  return isServer(more) ? more : {software: 'mastodon', hosts: []};
};

/** The facts of a value, which in this kind are all that it has. */
const factsOf = (value: Value | null | undefined): BlockValue | undefined =>
  value !== null && value !== undefined && value !== true && 'severity' in value ? value : undefined;

const comment = z.optional(z.nullable(z.string()));
const flag = z.optional(z.nullable(z.boolean()));
const shape = once(() =>
  z.array(
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
  ),
);

/** Servers drop what they have no place for. */
const keptBy: Readonly<Record<Software, (facts: DomainFacts) => DomainFacts>> = {
  mastodon: plainFacts,
  pixelfed: ({severity, private_comment}) =>
    plainFacts({severity, private_comment: private_comment && shorten(private_comment, maxPixelfedComment - 1)}),
};

const rankOf = ({severity}: DomainFacts): number => severities.indexOf(severity);

/** The flags that make a block stricter. A suspension leaves nothing for them to reject. */
const strictFlags = ['reject_media', 'reject_reports'] as const;

/** Whether the first block does all that the second one does. */
function isAsStrict(one: DomainFacts, other: DomainFacts): boolean {
  if (rankOf(one) !== rankOf(other)) return rankOf(one) > rankOf(other);
  return one.severity === 'suspend' || strictFlags.every((name) => one[name] === true || other[name] !== true);
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

const hasComment = ({public_comment, private_comment}: DomainFacts): boolean =>
  public_comment !== undefined || private_comment !== undefined;

/** `suspended` */
const statusText = ({severity}: DomainFacts): string => ({suspend: 'suspended', silence: 'silenced', noop: 'not blocked'})[severity];

/** What a policy wants of a block on this server. Made when it is asked for: there may be very many. */
class BlockWant implements Want {
  readonly #want: Want;
  readonly #asked: (want: Want) => BlockValue;

  constructor(want: Want, asked: (want: Want) => BlockValue) {
    this.#want = want;
    this.#asked = asked;
  }

  get why(): Why {
    return this.#want.why;
  }

  get own(): DomainFacts | undefined {
    return this.#want.own;
  }

  get value(): BlockValue {
    return this.#asked(this.#want);
  }
}

/** What a new block is, with what was noted of the domain. */
function newBlock({list_comment, ...asked}: BlockValue, noted: DomainFacts | undefined): BlockValue {
  const block = withComments(asked, noted);
  return hasComment(block) || list_comment === undefined ? block : {...block, list_comment};
}

/** A block that somebody else made, without the comments that the policy wrote, nobody changed, and the policy does not send any more. */
function withoutOurs(stood: DomainFacts, asked: DomainFacts, was: DomainFacts | undefined, set: DomainFacts | undefined): DomainFacts {
  const ours = commentFields.filter((name) => set?.[name] !== undefined && set[name] === stood[name] && asked[name] === undefined);
  return plainFacts({...stood, ...Object.fromEntries(ours.map((name) => [name, was?.[name]]))});
}

/** The comments of a block that the policy made which a person changed since, and which no entry of `must` names: they stay. */
function commentsByHand(stood: DomainFacts, set: DomainFacts, own: DomainFacts | undefined): Partial<DomainFacts> {
  const byHand = commentFields.filter((name) => (set[name] ?? '') !== (stood[name] ?? '') && own?.[name] === undefined);
  return Object.fromEntries(byHand.map((name) => [name, stood[name]]));
}

/** How a block that stands is to be. */
function fitBlock({value, own}: Want, stood: BlockValue, owned: Owned | undefined, isOnly: boolean): DomainFacts {
  const {list_comment, ...ofRules}: BlockValue = factsOf(value) ?? blocked;
  const [was, set] = [factsOf(owned?.was), factsOf(owned?.set)];
  const {private_comment} = stood;
  // What a list notes is never compared.
  const isOfList = list_comment !== undefined || (set?.list_comment !== undefined && set.private_comment === private_comment);
  const asked = isOfList && !hasComment(ofRules) ? plainFacts({...ofRules, private_comment}) : plainFacts(ofRules);
  if (set !== undefined && (was === undefined || isNothing(was)))
    return plainFacts({...withComments(asked, was), ...commentsByHand(stood, set, own)});
  // Nobody but the policy asks for comments of a block that somebody else made.
  const left = withoutOurs(stood, asked, was, set);
  if (isOnly) return asStrictAs(left, asked);
  if (was !== undefined && isAsStrict(was, asked)) return plainFacts(was);
  const after = stricter(was ?? stood, asked);
  if (areSameFacts(left, plainFacts(stood)) && isAsStrict(stood, after) && isAsStrict(after, stood)) return plainFacts(stood);
  return withComments(asStrictAs(left, after), asked);
}

/** What is wanted on this server, with what holds it: the server itself, `must_not`, who is followed, and blocks of domains above. */
async function narrow(desired: Desired, actual: Actual, circumstances: Circumstances): Promise<Desired> {
  const {host, owned, measures} = circumstances;
  const {items} = actual;
  const {software, hosts} = serverOf(actual);
  const {rules} = desired;
  const coversSubdomains = software === 'mastodon';
  const itself = rules?.must.find(({value}) => isOwnDomain(value, hosts));
  if (itself !== undefined)
    throw new Failure(
      'usage',
      `${itself.value} (${locationText(itself.location)}) is ${host} itself, or above or below it: a server must not block itself`,
    );
  const toBlockValue = (want: Want): BlockValue => {
    const facts = keptBy[software](sentFacts(want.facts ?? blocked, rules?.sendComments ?? 'private'));
    const list = rules?.sendComments === 'none' || hasComment(facts) ? undefined : listCommentOf(want);
    return list === undefined ? facts : {...facts, list_comment: list};
  };
  const capped = coversSubdomains ? await findCapped(desired, items, toBlockValue, measures) : new Set<string>();
  const cap = rules?.maxFollowed;
  const askedOf = (name: string) => (want: Want) => {
    const facts = toBlockValue(want);
    if (cap === undefined || !capped.has(name)) return facts;
    const stands = factsOf(items.get(name)?.value);
    // What stands is not made weaker.
    return {...facts, severity: stands && rankOf(stands) > severities.indexOf(cap.value) ? stands.severity : cap.value};
  };
  const wants = new Map(Array.from(desired.want, ([name, want]): [string, Want] => [name, new BlockWant(want, askedOf(name))]));
  const possible = coversSubdomains ? {...desired, want: wants} : withoutTopLevel(kind, {...desired, want: wants}, actual, host);
  /** A domain of must_not by each domain above it. */
  const below = new Map<string, string>();
  if (coversSubdomains)
    for (const name of [...desired.never.keys(), ...sparedByLists(desired)]) for (const parent of parentsOf(name)) below.set(parent, name);
  const follow = `people of ${host} follow accounts there`;
  const byFollows = (): Hold | undefined =>
    cap && {
      says: `${capped.has('') ? `it is unknown whether ${follow}` : follow}: ${statusText({severity: cap.value})} at most`,
      why: {rule: `${key}.max_followed_severity`, where: locationText(cap.location)},
    };
  const refuseWanted = (name: string, {why}: Want): Hold | undefined => {
    if (isOwnDomain(name, hosts)) return {says: `it is ${host} itself, or above or below it`, why};
    const named = below.get(name);
    const forbids = named === undefined ? undefined : (desired.never.get(named) ?? desired.spared.get(named)?.why);
    return forbids && {says: `${named} is below it, which must_not names`, why: forbids};
  };
  /** What is left of a block once the policy is applied. */
  const remaining = (name: string): BlockValue | undefined => {
    const has = factsOf(items.get(name)?.value);
    const want = possible.want.get(name);
    if (want !== undefined) {
      if (has === undefined || isNothing(has))
        return refuseWanted(name, want) || findCover(name, want)
          ? has
          : newBlock(want.value === true ? blocked : (factsOf(want.value) ?? blocked), has);
      const fit = fitBlock(want, has, owned(name), desired.only !== undefined);
      return !isAsStrict(has, fit) && refuseWanted(name, want) ? has : fit;
    }
    if (has === undefined || isNothing(has)) return has;
    if (desired.never.has(name) || desired.only !== undefined) return undefined;
    const mine = owned(name);
    return mine === undefined ? has : factsOf(mine.was);
  };
  // The nearest block counts, which may also be one that does nothing.
  const blockAbove = (name: string): {readonly parent: string; readonly facts: BlockValue} | undefined => {
    if (!coversSubdomains) return undefined;
    for (const parent of parentsOf(name)) {
      const facts = remaining(parent);
      if (facts !== undefined) return isNothing(facts) ? undefined : {parent, facts};
    }
    return undefined;
  };
  const findCover = (name: string, want: Want): string | undefined => {
    const above = blockAbove(name);
    if (above === undefined) return undefined;
    const facts = newBlock(factsOf(want.value) ?? blocked, factsOf(items.get(name)?.value));
    const isStricter = isAsStrict(facts, above.facts) && !isAsStrict(above.facts, facts);
    return isStricter ? undefined : above.parent;
  };
  const hold = (name: string, want: Want, has: Value | null): Hold | undefined => {
    const held = refuseWanted(name, want);
    if (held !== undefined) return held;
    const isMissing = isNothing(has);
    if (isMissing && capped.has(name) && isNothing(want.value)) return byFollows();
    const parent = isMissing ? findCover(name, want) : undefined;
    return parent === undefined ? undefined : {says: `the block of ${parent} covers it`, why: want.why, how: 'covered'};
  };
  const cannot = Array.from(desired.never, ([name, why]): Row[] => {
    const has = items.get(name)?.value ?? null;
    const above = has === null ? blockAbove(name) : undefined;
    if (above === undefined) return [];
    const fix = `unblock ${above.parent}, or drop ${name} from must_not`;
    const texts = {wanted: 'not blocked', actual: `${statusText(above.facts)} with its parent ${above.parent}`, fix};
    return [{kind, name, action: 'cannot', has, want: null, why, isAsked: true, texts}];
  }).flat();
  const notes = [...capped].flatMap((name): Row[] => {
    const [held, want] = [byFollows(), possible.want.get(name)];
    if (held === undefined || want === undefined || isNothing(want.value)) return [];
    return [{kind, name, action: 'held', has: null, want: null, isAsked: true, ...held}];
  });
  return {...possible, hold, cannot: [...(possible.cannot ?? []), ...cannot, ...notes]};
}

const sparedByLists = ({spared}: Desired): string[] => [...spared].flatMap(([name, {how}]) => (how === 'kept' ? name : []));

/** The domains that are to be blocked more than `max_followed_severity` allows, and are followed; with an empty name where that is unknown. */
async function findCapped(
  {rules, want}: Desired,
  items: Actual['items'],
  asked: (want: Want) => BlockValue,
  measures: Circumstances['measures'],
): Promise<ReadonlySet<string>> {
  const cap = rules?.maxFollowed;
  if (cap === undefined) return new Set();
  const most = severities.indexOf(cap.value);
  const domains = [...want].flatMap(([name, one]) => {
    const [rank, stands] = [rankOf(asked(one)), factsOf(items.get(name)?.value)];
    return rank > most && (stands === undefined || rankOf(stands) < rank) ? name : [];
  });
  if (domains.length === 0) return new Set();
  const follows = await measures?.(domains);
  if (follows === undefined) return new Set(['', ...domains]);
  return new Set(domains.filter((name) => (follows.get(name) ?? 0) >= cap.follows));
}

/** Every domain after those that it is below of, and otherwise in their order: a server may refuse it while one above it is blocked. */
function parentsFirst(rows: readonly Row[]): Row[] {
  const left = new Map(rows.map((one) => [one.name, one]));
  const ordered: Row[] = [];
  for (const {name: domain} of rows)
    for (const name of [...parentsOf(domain).reverse(), domain]) {
      const one = left.get(name);
      if (one === undefined) continue;
      ordered.push(one);
      left.delete(name);
    }
  return ordered;
}

/** What stood below a stricter block was made before that. */
function childrenFirst(rows: readonly Row[]): Row[] {
  const depth = ({name}: Row) => name.split('.').length;
  const isLess = ({action, has, want}: Row) =>
    action === 'remove' || (action === 'update' && !isAsStrict(factsOf(want) ?? blocked, factsOf(has) ?? blocked));
  const others = rows.filter((row) => !isLess(row));
  return [...rows.filter(isLess), ...others.sort((one, other) => depth(other) - depth(one))];
}

/** Completes additions: with the notes that Pixelfed would erase, and what lists note. */
async function prepare(rows: readonly Row[], actual: Actual, client: Client, now: Date) {
  const additions = rows.filter(({action}) => action === 'add');
  let [noted, warning]: [(domain: string) => string | undefined, string | undefined] = [() => undefined, undefined];
  if (additions.length > 0 && serverOf(actual).software === 'pixelfed')
    try {
      const known = await readInstances(
        additions.map(({name}) => name),
        client,
      );
      noted = (domain) =>
        known
          .get(domain)
          ?.map(notesOf)
          .find((note) => note !== '') ?? '';
    } catch (error) {
      const failure = asFailure(error);
      if (isInterruption(failure)) throw error;
      warning = `the notes of servers could not be read, and blocking erases them: ${failure.message}`;
    }
  return {rows: rows.map((row) => (row.action === 'add' ? completeRow(row, noted(row.name), now) : row)), warning};
}

/** @param notes what Pixelfed has noted of the domain; undefined: a server that does not */
function completeRow(row: Row, notes: string | undefined, now: Date): Row {
  const want: BlockValue = factsOf(row.want) ?? blocked;
  const note = commentOf(notes);
  const has: BlockValue | null = notes === undefined ? (factsOf(row.has) ?? null) : plainFacts({severity: 'noop', private_comment: note});
  const {list_comment, ...plain} = want;
  const {private_comment = note} = plain;
  if (hasComment({...plain, private_comment}) || list_comment === undefined)
    return {...row, has, want: plainFacts({...plain, private_comment})};
  return {...row, has, want: {...plain, private_comment: list_comment.replaceAll('{date}', dayOf(now)), list_comment}};
}

/** What is sent of what is not there: servers overwrite or default what is not sent. */
const nothing = {public_comment: '', private_comment: '', reject_media: false, reject_reports: false, obfuscate: false};

function bodyOf(value: Value | null): Readonly<Record<string, unknown>> {
  const {list_comment: _, ...facts}: BlockValue = factsOf(value) ?? blocked;
  return {...nothing, ...facts};
}

/** What an update changes. */
function changesText(before: DomainFacts, after: DomainFacts, showsPrivate: boolean): string {
  const showFacts = ({severity, public_comment, private_comment}: DomainFacts) =>
    factsText({severity, public_comment, ...(showsPrivate && {private_comment})});
  const parts = [
    ...(showFacts(before) === showFacts(after) ? [] : [`${showFacts(before)} -> ${showFacts(after)}`]),
    ...(showsPrivate || before.private_comment === after.private_comment ? [] : ['private comment changed']),
    ...flagChangesText(before, after),
  ];
  return parts.join('; ');
}

/** Whether a row shuts out a server that was not. */
export function isSuspension({action, kind: {kind: name}, has, want}: Row): boolean {
  const isNew = factsOf(has)?.severity !== 'suspend' && factsOf(want)?.severity === 'suspend';
  return name === kind.kind && (action === 'add' || action === 'update') && isNew;
}

const kind: Kind = {
  kind: 'admin_domain_block',
  owner: 'server',
  isNumbered: true,
  words: {
    item: 'server block',
    counted: ['server block', 'server blocks'],
    title: 'Domains that the server blocks',
    all: 'the domains that the server blocks',
    done: 'blocked',
  },
  reads: listAdminDomainBlocks,
  operations: {add: adminDomainBlockAddition, update: standingBlockUpdate, remove: adminDomainBlockEnd},
  async read(client, _, seen) {
    const {path} = listAdminDomainBlocks;
    const blocks = checkAnswerShape(shape(), await itemsOnServer(client, listAdminDomainBlocks, seen), client.host, path).map(
      ({id, domain, severity, private_comment, public_comment, ...flags}): readonly [string, Item, DomainFacts] => {
        const set = flagFields.map((name) => [name, flags[name] === true] as const);
        const comments = {public_comment: commentOf(public_comment), private_comment: commentOf(private_comment)};
        const value = plainFacts({severity, ...comments, ...Object.fromEntries(set)});
        return [domain, {value, id: String(id)}, value];
      },
    );
    // Servers may have a domain in several spellings: the strictest block counts.
    const sorted = blocks.sort(([, , one], [, , other]) => Number(isAsStrict(one, other)) - Number(isAsStrict(other, one)));
    const more: Server = {software: await serverSoftware(client), hosts: await ownHosts(client)};
    return {items: byDomain(sorted.map(([domain, item]) => [domain, item])), more};
  },
  narrow,
  fit: (want, has, owned, {only}) => {
    const stood = factsOf(has);
    const asked = factsOf(want.value) ?? blocked;
    return stood === undefined || isNothing(stood) ? newBlock(asked, stood) : fitBlock(want, stood, owned, only !== undefined);
  },
  isLess(one, other) {
    const [mine, others] = [factsOf(one) ?? blocked, factsOf(other) ?? blocked];
    if (rankOf(mine) !== rankOf(others)) return rankOf(mine) < rankOf(others);
    return flagFields.some((name) => others[name] === true && mine[name] !== true);
  },
  isSame(has, set) {
    const found: DomainFacts = factsOf(has) ?? blocked;
    const made: BlockValue = factsOf(set) ?? blocked;
    // What a list noted is not the policy's.
    const {private_comment} = made.list_comment === undefined ? made : found;
    return areSameFacts(plainFacts(found), plainFacts({...made, private_comment}));
  },
  text(value) {
    const facts = factsOf(value) ?? blocked;
    return [facts.severity, ...flagTexts(facts)].join(', ');
  },
  status(value, other) {
    const facts = factsOf(value) ?? blocked;
    const said = factsText({...publicFacts(facts), severity: undefined});
    const isOther = factsOf(other)?.private_comment !== facts.private_comment;
    return [statusText(facts), ...(said === '' ? [] : [said]), ...(isOther ? ['another private comment'] : [])].join(', ');
  },
  details({action, has, want}, showsPrivate) {
    if (action === 'remove') return '';
    const after = factsOf(want) ?? blocked;
    if (action === 'update') return changesText(factsOf(has) ?? blocked, after, showsPrivate);
    return factsText(showsPrivate ? after : publicFacts(after));
  },
  prepare,
  input({action, name, id = '', want}) {
    if (action === 'remove') return {path: {id, domain: name}, ...(want !== null && {body: {...nothing, ...bodyOf(want)}})};
    return action === 'add' ? {body: {domain: name, ...bodyOf(want)}} : {path: {id, domain: name}, body: bodyOf(want)};
  },
  order: (rows, {isUndo}) => (isUndo ? childrenFirst(rows) : parentsFirst(rows)),
  command({action, name, has, want}, account) {
    // Comments and flags are left to apply: a private comment does not belong into a command that is printed.
    const command = (flags = {}) => commandText(`admin domain-blocks ${action}`, {args: [name], flags: {...flags, ...account}});
    if (action === 'remove') return command();
    const {severity, public_comment, private_comment, ...flags} = factsOf(want) ?? blocked;
    const before = factsOf(has) ?? blocked;
    const comments = action === 'add' ? {public_comment, private_comment} : before;
    const isAll = areSameFacts(
      plainFacts({...before, public_comment: comments.public_comment, private_comment: comments.private_comment, severity}),
      plainFacts({severity, public_comment, private_comment, ...flags}),
    );
    return isAll ? command({severity}) : undefined;
  },
  warning(rows, {host}, actual) {
    if (!rows.some(isSuspension)) return undefined;
    return serverOf(actual).software === 'mastodon'
      ? `Follows between ${host} and suspended domains end, and are not restored.`
      : `Follows between ${host} and suspended domains stay.`;
  },
  lost: ({has}, actual) => (factsOf(has)?.severity === 'suspend' && serverOf(actual).software === 'mastodon' ? noFollows : undefined),
};

export const serverBlocks = domainsSection({
  key,
  kind,
  sendsPrivate: true,
  sentences: {max_followed_severity: 'Domains of accounts that people of the server follow are not blocked more than this.'},
  schema: () => field(serverDomainsSchema(), 'servers that the server blocks for all of its accounts, which only admins can change'),
  withRules: ({sendComments = 'private', ...rules}) => ({...rules, sendComments}),
  factsOf: (value) => factsOf(value) ?? blocked,
  written: (domain, value) => writtenDomain(domain, plainFacts(factsOf(value) ?? blocked)),
});
