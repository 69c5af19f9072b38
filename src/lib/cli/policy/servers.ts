/** What the accounts of a server share, among several accounts: it is planned and applied once, by one that may change it. */
import {firstThatMay, type Accounts, type Choice, type Member} from '../accounts.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';
import {type Meant, type Section, sharedSections} from '../../policy/index.js';

/**
 * The accounts of a run, and beside them the servers where what their accounts share is meant: each once, through the first profile that
 * may change it. One account is used for both.
 * @throws Failure `local` when a state file cannot be read
 */
export async function withServers(accounts: Accounts, meant: Meant, session: Session): Promise<Accounts> {
  if (!accounts.areNamed || sharedSections.length === 0) return accounts;
  const members: Member[] = (await meant.accounts()) ? accounts.members.map((member) => ({...member, owner: 'account'})) : [];
  const all = [...new Set([...accounts.members, ...accounts.admins])];
  for (const [origin, own] of Map.groupBy(all, ({connection}) => connection.server.origin)) {
    const server = new URL(origin);
    const asked = await meant.server(server);
    if (asked.length === 0) continue;
    const admins = accounts.admins.filter((member) => own.includes(member));
    const {chosen, unusable} = await chooseAdmin(admins, asked, server);
    if (unusable === undefined && chosen !== undefined) noteOthers(chosen, own, asked, session);
    // Where nobody may read it, that is said once.
    for (const {connection} of chosen === undefined ? own.slice(0, 1) : [chosen])
      members.push({connection, handle: undefined, acct: server.host, account: server.host, unusable, owner: 'server'});
  }
  return accounts.withMembers(members);
}

const namesOf = (sections: readonly Section[]): string => sections.map(({key}) => key).join(', ');

/** @param admins whose tokens may have the scopes */
async function chooseAdmin(admins: readonly Member[], sections: readonly Section[], {host}: URL): Promise<Choice> {
  if (admins.length > 0) {
    return firstThatMay(
      admins,
      sections.map(({reads}) => reads),
    );
  }
  const what = `${namesOf(sections)} of ${host}`;
  return {
    unusable: new Failure('auth', `None of the profiles in use may read ${what}: their tokens lack admin scopes`, {
      hint: 'sign in as an admin with `pixelctl auth login --admin`, and use that profile too',
    }),
  };
}

function noteOthers(chosen: Member, own: readonly Member[], sections: readonly Section[], session: Session): void {
  const profiles = (some: readonly Member[]) => some.map(({connection: {identity}}) => identity.profile?.name).join(', ');
  const others = own.filter((one) => one !== chosen);
  if (others.length > 0)
    session.note(
      `What the accounts of ${chosen.connection.server.host} share (${namesOf(sections)}) is done once, with the profile ${profiles([chosen])}; not with ${profiles(others)}.`,
    );
}
