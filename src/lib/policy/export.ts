/** Exports the state as a policy without differences, or as lists for other tools. */
import {Failure} from '../client/failure.js';
import {keepParsingFlat} from '../files/memory.js';
import {counted} from '../json/text.js';
import {openYaml} from '../print/yaml.js';
import {publicFacts, publicFields, writtenDomain} from './model/domain-facts.js';
import {
  blockedOnly,
  type ListFormat,
  listFormats,
  type ListSetting,
  lostBy,
  noopText,
  type WritableDomain,
  type WritableDomains,
  type WrittenList,
} from './lists/write-list.js';
import type {DomainsKey} from './model/policy.js';
import {sections} from './sections/index.js';
import type {SectionKey} from './model/section-types.js';
import type {State} from './model/server-state.js';

export interface Export {
  readonly json: string;
  /** YAML, the same for the same state. */
  readonly text: string;
  /** What a policy cannot express, and is left out. */
  readonly leftOut: readonly string[];
}

/** A policy may be long: each form of it is made when a format needs it. */
function exported(policy: () => object, leftOut: readonly string[]): Export {
  return {
    get json() {
      return JSON.stringify(policy());
    },
    get text() {
      return policyText(this.json);
    },
    leftOut,
  };
}

/** @param json of a policy */
export function policyText(json: string): string {
  keepParsingFlat(json.length);
  return openYaml({isList: false}).items([JSON.parse(json)]);
}

/**
 * Exports every section of the state that was read.
 * @throws Failure when one could not be read: a policy without it would be wrong
 */
export function exportPolicy(state: State, now: Date): Export {
  const parts = sections.flatMap((section) => {
    const found = section.exported(state, now);
    return found === undefined ? [] : [{key: section.key, ...found}];
  });
  const rules = Object.fromEntries(parts.map(({key, value}) => [key, value]));
  return exported(
    () => ({version: 1, ...rules}),
    parts.flatMap((part) => part.leftOut),
  );
}

/** The sections that formats hold, for people: a format that holds others than the rest is named. */
function holdersText(): string {
  const formatsOf = Map.groupBy(listFormats, (format) =>
    sections.flatMap(({key, formats}) => (formats.includes(format) ? key : [])).join(', '),
  );
  return [...formatsOf]
    .sort(([, one], [, other]) => one.length - other.length)
    .map(([keys, formats]) => `${formats.length > 1 ? 'the others' : formats.join('')}: ${keys}`)
    .join('; ');
}

/**
 * Exports one section of the state as a list for another tool.
 * @throws Failure `usage` when the format cannot hold it
 */
export function exportList(format: ListFormat, key: SectionKey, state: State, now: Date, setting?: ListSetting): WrittenList {
  const section = sections.find((one) => one.key === key);
  if (section?.list !== undefined && section.formats.includes(format) && state[key] !== undefined)
    return section.list(format, state, now, setting);
  throw new Failure('usage', `${format} cannot hold ${key}`, {hint: holdersText()});
}

/** What is exported without private comments, and in words which these are; undefined: there are none. */
export interface Published<Value> {
  readonly value: Value;
  readonly left: string | undefined;
}

export function publicDomains(entries: WritableDomains): Published<WritableDomains> {
  const value = {
    *[Symbol.iterator]() {
      for (const entry of entries) yield {...entry, facts: publicFacts(entry.facts)};
    },
  };
  return {value, left: lostBy(['severity', ...publicFields()], blockedOnly(entries))};
}

export function publicState(state: State): Published<State> {
  const parts = sections.flatMap((section) => section.withoutPrivate?.(state) ?? []);
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const value = Object.assign({}, state, ...parts.map(({part}) => part));
  return {value, left: count === 0 ? undefined : counted(count, 'private comment')};
}

/** Exports domains as a policy that wants them blocked, with what is said about them. */
export function exportDomains(key: DomainsKey, entries: WritableDomains): Export {
  const entryOf = ({domain, facts, until}: WritableDomain) => writtenDomain(domain, {...facts, until});
  const policy = () => ({version: 1, [key]: {must: Array.from(blockedOnly(entries), entryOf)}});
  const noop = noopText(entries);
  return exported(policy, noop === undefined ? [] : [noop]);
}
