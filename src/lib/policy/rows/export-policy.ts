/** Exports an account, a policy or lists: as a policy without differences, or as a list for another tool. */
import {Failure} from '../../client/failure.js';
import type {Client} from '../../client/client.js';
import {keepParsingFlat} from '../../files/memory.js';
import {countNoun} from '../../json/text.js';
import {openYaml} from '../../print/yaml.js';
import type {Actual, Item, Place} from '../sections/policy-kind.js';
import type {List} from '../lists/list.js';
import {entriesOf, mergedEntries, type WantedDomains} from '../lists/merge.js';
import {
  listBlocked,
  holdsPrivate,
  isDomainListFormat,
  type ListFormat,
  listFormats,
  type ListSetting,
  countTexts,
  describeLoss,
  type WritableDomain,
  writeDomainList,
  type WrittenList,
} from '../lists/write-list.js';
import {publicFacts, publicFields, writtenDomain} from '../model/domain-facts.js';
import type {PolicyWithLists} from '../reading/read-policy.js';
import {kindOfSection, kinds} from '../sections/index.js';
import {isBlock, isThere} from '../model/value.js';

export interface ExportChoice {
  /** Undefined: a policy. */
  readonly format: ListFormat | undefined;
  /** The sections to export; empty: the usual ones. */
  readonly only: readonly string[];
  readonly showsPrivate: boolean;
  readonly setting: ListSetting;
}

/** What is printed: a policy also as JSON. Notes say what was left out. */
export interface Exported {
  readonly document?: () => Promise<object>;
  readonly plain: () => string;
  readonly notes: readonly (string | {readonly text: string; readonly to: 'warning'})[];
}

interface LeftOut {
  /** What the format cannot hold. */
  readonly leftOut: readonly string[];
  /** The private comments: `2 private comments`; undefined: none are left out. */
  readonly hidden?: string | undefined;
  /** Sections that the server does not offer, with the reasons. */
  readonly absent?: readonly string[];
}

function noteLeftOut({leftOut, hidden, absent = []}: LeftOut, format = 'a policy'): Exported['notes'] {
  const why = (text: string) => ({text: `left out, because ${text}`, to: 'warning'}) as const;
  return [
    ...absent.map((what) => `left out: ${what}`),
    ...(hidden === undefined ? [] : [why(`it is private: ${hidden}; --show-private includes it`)]),
    ...leftOut.map((what) => why(`${format} cannot express it: ${what}`)),
  ];
}

/** A policy as YAML. @param json the policy as JSON */
export function policyText(json: string): string {
  keepParsingFlat(json.length);
  return openYaml({isList: false}).items([JSON.parse(json)]);
}

/** A policy may be long: each form of it is made when it is needed. */
const asPolicy = (policy: () => object, left: LeftOut): Exported => ({
  document: async () => policy(),
  plain: () => policyText(JSON.stringify(policy())),
  notes: noteLeftOut(left),
});

const asList = (format: ListFormat, {text, leftOut}: WrittenList, left: Omit<LeftOut, 'leftOut'>): Exported => ({
  plain: () => text,
  notes: noteLeftOut({leftOut, ...left}, format),
});

const keysHolding = (format: ListFormat): string[] => kinds.flatMap(({key, lists}) => (lists?.formats.includes(format) ? key : []));

/** Says which format can hold which sections; the largest group of formats is called `the others`. */
function holdersText(): string {
  const formatsOf = Map.groupBy(listFormats, (format) => keysHolding(format).join(', '));
  return [...formatsOf]
    .sort(([, one], [, other]) => one.length - other.length)
    .map(([keys, formats]) => `${formats.length > 1 ? 'the others' : formats.join('')}: ${keys}`)
    .join('; ');
}

export type ReadSections = ReadonlyMap<string, Actual | Failure>;

/**
 * Reads sections of an account, one after another.
 * @param seen gets the items as the server sent them
 */
export async function readSections(
  client: Client,
  keys: Iterable<string>,
  place: Place,
  seen?: (key: string, items: readonly unknown[]) => void,
): Promise<ReadSections> {
  const read = new Map<string, Actual | Failure>();
  for (const key of keys) {
    const kind = kindOfSection(key);
    try {
      const actual = await kind.read(client, place, seen && ((items) => seen(key, items)));
      read.set(key, {...actual, items: new Map([...actual.items].filter(([, {value}]) => isThere(value)))});
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      read.set(key, new Failure(error.code, `Cannot read ${kind.words.all} of ${client.host}: ${error.message}`, error.details));
    }
  }
  return read;
}

/** One section as a list for another tool. @throws Failure `usage` when the format cannot hold it; also when it could not be read */
export function exportList(
  format: ListFormat,
  key: string,
  actual: Actual | Failure | undefined,
  how: {readonly host: string; readonly now: Date; readonly setting?: ListSetting | undefined},
): WrittenList {
  const {lists} = kindOfSection(key);
  if (lists?.formats.includes(format) !== true || actual === undefined)
    throw new Failure('usage', `${format} cannot hold ${key}`, {hint: holdersText()});
  if (actual instanceof Failure) throw actual;
  return lists.write(format, actual, how);
}

