/** What `export` prints: the state of an account, or the domains of a policy or of lists, as a policy or as a list for another tool. */
import {type Export, exportDomains, exportList, exportPolicy, publicDomains, publicState, type Published} from './export.js';
import type {List} from './lists/list.js';
import {entriesOf, mergedEntries, type WantedDomains} from './lists/merge.js';
import type {Wanted, WantedBySection} from './lists/wanted.js';
import {
  holdsPrivate,
  isDomainListFormat,
  type ListFormat,
  type ListSetting,
  type WritableDomains,
  writeDomainList,
} from './lists/write-list.js';
import {Failure} from '../client/failure.js';
import type {Skipped} from './model/difference.js';
import type {DomainsKey} from './model/policy.js';
import type {SectionKey} from './model/section-types.js';
import type {State} from './model/server-state.js';
import {ofDomains, sections} from './sections/index.js';
import {enumerated} from '../json/text.js';

/** What is exported, and how. */
export interface ExportChoice {
  /** Undefined: a policy. */
  readonly format: ListFormat | undefined;
  /** The sections that are asked for; none: those that are usual. */
  readonly parts: readonly SectionKey[];
  readonly showsPrivate: boolean;
  readonly setting: ListSetting;
}

/** What is printed, and what is not in it. */
export interface ExportedPolicy {
  /** A policy has two forms, each made when it is needed. */
  readonly written: Pick<Export, 'leftOut' | 'text'> & Partial<Pick<Export, 'json'>>;
  /** The private comments that are not in it, in words. */
  readonly hidden: string | undefined;
}

/** The sections that are exported. @throws Failure `usage` for a list of several */
export function exportedParts({format, parts}: Pick<ExportChoice, 'format' | 'parts'>): readonly SectionKey[] {
  if (format !== undefined && parts.length > 1) throw new Failure('usage', `--as ${format} takes one part`, {hint: 'name it with --only'});
  if (parts.length > 0) return parts;
  if (format === undefined) return sections.flatMap(({key, owner}) => (owner === 'account' ? key : []));
  return sections.flatMap(({key, formats}) => (formats.includes(format) ? key : [])).slice(0, 1);
}

/** Why there are no private comments to show; undefined: there may be some. @param chosen sections of a server; undefined: it is no server's */
export function whyNothingPrivate(
  {format, setting}: Pick<ExportChoice, 'format' | 'setting'>,
  chosen: readonly SectionKey[] | undefined,
): string | undefined {
  if (format !== undefined && !holdsPrivate(format, setting.fields)) return `--as ${format} has no private comments`;
  if (chosen === undefined || sections.some(({key, sendsPrivate}) => sendsPrivate === true && chosen.includes(key))) return undefined;
  return `servers keep no private comments in ${enumerated(chosen, 'or')}`;
}

function shown<Value>(
  value: Value,
  {format, showsPrivate, setting}: ExportChoice,
  without: (all: Value) => Published<Value>,
): Published<Value> {
  const isHidden = !showsPrivate && (format === undefined || holdsPrivate(format, setting.fields));
  return isHidden ? without(value) : {value, left: undefined};
}

/** Domains, and the section of a policy that they are for. */
export interface ChosenDomains {
  readonly key: DomainsKey;
  readonly entries: WritableDomains;
  /** Those that a policy would block if it did not protect them. */
  readonly held: readonly Skipped[];
}

const nobody = {value: {counts: new Map<string, number>(), readAt: new Date(0)}} as const;

/**
 * The domains that a policy wants blocked, without those that it protects.
 * @param name of the policy @param parts the sections that are asked for; none: whichever the policy has
 * @throws Failure `usage` for several sections of domains, or none
 */
export function domainsOfPolicy(wanted: Wanted, name: string, parts: readonly SectionKey[]): ChosenDomains {
  const domains = domainsIn(name, wanted.domains, parts);
  const {key, kind} = domains.rules.of;
  const held = [...domains.wanted.keys()].flatMap((subject) => {
    // It reads no account, so nobody is followed.
    const why = domains.protection.heldBack(subject, {...wanted, followed: nobody});
    return why === undefined ? [] : [{kind, subject, ...why}];
  });
  const names = new Set(held.map(({subject}) => subject));
  return {key, entries: entriesOf(domains, (domain) => names.has(domain)), held};
}

function domainsIn(name: string, domains: WantedBySection, keys: readonly SectionKey[]): WantedDomains {
  const [first, other] = [...domains].filter(([key]) => keys.length === 0 || keys.includes(key));
  if (first === undefined) throw new Failure('usage', `${name} has no rules about ${keys.length === 0 ? 'domains' : keys.join(', ')}`);
  if (other === undefined) return first[1];
  throw new Failure('usage', `${name} has rules about ${first[0]} and ${other[0]}`, {hint: 'choose one with --only'});
}

/** The domains of lists, merged. @throws Failure `usage` for lists that are empty or not of domains */
export function domainsOfLists(
  lists: readonly {readonly name: string; readonly list: List}[],
  parts: readonly SectionKey[],
): ChosenDomains {
  const merged = lists.map(({name, list}) => {
    if (list.kind !== 'domains') throw new Failure('usage', `${name} is a list of ${list.kind}, not of domains`);
    if (list.entries.length === 0) throw new Failure('usage', `The list ${name} names no domain`);
    return list;
  });
  const [first] = ofDomains.filter(({key}) => parts.length === 0 || parts.includes(key));
  if (first === undefined) throw new Error('No section of policies has domains');
  return {key: first.key, entries: mergedEntries(merged), held: []};
}

/** @throws Failure `usage` for a format or sections of something else than domains */
export function refuseOthersThanDomains({format, parts}: Pick<ExportChoice, 'format' | 'parts'>): void {
  const isOther = format !== undefined && !isDomainListFormat(format);
  if (isOther || parts.some((part) => ofDomains.every(({key}) => key !== part)))
    throw new Failure('usage', '--from exports domain blocks only', {hint: 'leave --from out to export other parts of the account'});
}

export function exportedDomains({key, entries}: ChosenDomains, choice: ExportChoice): ExportedPolicy {
  const {format, setting} = choice;
  const {value, left} = shown(entries, choice, publicDomains);
  // Checked before.
  const isList = format !== undefined && isDomainListFormat(format);
  return {written: isList ? writeDomainList(format, value, setting) : exportDomains(key, value), hidden: left};
}

/**
 * @param state of the sections that {@link exportedParts} names
 * @throws Failure `usage` when the format cannot hold the section; when one could not be read: an export without it would be wrong
 */
export function exportedState(state: State, now: Date, choice: ExportChoice): ExportedPolicy {
  const {format, setting} = choice;
  const {value, left} = shown(state, choice, publicState);
  const [part] = exportedParts(choice);
  const isList = format !== undefined && part !== undefined;
  return {written: isList ? exportList(format, part, value, now, setting) : exportPolicy(value, now), hidden: left};
}

/** A state without what the server does not offer, and what that is, with the reasons. */
export function withoutAbsent(state: State): {readonly offered: State; readonly absent: readonly string[]} {
  const left = sections.flatMap(({key}) => {
    const part = state[key];
    return part !== undefined && 'failure' in part && part.failure.code === 'not_found' ? [{key, why: part.failure.message}] : [];
  });
  const none = Object.fromEntries(left.map(({key}) => [key, undefined]));
  return {offered: {...state, ...none}, absent: left.map(({key, why}) => `${key}: ${why}`)};
}
