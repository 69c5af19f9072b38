/** Servers that the account blocks. */
import {commandText} from '../../files/command-text.js';
import * as z from 'zod/mini';
import type {AboutDomain} from './domains/compare.js';
import {accountDomainsSchema} from './domains/schema.js';
import {byDomain, domainsSection} from './domains/section.js';
import {itemsOnServer} from '../section/listed.js';
import {noFollows, ofAdditions} from '../section/section.js';
import {listDomainBlocks} from '../../api/blocks.js';
import {field, once} from '../../api/schema.js';
import {domainBlock, domainUnblock, isDomain} from '../../operations/domains.js';
import {converted} from '../../operations/operation.js';
import {changeSchema, type Grounds} from '../model/change.js';
import {domainFacts} from '../model/facts-schema.js';
import {blocked, factsText} from '../model/domain-facts.js';
import type {DomainRules} from '../model/policy.js';
import {fetched, trusted} from '../model/server-state.js';

declare module '../model/section-types.js' {
  interface Rules {
    readonly domain_blocks: DomainRules;
  }
  interface Values {
    /** By the form that domains are compared in, sorted: as the server writes them. */
    readonly domain_blocks: ReadonlyMap<string, string>;
  }
  interface Changes {
    readonly domain_block: DomainBlockChange;
  }
}

const maybe = z.optional;
const [key, kind] = ['domain_blocks', 'domain_block'] as const;

const addition = once(() =>
  changeSchema(z.literal('add'), kind, z.strictObject({...domainFacts().shape, covered_by: maybe(z.string())})).check(
    z.refine(({subject}) => isDomain(subject), {error: 'expected a domain', path: ['subject']}),
  ),
);

/** `stored` is the spelling of the domain on the server, where it differs. */
const removal = once(() => changeSchema(z.literal('remove'), kind, z.strictObject({stored: maybe(z.string())})));

type DomainBlockChange = z.infer<ReturnType<typeof addition>> | z.infer<ReturnType<typeof removal>>;

export function domainBlockChange(
  action: 'add' | 'remove',
  {domain, stored, coveredBy, facts}: AboutDomain<string>,
  why: Grounds,
): DomainBlockChange {
  return action === 'add'
    ? {action, kind, subject: domain, details: coveredBy === undefined ? (facts ?? {}) : {...facts, covered_by: coveredBy}, ...why}
    : {action, kind, subject: domain, details: stored === undefined || stored === domain ? {} : {stored}, ...why};
}

/** Pixelfed keeps only the domain: the rest is shown, and written into lists for other tools. */
export const domainBlocks = domainsSection<string>({
  key,
  kind,
  owner: 'account',
  seesFollows: true,
  schema: () => field(accountDomainsSchema(), 'servers that the account blocks'),
  command: (action, domain, {account}) => commandText(`domain-blocks ${action}`, {args: [domain], flags: account}),
  words: {
    item: 'domain block',
    counted: ['domain block', 'domain blocks'],
    title: 'Domain blocks',
    all: 'the domain blocks',
  },
  fingerprintName: 'domains',
  rules: ({domain_blocks: rules}) => rules,
  withRules: (rules) => ({domain_blocks: rules}),
  part: ({domain_blocks: part}) => part,
  withPart: (part) => ({domain_blocks: part}),
  entryOf: ({subject}) => subject,
  reads: listDomainBlocks,
  read: async (client, seen) => ({
    domain_blocks: await fetched(async () => {
      const items = await itemsOnServer(client, listDomainBlocks, seen);
      return byDomain(trusted(z.array(z.string()), items, client.host, listDomainBlocks.path).map((text) => [text, text]));
    }),
  }),
  factsOf: () => blocked,
  schemas: () => [addition(), removal()],
  changeOf: domainBlockChange,
  operations: {add: domainBlock, remove: domainUnblock},
  input({action, subject, details}: DomainBlockChange) {
    if (action === 'remove') return {body: {domain: details.stored ?? subject}};
    return converted(domainBlock, {body: {domain: subject}});
  },
  text({action, details}: DomainBlockChange) {
    if (action === 'remove') return '';
    const {covered_by: parent} = details;
    // What only servers do for everybody is not sent.
    const said = factsText({...details, reject_media: undefined, reject_reports: undefined});
    return [said, parent === undefined ? '' : `below ${parent}`].filter((part) => part !== '').join('; ');
  },
  misfit({action, subject, details}: DomainBlockChange, found) {
    if (action === 'add') return undefined;
    const {stored: named = subject} = details;
    return found === named ? undefined : `the server calls it ${found}, and the plan ${named}`;
  },
  lost: () => noFollows,
  warning: ofAdditions('Followers on blocked domains are removed permanently.'),
  limit: {
    older: 50,
    newer: 100,
    item: 'domain block',
    words: 'domains would be blocked',
    advice: `set ${key}.limit in the policy`,
  },
});
