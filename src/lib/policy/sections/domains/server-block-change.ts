/** Changes of what a server blocks for all of its accounts: their shapes, and what they say. */
import * as z from 'zod/mini';
import type {AboutDomain} from './compare.js';
import {isListComment} from './judge.js';
import {once} from '../../../api/schema.js';
import {isBlockable} from '../../../operations/domains.js';
import {changeSchema, type Grounds} from '../../model/change.js';
import {domainFacts} from '../../model/facts-schema.js';
import {blocked, commentOf, type DomainFacts, factsText, flagChangesText, plainFacts} from '../../model/domain-facts.js';
import {severities} from '../../model/severity.js';
import {dayOf} from '../../model/time.js';

/** A block as the server has it. */
export interface ServerBlock {
  readonly id: string;
  readonly facts: DomainFacts;
}

const maybe = z.optional;
export const serverBlockKind = 'admin_domain_block';
const kind = serverBlockKind;

export const serverBlockFacts = once(() => z.strictObject({...domainFacts().shape, severity: z.enum(severities)}));

/** `replaces` is what the server kept of the domain while it was not blocked;
 * `list_comment`: what is noted where there is no comment, with `{date}` for the day on which it is sent. */
export const madeServerBlock = once(() => z.strictObject({...serverBlockFacts().shape, list_comment: maybe(z.literal(true))}));
const addition = once(() =>
  changeSchema(
    z.literal('add'),
    kind,
    z.strictObject({
      ...serverBlockFacts().shape,
      list_comment: maybe(z.string()),
      replaces: maybe(serverBlockFacts()),
    }),
  ).check(z.refine(({subject}) => isBlockable(subject), {error: 'expected a domain', path: ['subject']})),
);
const update = once(() =>
  changeSchema(z.literal('update'), kind, z.strictObject({id: z.string(), before: serverBlockFacts(), after: serverBlockFacts()})),
);
/** `restores` is what it keeps of the domain when it is not blocked any more. */
const removal = once(() => changeSchema(z.literal('remove'), kind, z.strictObject({id: z.string(), restores: maybe(serverBlockFacts())})));

/** Shapes of all of them. */
export const serverBlockChanges = () => [addition(), update(), removal()] as const;

export type AdminDomainBlockChange = z.infer<ReturnType<typeof addition | typeof removal | typeof update>>;

export function adminDomainBlockChange(
  action: 'add' | 'remove',
  {domain, stored, facts: said, replaces, listComment: list_comment}: AboutDomain<ServerBlock>,
  why: Grounds,
): AdminDomainBlockChange {
  if (action === 'remove') {
    if (stored === undefined) throw new Error(`${domain} is not blocked`);
    return {action, kind, subject: domain, details: {id: stored.id, ...(said && {restores: plainFacts(said)})}, ...why};
  }
  const details = {
    ...plainFacts({...blocked, ...said}),
    ...(list_comment !== undefined && {list_comment}),
    ...(replaces && {replaces}),
  };
  return {action, kind, subject: domain, details, ...why};
}

export const updateOf = (subject: string, {id, facts: before}: ServerBlock, after: DomainFacts, why: Grounds): AdminDomainBlockChange => ({
  action: 'update',
  kind,
  subject,
  details: {id, before, after},
  ...why,
});

export const beforeOf = ({action, details}: AdminDomainBlockChange): DomainFacts => (action === 'update' ? details.before : blocked);

export function afterOf({action, details}: AdminDomainBlockChange): DomainFacts {
  if (action === 'update') return details.after;
  if (action === 'remove') throw new Error('A removal leaves nothing');
  const {replaces: _, list_comment: _comment, ...after} = details;
  return after;
}

/**
 * An addition on a server that overwrites what its admins noted about a domain: without a comment, that stays.
 * @param notes undefined: the server does not know the domain
 */
export function withNotes(change: AdminDomainBlockChange, notes: string | undefined): AdminDomainBlockChange {
  if (change.action !== 'add') return change;
  const {private_comment = commentOf(notes), ...details} = change.details;
  const replaces = plainFacts({severity: 'noop', private_comment: commentOf(notes)});
  return {...change, details: {...details, ...(private_comment !== undefined && {private_comment}), replaces}};
}

/** An addition with the comment of the list that asks for it, where there is no other one. */
export function withListComment(change: AdminDomainBlockChange, now: Date): AdminDomainBlockChange {
  if (change.action !== 'add' || change.details.list_comment === undefined) return change;
  const {list_comment: text, ...details} = change.details;
  if (details.public_comment !== undefined || details.private_comment !== undefined) return {...change, details};
  const private_comment = text.replaceAll('{date}', dayOf(now));
  return {...change, details: {...details, private_comment, list_comment: private_comment}};
}

/** How an apply sets a block: a comment that it took from a list is not the policy's. */
export function madeBy(change: AdminDomainBlockChange, earlier?: unknown): z.infer<ReturnType<typeof madeServerBlock>> {
  const after = afterOf(change);
  const isOfList = change.action === 'add' ? change.details.list_comment !== undefined : isListComment(earlier, after.private_comment);
  return isOfList ? {...after, list_comment: true} : after;
}

/** Whether a change shuts out a server that was not. */
export function isSuspension(change: AdminDomainBlockChange): boolean {
  const wasSuspended = change.action === 'update' && beforeOf(change).severity === 'suspend';
  return change.action !== 'remove' && !wasSuspended && afterOf(change).severity === 'suspend';
}

/** What an update changes. */
export function changesText(before: DomainFacts, after: DomainFacts, showsPrivate: boolean): string {
  const shown = (facts: DomainFacts) => {
    const {severity, public_comment, private_comment} = facts;
    return factsText({severity, public_comment, ...(showsPrivate && {private_comment})});
  };
  const parts = [
    ...(shown(before) === shown(after) ? [] : [`${shown(before)} -> ${shown(after)}`]),
    ...(showsPrivate || before.private_comment === after.private_comment ? [] : ['private comment changed']),
    ...flagChangesText(before, after),
  ];
  return parts.join('; ');
}
