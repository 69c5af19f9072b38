/** Exports an account, a policy or lists: as a policy without differences, or as a list for another tool. */
import type {Client} from '../../client/client.js';
import {Failure} from '../../client/failure.js';
import {keepParsingFlat} from '../../files/memory.js';
import {countNoun} from '../../json/text.js';
import {openYaml} from '../../print/yaml.js';
import type {DomainList} from '../lists/list.js';
import {entriesOf, mergedEntries} from '../lists/merge.js';
import {
  countNoop,
  describeLoss,
  holdsPrivate,
  isDomainListFormat,
  listBlocked,
  type ListFormat,
  type ListSetting,
  type WritableDomain,
  writeDomainList,
} from '../lists/write-list.js';
import {optionalFields, publicFacts, writtenDomain} from '../model/domain-facts.js';
import {isBlock, isThere} from '../model/value.js';
import type {PolicyWithLists} from '../reading/read-policy.js';
import {kindOfSection, kinds} from '../sections/index.js';
import type {Actual, Item} from '../sections/policy-kind.js';
import {canHold, writeList, writeSection} from '../sections/written.js';

export interface ExportChoice {
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

interface NamedFile {
  readonly name: string;
  readonly given?: PolicyWithLists | undefined;
  readonly list?: DomainList | undefined;
}

/** What is exported: the sections of an account, or files, which are read once it is known that the choice can be exported. */
type ExportSource = {readonly client: Client; readonly now: Date} | {readonly readFiles: () => Promise<readonly NamedFile[]>};

/** @throws Failure `usage` when the format cannot hold a section, or a file has no domains; also when something cannot be read */
export async function exportPolicy(choice: ExportChoice, source: ExportSource): Promise<Exported> {
  const keys = sectionsToExport(choice);
  if ('client' in source) return exportAccount(await readSections(source.client, keys, source.now), choice, source.now);
  const {format, only} = choice;
  const isOther = format !== undefined && !isDomainListFormat(format);
  if (isOther || only.some((key) => kindOfSection(key).section.noun !== 'domain'))
    throw new Failure('usage', '--from exports domain blocks only', {hint: 'leave --from out to export other parts of the account'});
  const files = await source.readFiles();
  const policy = files.find(({given}) => given !== undefined);
  if (policy?.given === undefined) {
    const lists = files.flatMap(({list}) => list ?? []);
    return exportDomains(only[0] ?? 'domain_blocks', mergedEntries(lists), choice);
  }
  if (files.length > 1) throw new Failure('usage', `${policy.name} is a policy`, {hint: '--from takes one policy, or any number of lists'});
  return exportWanted(policy.given, policy.name, choice);
}

/** The sections to read for an export. @throws Failure `usage` for a list of several sections */
export function sectionsToExport({format, only}: ExportChoice): readonly string[] {
  if (format !== undefined && only.length > 1) throw new Failure('usage', `--as ${format} takes one part`, {hint: 'name it with --only'});
  if (only.length > 0) return only;
  if (format === undefined) return kinds.flatMap(({key, owner}) => (owner === 'account' ? key : []));
  return keysHolding(format).slice(0, 1);
}

const keysHolding = (format: ListFormat): string[] => kinds.flatMap((kind) => (canHold(format, kind) ? kind.key : []));

export type ReadSections = ReadonlyMap<string, Actual | Failure>;

/**
 * Reads sections of an account, one after another.
 * @param seen gets the items as the server sent them
 */
export async function readSections(
  client: Client,
  keys: Iterable<string>,
  now: Date,
  seen?: (key: string, items: readonly unknown[]) => void,
): Promise<ReadSections> {
  const read = new Map<string, Actual | Failure>();
  for (const key of keys) {
    const kind = kindOfSection(key);
    try {
      const actual = await kind.read(client, now, seen && ((items) => seen(key, items)));
      read.set(key, {...actual, items: new Map([...actual.items].filter(([, {value}]) => isThere(value)))});
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      read.set(key, new Failure(error.code, `Cannot read the ${kind.item}s of ${client.host}: ${error.message}`, error.details));
    }
  }
  return read;
}

/** A policy as YAML. @param json the policy as JSON */
export function policyText(json: string): string {
  keepParsingFlat(json.length);
  return openYaml({isList: false}).items([JSON.parse(json)]);
}

/** A policy may be long: each form of it is made when it is needed. */
const asPolicy = (sections: () => object): Pick<Exported, 'document' | 'plain'> => ({
  document: async () => ({version: 1, ...sections()}),
  plain: () => policyText(JSON.stringify({version: 1, ...sections()})),
});

/** @param hidden the private comments that are left out: `2 private comments` @param leftOut what the format cannot hold */
function noteLeftOut(hidden: string | undefined, leftOut: readonly string[], format = 'a policy'): Exported['notes'] {
  const reasons = [
    ...(hidden === undefined ? [] : [`it is private: ${hidden}; --show-private includes it`]),
    ...leftOut.map((what) => `${format} cannot express it: ${what}`),
  ];
  return reasons.map((why) => ({text: `left out, because ${why}`, to: 'warning'}));
}

const hides = ({format, showsPrivate, setting}: ExportChoice): boolean =>
  !showsPrivate && (format === undefined || holdsPrivate(format, setting.fields));

/**
 * @param all the sections of an account
 * @throws Failure `usage` when the format cannot hold the section; also when a section could not be read, as an export without it would be wrong
 */
export function exportAccount(all: ReadSections, choice: ExportChoice, now: Date): Exported {
  const {format, only, setting} = choice;
  const absent: string[] = [];
  let hidden = 0;
  const shownItem = ([name, item]: readonly [string, Item]): [string, Item] => {
    const {value} = item;
    if (!hides(choice) || !isBlock(value) || value.private_comment === undefined) return [name, item];
    hidden += 1;
    return [name, {...item, value: publicFacts(value)}];
  };
  const read = [...all].flatMap(([key, actual]) => {
    if (!(actual instanceof Failure)) return {key, actual: {...actual, items: new Map(Array.from(actual.items, shownItem))}};
    // A section that was asked for by name is never left out.
    if (actual.code !== 'not_found' || only.length > 0 || format !== undefined) throw actual;
    absent.push(`left out: ${key}: ${actual.message}`);
    return [];
  });
  const comments = hidden === 0 ? undefined : countNoun(hidden, 'private comment');
  const [first] = read;
  if (format !== undefined) {
    const [key = ''] = sectionsToExport(choice);
    const kind = kindOfSection(key);
    if (!canHold(format, kind) || first === undefined)
      throw new Failure('usage', `${format} cannot hold ${key}`, {hint: `it holds ${keysHolding(format).join(', ')}`});
    const {text, leftOut} = writeList(kind, format, first.actual, {...setting, now: () => now});
    return {plain: () => text, notes: noteLeftOut(comments, leftOut, format)};
  }
  const parts = read.map(({key, actual}) => ({key, ...writeSection(kindOfSection(key), actual)}));
  return {
    ...asPolicy(() => Object.fromEntries(parts.map(({key, value}) => [key, value]))),
    notes: [
      ...absent,
      ...noteLeftOut(
        comments,
        parts.flatMap(({leftOut}) => leftOut),
      ),
    ],
  };
}

function exportDomains(key: string, all: readonly WritableDomain[], choice: ExportChoice): Exported {
  const {format, setting} = choice;
  const isHiding = hides(choice);
  const hidden = isHiding
    ? describeLoss(['severity', 'until', ...optionalFields.filter((name) => name !== 'private_comment')], listBlocked(all))
    : undefined;
  const entries = isHiding ? all.map((entry) => ({...entry, facts: publicFacts(entry.facts)})) : all;
  if (format !== undefined && isDomainListFormat(format)) {
    const {text, leftOut} = writeDomainList(format, entries, setting);
    return {plain: () => text, notes: noteLeftOut(hidden, leftOut, format)};
  }
  const must = () => listBlocked(entries).map(({domain, facts, until}) => writtenDomain(domain, {...facts, until}));
  return {...asPolicy(() => ({[key]: {must: must()}})), notes: noteLeftOut(hidden, countNoop(entries))};
}

/** The domains that a policy wants blocked. @param name of the policy @throws Failure `usage` for several sections of domains, or none */
export function exportWanted({policy, domains}: PolicyWithLists, name: string, choice: ExportChoice): Exported {
  const {only} = choice;
  const [first, other] = [...domains].filter(([key]) => only.length === 0 || only.includes(key));
  if (first === undefined) throw new Failure('usage', `${name} has no rules about ${only.length === 0 ? 'domains' : only.join(', ')}`);
  if (other !== undefined)
    throw new Failure('usage', `${name} has rules about ${first[0]} and ${other[0]}`, {hint: 'choose one with --only'});
  const [key, wanted] = first;
  const exported = exportDomains(key, entriesOf(wanted), choice);
  const others = [...(wanted.mustNot.size > 0 ? [`${key}.must_not`] : []), ...[...policy.rules.keys()].filter((one) => one !== key)];
  if (choice.format !== undefined || only.length > 0 || others.length === 0) return exported;
  const text = `left out, because --from exports domains that must be blocked, and no more: ${others.join(', ')}`;
  return {...exported, notes: [...exported.notes, {text, to: 'warning'}]};
}
