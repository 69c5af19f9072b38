/** Exports the state as a policy without differences, or as lists for other tools. */
import {Failure} from '../client/failure.js';
import {openYaml} from '../print/yaml.js';
import {blocked, optionalFields, publicFacts} from './model/domain-facts.js';
import {blockedOnly, type ListFormat, listFormats, type ListSetting, lostBy, noopText, type WritableDomain} from './lists/write-list.js';
import {compareText} from './source/location.js';
import {sections} from './sections/index.js';
import type {SectionKey} from './model/section-types.js';
import type {State} from './model/server-state.js';

export interface Export {
  /** YAML, the same for the same state. */
  readonly text: string;
  /** What a policy cannot express, and is left out. */
  readonly leftOut: readonly string[];
}

/**
 * Exports every section of the state that was read.
 * @throws Failure when one could not be read: a policy without it would be wrong
 */
export function exportPolicy(state: State, now: Date): Export {
  const exported = sections.flatMap((section) => {
    const found = section.exported(state, now);
    return found === undefined ? [] : [{key: section.key, ...found}];
  });
  const rules = exported.map(({key, value}) => [key, value] as const);
  const policy = {version: 1, server: state.server, ...Object.fromEntries(rules)};
  const text = openYaml({isList: false}).items([JSON.stringify(policy)]);
  return {text, leftOut: exported.flatMap(({leftOut}) => leftOut)};
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
export function exportList(format: ListFormat, key: SectionKey, state: State, now: Date, setting?: ListSetting): string {
  const section = sections.find((one) => one.key === key);
  if (section?.list !== undefined && section.formats.includes(format) && state[key] !== undefined)
    return section.list(format, state, now, setting);
  throw new Failure('usage', `${format} cannot hold ${key}`, {hint: holdersText()});
}

/** Domains as they may be published, and which private comments that leaves out, in words. */
export function publicEntries(entries: readonly WritableDomain[]): {
  readonly entries: WritableDomain[];
  readonly leftOut?: string | undefined;
} {
  const columns = ['severity', ...optionalFields].filter((name) => name !== 'private_comment');
  return {
    entries: entries.map(({domain, facts}) => ({domain, facts: publicFacts(facts)})),
    leftOut: lostBy(columns, blockedOnly(entries)),
  };
}

/** Exports domains as a policy that wants them blocked, with what is said about them. */
export function exportDomains(entries: readonly WritableDomain[]): Export {
  const wanted = blockedOnly(entries).sort((one, other) => compareText(one.domain, other.domain));
  const must = wanted.map(({domain, facts: {severity, ...facts}}) => {
    const said = Object.entries(facts).filter(([, value]) => value !== undefined);
    const entry = {domain, ...(severity !== blocked.severity && {severity}), ...Object.fromEntries(said)};
    return Object.keys(entry).length === 1 ? domain : entry;
  });
  const noop = noopText(entries);
  return {
    text: openYaml({isList: false}).items([JSON.stringify({version: 1, domain_blocks: {must}})]),
    leftOut: noop === undefined ? [] : [noop],
  };
}
