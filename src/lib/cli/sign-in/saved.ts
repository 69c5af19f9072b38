/** What the commands about saved profiles do. */
import {connect, warnOfPlainHttp, wireOptions} from '../connection.js';
import {openSavedProfiles} from '../known-profiles.js';
import {printingOf, printingOfOwn, printResult} from '../printing.js';
import {namedProfile, noteEnvironment, profileDocument, profileRow, profileStatuses, profilesView} from '../profiles.js';
import type {Session} from '../session.js';
import {parseServer} from '../../auth/index.js';
import {Failure} from '../../client/failure.js';

/** Lists the profiles. @throws Failure `local` for profiles that cannot be read; that of the profile in use, where it does not work */
export async function printStatus(session: Session): Promise<void> {
  const printing = await printingOfOwn(profilesView, session);
  const statuses = await profileStatuses(session);
  const document = JSON.stringify({profiles: statuses.map(profileDocument)});
  const tableRows = statuses.map((status) => JSON.stringify(profileRow(status)));
  await printResult(
    {document, at: ['profiles'], tableRows, ...(printing.fields && {rows: tableRows}), view: profilesView},
    session,
    printing,
  );
  const inUse = statuses.find(({source}) => source !== null)?.problem;
  for (const {profile, problem} of statuses) {
    if (problem !== undefined && problem !== inUse) session.note(`${profile.name}: ${problem.message}`);
  }
  if (session.flags.profile === undefined) noteEnvironment(session);
  if (inUse !== undefined) throw inUse;
}

/** @throws Failure `auth` where there is none */
export async function printToken(session: Session): Promise<void> {
  const printing = await printingOf(session);
  const {identity} = await connect(session);
  const token = await identity.token();
  if (token === undefined) {
    throw new Failure('auth', `No access token for ${identity.server.host}`, {reason: 'no_token'});
  }
  await printResult({document: JSON.stringify({token}), plain: () => `${token}\n`}, session, printing);
}

/** @param named undefined: the profile in use @throws Failure `usage` for one that is not saved */
export async function logOut(named: string | undefined, session: Session): Promise<void> {
  const store = await openSavedProfiles(session);
  const name = await namedProfile(named, store, session);
  const {server} = await store.get(name);
  const {active, note} = await store.remove(name);
  session.note(`Removed profile ${name}.${active === null ? '' : ` Active profile: ${active}.`}`);
  if (note !== undefined) session.note(`${note}.`);
  session.note(`The token is still valid. Revoke it at ${server}/settings/applications`);
}

/** @param named undefined: the profile in use @throws Failure that of the server, and as {@link logOut} */
export async function renew(named: string | undefined, session: Session): Promise<void> {
  const store = await openSavedProfiles(session);
  const name = await namedProfile(named, store, session);
  const {server} = await store.get(name);
  warnOfPlainHttp(parseServer(server, `Profile ${name}`, session.flags['allow-http'] === true), session);
  const {renewToken} = await import('../../auth/profile-token.js');
  const {expiresAt} = await renewToken(store, name, wireOptions(session));
  session.note(`Renewed the token of ${name}${expiresAt === null ? '' : `, until ${expiresAt}`}.`);
}

/** @throws Failure `usage` for one that is not saved */
export async function switchTo(named: string, session: Session): Promise<void> {
  const {name, server} = await (await openSavedProfiles(session)).activate(named);
  session.note(`Active profile: ${name} on ${server}.`);
  noteEnvironment(session);
}
