/** What `export` does: prints an account, a policy or lists as a policy, or as a list for another tool. */
import {fetchWaiting, listFlags} from './list-access.js';
import {type PolicyFlags, protectionFlags} from './flags.js';
import {readPolicyOrList} from './reading.js';
import {noteSkippedOf} from './remarks.js';
import type {PolicyRun} from './run.js';
import {printingOf, printResult} from '../printing.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';
import {textOf} from '../../client/text-input.js';
import {type Export, exportDomains, exportList, exportPolicy, publicDomains, publicState, type Published} from '../../policy/export.js';
import type {DomainList} from '../../policy/lists/list.js';
import {entriesOf, mergedEntries, type WantedDomains} from '../../policy/lists/merge.js';
import type {Wanted, WantedBySection} from '../../policy/lists/wanted.js';
import {
  holdsPrivate,
  isDomainListFormat,
  isDomainTableFormat,
  type ListFormat,
  listFormats,
  type WritableDomains,
  type WrittenList,
  writeDomainList,
} from '../../policy/lists/write-list.js';
import type {DomainsKey} from '../../policy/model/policy.js';
import type {State} from '../../policy/model/server-state.js';
import {type DomainsSection, ofDomains, sectionKeys, sections} from '../../policy/sections/index.js';
import {readState} from '../../policy/sections/read-state.js';

/** What is the account's own. */
const defaultParts = sections.flatMap(({key, owner}) => (owner === 'account' ? key : []));
/** The first section that a format holds. */
const defaultPart = (format: ListFormat) => sections.flatMap(({key, formats}) => (formats.includes(format) ? key : [])).slice(0, 1);

type ExportFlags = PolicyFlags & {readonly as?: string | undefined; readonly from?: readonly string[] | undefined};

/** @throws Failure `usage` for what the format cannot hold; that of what cannot be read */
export async function printExport(run: PolicyRun<ExportFlags>): Promise<void> {
  const {flags, session} = run;
  const format = listFormats.find((one) => one === flags.as);
  const chosenParts = sectionKeys.filter((part) => flags.only?.includes(part));
  const printing = await printingOf(session, format !== undefined && isDomainTableFormat(format));
  const chosen = chosenParts.length > 0 ? chosenParts : format === undefined ? defaultParts : defaultPart(format);
  const [part] = chosen;
  if (format !== undefined && (chosen.length !== 1 || part === undefined))
    throw new Failure('usage', `--as ${format} takes one part`, {hint: 'name it with --only'});
  if (session.traits.isRows)
    throw new Failure('usage', `Cannot export as ${session.format}`, {
      hint: 'a policy is YAML, or JSON with --json; choose a list format with --as',
    });
  const hides = flags['show-private'] !== true && (format === undefined || holdsPrivate(format, printing.fields));
  const shown = <Value>(value: Value, without: (all: Value) => Published<Value>): Value => {
    if (!hides) return value;
    const {left, value: published} = without(value);
    if (left !== undefined) session.warn(`left out, because it is private: ${left}; --show-private includes it`);
    return published;
  };
  if (flags.from !== undefined) {
    const isOther = format !== undefined && !isDomainListFormat(format);
    const chosenDomains = ofDomains.filter(({key}) => chosenParts.includes(key));
    if (isOther || chosenDomains.length !== chosenParts.length)
      throw new Failure('usage', '--from exports domain blocks only', {hint: 'leave --from out to export other parts of the account'});
    const {key, entries: all} = await entriesFrom(flags.from, chosenDomains, flags, session);
    const entries = shown(all, publicDomains);
    if (format !== undefined) return writeList(writeDomainList(format, entries, printing), format, session);
    return printPolicy(exportDomains(key, entries), session);
  }
  const lone = [...Object.keys(listFlags), ...Object.keys(protectionFlags)].find((name) => name in flags);
  if (lone !== undefined) throw new Failure('usage', `--${lone} is for --from`);
  const connection = await run.connection();
  const {client, server} = connection;
  const read = await readState(client, server.origin, new Set(chosen));
  const state = shown(chosenParts.length > 0 || format !== undefined ? read : withoutAbsent(read, session), publicState);
  const now = session.io.now();
  if (format !== undefined && part !== undefined) return writeList(exportList(format, part, state, now, printing), format, session);
  await printPolicy(exportPolicy(state, now), session);
}

