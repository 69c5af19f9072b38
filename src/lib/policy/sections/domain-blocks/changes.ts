/** The changes of domain blocks. */
import * as z from 'zod/mini';
import {isDomain} from '../../../operations/domains.js';
import {domainFacts, type Grounds, grounds} from '../../model/change.js';
import type {FactsJson} from '../../model/domain-facts.js';

const maybe = z.optional;

export const domainBlockAddition = z.strictObject({
  action: z.literal('add'),
  kind: z.literal('domain_block'),
  subject: z.string().check(z.refine(isDomain, 'expected a domain')),
  details: z.strictObject({...domainFacts.shape, covered_by: maybe(z.string())}),
  ...grounds,
});

export const domainBlockRemoval = z.strictObject({
  action: z.literal('remove'),
  kind: z.literal('domain_block'),
  subject: z.string(),
  /** The spelling of the domain on the server, where it differs. */
  details: z.strictObject({stored: maybe(z.string())}),
  ...grounds,
});

export type DomainBlockChange = z.infer<typeof domainBlockAddition> | z.infer<typeof domainBlockRemoval>;

interface BlockedDomain {
  readonly domain: string;
  /** How the server writes it, where it has it. */
  readonly stored?: string | undefined;
  readonly coveredBy?: string | undefined;
  /** What the policy and its lists say about it. */
  readonly facts?: FactsJson | undefined;
}

export function domainBlockChange(
  action: 'add' | 'remove',
  {domain, stored, coveredBy, facts = {}}: BlockedDomain,
  why: Grounds,
): DomainBlockChange {
  const kind = 'domain_block';
  return action === 'add'
    ? {action, kind, subject: domain, details: coveredBy === undefined ? facts : {...facts, covered_by: coveredBy}, ...why}
    : {action, kind, subject: domain, details: stored === undefined || stored === domain ? {} : {stored}, ...why};
}
