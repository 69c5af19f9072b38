/** Against acting as the wrong one: says as whom, and asks where a profile is protected. */
import {confirm, requireAnswer} from './confirm.js';
import {openStore, type Connection} from '../connection.js';

/** `@ana on pix.example` */
export function actor({identity}: Connection): string {
  const {profile, server} = identity;
  const account = profile?.account;
  const whose = account ? `@${account.acct}` : profile === undefined ? 'the token of the environment' : profile.name;
  return `${whose} on ${server.host}`;
}

/** Whether a person could mix up accounts here. A store that cannot be read is told where it is needed. */
async function hasSeveralProfiles(): Promise<boolean> {
  try {
    return (await (await openStore()).list()).profiles.length > 1;
  } catch {
    return false;
  }
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
    requireAnswer();
    const words = (await question?.()) ?? `${what}?`;
    await confirm(isProtected ? `${words} This is ${actor(connection)}, a protected profile.` : words);
  }
  if (await hasSeveralProfiles()) session.tellUnlessQuiet(`as ${actor(connection)}`);
}
