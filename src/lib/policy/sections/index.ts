/** The sections of policies, in the order of a policy. A new one is added here. */
import {adminDomainBlocks} from './admin-domain-blocks.js';
import {blocks} from './blocks.js';
import {domainBlocks} from './domain-blocks.js';
import {filters} from './filters/record.js';
import {mutes} from './mutes.js';
import {enumerated} from '../../json/text.js';
import type {DomainRules, DomainsKey, Policy} from '../model/policy.js';
import type {Changing, Holding, OfDomains, Section} from '../section/section.js';
import type {Change} from '../model/change.js';
import type {ItemKind} from '../model/section-types.js';

export const sections: readonly Section[] = [domainBlocks, adminDomainBlocks, filters, blocks, mutes];

/** In the order in which a plan changes them. */
export const inPlans: readonly Section[] = [...sections.filter(({isSet}) => isSet), ...sections.filter(({isSet}) => !isSet)];

/** Whose the items of a section are. Settings of servers that nothing changes are read with each account. */
export const ownership = ({owner, changing}: Section): Section['owner'] => (changing === undefined ? 'account' : owner);

/** The sections whose items all accounts of a server share. */
export const sharedSections: readonly Section[] = sections.filter((section) => ownership(section) === 'server');

/** A section whose items come and go. */
export type HoldingSection = Section & {readonly holding: Holding};

const holds = (section: Section): section is HoldingSection => section.holding !== undefined;

/** A section whose items are domains. */
type DomainsSection = Section & {readonly key: DomainsKey; readonly ofDomains: OfDomains};

const hasDomains = (section: Section): section is DomainsSection => section.ofDomains !== undefined;

export const ofDomains: readonly DomainsSection[] = sections.filter(hasDomains);

/** The rules of all sections of domains. */
export function domainRulesIn(policy: Policy): readonly DomainRules[] {
  return ofDomains.flatMap(({ofDomains: {rules}}) => rules(policy) ?? []);
}

export const holding: readonly HoldingSection[] = sections.filter(holds);
export const holdingInPlans: readonly HoldingSection[] = inPlans.filter(holds);

const keysOf = (some: readonly Section[]) => some.map(({key}) => key).sort();

/** For people, who look them up. */
export const sectionKeys = keysOf(sections);
export const holdingKeys = keysOf(holding);
export const sectionKinds = sections.map(({kind}) => kind);

/** The paths that sections are read from, for descriptions: `/api/v1/blocks and /api/v1/mutes`. */
export function pathsOf(some: readonly Section[]): string {
  return enumerated(some.map(({reads}) => reads.path));
}

/** The requests that change sections, for descriptions, in the order of plans: `POST and DELETE /api/v1/domain_blocks`. */
export function writesOf(some: readonly Section[]): string {
  const operations = inPlans.filter((one) => some.includes(one)).flatMap(({changing}) => Object.values(changing?.operations ?? {}));
  const requests = [...Map.groupBy(operations, ({path}) => path)].map(
    ([path, own]) => `${enumerated(own.map(({method}) => method))} ${path}`,
  );
  return requests.join(', ');
}

const byKind = new Map<string, Section>(sections.map((section) => [section.kind, section]));

/** @param kind of an item or of a finding */
export function sectionOf(kind: string): Section | undefined {
  return byKind.get(kind);
}

export function changingOf(kind: ItemKind): Changing {
  const changing = sectionOf(kind)?.changing;
  if (changing === undefined) throw new Error(`Nothing of ${kind} can be changed`);
  return changing;
}

/** Whether --allow-additions counts a change. */
export const reaches = (change: Change): boolean => changingOf(change.kind).reaches?.(change) === true;

const endFollows = new Set<string>(ofDomains.flatMap(({kind, ofDomains: {seesFollows}}) => (seesFollows ? kind : [])));

/** The domains that changes block for one account, whose follows there end. */
export function cutOff(changes: readonly Change[]): string[] {
  return changes.flatMap(({action, kind, subject}) => (action === 'add' && endFollows.has(kind) ? subject : []));
}

/** Whether --allow-removals counts a change. */
export function isRemoval(change: Change): boolean {
  return change.action === 'remove' || changingOf(change.kind).isRemoval?.(change) === true;
}

/** The form in which the name of something is compared. @param host of the accounts that are named without one */
export function comparedName({kind, subject}: {readonly kind: string; readonly subject: string}, host: string): string {
  return sectionOf(kind)?.compared(subject, host) ?? subject.trim();
}

/** Something of a policy, as JSON names it. */
interface Named {
  readonly kind: string;
  readonly subject: string;
}

/** What something is about, for people: accounts are named as commands take them. */
export function shownSubject({kind, subject}: Named): string {
  return sectionOf(kind)?.shownAs?.(subject) ?? subject;
}

/** What items of a kind are called: `account block`. */
export const itemName = (kind: string, count = 1): string => {
  const words = sectionOf(kind)?.words;
  return (count > 1 ? words?.counted[1] : words?.item) ?? kind;
};

/** `account block @ana` */
export const shownItem = (named: Named): string => `${itemName(named.kind)} ${shownSubject(named)}`;
