/** What the commands about policies share: flags, targets, reading, and notes. */
import {Args, Flags} from '@oclif/core';
import type {Accounts, PerAccount} from '../accounts.js';
import {type Connection, knownProfiles} from '../connection.js';
import {type GivenFlags, type relationsFlags, repeatable} from '../flags.js';
import {listAccess, type ListFlags, sameLists} from './list-access.js';
import {notePart, type partFlags, partIn} from './part.js';
import type {stateFlags} from './state-files.js';
import type {Session} from '../session.js';
import {knownAccount} from '../../auth/identity.js';
import {Failure} from '../../client/failure.js';
import type {SuggestedFlags} from '../../client/suggest.js';
import {blockableOf, isTopLevel} from '../../operations/domains.js';
import {handleOf, type Named} from '../../operations/handle.js';
import type {Remarks} from '../../policy/plan/apply.js';
import type {PrivateComments} from '../../policy/model/domain-facts.js';
import {adviceOf, policyName, type Skipped, type Target, unknownAccount} from '../../policy/model/difference.js';
import type {List} from '../../policy/lists/list.js';
import {copyText} from '../../policy/lists/agreement.js';
import {type ListSummary, summaryOf, type WantedDomains} from '../../policy/lists/merge.js';
import {readList, refuseRowMistakes} from '../../policy/lists/read-list.js';
import {locationText} from '../../policy/source/location.js';
import {AccountSet, whoText} from '../../policy/plan/plan-text.js';
import {reachTexts} from '../../policy/plan/reach.js';
import {refuseOtherAccount, refuseOtherServer} from '../../policy/reading/policy-file.js';
import {policyIn} from '../../policy/reading/part.js';
import type {Section} from '../../policy/section/section.js';
import {isPolicy, refuseLargeFetched} from '../../policy/reading/policy-or-list.js';
import {readWanted, wantedFor} from '../../policy/reading/read-wanted.js';
import {summariesIn, type Wanted, type WantedBySection} from '../../policy/lists/wanted.js';
import {itemName, ofDomains, shownSubject} from '../../policy/sections/index.js';
import {andMore, counted, enumerated, firstOf} from '../../json/text.js';

/** Protected domains that are blocked anyway. */
export const protectionFlags = {
  'block-protected': repeatable('block this domain even if the policy protects it (repeatable)', 'DOMAIN'),
};

/** @throws Failure `usage` where something of another kind is named than what the flag protects from */
function refuseUnprotecting(flags: GivenFlags<typeof protectionFlags>, what: string): void {
  if (flags['block-protected'] === undefined) return;
  throw new Failure('usage', `--block-protected has no effect: ${what}`, {hint: 'leave it out'});
}

/**
 * @param asked the sections that are meant of what `name` says
 * @throws Failure `usage` for a flag that would do nothing in any of them, or not in all in which people expect it
 */
export function refuseWithoutEffect(
  flags: GivenFlags<typeof protectionFlags & typeof relationsFlags>,
  asked: (section: Pick<Section, 'asks' | 'key'>) => boolean,
  name: string,
): void {
  const meant = ofDomains.filter(asked);
  if (meant.length === 0) refuseUnprotecting(flags, `${name} has no rules about domains`);
  if (flags['save-relations'] === undefined) return;
  const [blind] = meant.filter(({ofDomains: {seesFollows}}) => !seesFollows);
  const seeing = ofDomains.flatMap(({key, ofDomains: {seesFollows}}) => (seesFollows ? key : []));
  if (blind !== undefined)
    throw new Failure(
      'usage',
      `--save-relations cannot be used with ${blind.key}, which cuts off everybody on the server: it sees the follows of one account`,
      {
        hint: `leave it out, or use it with --only ${seeing.join(',')}`,
      },
    );
  if (meant.length === 0)
    throw new Failure('usage', `--save-relations has no effect: ${name} has no rules about ${enumerated(seeing)}`, {hint: 'leave it out'});
}

/** Whether a policy asks for something in a section, for any account, within the part that is meant. */
function asksIn({policy, part}: Pick<Wanted, 'part' | 'policy'>): (section: Pick<Section, 'asks'>) => boolean {
  const policies = [policy, ...(policy.variants?.values() ?? [])].map((one) => policyIn(one, part?.only));
  return ({asks}) => policies.some((one) => asks(one));
}

export const privateFlags = {
  'show-private': Flags.boolean({
    description: 'also show private comments, which are otherwise left out of everything that is printed',
  }),
};

export const policyArgument = Args.string({description: 'a policy, YAML or JSON', required: true, ignoreStdin: true});