/** The sections to read for an export. @throws Failure `usage` for a list of several sections */
export function sectionsToExport({format, only}: ExportChoice): readonly string[] {
  if (format !== undefined && only.length > 1) throw new Failure('usage', `--as ${format} takes one part`, {hint: 'name it with --only'});
  if (only.length > 0) return only;
  if (format === undefined) return kinds.flatMap(({key, owner}) => (owner === 'account' ? key : []));
  return keysHolding(format).slice(0, 1);
}

/** @throws Failure `usage` for a format or a section that is not about domains */
export function refuseOthersThanDomains({format, only}: ExportChoice): void {
  const isOther = format !== undefined && !isDomainListFormat(format);
  if (isOther || only.some((key) => kindOfSection(key).ofDomains === undefined))
    throw new Failure('usage', '--from exports domain blocks only', {hint: 'leave --from out to export other parts of the account'});
}

const hides = ({format, showsPrivate, setting}: ExportChoice): boolean =>
  !showsPrivate && (format === undefined || holdsPrivate(format, setting.fields));

/**
 * @param all the sections of an account
 * @throws Failure `usage` when the format cannot hold the section; also when a section could not be read, as an export without it would be wrong
 */
export function exportAccount(all: ReadSections, choice: ExportChoice, {host, now}: Place): Exported {
  const {format, only, setting} = choice;
  const isNamed = only.length > 0 || format !== undefined;
  // A section that was asked for by name is never left out.
  const isAbsent = (actual: Actual | Failure): actual is Failure => actual instanceof Failure && actual.code === 'not_found' && !isNamed;
  const absent = [...all].flatMap(([key, actual]) => (isAbsent(actual) ? [`${key}: ${actual.message}`] : []));
  let count = 0;
  const shownItem = (item: Item): Item => {
    const {value} = item;
    if (!hides(choice) || !isBlock(value) || value.private_comment === undefined) return item;
    count += 1;
    return {...item, value: publicFacts(value)};
  };
  const read = new Map(
    Array.from(all, ([key, actual]): [string, Actual | Failure] => [
      key,
      actual instanceof Failure ? actual : {...actual, items: new Map(Array.from(actual.items, ([name, item]) => [name, shownItem(item)]))},
    ]).filter(([, actual]) => !isAbsent(actual)),
  );
  const left = {hidden: count === 0 ? undefined : countNoun(count, 'private comment'), absent};
  const [key] = sectionsToExport(choice);
  if (format !== undefined && key !== undefined) return asList(format, exportList(format, key, read.get(key), {host, now, setting}), left);
  const parts = [...read].map(([name, actual]) => {
    if (actual instanceof Failure) throw actual;
    return {name, ...kindOfSection(name).policy.write(actual)};
  });
  const policy = () => ({version: 1, ...Object.fromEntries(parts.map(({name, value}) => [name, value]))});
  return asPolicy(policy, {...left, leftOut: parts.flatMap(({leftOut}) => leftOut)});
}

function exportDomains(key: string, all: readonly WritableDomain[], choice: ExportChoice): Exported {
  const {format, setting} = choice;
  const isHiding = hides(choice);
  const hidden = isHiding ? describeLoss(['severity', 'until', ...publicFields()], listBlocked(all)) : undefined;
  const entries = isHiding ? all.map((entry) => ({...entry, facts: publicFacts(entry.facts)})) : all;
  if (format !== undefined && isDomainListFormat(format)) return asList(format, writeDomainList(format, entries, setting), {hidden});
  const must = () => listBlocked(entries).map(({domain, facts, until}) => writtenDomain(domain, {...facts, until}));
  return asPolicy(() => ({version: 1, [key]: {must: must()}}), {hidden, leftOut: countTexts(entries, ['noop'])});
}

/** The domains that a policy wants blocked. @param name of the policy @throws Failure `usage` for several sections of domains, or none */
export function exportWanted({domains}: PolicyWithLists, name: string, choice: ExportChoice): Exported {
  const found = domainsIn(name, domains, choice.only);
  return exportDomains(found.rules.of.key, entriesOf(found), choice);
}

function domainsIn(name: string, domains: PolicyWithLists['domains'], keys: readonly string[]): WantedDomains {
  const [first, other] = [...domains].filter(([key]) => keys.length === 0 || keys.includes(key));
  if (first === undefined) throw new Failure('usage', `${name} has no rules about ${keys.length === 0 ? 'domains' : keys.join(', ')}`);
  if (other === undefined) return first[1];
  throw new Failure('usage', `${name} has rules about ${first[0]} and ${other[0]}`, {hint: 'choose one with --only'});
}

/** The domains of lists, merged. @throws Failure `usage` for lists that are empty or not of domains */
export function exportLists(lists: readonly {readonly name: string; readonly list: List}[], choice: ExportChoice): Exported {
  const merged = lists.map(({name, list}) => {
    if (list.kind !== 'domains') throw new Failure('usage', `${name} is a list of ${list.kind}, not of domains`);
    if (list.entries.length === 0) throw new Failure('usage', `The list ${name} names no domain`);
    return list;
  });
  const key = kinds.find(({key: one, ofDomains}) => ofDomains && (choice.only.length === 0 || choice.only.includes(one)))?.key;
  if (key === undefined) throw new Error('No section of policies has domains');
  return exportDomains(key, mergedEntries(merged), choice);
}
