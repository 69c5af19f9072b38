/** Servers that the server blocks for all of its accounts. */
import * as z from 'zod/mini';
import type {AboutDomain} from './domains/compare.js';
import {isAsStrict, isNone, judgeOf, parentsFirst, statusText} from './domains/judge.js';
import {serverDomainsSchema} from './domains/schema.js';
import {blocksSection, byDomain} from './domains/section.js';
import {listAdminDomainBlocks} from '../../api/admin-domain-blocks.js';
import {field} from '../../api/schema.js';
import {serverBlock} from '../../api/server-block.js';
import {Failure} from '../../client/failure.js';
import {everyItem} from '../../client/paging.js';
import type {Client} from '../../client/client.js';
import {adminDomainBlockAddition, adminDomainBlockRemoval, adminDomainBlockUpdate} from '../../operations/admin-domain-blocks.js';
import {isDomain, isOwnDomain} from '../../operations/domains.js';
import {serverSoftware, type Software} from '../../operations/server-release.js';
import {changeSchema, domainFacts, type Grounds} from '../model/change.js';
import {areSame, blocked, commentOf, type DomainFacts, factsText, plainFacts, publicFacts} from '../model/domain-facts.js';
import type {DomainRules} from '../model/policy.js';
import {fetched, type State, trusted, valueOf} from '../model/server-state.js';
import {severities, severityOf} from '../model/severity.js';
import {locationText} from '../source/location.js';

/** A block as the server has it. */
interface ServerBlock {
  readonly id: string;
  readonly facts: DomainFacts;
}

