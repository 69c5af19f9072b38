/** What the commands about saved profiles do. */
import {hintFor} from '../errors.js';
import {connect, warnOfPlainHttp, wireOptions} from '../connection.js';
import {openSavedProfiles} from '../known-profiles.js';
import {environmentNotes, namedProfile, profileDocument, profileStatuses, type ProfileStatus} from '../profiles.js';
import type {Session} from '../session.js';
import type {Result} from '../sink.js';
import {parseServer} from '../../auth/index.js';
import {Failure} from '../../client/failure.js';

/**
 * The profiles, and the token of the environment. The failure is that of the profile in use, or of any profile where none is in use.
 * @throws Failure `local` for profiles that cannot be read
 */
export async function statusOf(session: Session): Promise<Result> {
  const statuses = await profileStatuses(session);
  const inUse = statuses.find(({source}) => source !== null);
  const decisive = inUse ?? statuses.find(({problem}) => problem !== undefined);
  const failure = decisive === inUse || decisive === undefined ? decisive?.problem : failureOf(decisive, session);
  const problems = statuses.flatMap(({profile, problem}) =>
    problem !== undefined && problem !== decisive?.problem ? `${profile.name}: ${problem.message}` : [],
  );
  const isOverriding = session.flags.profile === undefined && statuses.some(({profile}) => profile.name !== null);
  return {
    document: {profiles: statuses.map(profileDocument)},
    at: ['profiles'],
    notes: [...problems, ...(isOverriding ? environmentNotes(session.io) : [])],
    failure,
  };
}

/** The problem of a profile that was not selected: the message has to name the profile. */
function failureOf({profile: {name}, problem}: ProfileStatus, session: Session): Failure | undefined {
  if (problem === undefined || name === null) return problem;
  const hint = hintFor(problem, session.with({profile: name}).inUse);
  return new Failure(problem.code, `${name}: ${problem.message}`, {...problem.details, hint});
}

/** @throws Failure `auth` where there is no token */
export async function tokenInUse(session: Session): Promise<Result> {
  const {identity} = await connect(session);
  const token = await identity.token();
  if (token === undefined) {
    throw new Failure('auth', `No access token for ${identity.server.host}`, {reason: 'no_token'});
  }
  return {document: {token}, plain: () => `${token}\n`};
}

/** @param named undefined means the profile in use @throws Failure `usage` for a profile that is not saved */
export async function logOut(named: string | undefined, session: Session): Promise<Result> {
  const store = await openSavedProfiles(session);
  const name = await namedProfile(named, store, session);
  const {server} = await store.get(name);
  const {active, notes} = await store.remove(name);
  return {
    notes: [
      `Removed profile ${name}.${active === null ? '' : ` Active profile: ${active}.`}`,
      ...notes,
      `The token is still valid. Revoke it at ${server}/settings/applications`,
    ],
  };
}

/** @param named undefined means the profile in use @throws Failure that of the server, and as {@link logOut} */
export async function renew(named: string | undefined, session: Session): Promise<Result> {
  const store = await openSavedProfiles(session);
  const name = await namedProfile(named, store, session);
  const {server} = await store.get(name);
  warnOfPlainHttp(parseServer(server, `Profile ${name}`, session.flags['allow-http'] === true), session);
  const {renewToken} = await import('../../auth/profile-token.js');
  const {expiresAt} = await renewToken(store, name, wireOptions(session));
  return {notes: [`Renewed the token of ${name}${expiresAt === null ? '' : `, until ${expiresAt}`}.`]};
}

/** @throws Failure `usage` for a profile that is not saved */
export async function switchTo(named: string, session: Session): Promise<Result> {
  const {name, server} = await (await openSavedProfiles(session)).activate(named);
  return {notes: [`Active profile: ${name} on ${server}.`, ...environmentNotes(session.io)]};
}
