/** Against acting as the wrong one: says as whom, and asks where a profile is protected. */
import {Failure} from '../../client/failure.js';
import {confirm, requireAnswer} from './confirm.js';
import {savedProfiles, type Connection} from '../connection.js';
import type {Session} from '../session.js';

/** `@ana on pix.example` */
export function actor({identity}: Connection): string {
  const {profile, server} = identity;
  const account = profile?.account;
  const whose = account ? `@${account.acct}` : profile === undefined ? 'the token of the environment' : profile.name;
  return `${whose} on ${server.host}`;
}

/** Whether a person could mix up accounts here. Profiles that cannot be read are told of where they are needed. */
async function hasSeveralProfiles(session: Session): Promise<boolean> {
  try {
    return (await savedProfiles(session).list()).profiles.length > 1;
  } catch {
    return false;
  }
}

/** @throws Failure `usage` when nobody can answer */
function requireAnswerFor(connection: Connection): void {
  const {profile} = connection.identity;
  const {io} = connection.session;
  if (profile?.isProtected !== true || io.canAsk) return requireAnswer(io);
  throw new Failure('usage', `The profile ${profile.name} is protected, and confirmation needs a terminal: nothing was sent`, {
    hint: `pass --yes to act as ${actor(connection)}`,
  });
}

/**
 * What stands between a write and its sending: the question of what it destroys or of a protected profile, unless
 * `--yes` answers it; then, where there are several profiles, a word on standard error in every format.
 * @param what the write in words, for a protected profile
 * @param question names what is hit; undefined where nothing is destroyed
 * @throws Failure `usage` when nobody can answer, or the answer is no
 */
export async function allowWrite(
  connection: Connection,
  what: string,
  question: (() => Promise<string> | string) | undefined,
): Promise<void> {
  const {session, identity} = connection;
  const isProtected = identity.profile?.isProtected === true;
  if (!session.assumeYes && (question !== undefined || isProtected)) {
    requireAnswerFor(connection);
    const words = (await question?.()) ?? `${what}?`;
    await confirm(isProtected ? `${words} This is ${actor(connection)}, a protected profile.` : words, session.io);
  }
  if (await hasSeveralProfiles(session)) session.tellUnlessQuiet(`as ${actor(connection)}`);
}
