/** Servers that the server blocks for all of its accounts. */
import {commandText} from '../../files/command-text.js';
import * as z from 'zod/mini';
import {cappedIfFollowed, childrenFirst, isAsStrict, isNone, judgeOf, lacks, parentsFirst, statusText} from './domains/judge.js';
import {serverDomainsSchema} from './domains/schema.js';
import {blocksSection, byDomain} from './domains/section.js';
import {
  type AdminDomainBlockChange,
  adminDomainBlockChange,
  afterOf,
  beforeOf,
  changesText,
  serverBlockFacts,
  isSuspension,
  madeServerBlock,
  serverBlockKind,
  madeBy,
  type ServerBlock,
  serverBlockChanges,
  updateOf,
  withListComment,
  withNotes,
} from './domains/server-block-change.js';
import {itemsOnServer, type SeenItems} from '../section/listed.js';
import {noFollows} from '../section/section.js';
import {listAdminDomainBlocks} from '../../api/admin-domain-blocks.js';
import {notesOf} from '../../api/admin-entities.js';
import {field, once} from '../../api/schema.js';
import {asFailure, Failure, isInterruption} from '../../client/failure.js';
import {shortened} from '../../json/text.js';
import {readInstances} from '../../operations/instances.js';
import type {Client} from '../../client/client.js';
import {
  adminDomainBlockAddition,
  adminDomainBlockEnd,
  maxPixelfedComment,
  standingBlockUpdate,
} from '../../operations/admin-domain-blocks.js';
import {isOwnDomain} from '../../operations/domains.js';
import {ownHosts, serverSoftware, type Software} from '../../operations/server-release.js';
import {
  areSameFacts,
  blocked,
  commentOf,
  type DomainFacts,
  factsText,
  flagTexts,
  plainFacts,
  publicFacts,
  writtenDomain,
} from '../model/domain-facts.js';
import type {Target} from '../model/difference.js';
import type {Wanted} from '../lists/wanted.js';
import type {DomainRules} from '../model/policy.js';
import {fetched, pathId, type State, trusted, valueOf} from '../model/server-state.js';
import {severities} from '../model/severity.js';
import {locationText} from '../source/location.js';

interface Blocking {
  readonly software: Software;
  /** Those of the server itself. */
  readonly hosts: readonly string[];
  /** What it keeps of domains that are not blocked. */
  readonly unblocked: ReadonlyMap<string, DomainFacts>;
}

declare module '../model/section-types.js' {
  interface Rules {
    readonly admin_domain_blocks: DomainRules;
  }
  interface Values {
    /** By the form that domains are compared in, sorted; without those that do nothing. */
    readonly admin_domain_blocks: ReadonlyMap<string, ServerBlock>;
  }
  interface Changes {
    readonly admin_domain_block: AdminDomainBlockChange;
  }
}

declare module '../model/server-state.js' {
  interface State {
    /** What else is known of the server's blocks of domains. */
    readonly blocking?: Blocking | undefined;
  }
}

const maybe = z.optional;
const key = 'admin_domain_blocks';

const softwareOf = ({blocking}: State): Software => blocking?.software ?? 'mastodon';

/** Servers drop what they have no place for. */
const keptBy: Readonly<Record<Software, (facts: DomainFacts) => DomainFacts>> = {
  mastodon: plainFacts,
  pixelfed: ({severity, private_comment}) =>
    plainFacts({severity, private_comment: private_comment && shortened(private_comment, maxPixelfedComment - 1)}),
};

const comment = maybe(z.nullable(z.string()));
const flag = maybe(z.nullable(z.boolean()));
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

async function readBlocks(client: Client, seen: SeenItems | undefined): Promise<ReadonlyMap<string, ServerBlock>> {
  const blocks = trusted(shape(), await itemsOnServer(client, listAdminDomainBlocks, seen), client.host, listAdminDomainBlocks.path).map(
    (block) => {
      const {id, domain, severity, private_comment, public_comment, reject_media, reject_reports, obfuscate} = block;
      const comments = {public_comment: commentOf(public_comment), private_comment: commentOf(private_comment)};
      const flags = {reject_media: reject_media === true, reject_reports: reject_reports === true, obfuscate: obfuscate === true};
      return [domain, {id: String(id), facts: plainFacts({severity, ...comments, ...flags})}] as const;
    },
  );
  // Servers may have a domain in several spellings: the strictest block counts.
  return byDomain(blocks.sort(([, {facts: one}], [, {facts: other}]) => Number(isAsStrict(one, other)) - Number(isAsStrict(other, one))));
}