/** The flags of these commands, as parsed; not every command has all of them. */
export type PolicyFlags = GivenFlags<
  typeof partFlags & typeof privateFlags & typeof protectionFlags & typeof relationsFlags & typeof stateFlags
> &
  ListFlags;

/** The flags that lead to the same lists, domains and state files, for commands that are suggested. */
export function sameFlags(flags: PolicyFlags): SuggestedFlags {
  const {state} = flags;
  const domains = flags['block-protected'];
  return {...sameLists(flags), ...(domains !== undefined && {'block-protected': domains}), ...(state !== undefined && {state})};
}

/**
 * The account of a connection, with suggestions that lead to the same lists and the same state file.
 * @param policies that are about to be used with it
 * @param setting `needsName`: whether a server that refuses to name the account is a failure; `owner`: as in {@link Target}
 * @throws Failure `usage` when a policy is for another server, before any request, or for other accounts
 */
export async function targetOf(
  connection: Connection,
  flags: PolicyFlags,
  policies: readonly Wanted[] = [],
  {needsName = true, owner}: {readonly needsName?: boolean; readonly owner?: Target['owner']} = {},
): Promise<Target> {
  for (const {policy} of policies) refuseOtherServer(policy, connection.server);
  if (owner === 'server') return serverTarget(connection, flags);
  const own = await connection.ownAccount().catch((error: unknown) => {
    if (needsName || !(error instanceof Failure)) throw error;
    return undefined;
  });
  const account = own ? `@${own.acct}` : unknownAccount;
  const target = {...targetThrough(connection, flags), account, owner, own, followed: () => connection.followed()};
  for (const {policy} of policies) refuseOtherAccount(policy, policyName(target));
  return target;
}

function targetThrough(connection: Connection, flags: PolicyFlags) {
  const {client, server, suggest, session} = connection;
  return {
    client,
    server,
    advice: adviceOf(suggest, sameFlags(flags)),
    now: session.io.now,
    userCounts: (domains: readonly string[]) => connection.userCounts(domains),
    measures: (domains: readonly string[]) => connection.measures(domains),
    peers: () => connection.peers(),
  };
}

/** What the accounts of a server share, through one that may change it. */
function serverTarget(connection: Connection, flags: PolicyFlags): Target {
  return {...targetThrough(connection, flags), account: connection.server.host, owner: 'server'};
}

/**
 * What a policy wants of the account of a connection. The account is asked for only where that depends on it.
 * @throws Failure `usage` when the policy is for another server or account
 */
export async function wantedOn(wanted: Wanted, connection: Connection): Promise<Wanted> {
  const {policy} = wanted;
  if (policy.accounts !== undefined || policy.variants !== undefined) return wantedFor(wanted, await targetOf(connection, {}, [wanted]));
  refuseOtherServer(policy, connection.server);
  return wanted;
}

/**
 * Checks that policies are for the accounts, as far as their names are known, and warns of accounts in `for:` that are neither in use
 * nor those of other profiles.
 * @throws Failure `usage` before any request when a policy is not for one of them
 */
export async function checkAccounts(policies: readonly Wanted[], accounts: Accounts, session: Session): Promise<void> {
  refuseOthers(policies, accounts);
  const inUse = accounts.members.map(({connection, handle}) => handle ?? ownHandle(connection));
  const named = policies.filter(({policy}) => policy.variants !== undefined);
  if (named.length === 0 || inUse.includes(undefined) || !session.traits.hasNotes) return;
  const {profiles} = await (await knownProfiles(session)).list();
  const saved = profiles.flatMap(({account, server}) => (account ? handleOf(account.acct, new URL(server).host) : []));
  const known = new Set([...inUse, ...saved]);
  for (const {policy} of named) {
    const strangers = [...(policy.variants?.keys() ?? [])].filter((name) => !known.has(name));
    if (strangers.length > 0)
      session.warn(`${policy.file}: for: ${ofMany(strangers)}: no account in use and no profile has this name; check the spelling`);
  }
}

/** The name of the account of a profile. */
function ownHandle({identity, server}: Connection): string | undefined {
  const account = knownAccount(identity);
  return account && handleOf(account, server.host);
}

function refuseOthers(policies: readonly Wanted[], {areNamed, members}: Accounts): void {
  for (const {policy} of policies)
    for (const {connection, handle} of members) {
      refuseOtherServer(policy, connection.server);
      // One that is not known is refused by itself: the others are not affected.
      if (areNamed && handle !== undefined) refuseOtherAccount(policy, handle);
    }
}