function warnOfLeftOut({leftOut}: Pick<Export, 'leftOut'>, form: string, session: Session): void {
  for (const what of leftOut) session.warn(`left out, because ${form} cannot express it: ${what}`);
}

async function writeList(list: WrittenList, format: ListFormat, session: Session): Promise<void> {
  warnOfLeftOut(list, format, session);
  await session.io.write(list.text, 'data');
}

async function printPolicy(policy: Export, session: Session): Promise<void> {
  warnOfLeftOut(policy, 'a policy', session);
  await printResult({document: async () => policy.json, plain: () => policy.text}, session);
}

async function textAt(name: string, session: Session): Promise<string> {
  if (!/^https?:\/\//i.test(name)) return session.io.read(name, name);
  return textOf((await fetchWaiting(name, session)).bytes, name);
}

/** Domains, and the section of a policy that they are for. */
interface ChosenDomains {
  readonly key: DomainsKey;
  readonly entries: WritableDomains;
}

/**
 * The domains of a policy, or of lists.
 * @param chosen the sections that are asked for; none: whichever the policy has
 * @throws Failure `usage` for a policy beside anything else or with several sections of domains, and for lists that are empty or not of
 *   domains
 */
async function entriesFrom(
  names: readonly string[],
  chosen: readonly DomainsSection[],
  flags: PolicyFlags,
  session: Session,
): Promise<ChosenDomains> {
  const lists: DomainList[] = [];
  for (const given of names) {
    const text = await textAt(given, session);
    const name = given === '-' ? 'standard input' : given;
    const read = await readPolicyOrList(name, text, flags, session);
    if ('wanted' in read) {
      if (names.length > 1) throw new Failure('usage', `${name} is a policy`, {hint: '--from takes one policy, or any number of lists'});
      const domains = domainsIn(name, read.wanted.domains, chosen);
      return {key: domains.rules.of.key, entries: notHeldBack(domains, read.wanted, session)};
    }
    const {list} = read;
    if (list.kind !== 'domains') throw new Failure('usage', `${name} is a list of ${list.kind}, not of domains`);
    if (list.entries.length === 0) throw new Failure('usage', `The list ${name} names no domain`);
    lists.push(list);
  }
  const [first] = chosen.length > 0 ? chosen : ofDomains;
  if (first === undefined) throw new Error('No section of policies has domains');
  return {key: first.key, entries: mergedEntries(lists)};
}

function domainsIn(name: string, domains: WantedBySection, chosen: readonly DomainsSection[]): WantedDomains {
  const keys = chosen.map(({key}) => key);
  const [first, other] = [...domains].filter(([key]) => keys.length === 0 || keys.includes(key));
  if (first === undefined) throw new Failure('usage', `${name} has no rules about ${keys.length === 0 ? 'domains' : keys.join(', ')}`);
  if (other === undefined) return first[1];
  throw new Failure('usage', `${name} has rules about ${first[0]} and ${other[0]}`, {hint: 'choose one with --only'});
}

const nobody = {value: {counts: new Map<string, number>(), readAt: new Date(0)}} as const;

/** The domains that a policy wants blocked, without those that it protects. */
function notHeldBack(domains: WantedDomains, wanted: Wanted, session: Session): WritableDomains {
  const held = [...domains.wanted.keys()].flatMap((subject) => {
    // It reads no account, so nobody is followed.
    const why = domains.protection.heldBack(subject, {...wanted, followed: nobody});
    return why === undefined ? [] : [{kind: domains.rules.of.kind, subject, ...why}];
  });
  noteSkippedOf([{account: '', skipped: held}], session);
  const names = new Set(held.map(({subject}) => subject));
  return entriesOf(domains, (domain) => names.has(domain));
}

/** Leaves out what the server does not offer, when it was not requested by name. */
function withoutAbsent(state: State, session: Session): State {
  const left = sections.flatMap(({key}) => {
    const part = state[key];
    if (part === undefined || !('failure' in part) || part.failure.code !== 'not_found') return [];
    session.note(`left out: ${key}: ${part.failure.message}`);
    return [[key, undefined] as const];
  });
  return {...state, ...Object.fromEntries(left)};
}