/** What a policy wants, with how many follows people of the server have to domains whose severity depends on that. */
export async function withFollows(wanted: Wanted, state: State, read: Target['measures']): Promise<Wanted> {
  const [rules, there] = [wanted.domains.get(key), valueOf(state.admin_domain_blocks)];
  if (rules === undefined || there === undefined || softwareOf(state) !== 'mastodon') return wanted;
  const domains = cappedIfFollowed(rules, there);
  if (domains.length === 0) return wanted;
  return {...wanted, follows: (await read?.(domains)) ?? 'unknown'};
}

/** What is sent of what is not there: servers overwrite or default what is not sent. */
const nothing = {public_comment: '', private_comment: '', reject_media: false, reject_reports: false, obfuscate: false};

export const adminDomainBlocks = blocksSection<ServerBlock>({
  key,
  kind: serverBlockKind,
  owner: 'server',
  seesFollows: false,
  sendsPrivate: true,
  takesTopLevel: (state) => softwareOf(state) === 'mastodon',
  schema: () => field(serverDomainsSchema(), 'servers that the server blocks for all of its accounts, which only admins can change'),
  command(action, domain, {account}, value, before = blocked) {
    // Comments and flags are left to apply: a private comment does not belong into a command that is printed.
    const command = (flags = {}) => commandText(`admin domain-blocks ${action}`, {args: [domain], flags: {...flags, ...account}});
    if (value === undefined) return command();
    const {severity} = value;
    // Of a block that is made by hand, nobody compares the comments.
    const {public_comment, private_comment} = action === 'add' ? value : before;
    const isAll =
      action !== 'remove' && areSameFacts(plainFacts({...before, public_comment, private_comment, severity}), plainFacts(value));
    return isAll ? command({severity}) : undefined;
  },
  words: {
    item: 'server block',
    counted: ['server block', 'server blocks'],
    title: 'Domains that the server blocks',
    all: 'the domains that the server blocks',
  },
  fingerprintName: key,
  rules: ({admin_domain_blocks: rules}) => rules,
  withRules: ({sendComments = 'private', ...rules}) => ({admin_domain_blocks: {...rules, sendComments}}),
  part: ({admin_domain_blocks: part}) => part,
  withPart: (part) => ({admin_domain_blocks: part}),
  withoutPrivate({admin_domain_blocks: part}) {
    const there = [...(valueOf(part) ?? [])];
    const left = there.map(([domain, block]) => [domain, {...block, facts: publicFacts(block.facts)}] as const);
    const count = there.filter(([, {facts: said}]) => publicFacts(said) !== said).length;
    return {part: count === 0 ? {} : {admin_domain_blocks: {value: new Map(left)}}, count};
  },
  entryOf: ({id = '', was}) => ({id, facts: was}),
  reads: listAdminDomainBlocks,
  async read(client, seen) {
    const read = await fetched(async () => {
      const all = await readBlocks(client, seen);
      const software = await serverSoftware(client);
      const [unblocked, there] = [new Map<string, DomainFacts>(), new Map<string, ServerBlock>()];
      for (const [domain, block] of all)
        if (isNone(block.facts)) unblocked.set(domain, block.facts);
        else there.set(domain, block);
      return {there, blocking: {software, hosts: await ownHosts(client), unblocked}};
    });
    if ('failure' in read) return {admin_domain_blocks: read};
    return {admin_domain_blocks: {value: read.value.there}, blocking: read.value.blocking};
  },
  judge(about) {
    const {state, rules} = about;
    const {host, blocking} = state;
    const hosts = blocking?.hosts ?? [host];
    const own = rules.rules.must.find(({value}) => isOwnDomain(value, hosts));
    if (own !== undefined)
      throw new Failure(
        'usage',
        `${own.value} (${locationText(own.location)}) is ${host} itself, or above or below it: a server must not block itself`,
      );
    const there = valueOf(state.admin_domain_blocks) ?? new Map<string, ServerBlock>();
    const software = softwareOf(state);
    return judgeOf(
      about,
      {
        there,
        unblocked: blocking?.unblocked ?? new Map(),
        hosts,
        coversSubdomains: software === 'mastodon',
        keeps: keptBy[software],
      },
      updateOf,
    );
  },
  statusOf: ({facts: said}) => [statusText(said), ...flagTexts(said)].join(', '),
  factsOf: ({facts: said}) => said,
  schemas: serverBlockChanges,
  changeOf: adminDomainBlockChange,
  operations: {add: adminDomainBlockAddition, update: standingBlockUpdate, remove: adminDomainBlockEnd},
  values: {
    schema: serverBlockFacts,
    of: (block) => block.facts,
    idOf: ({id}) => id,
    areSame: (one, other) => areSameFacts(plainFacts(one), plainFacts(other)),
    isMade: (found, change: AdminDomainBlockChange) => {
      const after = afterOf(change);
      // An addition without a comment keeps what was noted, or notes its list.
      const {private_comment} = change.action === 'add' && after.private_comment === undefined ? found : after;
      return areSameFacts(plainFacts(found), plainFacts({...after, private_comment}));
    },
    text(said, before) {
      const shown = factsText({...publicFacts(said), severity: undefined});
      const isOther = before !== undefined && before.private_comment !== said.private_comment;
      return [statusText(said), ...(shown === '' ? [] : [shown]), ...(isOther ? ['another private comment'] : [])].join(', ');
    },
    written: writtenDomain,
    before: beforeOf,
    after: afterOf,
    isLess: (before, after) => !isAsStrict(after, before),
    byHand: {schema: madeServerBlock, after: madeBy, isLess: lacks, text: (said) => [said.severity, ...flagTexts(said)].join(', ')},
    update: (domain, {stored, after}, grounds) => updateOf(domain, stored, after, grounds),
    isNone,
    // What its admins noted of a domain is theirs, also where the policy has the block.
    adopted({public_comment, private_comment}) {
      const notes = plainFacts({severity: 'noop', public_comment, private_comment});
      return areSameFacts(notes, {severity: 'noop'}) ? undefined : notes;
    },
    stood: ({action, details}: AdminDomainBlockChange) => (action === 'add' ? details.replaces : undefined),
  },
  input(change: AdminDomainBlockChange) {
    const {action, subject, details} = change;
    if (action === 'remove')
      return {path: {id: details.id, domain: subject}, ...(details.restores && {body: {...nothing, ...details.restores}})};
    const body = {...nothing, ...afterOf(change)};
    return action === 'add' ? {body: {domain: subject, ...body}} : {path: {id: details.id, domain: subject}, body};
  },
  text(change: AdminDomainBlockChange, showsPrivate) {
    if (change.action === 'remove') return '';
    const after = afterOf(change);
    if (change.action === 'add') return factsText(showsPrivate ? after : publicFacts(after));
    return changesText(beforeOf(change), after, showsPrivate);
  },
  reaches: isSuspension,
  warning(changes: readonly AdminDomainBlockChange[], state) {
    if (!changes.some(isSuspension)) return undefined;
    return softwareOf(state) === 'mastodon'
      ? `Follows between ${state.host} and suspended domains end, and are not restored.`
      : `Follows between ${state.host} and suspended domains stay.`;
  },
  lost: ({facts: {severity}}, state) => (severity === 'suspend' && softwareOf(state) === 'mastodon' ? noFollows : undefined),
  misfit({action, details}: AdminDomainBlockChange, found) {
    if (action === 'add' || found === undefined || details.id === found.id) return undefined;
    return `its id is ${found.id}, and in the plan ${details.id}`;
  },
  async prepared(changes: readonly AdminDomainBlockChange[], state, client, now) {
    const additions = changes.filter(({action}) => action === 'add');
    const as = (sent: (change: AdminDomainBlockChange) => AdminDomainBlockChange) =>
      new Map(
        additions.flatMap((change) => {
          const one = withListComment(sent(change), now);
          return one === change ? [] : [[change, one] as const];
        }),
      );
    if (softwareOf(state) !== 'pixelfed' || additions.length === 0) return {changes: as((change) => change)};
    try {
      const known = await readInstances(
        additions.map(({subject}) => subject),
        client,
      );
      const noted = (domain: string) => {
        const notes = known.get(domain)?.map(notesOf);
        return notes && (notes.find((note) => note !== '') ?? '');
      };
      return {changes: as((change) => withNotes(change, noted(change.subject)))};
    } catch (error) {
      const failure = asFailure(error);
      if (isInterruption(failure)) throw error;
      const warning = `the notes of servers could not be read, and blocking erases them: ${failure.message}`;
      return {changes: as((change) => change), warning};
    }
  },
  arranged: parentsFirst,
  // What stood below a stricter block was made before that.
  arrangedBack(changes: readonly AdminDomainBlockChange[]) {
    const isLess = (change: AdminDomainBlockChange) =>
      change.action === 'remove' || (change.action === 'update' && !isAsStrict(afterOf(change), beforeOf(change)));
    const stricter = changes.filter((change) => !isLess(change));
    return [...changes.filter(isLess), ...childrenFirst(stricter)];
  },
});
