/** The changes of domain blocks. */
import * as z from 'zod/mini';
import {isDomain} from '../../../operations/domains.js';
import {changeSchema, domainFacts, type Grounds} from '../../model/change.js';
import type {FactsJson} from '../../model/domain-facts.js';

const maybe = z.optional;

export const domainBlockAddition = changeSchema(
  z.literal('add'),
  'domain_block',
  z.strictObject({...domainFacts.shape, covered_by: maybe(z.string())}),
).check(z.refine(({subject}) => isDomain(subject), {error: 'expected a domain', path: ['subject']}));

/** `stored` is the spelling of the domain on the server, where it differs. */
export const domainBlockRemoval = changeSchema(z.literal('remove'), 'domain_block', z.strictObject({stored: maybe(z.string())}));

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
