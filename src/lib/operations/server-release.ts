/** What a server says of itself: its version, time and configuration. Servers before 2026 have no configuration. */
import {getConfiguration} from '../api/config.js';
import {getInstance} from '../api/internal.js';
import {oncePer} from '../api/schema.js';
import type {Client} from '../client/client.js';
import {Failure, type FailureCode} from '../client/failure.js';
import {textAt} from '../json/path.js';
import {readDomain} from './domains.js';

/** The version of Pixelfed. For the sake of apps, servers name a version of Mastodon first. */
const pixelfedVersion = /compatible; Pixelfed ([^)]+)\)/;

export interface ServerRelease {
  /** As in `0.12.6`; null when it does not say. */
  readonly version: string | null;
  /** The server's time, from the Date header. */
  readonly date: string | undefined;
  /** As the server sent it, and any part of it may be missing; undefined on servers that publish none. */
  readonly configuration: unknown;
}

/** The software of a server, as far as the API for admins differs. */
export type Software = 'mastodon' | 'pixelfed';

/** Failures that show that a server can be asked, and says nothing of itself. */
const saysNothing: ReadonlySet<FailureCode> = new Set(['auth', 'bad_answer', 'not_found', 'refused']);

async function askInstanceData(client: Client): Promise<unknown> {
  try {
    return (await client.call(getInstance, {})).value;
  } catch (error) {
    if (error instanceof Failure && saysNothing.has(error.code)) return undefined;
    throw error;
  }
}

/**
 * What the server says of itself, asked once for all clients of a run; undefined where it says nothing.
 * @throws Failure when it cannot be asked
 */
const instanceData = oncePer(askInstanceData, ({server}) => server);

/**
 * What the server runs. Where it does not say, it is taken for Mastodon, whose API it is.
 * @throws Failure when it cannot be asked
 */
export async function serverSoftware(client: Client): Promise<Software> {
  return pixelfedVersion.test(textAt(await instanceData(client), ['version']) ?? '') ? 'pixelfed' : 'mastodon';
}

/** The hosts of the server: the one that requests go to, and those by which others know it, where it says so. */
export async function ownHosts(client: Client): Promise<readonly string[]> {
  const said = await instanceData(client).catch(() => undefined);
  const named = ['uri', 'domain'].flatMap((name) => {
    const read = readDomain(textAt(said, [name]) ?? '');
    return 'domain' in read ? [read.domain] : [];
  });
  return [...new Set([client.host, ...named])];
}

/** @throws Failure when the server sends neither a configuration nor its instance data */
export async function serverRelease(client: Client): Promise<ServerRelease> {
  try {
    const {value, headers} = await client.call(getConfiguration, {});
    return {version: textAt(value, ['version']) ?? null, date: headers['date'], configuration: value};
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
    const {value, headers} = await client.call(getInstance, {});
    const said = textAt(value, ['version']) ?? '';
    const version = pixelfedVersion.exec(said)?.[1] ?? said;
    return {version: version === '' ? null : version, date: headers['date'], configuration: undefined};
  }
}

/** Whether any web site may answer like this, even one without this API. */
const isOfAnySite = ({code, details: {reason}}: Failure): boolean =>
  reason === 'scope' || (code === 'not_found' && reason !== 'unknown_route');

/**
 * @param failure how a request failed, where it did
 * @throws Failure `not_found` for a site that does not describe itself as Pixelfed and Mastodon do, if any site may fail like this
 */
export async function refuseWithoutApi(client: Client, failure?: Failure): Promise<void> {
  if (failure !== undefined && !isOfAnySite(failure)) return;
  try {
    await serverRelease(client);
  } catch (error) {
    if (!(error instanceof Failure) || !saysNothing.has(error.code)) throw error;
    throw new Failure('not_found', `${client.host} does not have the API of Pixelfed`, {
      ...error.details,
      hint: 'check the address: this may not be a Pixelfed server, or a proxy before it answered',
    });
  }
}