/** How many invalid rows of a list a note names. */
const maxLines = 5;

/** Which private comments are read. @param besides of a command that is not asked to show them */
export function commentsFor(flags: PolicyFlags, besides: PrivateComments = 'sent'): PrivateComments {
  return flags['show-private'] === true ? 'all' : besides;
}

/**
 * @param given `text`: of the policy, where it was read already
 * @throws Failure `local` or `usage` for what cannot be read or used
 */
export async function readPolicyAndLists(
  file: string,
  flags: PolicyFlags,
  session: Session,
  {text, comments = commentsFor(flags)}: {readonly text?: string | undefined; readonly comments?: PrivateComments} = {},
): Promise<Wanted> {
  const unprotected = flags['block-protected'];
  const allowed = unprotected && new Set(unprotected.map((text) => blockableOf(text)));
  const wanted = await readWanted(file, listAccess(flags, session), {text, now: session.io.now(), comments});
  noteLists(wanted.domains, session);
  const part = partIn(flags);
  refuseWithoutEffect(flags, asksIn({...wanted, part}), part?.only === undefined ? file : `--only ${part.only.join(',')} of ${file}`);
  return {...wanted, ...(part && {part}), ...(allowed && {allowed})};
}

/** Reports what of a list is left out, the first invalid rows with their places, and whether it is a copy. */
function noteLeftOut(
  {list, obfuscated, wildcards, tooMild, tooMildFor, skipped, skippedRows, copyOf, stale, warning}: ListSummary,
  session: Session,
): void {
  if (warning !== undefined) session.warn(`${list}: ${warning}`);
  if (stale !== undefined) session.warn(`${stale.why}; the copy of ${stale.at.toISOString()} is used`);
  if (copyOf !== undefined) session.note(copyText(list, copyOf));
  const parts = [
    ...(skippedRows > 0 ? [counted(skippedRows, 'invalid entry', 'invalid entries')] : []),
    ...(obfuscated > 0 ? [counted(obfuscated, 'obfuscated entry', 'obfuscated entries')] : []),
    ...(wildcards > 0 ? [counted(wildcards, 'wildcard')] : []),
    ...(tooMild > 0 ? [`${counted(tooMild, 'entry', 'entries')} ${tooMildFor}`] : []),
  ];
  if (parts.length > 0) session.note(`${list}: skipped ${parts.join(', ')}`);
  for (const {file, line, message} of skipped.slice(0, maxLines)) session.note(`${locationText({file, line})}: ${message}`);
  const rest = skippedRows - maxLines;
  if (rest > 0)
    session.note(
      `${list}: ${andMore(rest)} that are invalid; --json lists ${skippedRows > skipped.length ? `the first ${skipped.length}` : 'all of them'}`,
    );
}

/** Reports what lists leave out. */
function noteLists(domains: WantedBySection, session: Session): void {
  for (const summary of summariesIn(domains)) noteLeftOut(summary, session);
  for (const one of domains.values()) noteCovered(one, session);
}

function noteCovered({wanted}: WantedDomains, session: Session): void {
  const covered = [...wanted.values()].filter(({coveredBy}) => coveredBy !== undefined && !isTopLevel(coveredBy));
  const [first] = covered;
  if (first === undefined) return;
  const others = covered.length > 1 ? ` (${andMore(covered.length - 1)} like it)` : '';
  session.note(`${first.domain} is a subdomain of ${first.coveredBy}; the policy and its lists name both${others}`);
}

/**
 * Reads what is named on the command line: a policy with its lists, or a list, without anything that is not valid. Both have their private
 * comments: what prints them says what it leaves out.
 * @param name of the file or URL that the text is from
 * @throws Failure `local` or `usage` for what cannot be read or used
 */
export async function readPolicyOrList(
  name: string,
  text: string,
  flags: PolicyFlags,
  session: Session,
): Promise<{readonly wanted: Wanted} | {readonly list: List}> {
  if (isPolicy(text)) {
    refuseLargeFetched(name, text);
    return {wanted: await readPolicyAndLists(name, flags, session, {text, comments: 'all'})};
  }
  refuseUnprotecting(flags, `${name} is a list, and protects nothing`);
  const list = readList(text, name, session.timeout);
  refuseRowMistakes(list);
  if (list.kind === 'domains') noteLeftOut(summaryOf(list), session);
  return {list};
}

/** How many names a warning lists. */
const maxNamed = 3;

