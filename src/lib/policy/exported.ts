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
import type {DomainsKey} from './model/policy.js';
import type {SectionKey} from './model/section-types.js';
import type {State} from './model/server-state.js';
import {ofDomains, sections} from './sections/index.js';
import {enumerated} from '../json/text.js';

/** What is exported, and how. */
interface ExportChoice {
  /** Undefined: a policy. */
  readonly format: ListFormat | undefined;
  /** The sections that are asked for; none: those that are usual. */
  readonly parts: readonly SectionKey[];
  readonly showsPrivate: boolean;
  readonly setting: ListSetting;
}

/** What is printed, and what is not in it. */
export interface Exported {
  /** A policy has two forms, each made when it is needed. */
  readonly written: Pick<Export, 'leftOut' | 'text'> & Partial<Pick<Export, 'json'>>;
  /** The private comments that are not in it, in words. */
  readonly hidden: string | undefined;
  /** What the server does not offer, with the reasons. */
  readonly absent: readonly string[];
}

/** Makes what is printed of an account, a policy or lists. */
export class Exporter {
  /** The sections of an account that are read. */
  readonly sections: readonly SectionKey[];
  readonly #choice: ExportChoice;

  /** @throws Failure `usage` for a list of several sections */
  constructor(choice: ExportChoice) {
    this.#choice = choice;
    this.sections = sectionsFor(choice);
  }

  /** Why there are no private comments to show; undefined: there may be some. @param isOfServer unlike a policy or lists */
  whyNothingPrivate(isOfServer: boolean): string | undefined {
    const {format, setting} = this.#choice;
    if (format !== undefined && !holdsPrivate(format, setting.fields)) return `--as ${format} has no private comments`;
    if (!isOfServer || sections.some(({key, sendsPrivate}) => sendsPrivate === true && this.sections.includes(key))) return undefined;
    return `servers keep no private comments in ${enumerated(this.sections, 'or')}`;
  }

  /** @throws Failure `usage` for a format or sections of something else than domains */
  refuseOthersThanDomains(): void {
    const {format, parts} = this.#choice;
    const isOther = format !== undefined && !isDomainListFormat(format);
    if (isOther || parts.some((part) => ofDomains.every(({key}) => key !== part)))
      throw new Failure('usage', '--from exports domain blocks only', {hint: 'leave --from out to export other parts of the account'});
  }

  /**
   * The domains that a policy wants blocked.
   * @param name of the policy @throws Failure `usage` for several sections of domains, or none
   */
  ofPolicy(wanted: Wanted, name: string): Exported {
    const domains = domainsIn(name, wanted.domains, this.#choice.parts);
    return this.#ofDomains(domains.rules.of.key, entriesOf(domains));
  }

  /** The domains of lists, merged. @throws Failure `usage` for lists that are empty or not of domains */
  ofLists(lists: readonly {readonly name: string; readonly list: List}[]): Exported {
    const merged = lists.map(({name, list}) => {
      if (list.kind !== 'domains') throw new Failure('usage', `${name} is a list of ${list.kind}, not of domains`);
      if (list.entries.length === 0) throw new Failure('usage', `The list ${name} names no domain`);
      return list;
    });
    const {parts} = this.#choice;
    const [first] = ofDomains.filter(({key}) => parts.length === 0 || parts.includes(key));
    if (first === undefined) throw new Error('No section of policies has domains');
    return this.#ofDomains(first.key, mergedEntries(merged));
  }

  #ofDomains(key: DomainsKey, entries: WritableDomains): Exported {
    const {format, setting} = this.#choice;
    const {value, left} = this.#shown(entries, publicDomains);
    // Checked before.
    const isList = format !== undefined && isDomainListFormat(format);
    return {written: isList ? writeDomainList(format, value, setting) : exportDomains(key, value), hidden: left, absent: []};
  }

  /**
   * @param read the sections of an account
   * @throws Failure `usage` when the format cannot hold the section; when one could not be read: an export without it would be wrong
   */
  ofState(read: State, now: Date): Exported {
    const {format, parts, setting} = this.#choice;
    // What was requested by name is not left out.
    const {offered, absent} = parts.length > 0 || format !== undefined ? {offered: read, absent: []} : withoutAbsent(read);
    const {value, left} = this.#shown(offered, publicState);
    const [part] = this.sections;
    const isList = format !== undefined && part !== undefined;
    const written = isList ? exportList(format, part, value, now, setting) : exportPolicy(value, now);
    return {written, hidden: left, absent};
  }

  #shown<Value>(value: Value, without: (all: Value) => Published<Value>): Published<Value> {
    const {format, showsPrivate, setting} = this.#choice;
    const isHidden = !showsPrivate && (format === undefined || holdsPrivate(format, setting.fields));
    return isHidden ? without(value) : {value, left: undefined};
  }
}

function sectionsFor({format, parts}: ExportChoice): readonly SectionKey[] {
  if (format !== undefined && parts.length > 1) throw new Failure('usage', `--as ${format} takes one part`, {hint: 'name it with --only'});
  if (parts.length > 0) return parts;
  if (format === undefined) return sections.flatMap(({key, owner}) => (owner === 'account' ? key : []));
  return sections.flatMap(({key, formats}) => (formats.includes(format) ? key : [])).slice(0, 1);
}

function domainsIn(name: string, domains: WantedBySection, keys: readonly SectionKey[]): WantedDomains {
  const [first, other] = [...domains].filter(([key]) => keys.length === 0 || keys.includes(key));
  if (first === undefined) throw new Failure('usage', `${name} has no rules about ${keys.length === 0 ? 'domains' : keys.join(', ')}`);
  if (other === undefined) return first[1];
  throw new Failure('usage', `${name} has rules about ${first[0]} and ${other[0]}`, {hint: 'choose one with --only'});
}

/** A state without what the server does not offer, and what that is, with the reasons. */
function withoutAbsent(state: State): {readonly offered: State; readonly absent: readonly string[]} {
  const left = sections.flatMap(({key}) => {
    const part = state[key];
    return part !== undefined && 'failure' in part && part.failure.code === 'not_found' ? [{key, why: part.failure.message}] : [];
  });
  const none = Object.fromEntries(left.map(({key}) => [key, undefined]));
  return {offered: {...state, ...none}, absent: left.map(({key, why}) => `${key}: ${why}`)};
}