interface Blocking {
  readonly software: Software;
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
const [key, kind] = ['admin_domain_blocks', 'admin_domain_block'] as const;

const facts = z.strictObject({...domainFacts.shape, severity: z.enum(severities)});

/** `replaces` is what the server kept of the domain while it was not blocked. */
const addition = changeSchema(z.literal('add'), kind, z.strictObject({...facts.shape, replaces: maybe(facts)})).check(
  z.refine(({subject}) => isDomain(subject), {error: 'expected a domain', path: ['subject']}),
);
const update = changeSchema(z.literal('update'), kind, z.strictObject({id: z.string(), before: facts, after: facts}));
const removal = changeSchema(z.literal('remove'), kind, z.strictObject({id: z.string()}));

export type AdminDomainBlockChange = z.infer<typeof addition> | z.infer<typeof removal> | z.infer<typeof update>;

function adminDomainBlockChange(
  action: 'add' | 'remove',
  {domain, stored, facts: said}: AboutDomain<ServerBlock>,
  why: Grounds,
): AdminDomainBlockChange {
  return action === 'add'
    ? {action, kind, subject: domain, details: plainFacts({...blocked, ...said, severity: said?.severity ?? blocked.severity}), ...why}
    : {action, kind, subject: domain, details: {id: stored?.id ?? domain}, ...why};
}

const updateOf = (subject: string, {id, facts: before}: ServerBlock, after: DomainFacts, why: Grounds): AdminDomainBlockChange => ({
  action: 'update',
  kind,
  subject,
  details: {id, before, after},
  ...why,
});

const beforeOf = ({action, details}: AdminDomainBlockChange): DomainFacts => (action === 'update' ? details.before : blocked);

function afterOf({action, details}: AdminDomainBlockChange): DomainFacts {
  if (action === 'update') return details.after;
  if (action === 'remove') return blocked;
  const {replaces: _, ...after} = details;
  return after;
}

const softwareOf = ({blocking}: State): Software => blocking?.software ?? 'mastodon';

/** Servers drop what they have no place for. */
const keptBy: Readonly<Record<Software, (facts: DomainFacts) => DomainFacts>> = {
  mastodon: plainFacts,
  pixelfed: ({severity, private_comment}) => plainFacts({severity, private_comment}),
};

async function readBlocks(client: Client): Promise<ReadonlyMap<string, ServerBlock>> {
  const items: unknown[] = (await everyItem(client, listAdminDomainBlocks)).map((text) => JSON.parse(text));
  const blocks = trusted(z.array(serverBlock()), items, client.host, listAdminDomainBlocks.path).map(
    ({id, domain, severity, private_comment, public_comment, ...flags}) => {
      const {reject_media, reject_reports, obfuscate} = flags;
      const comments = {public_comment: commentOf(public_comment), private_comment: commentOf(private_comment)};
      const said = {severity: severityOf(severity) ?? blocked.severity, ...comments, reject_media, reject_reports, obfuscate};
      return [domain, {id: String(id), facts: plainFacts(said)}] as const;
    },
  );
  // Servers may have a domain in several spellings: the strictest block counts.
  return byDomain(blocks.sort(([, one], [, other]) => Number(isAsStrict(one.facts, other.facts)) - Number(isAsStrict(other.facts, one.facts))));
}

const adminDomainBlocksWords = {
  item: 'domain block of the server',
  counted: ['domain block of the server', 'domain blocks of the server'],
  title: 'Domain blocks of the server',
  all: 'the domain blocks of the server',
} as const;

export const adminDomainBlocks = blocksSection<ServerBlock>({
  key,
  kind,
  owner: 'server',
  seesFollows: false,
  schema: field(serverDomainsSchema, 'servers that the server blocks for all of its accounts, which only admins can change'),
  command: (action, domain, {suggest}, said) =>
    suggest(['admin', 'domain-blocks', action], {args: [domain], ...(said && {flags: {severity: said.severity}})}),
  words: adminDomainBlocksWords,
  fingerprintName: key,
  rules: ({admin_domain_blocks: rules}) => rules,
  withRules: (rules) => ({admin_domain_blocks: rules}),
  part: ({admin_domain_blocks: part}) => part,
  withPart: (part) => ({admin_domain_blocks: part}),
  entryOf: ({id = '', was}) => ({id, facts: was}),
  idOf: (entry) => entry?.id,
  reads: listAdminDomainBlocks,
  async read(client) {
    const read = await fetched(async () => {
      const all = await readBlocks(client);
      const software = await serverSoftware(client);
      const [unblocked, there] = [new Map<string, DomainFacts>(), new Map<string, ServerBlock>()];
      for (const [domain, block] of all)
        if (isNone(block.facts)) unblocked.set(domain, block.facts);
        else there.set(domain, block);
      return {there, blocking: {software, unblocked}};
    });
    if ('failure' in read) return {admin_domain_blocks: read};
    return {admin_domain_blocks: {value: read.value.there}, blocking: read.value.blocking};
  },
  judge(about) {
    const {state, rules} = about;
    const {host, blocking} = state;
    const own = rules.rules.must.find(({value}) => isOwnDomain(value, host));
    if (own !== undefined)
      throw new Failure('usage', `${own.value} (${locationText(own.location)}) is ${host} itself, or above or below it: a server must not block itself`);
    const there = valueOf(state.admin_domain_blocks) ?? new Map<string, ServerBlock>();
    const software = softwareOf(state);
    return judgeOf(
      about,
      {
        there: new Map([...there].map(([domain, block]) => [domain, block.facts])),
        unblocked: blocking?.unblocked ?? new Map(),
        coversSubdomains: software === 'mastodon',
        keeps: keptBy[software],
      },
      (domain, after, grounds) => updateOf(domain, there.get(domain) ?? {id: domain, facts: blocked}, after, grounds),
    );
  },
  statusOf: ({facts: said}) => statusText(said),
  factsOf: ({facts: said}) => said,
  schemas: [addition, update, removal],
  changeOf: adminDomainBlockChange,
  operations: {add: adminDomainBlockAddition, update: adminDomainBlockUpdate, remove: adminDomainBlockRemoval},
  values: {
    schema: facts,
    of: (block) => block.facts,
    areSame: (one, other) => areSame(plainFacts(one), plainFacts(other)),
    text: statusText,
    written: (domain, said) => (areSame(said, blocked) ? domain : {domain, ...said}),
    before: beforeOf,
    after: afterOf,
    isLess: (before, after) => !isAsStrict(after, before),
    update: (domain, {stored, after}, grounds) => updateOf(domain, stored, after, grounds),
    isNone,
    stood: ({action, details}: AdminDomainBlockChange) => (action === 'add' ? details.replaces : undefined),
  },
  input(change: AdminDomainBlockChange) {
    const {action, subject, details} = change;
    if (action === 'remove') return {path: {id: details.id}};
    const {severity, public_comment = '', private_comment = '', reject_media = false, reject_reports = false, obfuscate = false} = afterOf(change);
    const body = {severity, public_comment, private_comment, reject_media, reject_reports, obfuscate};
    return action === 'add' ? {body: {domain: subject, ...body}} : {path: {id: details.id}, body};
  },
  text(change: AdminDomainBlockChange) {
    if (change.action === 'remove') return '';
    if (change.action === 'add') return factsText(publicFacts(afterOf(change)));
    return `${statusText(beforeOf(change))} -> ${statusText(afterOf(change))}`;
  },
  misfit({action, details}: AdminDomainBlockChange, found) {
    if (action === 'add' || found === undefined || details.id === found.id) return undefined;
    return `its id is ${found.id}, and in the plan ${details.id}`;
  },
  inOrder: parentsFirst,
});
