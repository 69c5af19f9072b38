/** What can be wrong with the server, or between it and here. */
import {getConfiguration} from '../../api/config.js';
import type {Client} from '../../client/client.js';
import {Failure} from '../../client/failure.js';
import {whoAmI} from '../../profile/account.js';
import type {Connection} from '../connection.js';
import {serverVersion} from '../profile-status.js';
import {checking, unwell, well, type Check} from './check.js';

/** Seconds that clocks may differ before tokens seem to end too early or too late. */
const mostSkew = 60;

/** Milliseconds that the server may take. */
const patience = 10_000;

/** Any answer shows that the server is there; an old one has no configuration. */
async function reach(client: Client): Promise<{date: string | undefined; configuration: unknown}> {
  try {
    const {headers, value} = await client.call(getConfiguration, {});
    return {date: headers['date'], configuration: value};
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return {date: undefined, configuration: undefined};
    throw error;
  }
}

function checkClock(date: string | undefined): Check {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return well('clock', 'the server does not say what time it is');
  const skew = Math.round((Date.now() - theirs) / 1000);
  const detail = `${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead of'} the server`;
  return Math.abs(skew) <= mostSkew ? well('clock', detail) : unwell('clock', detail, 'set the clock of this machine');
}

async function checkFeatures(client: Client, configuration: unknown): Promise<Check> {
  const version = (await serverVersion(client)) ?? 'a release that it does not name';
  const detail = configuration === undefined ? `${version}: no conversations, no published limits` : `${version}: conversations, published limits`;
  return well('server', detail);
}

async function checkToken(connection: Connection): Promise<Check> {
  const {identity, client} = connection;
  const {profile} = identity;
  try {
    const account = await whoAmI(client);
    const scopes = profile?.scopes === null || profile === undefined ? 'with scopes that are not known' : `with the scopes ${profile.scopes.join(' ')}`;
    return well('token', `${account === undefined ? 'the server does not say whose' : `of @${account.acct}`}, ${scopes}`);
  } catch (error) {
    if (error instanceof Failure && error.details.reason === 'scope') return well('token', 'accepted, but may not read');
    throw error;
  }
}

export async function examineServer(connection: Connection): Promise<Check[]> {
  const {server, identity} = connection;
  const client = connection.newClient({timeout: patience, retries: 0});
  try {
    let reached: Awaited<ReturnType<typeof reach>> | undefined;
    const there = await checking('reachable', async () => {
      reached = await reach(client);
      return `${server.origin} answers (named by ${identity.source})`;
    });
    if (reached === undefined) return [there];
    const {date, configuration} = reached;
    return [
      there,
      checkClock(date),
      await checking('server', () => checkFeatures(client, configuration)),
      await checking('token', () => checkToken(connection)),
    ];
  } finally {
    await client.close();
  }
}