function ofMany(all: readonly string[]): string {
  return firstOf(
    all.map((name) => (name.includes(',') ? JSON.stringify(name) : name)),
    maxNamed,
  );
}

/** Of which accounts something is told, by their indexes. */
interface Told<Item> {
  readonly first: Item;
  readonly subjects: readonly string[];
  readonly indexes: readonly number[];
}

/**
 * What several accounts have once; of what the same accounts have, all that is alike together. There may be very much of it.
 * @param lists those of each account
 * @param alike the same for items that are told together, and differ by their subjects
 */
function together<Item extends {readonly subject?: string | undefined}>(
  lists: readonly (readonly Item[])[],
  alike: (item: Item) => string,
): Iterable<Told<Item>> {
  const none = new AccountSet();
  const owners = new Map<string, Map<string | undefined, AccountSet | undefined>>();
  for (const [index, items] of lists.entries())
    for (const item of items) {
      const key = alike(item);
      const bySubject = owners.get(key) ?? new Map<string | undefined, AccountSet | undefined>();
      owners.set(key, bySubject);
      bySubject.set(item.subject, (bySubject.get(item.subject) ?? none).with(index));
    }
  const groups = new Map<string, Told<Item> & {readonly subjects: string[]}>();
  for (const item of lists.flat()) {
    const key = alike(item);
    const bySubject = owners.get(key);
    const indexes = bySubject?.get(item.subject)?.indexes;
    if (indexes === undefined) continue;
    // Those that have it are known: it is told once.
    bySubject?.set(item.subject, undefined);
    const name = JSON.stringify([key, indexes]);
    const group = groups.get(name) ?? {first: item, subjects: [], indexes};
    groups.set(name, group);
    if (item.subject !== undefined) group.subjects.push(item.subject);
  }
  return groups.values();
}

interface Remark {
  /** For people. */
  readonly subject?: string;
  readonly why: string;
}

/** Prints a warning that holds for many subjects or accounts once, with the first names. One account is not named. */
export function warnOfAccounts(accounts: readonly (Named & {readonly remarks: readonly Remark[]})[], session: Session): void {
  const lists = accounts.map(({remarks}) => remarks);
  for (const {first, subjects: all, indexes} of together(lists, ({why}) => why)) {
    const who = indexes.length === 1 ? indexes.map((index) => accounts[index]?.account).join('') : whoText(indexes, accounts);
    const where = accounts.length > 1 ? `${who}: ` : '';
    const subjects = ofMany(all);
    session.warn(`${where}${subjects === '' ? '' : `${subjects}: `}${first.why}`);
  }
}

const heldWords = {
  covered: 'Covered',
  ending: 'Ends soon',
  held: 'Held back',
  ineffective: 'Without effect',
  kept: 'Kept',
  unknown: 'Not checked',
} as const;

/** Reports what was not compared or is held back, and why; what holds for many rules or accounts once. One account is not named. */
export function noteSkippedOf(accounts: readonly (Named & {readonly skipped: readonly Skipped[]})[], session: Session): void {
  // There may be very much of it to sort.
  if (!session.traits.hasNotes) return;
  const lists = accounts.map(({skipped}) => skipped);
  const groups = together(lists, ({kind, why, heldBy}) => JSON.stringify([kind, why, heldBy?.rule]));
  for (const {first, subjects: all, indexes} of groups) {
    const subjects = ofMany(all.map((subject) => shownSubject({kind: first.kind, subject})));
    const where = accounts.length === 1 ? '' : ` ${whoText(indexes, accounts)}`;
    const what = first.heldBy === undefined ? 'Not checked' : heldWords[first.heldBy.how ?? 'held'];
    session.note(`${what}${where}: ${itemName(first.kind, all.length)}${subjects === '' ? '' : ` ${subjects}`}: ${first.why}`);
  }
}

/** For people; the JSON of a plan has it for programs. What holds for several accounts is said once, with their names. */
export function noteRemarks(all: readonly PerAccount<Remarks>[], session: Session): void {
  if (!session.traits.hasNotes) return;
  notePart(all[0]?.value.part, session);
  noteSkippedOf(
    all.map(({member: {account, owner}, value: {skipped = []}}) => ({account, owner, skipped})),
    session,
  );
  warnOfAccounts(
    all.map(({member: {account, owner}, value: {limits}}) => ({account, owner, remarks: limits.map((why) => ({why}))})),
    session,
  );
  for (const {member, value} of all)
    for (const text of reachTexts(value.reach ?? {}, member.connection.suggest))
      session.note(`${all.length > 1 ? `${member.account}: ` : ''}${text}`);
}
