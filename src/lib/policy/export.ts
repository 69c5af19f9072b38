/** Exports the state as a policy without differences, or as lists for other tools. */
import {Failure} from '../client/failure.js';
import {keepParsingFlat} from '../files/memory.js';
import {counted} from '../json/text.js';
import {openYaml} from '../print/yaml.js';
import {optionalFields, withoutPrivate, writtenDomain} from './model/domain-facts.js';
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
  return openYaml({isList: false}).items([json]);
}

/** A policy without private comments. */
export interface Published {
  readonly text: () => string;
  /** How many there are; undefined: none. */
  readonly left: string | undefined;
}

/**
 * Exports every section of the state that was read.
 * @throws Failure when one could not be read: a policy without it would be wrong
 */
export function exportPolicy(state: State, now: Date): Export & {readonly published: Published} {
  const parts = sections.flatMap((section) => {
    const found = section.exported(state, now);
    return found === undefined ? [] : [{key: section.key, ...found}];
  });
  const policyOf = (rules: readonly (readonly [SectionKey, object])[]) => ({
    version: 1,
    server: state.server,
    ...Object.fromEntries(rules),
  });
  const policy = policyOf(parts.map(({key, value}) => [key, value]));
  let comments = 0;
  withoutPrivate(policy, () => (comments += 1));
  const open = () => withoutPrivate(policyOf(parts.map(({key, value, published: own = value}) => [key, own])));
  const published = {
    text: () => policyText(JSON.stringify(open())),
    left: comments === 0 ? undefined : counted(comments, 'private comment'),
  };
  const leftOut = parts.flatMap((part) => part.leftOut);
  return Object.assign(
    exported(() => policy, leftOut),
    {published},
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

/** Which private comments are left out where domains are published, in words. */
export function privateText(entries: WritableDomains): string | undefined {
  return lostBy(
    ['severity', ...optionalFields].filter((name) => name !== 'private_comment'),
    blockedOnly(entries),
  );
}

/** Exports domains as a policy that wants them blocked, with what is said about them. @param isPublished whether private comments are left out */
export function exportDomains(key: DomainsKey, entries: WritableDomains, isPublished = false): Export {
  const entryOf = ({domain, facts, until}: WritableDomain) => writtenDomain(domain, {...facts, until}, isPublished);
  const policy = () => ({version: 1, [key]: {must: Array.from(blockedOnly(entries), entryOf)}});
  const noop = noopText(entries);
  return exported(policy, noop === undefined ? [] : [noop]);
}
