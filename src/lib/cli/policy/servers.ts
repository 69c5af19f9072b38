/** What the accounts of a server share, among several accounts: it is planned and applied once, by one that may change it. */
import {firstAdmin, type Accounts, type Member} from '../accounts.js';
import type {AdminAccess} from '../../auth/index.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';
import {type Meant, type Section, sharedSections} from '../../policy/index.js';

/**
 * The accounts of a run, and beside them the servers where what their accounts share is meant: each once, through the first profile that
 * is not known to lack the scope. One account is used for both.
 * @param access what is done there
 * @throws Failure `local` when a state file cannot be read
 */
export async function withServers(accounts: Accounts, meant: Meant, access: AdminAccess, session: Session): Promise<Accounts> {
  if (!accounts.areNamed || sharedSections.length === 0) return accounts;
  const members: Member[] = (await meant.accounts()) ? accounts.members.map((member) => ({...member, owner: 'account'})) : [];
  for (const [origin, own] of accounts.byServer) {
    const {host} = new URL(origin);
    const asked = await meant.server(new URL(origin));
    if (asked.length === 0) continue;
    const chosen = firstAdmin(own, access);
    if (chosen !== undefined) noteOthers(chosen, own, asked, session);
    const unusable = chosen === undefined ? withoutAdmin(asked, access, host) : undefined;
    // Where nobody may, that is said once.
    for (const {connection} of chosen === undefined ? own.slice(0, 1) : [chosen])
      members.push({connection, handle: undefined, acct: host, account: host, unusable, owner: 'server'});
  }
  return accounts.withMembers(members);
}

const namesOf = (sections: readonly Section[]): string => sections.map(({key}) => key).join(', ');

function withoutAdmin(sections: readonly Section[], access: AdminAccess, host: string): Failure {
  const doing = access === 'read' ? 'read' : 'change';
  return new Failure('auth', `None of the profiles in use may ${doing} ${namesOf(sections)} of ${host}: their tokens lack admin scopes`, {
    hint: 'sign in as an admin with `pixelctl auth login --admin`, and use that profile too',
  });
}

function noteOthers(chosen: Member, own: readonly Member[], sections: readonly Section[], session: Session): void {
  const profiles = (some: readonly Member[]) => some.map(({connection: {identity}}) => identity.profile?.name).join(', ');
  const others = own.filter((one) => one !== chosen);
  if (others.length > 0)
    session.note(
      `What the accounts of ${chosen.connection.server.host} share (${namesOf(sections)}) is done once, with the profile ${profiles([chosen])}; not with ${profiles(others)}.`,
    );
}
