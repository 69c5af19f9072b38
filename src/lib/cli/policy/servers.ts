/** What the accounts of a server share, among several accounts: it is planned and applied once, by one that may change it. */
import type {Accounts, Member} from '../accounts.js';
import type {Session} from '../session.js';
import {asFailure, Failure} from '../../client/failure.js';
import type {PlanPart, Wanted} from '../../policy/lists/wanted.js';
import {asksServer, includes, policyIn} from '../../policy/reading/part.js';
import {wantedFor} from '../../policy/reading/read-wanted.js';
import type {Section} from '../../policy/section/section.js';
import {sharedSections} from '../../policy/sections/index.js';
import {isServerKept} from '../../policy/state-file/paths.js';

/** Whose parts of policies a run is about. */
export interface Meant {
  /** Whether anything of the accounts themselves is. */
  readonly accounts: boolean;
  /** Whether anything that the accounts of a server share is. */
  readonly server: (server: URL) => Promise<boolean>;
  /** What is asked of servers; undefined: whatever was made there. */
  readonly asked?: readonly Section[] | undefined;
}

/** Whether a policy, or an earlier apply of it, is about what the accounts of a server share. @throws Failure `local` */
export async function isAboutServer(wanted: Wanted, server: URL, chosen: string | undefined): Promise<boolean> {
  const {policy} = wantedFor(wanted, {account: server.host, owner: 'server', server});
  return asksServer(policy, wanted.part) ?? isServerKept(policy.file, server, chosen);
}

/** What policies are about. @param chosen the value of `--state` */
export function meantBy(policies: readonly Wanted[], chosen: string | undefined, part?: PlanPart): Meant {
  const asked = sharedSections.filter(({asks}) => policies.some(({policy}) => asks(policyIn(policy, part?.only))));
  return {
    asked: asked.length === 0 ? undefined : asked,
    accounts: includes(part, 'account'),
    async server(server) {
      for (const wanted of policies) if (await isAboutServer(wanted, server, chosen)) return true;
      return false;
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
    if (!(await meant.server(server))) continue;
    const admins = accounts.admins.filter((member) => own.includes(member));
    const {chosen, unusable} = await firstThatMay(admins, server, meant.asked ?? sharedSections.slice(0, 1));
    const [member = chosen] = own;
    if (member === undefined) continue;
    if (unusable === undefined && chosen !== undefined) noteOthers(chosen, own, session);
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

const sharedText = (): string => sharedSections.map(({key}) => key).join(', ');

/** @param admins whose tokens may have the scopes: only the server knows whether the persons may */
async function firstThatMay(admins: readonly Member[], {host}: URL, asked: readonly Section[]): Promise<Choice> {
  const [first, ...others] = admins;
  if (first === undefined)
    return {
      unusable: new Failure(
        'auth',
        `None of the profiles in use may read ${sharedText()} of ${host}: their tokens have no scopes of admins`,
        {
          hint: 'sign in as an admin with `pixelctl auth login --admin`, and use that profile too',
        },
      ),
    };
  // A single one finds out when it is used.
  if (others.length === 0) return {chosen: first};
  let unusable: Failure | undefined;
  for (const chosen of admins) {
    const failure = await refusalOf(chosen, asked);
    if (failure === undefined) return {chosen};
    unusable ??= failure;
  }
  return {chosen: first, unusable};
}

/** Why an account may not; another failure is found again when it is used. */
async function refusalOf({connection: {client, suggest}}: Member, asked: readonly Section[]): Promise<Failure | undefined> {
  try {
    for (const {reads} of asked) await client.call(reads, {});
    return undefined;
  } catch (error) {
    const failure = asFailure(error);
    return failure.code === 'auth' ? failure.with({suggest}) : undefined;
  }
}

function noteOthers(chosen: Member, own: readonly Member[], session: Session): void {
  const nameOf = ({connection: {identity}, account}: Member) => identity.profile?.name ?? account;
  const others = own.filter((one) => one !== chosen).map(nameOf);
  if (others.length > 0)
    session.note(
      `What the accounts of ${chosen.connection.server.host} share (${sharedText()}) is done once, with the profile ${nameOf(chosen)}; not with ${others.join(', ')}.`,
    );
}
