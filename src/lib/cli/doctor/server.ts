/** What can be wrong with the server, or between it and here. */
import {claimsOf} from '../../auth/token.js';
import {whoAmI} from '../../operations/accounts.js';
import type {Client} from '../../client/client.js';
import {Failure} from '../../client/failure.js';
import {booleanAt} from '../../json/path.js';
import type {Connection} from '../connection.js';
import {serverRelease, type ServerRelease} from '../server-release.js';
import {type Check, checking, unwell, well} from './check.js';

/** Seconds that clocks may differ before tokens seem to end too early or too late. */
const mostSkew = 60;

/** Milliseconds that the server may take. */
const patience = 10_000;

/** Asks what the server is. Any answer of its own shows that it is there. */
async function reach(client: Client): Promise<Failure | ServerRelease> {
  try {
    return await serverRelease(client);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'unavailable' || error.details.status === undefined) throw error;
    return error;
  }
}

function checkClock({date}: ServerRelease, now: Date): Check {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return well('clock', 'the server does not say what time it is');
  const skew = Math.round((now.getTime() - theirs) / 1000);
  const detail = `${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead of'} the server`;
  return Math.abs(skew) <= mostSkew ? well('clock', detail) : unwell('clock', detail, 'set the clock of this machine');
}

/** What a server can switch off, and where its configuration says so. */
const switches: readonly (readonly [name: string, path: readonly string[]])[] = [
  ['stories', ['features', 'stories']],
  ['video', ['features', 'video']],
  ['group chats', ['limits', 'direct_messages', 'group_chats', 'enabled']],
  ['sign-in of programs', ['oauth']],
];

function featuresOf({version, configuration}: ServerRelease): string {
  const release = version ?? 'a release that it does not name';
  if (configuration === undefined) return `${release}: without conversations and published limits`;
  const off = switches.flatMap(([name, path]) => (booleanAt(configuration, path) === false ? [name] : []));
  return `${release}: with conversations and published limits${off.length === 0 ? '' : `; without ${off.join(', ')}`}`;
}

/** What is known of a token: it may say it itself, or the sign-in did. */
async function aboutToken({identity}: Connection): Promise<{readonly scopes: string; readonly until: string}> {
  const {profile} = identity;
  const token = await identity.token();
  const claims = token === undefined ? {} : claimsOf(token);
  const scopes = claims.scopes ?? profile?.scopes;
  const end = claims.expiresAt ?? profile?.expiresAt;
  return {scopes: scopes ? `with the scopes ${scopes.join(' ')}` : 'with scopes that are not known', until: end ? `, until ${end}` : ''};
}

async function checkToken(connection: Connection, client: Client): Promise<Check> {
  const {scopes, until} = await aboutToken(connection);
  try {
    const account = await whoAmI(client);
    const whose = account === undefined ? 'the server does not say whose' : `of @${account.acct}`;
    return well('token', `${whose}, ${scopes}${until} (from ${connection.identity.tokenSource})`);
  } catch (error) {
    if (error instanceof Failure && error.details.reason === 'scope') return well('token', `accepted, but may not read, ${scopes}${until}`);
    throw error;
  }
}

export async function examineServer(connection: Connection): Promise<Check[]> {
  const {server, identity} = connection;
  const client = connection.newClient({timeout: patience, retries: 0, maxWait: 0});
  try {
    let reached: Failure | ServerRelease | undefined;
    const there = await checking(
      'reachable',
      async () => {
        reached = await reach(client);
        return `${server.origin} answers (named by ${identity.source})`;
      },
      connection.suggest,
    );
    if (reached === undefined) return [there];
    const about = reached;
    const token = await checking('token', () => checkToken(connection, client), connection.suggest);
    if (!(about instanceof Failure))
      return [there, checkClock(about, connection.session.io.now()), well('server', featuresOf(about)), token];
    return [there, unwell('server', about.message, 'check that this is the address of a photo-sharing server', about), token];
  } finally {
    await client.close();
  }
}
