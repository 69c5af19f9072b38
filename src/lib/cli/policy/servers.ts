/** What the accounts of a server share, among several accounts: it is planned and applied once, by one that may change it. */
import type {Accounts, Member} from '../accounts.js';
import type {Session} from '../session.js';
import {asFailure, Failure} from '../../client/failure.js';
import type {PlanPart, Wanted} from '../../policy/lists/wanted.js';
import {includes} from '../../policy/reading/part.js';
import {wantedFor} from '../../policy/reading/read-wanted.js';
import type {Section} from '../../policy/section/section.js';
import {sharedSections} from '../../policy/sections/index.js';
import {keptOfServer} from '../../policy/state-file/paths.js';

/** Whose parts of policies a run is about. */
export interface Meant {
  /** Whether anything of the accounts themselves is. */
  readonly accounts: boolean;
  /** The sections of what the accounts of a server share, as far as they are meant. */
  readonly server: (server: URL) => Promise<readonly Section[]>;
}

/** The sections of what the accounts of a server share that a policy, or an earlier apply of it, is about. @throws Failure `local` */
export async function sectionsOfServer(wanted: Wanted, server: URL, chosen: string | undefined): Promise<readonly Section[]> {
  if (!includes(wanted.part, 'server')) return [];
  const {policy} = wantedFor(wanted, {account: server.host, owner: 'server', server});
  const asked = sharedSections.filter(({asks}) => asks(policy));
  if (asked.length > 0) return asked;
  const kept = await keptOfServer(policy.file, server, chosen);
  return sharedSections.filter(({key, kind}) => kept.has(kind) && wanted.part?.only?.includes(key) !== false);
}

/** What policies are about. @param chosen the value of `--state` */
export function meantBy(policies: readonly Wanted[], chosen: string | undefined, part?: PlanPart): Meant {
  return {
    accounts: includes(part, 'account'),
    async server(server) {
      const all = await Promise.all(policies.map((wanted) => sectionsOfServer(wanted, server, chosen)));
      return sharedSections.filter((section) => all.some((some) => some.includes(section)));
    },
  };
}

/**
 * The accounts of a run, and beside them the servers where what their accounts share is meant: each once, through the first profile that
 * may change it. One account is used for both.
 * @throws Failure `local` when a state file cannot be read
 */
export async function withServers(accounts: Accounts, meant: Meant, session: Session): Promise<Accounts> {
  if (!accounts.areNamed || sharedSections.length === 0) return accounts;
  const members: Member[] = meant.accounts ? accounts.members.map((member) => ({...member, owner: 'account'})) : [];
  const all = [...new Set([...accounts.members, ...accounts.admins])];
  for (const [origin, own] of Map.groupBy(all, ({connection}) => connection.server.origin)) {
    const server = new URL(origin);
    const sections = await meant.server(server);
    if (sections.length === 0) continue;
    const admins = accounts.admins.filter((member) => own.includes(member));
    const {chosen, unusable} = await firstThatMay(admins, sections, server);
    const [member = chosen] = own;
    if (member === undefined) continue;
    if (unusable === undefined && chosen !== undefined) noteOthers(chosen, own, sections, session);
    const {connection} = chosen ?? member;
    members.push({connection, handle: undefined, acct: server.host, account: server.host, unusable, owner: 'server'});
  }
  return accounts.withMembers(members);
}

interface Choice {
  readonly chosen?: Member | undefined;
  /** Why none may. */
  readonly unusable?: Failure | undefined;
}

const namesOf = (sections: readonly Section[]): string => sections.map(({key}) => key).join(', ');

/** @param admins whose tokens may have the scopes: only the server knows whether the persons may */
async function firstThatMay(admins: readonly Member[], sections: readonly Section[], {host}: URL): Promise<Choice> {
  const [first, ...others] = admins;
  if (first === undefined)
    return {
      unusable: new Failure(
        'auth',
        `None of the profiles in use may read ${namesOf(sections)} of ${host}: their tokens have no scopes of admins`,
        {
          hint: 'sign in as an admin with `pixelctl auth login --admin`, and use that profile too',
        },
      ),
    };
  // A single one finds out when it is used.
  if (others.length === 0) return {chosen: first};
  let unusable: Failure | undefined;
  for (const chosen of admins) {
    const failure = await refusalOf(chosen, sections);
    if (failure === undefined) return {chosen};
    unusable ??= failure;
  }
  return {chosen: first, unusable};
}

/** Why an account may not; another failure is found again when it is used. */
async function refusalOf({connection: {client, suggest}}: Member, sections: readonly Section[]): Promise<Failure | undefined> {
  try {
    for (const {reads} of sections) await client.call(reads, {});
    return undefined;
  } catch (error) {
    const failure = asFailure(error);
    return failure.code === 'auth' ? failure.with({suggest}) : undefined;
  }
}

function noteOthers(chosen: Member, own: readonly Member[], sections: readonly Section[], session: Session): void {
  const nameOf = ({connection: {identity}, account}: Member) => identity.profile?.name ?? account;
  const others = own.filter((one) => one !== chosen).map(nameOf);
  if (others.length > 0)
    session.note(
      `What the accounts of ${chosen.connection.server.host} share (${namesOf(sections)}) is done once, with the profile ${nameOf(chosen)}; not with ${others.join(', ')}.`,
    );
}
